"""Which options does `glossator serve` have? Registered by cli.py."""

from typing import Annotated

import typer

from glossator.surfaces.call import Call


def serve(
    call: Call,
    *,
    host: Annotated[str, typer.Option(help="Where to listen; anything but this machine needs keys.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.")] = 8377,
    no_key: Annotated[
        bool, typer.Option("--no-key", help="Ask for no key: whoever is at this machine may read and write.")
    ] = False,
    trust: Annotated[
        str,
        typer.Option(
            metavar="TRUST", help="With --no-key, how far whoever asks is believed: operator, owner, guest or tool."
        ),
    ] = "owner",
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="A further name in Host and Origin; repeat for more.",
            show_default=False,
        ),
    ] = None,
    rate: Annotated[float, typer.Option(metavar="N", help="Requests a second of one key, on the average.")] = 500.0,
    body_max_mb: Annotated[int, typer.Option("--body-max-mb", metavar="MB", help="The longest body.")] = 8,
    no_inspector: Annotated[bool, typer.Option("--no-inspector", help="Serve no pages, only the API and MCP.")] = False,
    log_level: Annotated[
        str, typer.Option("--log-level", metavar="LEVEL", help="Log to stderr: debug, info, warning or error.")
    ] = "warning",
) -> int:
    """Serve this memory: the HTTP API, MCP and the inspector. Ends with Ctrl-C."""
    from glossator.surfaces.verbs import serve

    choices = serve.Choices(
        host=host,
        port=port,
        no_key=no_key,
        trust=trust,
        allow_hosts=tuple(allow_host or ()),
        rate=rate,
        body_max_mb=body_max_mb,
        inspector=not no_inspector,
        log_level=log_level,
    )
    return serve.run(call, choices)
