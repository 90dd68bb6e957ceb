"""The verbs of the background reviewer: `glossator memory ...`, registered beside those of cli.py and cli_facts.py."""

from typing import Annotated

import typer

from glossator.surfaces.call import Call
from glossator.surfaces.registry import verb

HELP = "The background reviewer: what it reads, keeps and archives."
CHANGE = "Change"

memory_app = typer.Typer(name="memory", help=HELP, short_help=HELP)


@memory_app.callback(invoke_without_command=True, help=HELP)
def before_any_verb(context: typer.Context) -> None:
    """Without a verb: say which there are."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@verb(memory_app, panel=CHANGE)
def review(
    call: Call,
    *,
    now: Annotated[
        bool, typer.Option("--now", help="Whatever the interval says, and until nothing is left to read.")
    ] = False,
) -> int:
    """Read what users said since the last review, and keep, replace or archive facts."""
    from glossator.surfaces.verbs import memory

    return memory.review(call, now=now)


@verb(memory_app, panel=CHANGE)
def restore(
    call: Call,
    *,
    fact_id: Annotated[str, typer.Argument(metavar="ID", help="The fact's id, for example f42.", show_default=False)],
    replaces: Annotated[
        bool, typer.Option("--replace", help="Archive the fact that has its place now; without, that is an error.")
    ] = False,
) -> None:
    """Bring a fact back that was archived: it is current again, and in the prompt files."""
    from glossator.surfaces.verbs import memory

    memory.restore(call, fact_id, replaces=replaces)
