"""The verbs `remember` and `context`: one statement goes in, one block for a prompt comes out; registered by cli.py."""

from typing import Annotated

import typer

from glossator.surfaces.call import Call


def remember(
    call: Call,
    *,
    text: Annotated[str, typer.Argument(help="One statement, in plain words.", show_default=False)],
    category: Annotated[
        str, typer.Option(help="identity, preference, interest, goal, context or directive.")
    ] = "context",
    speaker: Annotated[str | None, typer.Option(help="Who says so, by name.", show_default=False)] = None,
    at: Annotated[str | None, typer.Option(help="When it was said; now if left out.", show_default=False)] = None,
    expires_at: Annotated[
        str | None, typer.Option("--expires", metavar="TIME", help="When it holds no more.", show_default=False)
    ] = None,
    within: Annotated[
        str | None, typer.Option(help="owner, agent or conversation; by its category if left out.", show_default=False)
    ] = None,
    project: Annotated[str | None, typer.Option(help="The project it belongs to.", show_default=False)] = None,
    tags: Annotated[list[str] | None, typer.Option("--tag", help="A tag; repeat for more.", show_default=False)] = None,
) -> None:
    """Keep one statement as a fact, and see what became of it."""
    from glossator.surfaces.verbs import remember

    choices = {"category": category, "speaker": speaker, "at": at, "expires_at": expires_at, "within": within}
    remember.run(call, text, project=project, tags=tuple(tags or ()), **choices)


def context(
    call: Call,
    *,
    request: Annotated[str, typer.Argument(help="What the user asks for.", show_default=False)],
    budget: Annotated[int, typer.Option(help="Tokens of the block at most.")] = 1000,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Recalled pieces at most.")] = 10,
    durable: Annotated[int, typer.Option(help="Durable facts at most.")] = 5,
    now: Annotated[
        str | None, typer.Option(help="The asker's time; the clock's if left out.", show_default=False)
    ] = None,
) -> None:
    """Print the block to put into a prompt for a request, or why there is none."""
    from glossator.surfaces.verbs import context

    context.run(call, request, budget=budget, limit=limit, durable=durable, now=now)
