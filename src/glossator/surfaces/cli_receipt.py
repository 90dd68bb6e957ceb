"""The verbs of receipts: `glossator receipt list | verify | key`, registered beside those of cli.py."""

from pathlib import Path
from typing import Annotated

import typer

from glossator.surfaces.call import Call
from glossator.surfaces.registry import verb

HELP = "Proofs of what was forgotten: ids, counts, when and by whom, never the words."
LOOK = "Look"

receipt_app = typer.Typer(name="receipt", help=HELP, short_help=HELP)


@receipt_app.callback(invoke_without_command=True, help=HELP)
def before_any_verb(context: typer.Context) -> None:
    """Without a verb: say which there are."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@verb(receipt_app, panel=LOOK, name="list")
def list_receipts(call: Call) -> None:
    """List what was forgotten here, oldest first."""
    from glossator.surfaces.verbs import receipt

    receipt.list_receipts(call)


@verb(receipt_app, panel=LOOK, name="verify")
def verify(
    call: Call,
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What --receipt wrote.", show_default=False)],
    key: Annotated[
        str | None,
        typer.Option(
            help="The public key: a file of `glossator receipt key`, or 64 hexadecimal digits; that of the memory at "
            "--db if left out.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Is the receipt, to the last byte, one that this key signed? Exit code 1 where it is not."""
    from glossator.surfaces.verbs import receipt

    return receipt.verify(call, file, key=key)


@verb(receipt_app, panel=LOOK, name="key")
def show_key(call: Call) -> None:
    """Print the public key that receipts of this memory are checked with, as PEM."""
    from glossator.surfaces.verbs import receipt

    receipt.show_key(call)
