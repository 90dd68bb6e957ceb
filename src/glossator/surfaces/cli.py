"""Which verbs does the command line have? `glossator = glossator.surfaces.cli:main`.

This module only names verbs, options and help, so that `glossator --help` needs nothing else; each verb imports its
own code when it runs.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from glossator.surfaces.call import Call
from glossator.surfaces.cli_bench import bench
from glossator.surfaces.cli_compact import compact
from glossator.surfaces.cli_facts import explain, facts_app
from glossator.surfaces.cli_hook import hook_app
from glossator.surfaces.cli_key import key_app
from glossator.surfaces.cli_mcp import mcp_app
from glossator.surfaces.cli_memory import memory_app
from glossator.surfaces.cli_receipt import receipt_app
from glossator.surfaces.cli_resource import resource_app
from glossator.surfaces.cli_serve import serve
from glossator.surfaces.cli_top import top
from glossator.surfaces.cli_words import context, remember
from glossator.surfaces.registry import MISUSED, OK, failed, verb

SHORT = "A memory for agents: every conversation word for word, and the turn that answers a question."

app = typer.Typer(
    name="glossator",
    help=SHORT,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

EVERY_DAY, PROGRAMS, FILE, MEASURE = "Every day", "For agents and programs", "The file", "Look and measure"

Project = Annotated[str | None, typer.Option(help="The project it belongs to.", show_default=False)]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A tag; repeat for more.", show_default=False)]
Embed = Annotated[bool, typer.Option("--embed/--no-embed", help="Embed now, or leave it to `glossator worker`.")]
Time = Annotated[str | None, typer.Option(metavar="TIME", show_default=False)]


def _show_version(wanted: bool) -> None:
    if wanted:
        raise typer.Exit(called(["version"]))


@app.callback(help=SHORT)
def before_any_verb(
    *,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the versions and exit.")
    ] = False,
) -> None:
    """Nothing is to do here; --version has done its work."""


@verb(app, panel=EVERY_DAY)
def demo(
    call: Call, *, keep: Annotated[bool, typer.Option(help="Keep the demo's memory and say where.")] = False
) -> None:
    """Watch it work: a small conversation goes in, questions are asked, one answer is forgotten."""
    from glossator.surfaces.verbs import demo

    demo.run(call, keep=keep)


@verb(app, panel=EVERY_DAY)
def record(
    call: Call,
    *,
    text: Annotated[
        str | None, typer.Argument(help="What was said; stdin if it is left out.", show_default=False)
    ] = None,
    role: Annotated[
        str | None, typer.Option(help="user, assistant, system or tool; user if left out.", show_default=False)
    ] = None,
    speaker: Annotated[str | None, typer.Option(help="Who said it, by name.", show_default=False)] = None,
    at: Annotated[str | None, typer.Option(help="When, in ISO 8601; now if left out.", show_default=False)] = None,
    message_id: Annotated[str | None, typer.Option("--id", help="The message's own id.", show_default=False)] = None,
    session: Annotated[str | None, typer.Option(help="What was said together.", show_default=False)] = None,
    project: Project = None,
    tags: Tags = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Read messages from stdin, one JSON object a line.")] = False,
    embed: Embed = True,
) -> int:
    """Keep a message word for word."""
    from glossator.surfaces.verbs import record

    message: dict[str, object] = {"role": role, "speaker": speaker, "at": at, "id": message_id}
    choices = {"session": session, "project": project, "tags": tuple(tags or ()), "jsonl": jsonl, "embed": embed}
    return record.run(call, text, message=message, **choices)  # type: ignore[arg-type]


@verb(app, panel=EVERY_DAY)
def ingest(
    call: Call,
    *,
    path: Annotated[Path, typer.Argument(help="A file, a folder or a zip archive.", show_default=False)],
    kind: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="jsonl, json, chatgpt, claude, mcp-memory, text or markdown; found out if left out.",
            show_default=False,
        ),
    ] = None,
    at: Annotated[str | None, typer.Option(help="The date of what has none of its own.", show_default=False)] = None,
    project: Project = None,
    tags: Tags = None,
    embed: Embed = True,
) -> int:
    """Take in conversations: own JSONL, ChatGPT and Claude exports, transcripts, Markdown."""
    from glossator.surfaces.verbs import ingest

    return ingest.run(call, path, kind=kind, at=at, project=project, tags=tuple(tags or ()), embed=embed)


@verb(app, panel=EVERY_DAY)
def recall(
    call: Call,
    *,
    query: Annotated[str, typer.Argument(help="A question in plain words.", show_default=False)],
    limit: Annotated[int, typer.Option("--limit", "-n", help="Hits at most.")] = 10,
    now: Annotated[
        str | None, typer.Option(help="The asker's time; the clock's if left out.", show_default=False)
    ] = None,
    per: Annotated[str, typer.Option(help="turn, or session for each session's best.")] = "turn",
    since: Annotated[str | None, typer.Option(help="Happened at or after.", show_default=False)] = None,
    until: Annotated[str | None, typer.Option(help="Happened before.", show_default=False)] = None,
    said_since: Annotated[str | None, typer.Option(help="Said at or after.", show_default=False)] = None,
    said_until: Annotated[str | None, typer.Option(help="Said before.", show_default=False)] = None,
    as_of: Annotated[str | None, typer.Option(help="What was known then.", show_default=False)] = None,
    project: Project = None,
    tags: Tags = None,
    namespaces: Annotated[
        list[str] | None,
        typer.Option("--namespace", help="episodic, knowledge or preference; repeat for more.", show_default=False),
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Also find facts that hold no more.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show why each hit was found.")] = False,
    as_text: Annotated[bool, typer.Option("--text", help="Print the block for a prompt.")] = False,
    tokens: Annotated[int, typer.Option(help="Size of that block at most.")] = 2000,
) -> None:
    """Ask, and see who said what when."""
    from glossator.surfaces.verbs import recall

    times = {"now": now, "since": since, "until": until, "said_since": said_since, "said_until": said_until}
    choices = {"limit": limit, "per": per, "project": project, "tags": tuple(tags or ()), "as_of": as_of}
    chosen = {"namespaces": tuple(namespaces)} if namespaces else {}
    shown = {"explain": explain, "as_text": as_text, "tokens": tokens}
    recall.run(call, query, history=history, **shown, **times, **choices, **chosen)  # type: ignore[arg-type]


verb(app, panel=EVERY_DAY)(remember)
verb(app, panel=EVERY_DAY)(context)
verb(app, panel=EVERY_DAY)(explain)
verb(app, panel=EVERY_DAY)(compact)
verb(app, panel=PROGRAMS)(serve)
app.add_typer(facts_app, rich_help_panel=EVERY_DAY)
app.add_typer(receipt_app, rich_help_panel=EVERY_DAY)
app.add_typer(memory_app, rich_help_panel=EVERY_DAY)
app.add_typer(resource_app, rich_help_panel=EVERY_DAY)
app.add_typer(mcp_app, rich_help_panel=PROGRAMS)
app.add_typer(hook_app, rich_help_panel=PROGRAMS)
app.add_typer(key_app, rich_help_panel=PROGRAMS)


@verb(app, panel=EVERY_DAY)
def forget(
    call: Call,
    *,
    message_ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Message ids.", show_default=False)
    ] = None,
    session: Annotated[str | None, typer.Option(help="A session of --conversation.", show_default=False)] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All that this owner has with this agent.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do it; without, only show what would go.")] = False,
    receipt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the signed receipt to a new file.", show_default=False)
    ] = None,
) -> None:
    """Erase for good: messages by id, a --conversation, a session of it, or --everything. Shows first what would go."""
    from glossator.surfaces.verbs import forget

    named = {"message_ids": tuple(message_ids or ()), "session": session, "everything": everything}
    forget.run(call, **named, yes=yes, proof=receipt)  # type: ignore[arg-type]


@verb(app, panel=FILE)
def status(call: Call) -> None:
    """Count what is there, and what is still to do."""
    from glossator.surfaces.verbs import upkeep

    upkeep.status(call)


@verb(app, panel=FILE)
def config(
    call: Call,
    *,
    file: Annotated[
        Path | None,
        typer.Option("--file", help="A TOML file to read below the environment.", show_default=False),
    ] = None,
) -> None:
    """Show every option with its value, and where that comes from."""
    from glossator.surfaces.verbs import config

    config.run(call, file=file)


@verb(app, panel=FILE)
def doctor(
    call: Call, *, repair: Annotated[bool, typer.Option("--repair", help="Rebuild what drifted.")] = False
) -> int:
    """Check integrity, drift between rows, keyword index and vectors, and the backlog."""
    from glossator.surfaces.verbs import upkeep

    return upkeep.doctor(call, repair=repair)


@verb(app, panel=FILE)
def backup(call: Call, *, path: Annotated[Path, typer.Argument(help="A new file.", show_default=False)]) -> None:
    """Copy the memory while others go on using it."""
    from glossator.surfaces.verbs import upkeep

    upkeep.backup(call, path)


@verb(app, panel=FILE)
def restore(
    call: Call,
    *,
    backup: Annotated[Path, typer.Argument(metavar="PATH", help="What backup wrote.", show_default=False)],
) -> None:
    """Make a backup the memory at --db, where there is none yet."""
    from glossator.surfaces.verbs import upkeep

    upkeep.restore(call, backup)


@verb(app, panel=FILE)
def worker(call: Call, *, once: Annotated[bool, typer.Option("--once", help="Stop when all is done.")] = False) -> int:
    """Embed what others recorded and take facts from it, in a process of its own."""
    from glossator.surfaces.verbs import upkeep

    return upkeep.worker(call, once=once)


verb(app, panel=MEASURE)(top)
verb(app, panel=MEASURE)(bench)


@verb(app, panel=MEASURE)
def version(call: Call) -> None:
    """Versions of the program and of what it stands on."""
    from glossator.surfaces.verbs import upkeep

    upkeep.version(call)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 the store or a provider failed, 2 an argument is wrong."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    sys.exit(called(sys.argv[1:] if arguments is None else arguments))


def called(arguments: list[str]) -> int:
    """The exit code of a command line; misuse is told in one line."""
    if arguments == ["--version", "--json"]:  # the verb's option, not the program's
        arguments = ["version", "--json"]
    try:
        code = app(arguments or ["--help"], prog_name="glossator", standalone_mode=False)
    except TyperException as exc:
        command = getattr(getattr(exc, "ctx", None), "command_path", "glossator")
        problem = exc.format_message()
        error = {"kind": "UsageError", "message": problem, "remedy": f"see {command} --help"}
        sentence = problem if problem.endswith((".", "?", "!")) else f"{problem}."
        return failed(error, f"{sentence} See `{command} --help`.", MISUSED, "--json" in arguments)
    return code if isinstance(code, int) else OK


if __name__ == "__main__":
    main()
