"""On which address does the server listen, and by which names may it be called? On loopback, unless asked otherwise."""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import uvicorn

from glossator.errors import UsageError
from glossator.rules.hosts import LOOPBACK, is_here
from glossator.surfaces.addresses import bound
from glossator.surfaces.mcp.mounting import McpApp

CLOSE_S = 3
"""So long are answers that are under way waited for."""
PATH = "/mcp"


def listened(host: str, more: Sequence[str], *, allow_remote: bool) -> tuple[str, ...]:
    """The names that may stand in Host and Origin. Raises UsageError for an address that other machines can reach."""
    if not is_here(host) and not allow_remote:
        problem = f"{host!r} is open to other machines, and nothing asks for a key"
        raise UsageError("--host", problem, remedy="use 127.0.0.1, or say --allow-remote; `glossator serve` has keys")
    return (*LOOPBACK, *(() if is_here(host) else (host,)), *more)


def serve_http(app: McpApp, *, host: str, port: int, say: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT. Raises UsageError where the address cannot be had."""
    listener = bound(host, port)
    shown = f"[{host}]" if ":" in host else host
    say(f"listening on http://{shown}:{listener.getsockname()[1]}{PATH}; Ctrl-C stops it")
    config = uvicorn.Config(
        _at_path(app), log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=CLOSE_S
    )
    asyncio.run(_run(_Listening(config), app, listener))


async def _run(server: "_Listening", app: McpApp, listener: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(each, server.stop)
    await app.start()
    await server.serve(sockets=[listener])
    await app.aclose()


class _Listening(uvicorn.Server):
    """uvicorn that leaves the signals to us: told to stop, it ends well and not by the signal."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def stop(self) -> None:
        self.should_exit = True


def _at_path(app: McpApp) -> "Callable[..., object]":
    """The application at its one path; everything else is not found."""
    from starlette.responses import PlainTextResponse

    async def route(scope: dict[str, object], receive: object, send: object) -> None:
        if scope["type"] == "http" and str(scope["path"]).rstrip("/") != PATH:
            answer = PlainTextResponse(f"the server is at {PATH}", status_code=404)
            await answer(scope, receive, send)  # type: ignore[arg-type]
        else:
            await app(scope, receive, send)  # type: ignore[arg-type]

    return route
