"""`glossator serve`: who may come in, where it listens, and how it ends."""

import signal
import socket
import sys
from dataclasses import dataclass, replace
from types import FrameType
from typing import TYPE_CHECKING, cast

from glossator.errors import StoreError, UsageError
from glossator.rules.hosts import is_here
from glossator.surfaces.addresses import bound, check_port
from glossator.surfaces.call import Call
from glossator.surfaces.loading import loading
from glossator.surfaces.registry import OK
from glossator.surfaces.show.plain_json import shown_path

if TYPE_CHECKING:
    import uvicorn

    from glossator import Memory
    from glossator.model.scope import Trust
    from glossator.surfaces.http.settings import Settings

TRUSTS = ("operator", "owner", "guest", "tool")
EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - to know it, not to listen there
BODY_MAX_MB = 1_000
INSTALL = 'pip install "glossator[server]"'
READERS_MAX = 32
"""Calls at once: those that wait for a model must not keep the others from a thread."""
SLOW_MAX = 4
SWITCH_S = 0.0005
"""How long a thread that computes may keep the interpreter from the others: at Python's own five milliseconds, twenty
recalls at once would keep a question for health waiting for a tenth of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What was chosen for the server."""

    host: str
    port: int
    no_key: bool
    trust: str
    allow_hosts: tuple[str, ...]
    rate: float
    body_max_mb: int
    inspector: bool
    log_level: str


def run(call: Call, choices: Choices) -> int:
    """Serve until told to stop; requests that run are answered first."""
    _check(choices)
    with loading():
        _check_installed()
        import glossator.surfaces.http.app  # noqa: F401 - with all that serving takes
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(OK))  # until the server takes it: nobody has asked anything yet
    from glossator.surfaces.watch.logs import log_to_stderr

    log_to_stderr(choices.log_level, as_json=not sys.stderr.isatty())
    listener = bound(choices.host, choices.port)
    try:
        memory = _opened(call)
        try:
            settings = _settings(call, choices, memory)
            server = _server(memory, settings)
            _tell(call, choices, listener)
            _serve(server, listener)
        finally:
            memory.close()
    finally:
        listener.close()
    return OK


def _server(memory: "Memory", settings: "Settings") -> "uvicorn.Server":
    """The server, which from now on ends well when the process is told to end."""
    import uvicorn

    from glossator import AsyncMemory
    from glossator.surfaces.http.app import create_app
    from glossator.surfaces.http.running import configured

    sys.setswitchinterval(SWITCH_S)
    app = create_app(AsyncMemory(memory, readers_max=READERS_MAX, slow_max=SLOW_MAX), settings=settings)
    server = uvicorn.Server(configured(app))

    def stop(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn takes them while it runs, and raises them again at its end
        signal.signal(number, stop)
    return server


def _serve(server: "uvicorn.Server", listener: socket.socket) -> None:
    try:
        server.run(sockets=[listener])
    except SystemExit as error:  # its word for a start that failed; the log has the reason
        raise StoreError("the server did not start") from error


def _check(choices: Choices) -> None:
    """Raises UsageError for what can be said before anything is loaded."""
    if choices.trust not in TRUSTS:
        raise UsageError("trust", f"{choices.trust!r} is unknown", remedy=f"choose from {', '.join(TRUSTS)}")
    check_port(choices.port)
    if not choices.rate > 0 or choices.rate == float("inf"):
        raise UsageError("rate", f"{choices.rate:g} is no number above 0", remedy="for example 500")
    if not 1 <= choices.body_max_mb <= BODY_MAX_MB:
        raise UsageError(
            "body_max_mb", f"{choices.body_max_mb} is not between 1 and {BODY_MAX_MB}", remedy="for example 8"
        )
    if choices.no_key and not is_here(choices.host):
        problem = f"is only for this machine, and {choices.host} is reached by others"
        raise UsageError("no_key", problem, remedy="make a key with `glossator key add`, or listen on 127.0.0.1")


def _check_installed() -> None:
    try:
        import fastapi  # noqa: F401 - to find out whether it is there
        import jinja2  # noqa: F401
        import mcp  # noqa: F401
        import python_multipart  # noqa: F401
        import structlog  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UsageError("serve", f"{error.name} is not installed", remedy=INSTALL) from error


def _opened(call: Call) -> "Memory":
    """The memory with its own worker, where the options do not say otherwise."""
    from glossator.wiring import options_from

    return call.opened(replace(call.options, worker=options_from().worker))


def _settings(call: Call, choices: Choices, memory: "Memory") -> "Settings":
    """Raises UsageError where nobody could come in."""
    from glossator.surfaces.http.settings import Settings

    settings = Settings(
        keyed=not choices.no_key,
        trust=cast("Trust", choices.trust),
        workspace=call.chosen["workspace"],
        allow_hosts=(*choices.allow_hosts, *_own_names(choices.host)),
        rate_per_s=choices.rate,
        rate_burst=max(1.0, 2 * choices.rate),
        body_bytes_max=choices.body_max_mb * 1_000_000,
        inspector=choices.inspector,
        zone=call.options.zone,
    )
    if settings.keyed and not any(key.opens_at(settings.clock.now()) for key in memory.keys()):  # noqa: SIM118 - no dict
        remedy = "make one with `glossator key add NAME`, or ask for none with --no-key"
        raise UsageError("no_key", "is not given, and there is no key that anybody could bring", remedy=remedy)
    return settings


def _own_names(host: str) -> tuple[str, ...]:
    """How the address that is listened on stands in a Host header; listening everywhere tells no name."""
    if host in EVERYWHERE:
        return ()
    return (f"[{host.strip('[]')}]" if ":" in host else host,)


def _tell(call: Call, choices: Choices, listener: socket.socket) -> None:
    """Where it listens, and how to come in."""
    port = listener.getsockname()[1]
    shown = "127.0.0.1" if choices.host in EVERYWHERE else choices.host
    url = f"http://[{shown.strip('[]')}]:{port}" if ":" in shown else f"http://{shown}:{port}"
    value = {
        "url": url,
        "api": f"{url}/v1",
        "openapi": f"{url}/openapi.json",
        "mcp": f"{url}/mcp",
        "inspector": f"{url}/inspect/" if choices.inspector else None,
        "path": call.path,
        "keyed": not choices.no_key,
    }
    lines = [f"serving {shown_path(call.path)}", f"  at         {url} (Ctrl-C stops it)"]
    lines.append(f"  API        {url}/v1 as in {url}/openapi.json")
    lines.append(f"  MCP        {url}/mcp")
    if choices.inspector:
        lines.append(f"  inspector  {url}/inspect/")
    if choices.no_key:
        lines.append(f"  no key     whoever is at this machine is believed as {choices.trust}")
    else:
        lines.append("  keys       `glossator key add NAME` makes one")
    if call.screen.as_json:
        call.screen.answer(value, render=lambda: "")
    for line in lines:
        call.screen.line(line, style="")
