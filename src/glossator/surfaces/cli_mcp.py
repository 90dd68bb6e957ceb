"""The verbs of the MCP server: `glossator mcp` and `glossator mcp install`, registered by cli.py.

`glossator mcp` is no verb like the others: it takes stdin and stdout for the protocol, and answers the handshake before
it reads the environment and opens the file.
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from glossator.surfaces.call import SHARED, Call, Shared
from glossator.surfaces.registry import verb
from glossator.surfaces.show.plain_json import mended

HELP = "Give an assistant this memory over the Model Context Protocol (MCP)."
SETUP = "Set up"

mcp_app = typer.Typer(name="mcp", help=HELP, short_help=HELP)


def with_shared_options(function: Callable[..., int]) -> Callable[..., None]:
    """`function(shared, **own)` as a callback that takes the options which every verb takes as well."""

    def command(context: typer.Context, **arguments: Any) -> None:
        if context.invoked_subcommand is not None:
            return
        arguments = {name: mended(value) if isinstance(value, str) else value for name, value in arguments.items()}
        shared = Shared(**{name: arguments.pop(name) for name in SHARED})
        if code := function(shared, **arguments):
            raise typer.Exit(code)

    own = list(inspect.signature(function).parameters.values())[1:]
    keyword = inspect.Parameter.KEYWORD_ONLY
    first = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    parameters = [first, *(each.replace(kind=keyword) for each in own)]
    for name, annotation in SHARED.items():
        default = False if name == "as_json" else None
        parameters.append(inspect.Parameter(name, keyword, default=default, annotation=annotation))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    command.__doc__ = function.__doc__
    return command


def serve(
    shared: Shared,
    *,
    http: Annotated[bool, typer.Option("--http", help="Serve many clients over HTTP, not one over stdio.")] = False,
    port: Annotated[int, typer.Option(help="Port for --http; 0 takes a free one.")] = 8765,
    host: Annotated[str, typer.Option(help="Address for --http.")] = "127.0.0.1",
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Let --host be open to other machines. Nothing asks for a key then.")
    ] = False,
    allowed_hosts: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host", metavar="NAME", help="A further name in Host and Origin; repeat for more.",
            show_default=False,
        ),
    ] = None,
    trust: Annotated[
        str, typer.Option(metavar="TRUST", help="How far the caller is believed: owner, guest or tool.")
    ] = "owner",
    official: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Speak the nine tools of the official memory server, with its JSONL file.",
            show_default=False,
        ),
    ] = None,
    log_level: Annotated[
        str | None,
        typer.Option(metavar="LEVEL", help="Log to stderr: debug, info, warning or error.", show_default=False),
    ] = None,
) -> int:  # fmt: skip
    """Serve this memory over MCP: to one client over stdin and stdout, or with --http to many."""
    from glossator.surfaces.verbs.mcp import Choices, serve

    choices = Choices(
        http=http, port=port, host=host, allow_remote=allow_remote, allowed_hosts=tuple(allowed_hosts or ()),
        trust=trust, official=official, log_level=log_level,
    )  # fmt: skip
    return serve(shared, choices)


mcp_app.callback(invoke_without_command=True, help=HELP)(with_shared_options(serve))


@verb(mcp_app, panel=SETUP)
def install(
    call: Call,
    *,
    client: Annotated[
        str,
        typer.Option(
            "--print", metavar="CLIENT", help="claude-code, claude-desktop, cursor, codex or vscode.",
            show_default=False,
        ),
    ],
) -> None:  # fmt: skip
    """Print what an MCP client needs to know of this server, and where that belongs. Nothing is written."""
    from glossator.surfaces.verbs import mcp

    mcp.install(call, client)
