"""The verbs of prompt files and of the reviewer: `glossator memory ...`, registered by cli.py."""

from typing import Annotated

import typer

from glossator.surfaces.call import Call
from glossator.surfaces.registry import verb

HELP = "The prompt files, where facts come from, and the background reviewer."
LOOK, CHANGE = "Look", "Change"

memory_app = typer.Typer(name="memory", help=HELP, short_help=HELP)


@memory_app.callback(invoke_without_command=True, help=HELP)
def before_any_verb(context: typer.Context) -> None:
    """Without a verb: say which there are."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@verb(memory_app, panel=LOOK)
def files(call: Call) -> None:
    """Print USER.md and MEMORY.md as a prompt has them now, what is left out of them, and where they lie."""
    from glossator.surfaces.verbs import memory

    memory.files(call)


@verb(memory_app, panel=LOOK)
def sources(call: Call) -> None:
    """List where the facts come from: conversations, documents, scheduled jobs with their last run."""
    from glossator.surfaces.verbs import memory

    memory.sources(call)


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
