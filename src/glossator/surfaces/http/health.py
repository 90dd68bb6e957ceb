"""Is the server alive, and is it ready? Neither answer waits for a model, a queue or another request."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from glossator.aio import AsyncMemory
from glossator.errors import GlossatorError, PermissionDeniedError
from glossator.surfaces.http.answers import json_answer
from glossator.surfaces.http.callers import Caller
from glossator.surfaces.watch.asgi import ServerMeters

T = TypeVar("T")
LOADING, FAILED = "not loaded yet", "failed"
TOLD: Mapping[str, str] = {"off": "switched off", "ready": "ready", "loading": LOADING, "failed": FAILED}
READY_WAIT_S = 2.0
"""A store that does not count its rows in this time is not ready."""


async def health(_request: Request) -> Response:
    """The server runs. Asks nothing of the store."""
    return json_answer('{"status":"ok"}')


async def ready(request: Request) -> Response:
    """Whether the store answers; 503 while it does not, or while the embedder loads. Within two seconds.

    An embedder that has failed keeps nobody out: recall works by keyword, and the answer says that it is degraded.
    """
    readiness: Readiness = request.app.state.readiness
    parts = {"store": await readiness.store(), "embedder": await readiness.embedder()}
    is_ready = parts["store"] == "ready" and parts["embedder"] != LOADING
    degraded = {"degraded": True} if parts["embedder"] == FAILED else {}
    headers = {} if is_ready else {"Retry-After": "1"}
    told = json.dumps({"ready": is_ready, **degraded, **parts})
    return json_answer(told, status=200 if is_ready else 503, headers=headers)


class Readiness:
    """Asks the memory, one question at a time: anybody may ask the server, and who asks meanwhile hears the same."""

    def __init__(self, memory: AsyncMemory) -> None:
        self._memory = memory
        self._asked: dict[str, asyncio.Future[Any]] = {}

    async def store(self) -> str:
        """ "ready", or what is wrong."""
        try:
            await self._answer("status", lambda: self._memory.status())
        except TimeoutError:
            return f"no answer within {READY_WAIT_S:g} s"
        except GlossatorError as error:
            return type(error).__name__
        return "ready"

    async def embedder(self) -> str:
        """ "ready", "switched off", "not loaded yet", or "failed"; why it has failed is for the log alone."""
        try:
            return TOLD[await self._answer("embeds", self._memory.embeds)]
        except TimeoutError:
            return LOADING

    async def _answer(self, name: str, ask: Callable[[], Awaitable[T]]) -> T:
        asked: asyncio.Future[T] | None = self._asked.get(name)
        if asked is None or asked.done():
            asked = self._asked[name] = asyncio.ensure_future(ask())
            asked.add_done_callback(lambda done: done.cancelled() or done.exception())
        async with asyncio.timeout(READY_WAIT_S):
            return await asyncio.shield(asked)


async def metrics(request: Request) -> Response:
    """The counters as Prometheus scrapes them; they count for all workspaces, so with keys it takes an operator's."""
    caller: Caller = request.state.caller
    if caller.key_id and caller.trust != "operator":
        raise PermissionDeniedError("Authorization", "is no operator's key", remedy='make one with trust "operator"')
    memory: AsyncMemory = request.app.state.memory
    meters: ServerMeters = request.app.state.meters
    text = await asyncio.to_thread(lambda: memory.metrics_text() + meters.exposition())
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")
