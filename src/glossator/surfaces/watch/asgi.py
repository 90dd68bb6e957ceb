"""Who watches the requests of an HTTP server? A layer around the whole app: counts, a span, one line per request.

What goes into the line and the span is the template of the route, never the address: an address may hold ids of
customers, and its query a question.
"""

import asyncio
import logging
import re
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glossator.rules.log_words import raised
from glossator.surfaces.watch.logs import structlog_for
from glossator.surfaces.watch.server_meters import METHODS, OTHER, UNROUTED, Rejection, ServerMeters

if TYPE_CHECKING:
    from glossator import AsyncMemory, Memory
    from glossator.ports import Span, Tracer

__all__ = ["Rejection", "ServerMeters", "Watched", "metrics_page"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

QUIET = frozenset({"/health", "/ready", "/metrics"})
"""Routes that machines ask every few seconds: their lines are for level debug."""
REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
"""What may be taken over from a caller's X-Request-Id; anything else could forge a line."""
KEY_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
SERVER_FAULTS = 500
CLOSED = 499
"""The status that is told where the client went away before there was one, as nginx has it."""


def _new_id() -> str:
    return uuid.uuid4().hex


@dataclass(slots=True, kw_only=True)
class _Seen:
    """One request while it is answered."""

    request_id: str
    began_s: float
    status: int = 0
    error: str = ""


class Watched:
    """An ASGI app with its requests counted, timed and told, a span around each where a tracer is given.

    Put it outermost. The line has the id of the caller's key if the app leaves it in `scope["state"]["key_id"]`, and
    the request's id, which is taken from X-Request-Id or made, given back in that header, and bound for all lines that
    the request causes. The app finds it in `scope["state"]["request_id"]`.
    """

    def __init__(
        self,
        app: App,
        *,
        meters: ServerMeters,
        tracer: "Tracer | None" = None,
        new_id: Callable[[], str] = _new_id,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._meters = meters
        self._tracer = tracer
        self._new_id = new_id
        self._monotonic_s = monotonic_s
        self._structlog = structlog_for("watched")
        self._log = _access_log(self._structlog)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection; what is no HTTP request passes unwatched."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seen = _Seen(request_id=self._id_of(scope), began_s=self._monotonic_s())
        scope.setdefault("state", {})["request_id"] = seen.request_id

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen.status = int(message["status"])
                headers = [each for each in message.get("headers", ()) if each[0].lower() != b"x-request-id"]
                message = {**message, "headers": [*headers, (b"x-request-id", seen.request_id.encode("ascii"))]}
            await send(message)

        self._meters.began()
        with self._structlog.contextvars.bound_contextvars(request_id=seen.request_id), self._span(scope) as span:
            ended = False
            try:
                await self._app(scope, receive, sent)
                ended = True
            finally:
                if not ended:
                    seen.error = raised()
                    seen.status = seen.status or (CLOSED if seen.error == "CancelledError" else SERVER_FAULTS)
                self._ended(scope, seen, span)

    def _ended(self, scope: Scope, seen: _Seen, span: "Span | None") -> None:
        seconds, route, status = self._monotonic_s() - seen.began_s, route_of(scope), seen.status or CLOSED
        method = scope["method"] if scope["method"] in METHODS else OTHER
        self._meters.ended(route=route, method=method, status=status, seconds=seconds)
        if span is not None:
            span.rename(f"{method} {route}")
            span.note("http.route", route)
            span.note("http.response.status_code", status)
            if status >= SERVER_FAULTS:
                span.failed(seen.error or str(status))
        fields = {"method": method, "route": route, "status": status, "duration_ms": round(seconds * 1000, 2)}
        key = _key_of(scope)
        if key:
            fields["key"] = key
        if seen.error:
            fields["error"] = seen.error
        level = logging.DEBUG if route in QUIET and status < SERVER_FAULTS else logging.INFO
        self._log.log(level, "request", **fields, request_id=seen.request_id)

    @contextmanager
    def _span(self, scope: Scope) -> "Iterator[Span | None]":
        if self._tracer is None:
            yield None
            return
        parent = _header(scope, b"traceparent").decode("ascii", "replace")
        method = scope["method"] if scope["method"] in METHODS else OTHER
        noted = {"http.request.method": method if method != OTHER else "_OTHER", "url.scheme": scope["scheme"]}
        with self._tracer.span(method, noted, kind="server", parent=parent) as span:
            yield span

    def _id_of(self, scope: Scope) -> str:
        given = _header(scope, b"x-request-id")
        return given.decode("ascii") if REQUEST_ID.fullmatch(given) else self._new_id()


def route_of(scope: Scope) -> str:
    """The template of the route that answered ("/v1/facts/{fact_id}"), "unrouted" where none did."""
    root = str(scope.get("app_root_path", "") or "")
    mounted = str(scope.get("root_path", "") or "").removeprefix(root)
    template = _template_of(scope)
    if template:
        return template if template.startswith(mounted) else mounted + template
    return mounted or UNROUTED


def _template_of(scope: Scope) -> str:
    """The route's own words: FastAPI leaves the route in the scope, that of an included router apart, with its prefix;
    Starlette leaves its endpoint.
    """
    whole = (scope.get("fastapi") or {}).get("effective_route_context")
    for route in (getattr(whole, "starlette_route", None), whole, scope.get("route"), _route_with_endpoint(scope)):
        for name in ("path_format", "path"):
            found = getattr(route, name, None)
            if isinstance(found, str) and found:
                return found
    return ""


def _route_with_endpoint(scope: Scope) -> object:
    endpoint, parameters = scope.get("endpoint"), set(scope.get("path_params", ()))
    routes = getattr(scope.get("app"), "routes", ()) if endpoint is not None else ()
    found = [each for each in routes if getattr(each, "endpoint", None) is endpoint]
    fitting = [each for each in found if set(getattr(each, "param_convertors", ())) == parameters]
    return next(iter(fitting or found), None)


def _key_of(scope: Scope) -> str:
    """The id of the caller's key, which the app has left in the state: `key_id`, or a `caller` that has one."""
    state = scope.get("state", {})
    found = state.get("key_id") or getattr(state.get("caller"), "key_id", "")
    return found if isinstance(found, str) and KEY_ID.fullmatch(found) else ""


def _header(scope: Scope, name: bytes) -> bytes:
    return next((bytes(value) for each, value in scope.get("headers", ()) if each.lower() == name), b"")


def _access_log(structlog: Any) -> Any:
    """The logger of one line per request; it goes the way of the standard library, however structlog is set up."""
    return structlog.wrap_logger(
        logging.getLogger("glossator.access"),
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


async def metrics_page(memory: "AsyncMemory | Memory", meters: ServerMeters) -> str:
    """The one text of GET /metrics: what the memory counts and holds, and what the server counts.

    It is made in a thread, since the memory's gauges are read from its file.
    """
    return await asyncio.to_thread(lambda: memory.metrics_text() + meters.exposition())
