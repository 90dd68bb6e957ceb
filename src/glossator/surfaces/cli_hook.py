"""The verbs for coding agents: `glossator hook ...`, registered by cli.py.

start.py reads a call of an event by hand, for speed; what is here is their help, and the same calls where somebody
begins elsewhere.
"""

from pathlib import Path
from typing import Annotated

import typer

from glossator.surfaces.call import SHARED, Call
from glossator.surfaces.hooks.arguments import TOKENS, HookArguments, checked
from glossator.surfaces.hooks.event import EVENT_KINDS, EventKind
from glossator.surfaces.registry import verb

SHORT = "Have a coding agent (Claude Code, Codex, Cursor) remember by itself, at its events."
HELP = SHORT + " Each verb but install reads an event as JSON on stdin."
EVENTS, SETUP = "Events", "Set up"
DOES: dict[EventKind, str] = {
    "session-start": "Print what the agent is told when a session starts: the prompt files, and when you last talked.",
    "user-prompt-submit": "Keep the prompt word for word, and print what is remembered that bears on it.",
    "post-tool-use": "Keep the call of a tool and a part of its result, if --tools is given.",
    "stop": "Keep the agent's last message.",
    "session-end": "Queue a last extraction of facts over the whole session.",
}

hook_app = typer.Typer(name="hook", help=HELP, short_help=SHORT)


@hook_app.callback(invoke_without_command=True, help=HELP)
def before_any_verb(context: typer.Context) -> None:
    """Without a verb: say which there are."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _register(event: EventKind) -> None:
    def command(
        *,
        client: Annotated[
            str | None,
            typer.Option(
                metavar="CLIENT", help="claude-code, codex or cursor; found out if left out.", show_default=False
            ),
        ] = None,
        tools: Annotated[bool, typer.Option("--tools/--no-tools", help="Keep calls of tools (post-tool-use).")] = False,
        tokens: Annotated[str, typer.Option(metavar="N", help="Size of a prompt's block at most; 0 for none.")] = str(
            TOKENS
        ),
        db: Path | None = None,
        workspace: str | None = None,
        agent: str | None = None,
        owner: str | None = None,
    ) -> None:
        from glossator.surfaces.verbs import hook

        given = {"db": db and str(db), "workspace": workspace, "agent": agent, "owner": owner}
        chosen = {name: value for name, value in {**given, "client": client, "tokens": tokens}.items() if value}
        hook.run(checked(HookArguments(event=event, tools=tools), chosen))

    command.__annotations__ |= {name: SHARED[name] for name in ("db", "workspace", "agent", "owner")}
    hook_app.command(name=event, help=DOES[event], rich_help_panel=EVENTS)(command)


for _event in EVENT_KINDS:
    _register(_event)


@verb(hook_app, panel=SETUP)
def install(
    call: Call,
    *,
    client: Annotated[
        str, typer.Option("--print", metavar="CLIENT", help="claude-code, codex or cursor.", show_default=False)
    ],
    tools: Annotated[bool, typer.Option("--tools/--no-tools", help="Also keep calls of tools.")] = False,
) -> None:
    """Print the configuration that has an agent call the hooks; put it into the file that is named."""
    from glossator.surfaces.verbs import hook

    hook.install(call, client, tools=tools)
