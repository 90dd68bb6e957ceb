"""The verbs of kept texts: `glossator resource ...`, registered beside those of cli.py and cli_facts.py."""

from typing import Annotated

import typer

from glossator.surfaces.call import Call
from glossator.surfaces.registry import verb

HELP = "The texts of an agent's prompt, and what each of them said before."
LOOK, CHANGE = "Look", "Change"

resource_app = typer.Typer(name="resource", help=HELP, short_help=HELP)


@resource_app.callback(invoke_without_command=True, help=HELP)
def before_any_verb(context: typer.Context) -> None:
    """Without a verb: say which there are."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


Kind = Annotated[
    str,
    typer.Argument(
        metavar="TYPE",
        help="rules, soul, user_md, memory_md or checkpoint; USER.md and the like are read too. A checkpoint needs a "
        "--conversation.",
        show_default=False,
    ),
]


@verb(resource_app, panel=LOOK, name="list")
def list_resources(call: Call) -> None:
    """List the texts, each with its newest revision."""
    from glossator.surfaces.verbs import resource

    resource.list_resources(call)


@verb(resource_app, panel=LOOK, name="history")
def show_history(
    call: Call,
    *,
    kind: Kind,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Revisions at most.")] = 20,
) -> None:
    """List the revisions of a text, the newest first."""
    from glossator.surfaces.verbs import resource

    resource.show_history(call, kind, limit=limit)


@verb(resource_app, panel=LOOK, name="show")
def show_revision(
    call: Call,
    *,
    kind: Kind,
    number: Annotated[
        int | None, typer.Argument(metavar="REV", help="A revision; the newest if left out.", show_default=False)
    ] = None,
    as_text: Annotated[bool, typer.Option("--text", help="Print the text alone, to the letter.")] = False,
) -> None:
    """Show a revision: where it came from, and what it says."""
    from glossator.surfaces.verbs import resource

    resource.show_revision(call, kind, number, as_text=as_text)


@verb(resource_app, panel=LOOK, name="diff")
def show_diff(
    call: Call,
    *,
    kind: Kind,
    first: Annotated[int, typer.Argument(metavar="A", help="A revision.", show_default=False)],
    second: Annotated[int, typer.Argument(metavar="B", help="Another one.", show_default=False)],
) -> None:
    """Show what has to be taken out of A (-) and put in (+) to make B."""
    from glossator.surfaces.verbs import resource

    resource.show_diff(call, kind, first, second)


@verb(resource_app, panel=CHANGE, name="rollback")
def roll_back(
    call: Call,
    *,
    kind: Kind,
    number: Annotated[int, typer.Argument(metavar="REV", help="The revision that comes back.", show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do it; without, only show what would change.")] = False,
) -> None:
    """Bring the text of a revision back, as a new revision. Shows first what would change."""
    from glossator.surfaces.verbs import resource

    resource.roll_back(call, kind, number, yes=yes)
