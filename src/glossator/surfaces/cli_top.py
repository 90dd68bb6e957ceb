"""Which options does `glossator top` have? Registered by cli.py."""

from typing import Annotated

import typer

from glossator.surfaces.call import Call


def top(
    call: Call,
    *,
    url: Annotated[
        str | None,
        typer.Option(help="Ask a server, for example http://127.0.0.1:8377, in place of the file.", show_default=False),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Show one picture and end.")] = False,
    every: Annotated[float, typer.Option(metavar="SECONDS", help="How often to look.")] = 2.0,
) -> int:
    """Watch a memory live: what is there, what waits, what fails, how long it takes. Ends with q."""
    from glossator.surfaces.verbs import top

    return top.run(call, url=url, once=once, every_s=every)
