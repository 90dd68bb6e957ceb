"""How do many clients talk to one server over HTTP? `mcp_app` is an ASGI application, alone or inside another one.

Every request stands for itself: no session is kept, so that a server may be started anew, and nobody can take over
another one's session. Host and Origin are checked unless the application around it has done so.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from glossator.facade import Memory
from glossator.model import Scope
from glossator.rules.hosts import LOOPBACK
from glossator.surfaces.mcp.server import Context, mcp_server

Asgi = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Asgi]]
Send = Callable[[Asgi], Awaitable[None]]

BODY_BYTES_MAX = 16 * 1024 * 1024
"""As long as a line of the other transport may be."""


class McpApp:
    """The ASGI application. It starts its own task with the first request, wherever it is mounted."""

    def __init__(self, server: Server[Any], *, hosts: Sequence[str] | None) -> None:
        self._manager = StreamableHTTPSessionManager(
            app=server, stateless=True, json_response=True, security_settings=_security(hosts),
            max_request_body_size=BODY_BYTES_MAX,
        )  # fmt: skip
        self._running: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._over = asyncio.Event()

    async def __call__(self, scope: Asgi, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http" and scope["method"] != "POST":
            await _only_post(scope, receive, send)
        elif scope["type"] == "http":
            await self.start()
            await self._manager.handle_request(scope, receive, send)

    async def start(self) -> None:
        """Begin to serve; a request does so by itself. Raises RuntimeError once it was closed."""
        if self._over.is_set():
            raise RuntimeError("this McpApp is closed; make another one")
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="glossator-mcp")
        await self._ready.wait()

    async def aclose(self) -> None:
        """Stop serving; the memory stays open."""
        self._over.set()
        if self._running is not None:
            with suppress(asyncio.CancelledError):
                await self._running

    async def _run(self) -> None:
        async with self._manager.run():
            self._ready.set()
            await self._over.wait()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await self.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.aclose()
        await send({"type": "lifespan.shutdown.complete"})


def mcp_app(
    memory: Memory | Callable[[], Memory],
    *,
    scope: Scope | Callable[[Mapping[str, Any]], Scope],
    hosts: Sequence[str] | None = LOOPBACK,
) -> McpApp:
    """The tools, resources and prompts of `memory` over streamable HTTP, at whatever path it is mounted.

    `scope` is whose memory a request may use; a callable is given the request's ASGI scope (its "state" holds what a
    middleware has put there) and may raise UsageError. `hosts` are the names under which it may be called, without
    port, as in Host and Origin; None where the application around it has checked both.
    """
    opened = memory if callable(memory) else lambda: memory
    return McpApp(mcp_server(opened, lambda ctx: _scope(scope, ctx)), hosts=hosts)


def app_of(server: Server[Any], *, hosts: Sequence[str] | None = LOOPBACK) -> McpApp:
    """The same for another server of the SDK."""
    return McpApp(server, hosts=hosts)


async def _only_post(scope: Asgi, receive: Receive, send: Send) -> None:
    """No session, so there is none to end, and nothing to tell on a stream that a GET would keep open for good."""
    from starlette.responses import Response

    await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)


def _scope(scope: Scope | Callable[[Mapping[str, Any]], Scope], ctx: Context) -> Scope:
    if isinstance(scope, Scope):
        return scope
    return scope(ctx.request.scope if ctx.request is not None else {})


def _security(hosts: Sequence[str] | None) -> TransportSecuritySettings:
    if hosts is None:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    named = [form for host in hosts for form in (host, f"{host}:*")]
    origins = [f"{scheme}://{each}" for scheme in ("http", "https") for each in named]
    return TransportSecuritySettings(allowed_hosts=named, allowed_origins=origins)
