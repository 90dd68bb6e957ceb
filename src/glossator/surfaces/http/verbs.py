"""How does a row of the table of routes become an endpoint? One function makes each of them."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from glossator.aio import AsyncMemory
from glossator.errors import ConflictError
from glossator.facade import Memory
from glossator.model import Revision
from glossator.surfaces.http.answers import RefusalError, json_answer
from glossator.surfaces.http.bodies import json_body
from glossator.surfaces.http.pages import begun_pages, page_answer
from glossator.surfaces.http.replies import answered_once
from glossator.surfaces.http.requests import (
    check_query,
    check_run,
    expected_sha256,
    knows,
    query_of,
    scope_of,
)
from glossator.wire.bodies import read_body
from glossator.wire.codec import Arguments, arguments_of, result_of, takes
from glossator.wire.queries import read_query
from glossator.wire.routes import Route

Endpoint = Callable[[Request], Awaitable[Response]]
LONG_BYTES = 64_000
"""Read within a millisecond or two."""
LONG_COUNT = 50
"""A longer list is written in a thread, beside the requests of others."""
IN_BODY = frozenset({"POST", "PUT"})


def in_path(route: Route) -> frozenset[str]:
    """The arguments that stand in the path."""
    return frozenset(re.findall(r"\{(\w+)\}", route.path))


def model_of(route: Route) -> type[Arguments]:
    """The arguments that stand in the body or the query."""
    elsewhere = in_path(route) | ({route.precondition} if route.precondition else set())
    return arguments_of(getattr(Memory, route.verb), leave_out=frozenset(elsewhere))


def is_scoped(route: Route) -> bool:
    """True if the verb is for one scope. A run of a job brings its own, and the query says again whose it is."""
    verb = getattr(Memory, route.verb)
    return takes(verb, "scope") or takes(verb, "run")


def endpoint_of(route: Route, memory: AsyncMemory) -> Endpoint:
    """What answers the route's requests."""
    model, scoped = model_of(route), is_scoped(route)
    verb = getattr(memory, route.verb)

    async def answered(request: Request, body: bytes) -> Response:
        scope = scope_of(request) if scoped else None
        if route.method in IN_BODY:
            check_query(request, scoped=scoped)
            given = (await _read(body, model)).given()
        else:
            given = read_query(query_of(request, scoped=scoped), model).given()
        arguments = {**given, **{name: _path_value(request, name) for name in in_path(route)}}
        if takes(getattr(Memory, route.verb), "scope"):
            arguments["scope"] = scope
        elif scope is not None:
            arguments = check_run(arguments, scope)
        arguments = _with_precondition(route, request, begun_pages(route, arguments))
        return await _called(route, request, verb, arguments)

    async def endpoint(request: Request) -> Response:
        body = await json_body(request) if route.method in IN_BODY else b""
        if route.method == "POST" and "idempotency-key" in request.headers:
            return await answered_once(memory, request, body, lambda: answered(request, body))
        return await answered(request, body)

    endpoint.__name__ = route.verb
    endpoint.__doc__ = getattr(Memory, route.verb).__doc__
    return endpoint


async def _read(body: bytes, model: type[Arguments]) -> Arguments:
    """A long body is read in a thread, beside the requests of others."""
    return read_body(body, model) if len(body) < LONG_BYTES else await asyncio.to_thread(read_body, body, model)


def _path_value(request: Request, name: str) -> str:
    return str(request.path_params[name])


def _with_precondition(route: Route, request: Request, arguments: dict[str, Any]) -> dict[str, Any]:
    if route.precondition is None:
        return arguments
    return {**arguments, route.precondition: expected_sha256(request)}


async def _called(
    route: Route, request: Request, verb: Callable[..., Awaitable[Any]], arguments: Mapping[str, Any]
) -> Response:
    """The verb's answer. Raises what the verb raises; a text that has changed since is 412 here."""
    try:
        value = await verb(**arguments)
    except ConflictError as error:
        if route.precondition is not None and error.argument == route.precondition:
            raise RefusalError(ConflictError("If-Match", error.problem, remedy=error.remedy), 412) from error
        raise
    if route.page is not None:
        assert isinstance(value, Sequence)
        return await asyncio.to_thread(page_answer, route, request, value, arguments)
    codec = result_of(getattr(Memory, route.verb))
    headers = _tags(route, value)
    if "ETag" in headers and knows(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    if value is None and _gives_nothing(route):
        return Response(status_code=204)
    is_long = isinstance(value, tuple) and len(value) > LONG_COUNT
    written = await asyncio.to_thread(codec.dump_json, value) if is_long else codec.dump_json(value)
    return json_answer(written, headers=headers)


def _gives_nothing(route: Route) -> bool:
    return getattr(Memory, route.verb).__annotations__["return"] in (None, "None")


def _tags(route: Route, value: object) -> dict[str, str]:
    if not route.tagged:
        return {}
    assert isinstance(value, Revision)
    return {"ETag": f'"{value.sha256}"'}
