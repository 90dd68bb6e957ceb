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
from glossator.surfaces.http.answers import RefusalError, json_answer, refused
from glossator.surfaces.http.bodies import json_body
from glossator.surfaces.http.pages import page_answer
from glossator.surfaces.http.replies import answered_once
from glossator.surfaces.http.requests import (
    caller_of,
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
from glossator.wire.routes import INGEST, PREFIX, Route

Endpoint = Callable[[Request], Awaitable[Response]]
LONG_BYTES = 64_000
"""Read within a millisecond or two."""
LONG_COUNT = 50
"""A longer list is written in a thread, beside the requests of others."""
IN_BODY = frozenset({"POST", "PUT"})
LISTS: Mapping[str, str] = {"record": "messages", "record_voice": "turns", "record_steps": "steps"}
"""Verbs that write a list in one transaction, and the argument that holds it."""
LISTED_MAX = 10_000
"""Of one request: all other writers wait for its end, here about a second."""
NAMED = ("record", "record_voice")
"""Verbs that keep what was said under an id."""


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

    async def answered(request: Request, body: bytes, *, sent_as: str = "") -> Response:
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
        _check_length(route, arguments)
        arguments = _with_precondition(route, request, _with_ids(route, arguments, sent_as=sent_as))
        return await _called(route, request, verb, arguments)

    async def endpoint(request: Request) -> Response:
        body = await json_body(request) if route.method in IN_BODY else b""
        if route.method == "POST" and "idempotency-key" in request.headers:
            return await answered_once(memory, request, body, lambda name: answered(request, body, sent_as=name))
        return await answered(request, body)

    endpoint.__name__ = route.verb
    endpoint.__doc__ = getattr(Memory, route.verb).__doc__
    return endpoint


async def _read(body: bytes, model: type[Arguments]) -> Arguments:
    """A long body is read in a thread, beside the requests of others."""
    return read_body(body, model) if len(body) < LONG_BYTES else await asyncio.to_thread(read_body, body, model)


def _check_length(route: Route, arguments: Mapping[str, Any]) -> None:
    """Raises RefusalError (413) for a list that would keep all other writers waiting."""
    name = LISTS.get(route.verb, "")
    count = len(arguments.get(name, ()))
    if count > LISTED_MAX:
        remedy = f"send less at once, or messages as lines to {PREFIX}{INGEST}"
        raise refused(413, name, f"holds {count:,}, more than {LISTED_MAX:,}", remedy)


def _with_ids(route: Route, arguments: Mapping[str, Any], *, sent_as: str) -> dict[str, Any]:
    """The arguments with an id for each message that would get one at random, where the request has a name.

    A server that dies between the write and its answer cannot give that answer again. Whoever sends the request again
    writes the same ids, and what is there is not written twice.
    """
    if not sent_as or route.verb not in NAMED:
        return dict(arguments)
    named = [
        each if each.get("id") not in (None, "") or each.get("at") is not None else {**each, "id": f"{sent_as}-{place}"}
        for place, each in enumerate(arguments[LISTS[route.verb]])
    ]
    return {**arguments, LISTS[route.verb]: named}


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
    if route.verb == "scopes":
        value = caller_of(request).shown(value)
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
