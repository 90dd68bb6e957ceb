"""Is the server alive, and is it ready? Neither answer waits for a model, a queue or another request."""

import asyncio
import json

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from glossator.aio import AsyncMemory
from glossator.errors import GlossatorError, PermissionDeniedError
from glossator.surfaces.http.answers import json_answer
from glossator.surfaces.http.callers import Caller
from glossator.surfaces.watch.asgi import ServerMeters

READY_WAIT_S = 2.0
"""A store that does not count its rows in this time is not ready."""


async def health(_request: Request) -> Response:
    """The server runs. Asks nothing of the store."""
    return json_answer('{"status":"ok"}')


async def ready(request: Request) -> Response:
    """Whether the store answers and the embedder is loaded; 503 while one of them is not. Within two seconds."""
    memory: AsyncMemory = request.app.state.memory
    parts = {"store": await _store(memory), "embedder": await _embedder(memory)}
    is_ready = parts["store"] == "ready" and parts["embedder"] in ("ready", "switched off")
    headers = {} if is_ready else {"Retry-After": "1"}
    return json_answer(json.dumps({"ready": is_ready, **parts}), status=200 if is_ready else 503, headers=headers)


async def _store(memory: AsyncMemory) -> str:
    try:
        async with asyncio.timeout(READY_WAIT_S):
            await memory.status()
    except TimeoutError:
        return f"no answer within {READY_WAIT_S:g} s"
    except GlossatorError as error:
        return type(error).__name__
    return "ready"


async def _embedder(memory: AsyncMemory) -> str:
    if memory.options.embedder == "none":
        return "switched off"
    try:
        async with asyncio.timeout(READY_WAIT_S):
            return "ready" if await memory.embeds() else "not loaded yet"
    except TimeoutError:
        return "not loaded yet"


async def metrics(request: Request) -> Response:
    """The counters as Prometheus scrapes them; they count for all workspaces, so with keys it takes an operator's."""
    caller: Caller = request.state.caller
    if caller.key_id and caller.trust != "operator":
        raise PermissionDeniedError("Authorization", "is no operator's key", remedy='make one with trust "operator"')
    memory: AsyncMemory = request.app.state.memory
    meters: ServerMeters = request.app.state.meters
    text = await asyncio.to_thread(lambda: memory.metrics_text() + meters.exposition())
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")
