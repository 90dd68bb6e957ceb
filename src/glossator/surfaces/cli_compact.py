"""The verb that sums up the older part of a conversation: `glossator compact`, registered by cli.py."""

from typing import Annotated

import typer

from glossator.surfaces.call import Call


def compact(
    call: Call,
    *,
    window_tokens: Annotated[
        int | None,
        typer.Option(
            metavar="TOKENS", help="The model's window; the last measured one if left out.", show_default=False
        ),
    ] = None,
) -> int:
    """Sum up the older messages of a --conversation, so that less of it is sent; all of them stay in memory."""
    from glossator.surfaces.verbs import compact

    return compact.run(call, window_tokens=window_tokens)
