"""Which request asks the server for a verb? The verb, its arguments and the table of routes, made into one request."""

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from datetime import UTC
from functools import cache
from typing import Any, get_type_hints
from urllib.parse import quote, urlencode

from glossator.errors import UsageError
from glossator.facade.checks import fact_number
from glossator.model import JobRun, Scope
from glossator.rules.given import check_given
from glossator.rules.instants import read_said_time
from glossator.rules.plain import plain as plain_value
from glossator.rules.plain import refused
from glossator.wire.codec import written
from glossator.wire.routes import PREFIX, ROUTES, Route, route_of
from glossator.wire.scopes import parameters_of

Verb = Callable[..., Any]
IDEMPOTENCY_KEY = "Idempotency-Key"
JSON = "application/json"
_HALF = re.compile("[\ud800-\udfff]")
_SHA256 = re.compile("[0-9a-f]{64}")
READING = frozenset(
    {"check_contradictions", "claims_without_receipt", "context", "learned", "prefetch", "recall", "search_facts"}
    | {"search_reasoning_steps_lexical"}
)
"""Verbs that only read although they are a POST: their question is too long for a query. They need no key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request. `path` is ready for the request line; `body` is None where nothing is sent.

    `repeatable` says that it may be sent again where nobody knows whether it arrived: it reads, or it carries a key
    by which the server knows it.
    """

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True


@cache
def _signature_of(verb: Verb) -> inspect.Signature:
    return inspect.signature(verb)


@cache
def _times_of(verb: Verb) -> frozenset[str]:
    """The arguments that are times: whatever names one may be passed, so that no type says it."""
    hints = get_type_hints(verb)
    return frozenset(name for name in _signature_of(verb).parameters if hints.get(name) is object)


def given_to(verb: Verb, args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, Any]:
    """The arguments by their names, as many as were passed. Raises TypeError and UsageError as Memory does."""
    given = dict(_signature_of(verb).bind(None, *args, **kwargs).arguments)
    del given["self"]
    check_given(verb, given)
    for name in _times_of(verb).intersection(given):
        if given[name] is not None:
            read_said_time(given[name], argument=name, zone=UTC)
    return given


def paged_verb(verb: Verb) -> Verb:
    """The verb of Memory that a client's verb asks for. Raises UsageError where it does not give pages."""
    of_memory: Verb = getattr(verb, "__wrapped__", verb)
    name = getattr(of_memory, "__name__", "")
    paging = [route.verb for route in ROUTES if route.page]
    if name not in paging:
        raise UsageError("verb", f"{name or verb!r} gives no pages", remedy=f"choose from {', '.join(paging)}")
    return of_memory


def request_of(verb: Verb, given: Mapping[str, Any], *, key: Callable[[], str]) -> Asked:
    """The request for the verb. `key` makes the name by which the server knows a write again."""
    route = route_of(verb.__name__)
    rest = {name: value for name, value in given.items() if name != "scope"}
    query = _parameters_of(given)
    headers = _precondition_of(route, rest)
    path = _path_of(route, rest)
    body = None
    if route.method in ("GET", "DELETE"):
        defaults = _signature_of(verb).parameters
        query += [
            (name, text)
            for name, value in rest.items()
            if value != defaults[name].default
            for text in _texts(value, name)
        ]
    else:
        body = encoded({name: plain(value, name) for name, value in rest.items()})
        headers["Content-Type"] = JSON
    reads = route.method == "GET" or verb.__name__ in READING
    keyed = route.method == "POST" and not reads
    if keyed:
        headers[IDEMPOTENCY_KEY] = key()
    target = f"{PREFIX}{path}" + (f"?{urlencode(query)}" if query else "")
    return Asked(method=route.method, path=target, body=body, headers=headers, repeatable=keyed or reads)


def encoded(value: object) -> bytes:
    """The JSON of a plain value."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def plain(value: object, argument: str) -> Any:
    """The value as JSON has it. Raises UsageError naming the part that JSON does not have.

    Half a character (a lone surrogate) cannot be sent. It goes as NUL, which the library mends to the same mark.
    """
    return plain_value(value, argument, text=_sendable, other=_of_ours)


def _sendable(text: str) -> str:
    return _HALF.sub("\0", text)


def _of_ours(value: object, argument: str) -> Any:
    return written(value, type(value)) if is_dataclass(value) else refused(value, argument)


def _parameters_of(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The scope in the query; a run of a job has its own. None where the verb is for the whole file."""
    run, scope = given.get("run"), given.get("scope")
    if isinstance(run, JobRun):
        scope = replace(run.scope, job=None)
    if not isinstance(scope, Scope):
        return []
    if scope.tier is not None:
        raise UsageError("scope.tier", "is what the key says", remedy="leave it out, and bind the key to the tier")
    return list(parameters_of(scope).items())


def _precondition_of(route: Route, rest: dict[str, Any]) -> dict[str, str]:
    """The header in which the precondition stands; its argument is taken out of the rest."""
    if route.precondition is None:
        return {}
    expected = rest.pop(route.precondition, None)
    if expected is None:
        return {"If-Match": "*"}
    if expected == "":
        return {"If-None-Match": "*"}
    if not _SHA256.fullmatch(expected):
        remedy = "pass the `sha256` of the revision that you have read"
        raise UsageError(route.precondition, "is no SHA-256", remedy=remedy)
    return {"If-Match": f'"{expected}"'}


def _path_of(route: Route, rest: dict[str, Any]) -> str:
    """The path with its arguments in it; they are taken out of the rest."""
    path = route.path
    for name in tuple(rest):
        if f"{{{name}}}" in path:
            value = rest.pop(name)
            text = f"f{fact_number(value)}" if name == "fact_id" else str(value)
            path = path.replace(f"{{{name}}}", quote(text, safe=""))
    return path


def _texts(value: object, argument: str) -> list[str]:
    """How often and as what an argument stands in the query. An empty list is one blank, which the server refuses."""
    match plain(value, argument):
        case None:
            return []
        case bool() as switch:
            return ["true" if switch else "false"]
        case list() as each:
            return [str(one) for one in each] or [""]
        case other:
            return [str(other)]
