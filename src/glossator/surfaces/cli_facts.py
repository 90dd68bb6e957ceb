"""The verbs of facts: `glossator facts ...` and `explain`, registered beside those of cli.py and cli_bench.py."""

from pathlib import Path
from typing import Annotated

import typer

from glossator.surfaces.call import Call
from glossator.surfaces.registry import verb

HELP = "What was taken from what was said: dated statements, each with its sentence."
LOOK, CHANGE = "Look", "Change"

facts_app = typer.Typer(name="facts", help=HELP, short_help=HELP)


@facts_app.callback(invoke_without_command=True, help=HELP)
def before_any_verb(context: typer.Context) -> None:
    """Without a verb: say which there are."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


FactId = Annotated[str, typer.Argument(metavar="ID", help="The fact's id, for example f42.", show_default=False)]


@verb(facts_app, panel=LOOK, name="list")
def list_facts(
    call: Call,
    *,
    categories: Annotated[
        list[str] | None,
        typer.Option(
            "--category",
            help="identity, preference, interest, goal, context, directive, note or summary; repeat for more.",
            show_default=False,
        ),
    ] = None,
    states: Annotated[
        list[str] | None,
        typer.Option(
            "--state",
            help="active, deprioritised, superseded, archived, invalidated, expired, quarantined or erased; repeat for "
            "more. The first two if left out.",
            show_default=False,
        ),
    ] = None,
    as_of: Annotated[
        str | None, typer.Option(metavar="TIME", help="What held then, whatever replaced it since.", show_default=False)
    ] = None,
    project: Annotated[str | None, typer.Option(help="Only of this project.", show_default=False)] = None,
    tags: Annotated[
        list[str] | None, typer.Option("--tag", help="Only with this tag; repeat for more.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Facts at most.")] = 20,
) -> None:
    """List facts, the latest seen first."""
    from glossator.surfaces.verbs import facts

    chosen = {"states": tuple(states)} if states else {}
    narrowed = {"categories": tuple(categories or ()), "as_of": as_of, "project": project, "tags": tuple(tags or ())}
    facts.list_facts(call, limit=limit, **narrowed, **chosen)


@verb(facts_app, panel=LOOK, name="search")
def search_facts(
    call: Call,
    *,
    query: Annotated[str, typer.Argument(metavar="WORDS", help="What it says, or means.", show_default=False)],
    states: Annotated[
        list[str] | None, typer.Option("--state", help="As for list; repeat for more.", show_default=False)
    ] = None,
    project: Annotated[str | None, typer.Option(help="Only of this project.", show_default=False)] = None,
    tags: Annotated[
        list[str] | None, typer.Option("--tag", help="Only with this tag; repeat for more.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Facts at most.")] = 10,
) -> None:
    """Find facts by words and meaning, the best first."""
    from glossator.surfaces.verbs import facts

    chosen = {"states": tuple(states)} if states else {}
    facts.search_facts(call, query, limit=limit, project=project, tags=tuple(tags or ()), **chosen)


@verb(facts_app, panel=LOOK, name="show")
def show_fact(call: Call, *, fact_id: FactId) -> None:
    """Show one fact with all that is known about it, and the words that it rests on."""
    from glossator.surfaces.verbs import facts

    facts.show_fact(call, fact_id)


@verb(facts_app, panel=LOOK, name="history")
def show_history(call: Call, *, fact_id: FactId) -> None:
    """Show the line of versions that a fact belongs to, oldest first."""
    from glossator.surfaces.verbs import facts

    facts.show_history(call, fact_id)


FactIds = Annotated[list[str], typer.Argument(metavar="ID", help="Ids of facts.", show_default=False)]
Reason = Annotated[str, typer.Option("--reason", help="Why; `glossator explain` shows it.")]
ASKED = "asked on the command line"


@verb(facts_app, panel=CHANGE, name="archive")
def archive_facts(call: Call, *, fact_ids: FactIds, reason: Reason = ASKED) -> None:
    """Put facts away: no longer recalled, in no prompt; `reinstate` brings them back."""
    from glossator.surfaces.verbs import facts

    facts.move_facts(call, "archive", fact_ids, reason=reason)


@verb(facts_app, panel=CHANGE, name="deprioritise")
def deprioritise_facts(
    call: Call,
    *,
    fact_ids: FactIds,
    reinstate_hints: Annotated[
        list[str] | None,
        typer.Option("--hint", help="Words of a later message that reinstate them; repeat.", show_default=False),
    ] = None,
    reason: Reason = ASKED,
) -> None:
    """Have facts count a fifth in recall, and stand in no prompt."""
    from glossator.surfaces.verbs import facts

    facts.move_facts(call, "deprioritise", fact_ids, reason=reason, reinstate_hints=tuple(reinstate_hints or ()))


@verb(facts_app, panel=CHANGE, name="reinstate")
def reinstate_facts(call: Call, *, fact_ids: FactIds, reason: Reason = ASKED) -> None:
    """Bring facts back that were archived, deprioritised, or expired."""
    from glossator.surfaces.verbs import facts

    facts.move_facts(call, "reinstate", fact_ids, reason=reason)


@verb(facts_app, panel=CHANGE, name="restore")
def restore_fact(
    call: Call,
    *,
    fact_id: FactId,
    replaces: Annotated[
        bool, typer.Option("--replace", help="Archive the fact that has its place now; without, that is an error.")
    ] = False,
) -> None:
    """Bring a fact back that was forgotten, archived, held back, or replaced by one that is gone."""
    from glossator.surfaces.verbs import facts

    facts.restore_fact(call, fact_id, replaces=replaces)


@verb(facts_app, panel=CHANGE, name="forget")
def forget_facts(
    call: Call,
    *,
    fact_ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Ids of facts.", show_default=False)
    ] = None,
    containing: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Facts with these words in them, literally.", show_default=False)
    ] = None,
    erase: Annotated[
        bool, typer.Option("--erase", help="Their words go for good; without, an operator may restore.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do it; without, only show what would go.")] = False,
    receipt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the signed receipt to a new file.", show_default=False)
    ] = None,
) -> None:
    """Forget facts: never recalled again. The messages stay. Shows first what would go."""
    from glossator.surfaces.verbs import facts

    named = tuple(fact_ids or ())
    facts.forget_facts(call, named, containing=containing or "", erase=erase, yes=yes, proof=receipt)


def explain(call: Call, *, fact_id: FactId) -> None:
    """Why is a fact held: the sentence, who said it when, every decision, and its versions."""
    from glossator.surfaces.verbs import explain

    explain.run(call, fact_id)
