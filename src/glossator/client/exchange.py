"""What is said between a client and its server until a verb has its result? Written once, without input and output.

Each exchange is a generator: it yields what is to be sent, or how long to wait, and is told what came back. `Client`
and `AsyncClient` are two ways to carry it out.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from http import HTTPStatus
from typing import Any, get_type_hints

from pydantic import BaseModel, ValidationError, create_model

from glossator.client.requests import Asked, Verb, request_of
from glossator.errors import ConflictError, GlossatorError, StoreError
from glossator.model import JobRun
from glossator.providers.language.pace import Pace
from glossator.wire.codec import result_of
from glossator.wire.problems import MEDIA_TYPE, error_of
from glossator.wire.routes import route_of

OK_FIRST, OK_LAST = 200, 299
REDIRECT_LAST = 399
WAIT_MAX_S = 30.0
"""A server that asks for a longer wait is told of to the caller, who knows better what to do meanwhile."""
SHOWN_CHARACTERS_MAX = 200
NOT_OURS = "the words of another program: is `glossator serve` at this address?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What the server answered."""

    status: int
    body: bytes
    kind: str = ""
    """The media type."""
    retry_after: str = ""

    @property
    def good(self) -> bool:
        """True where the request was done."""
        return OK_FIRST <= self.status <= OK_LAST


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """No answer came. `arrived` is False where nothing can have reached the server, `late` where time ran out."""

    reason: str
    arrived: bool
    late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Wait so long before the next attempt."""

    seconds: float


Came = Answered | Unanswered
Exchange = Generator[Asked | Pause, Came | None, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a client asks: how often it tries again, how it makes keys for its writes, and its clock and chance."""

    retries: int
    new_key: Callable[[], str]
    pace: Pace = field(default_factory=Pace)


def done(verb: Verb, given: Mapping[str, Any], terms: Terms) -> Exchange:
    """The verb's result. Raises the error that the server's Memory raised, StoreError where there was no answer."""
    if route_of(verb.__name__).page is not None:
        items, _ = yield from page_of(verb, given, terms)
        return items
    try:
        came = yield from answered(request_of(verb, given, key=terms.new_key), terms)
    except ConflictError as error:
        raise _as_passed(error, verb) from error
    result = read_as(result_of(verb).validate_json, came.body or b"null")
    if isinstance(result, JobRun):  # the run's scope is for further requests, and the tier of those the key says again
        return replace(result, scope=replace(result.scope, tier=None))
    return result


def _as_passed(error: ConflictError, verb: Verb) -> ConflictError:
    """The conflict with the argument's own name, which the API has as a header."""
    precondition = route_of(verb.__name__).precondition
    if precondition is None or error.argument != "If-Match":
        return error
    return ConflictError(precondition, error.problem, remedy=error.remedy)


def from_the_start(verb: Verb, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the first of all pages, where no other was asked for."""
    route = route_of(verb.__name__)
    if route.begins_after is None or given.get(route.page or "") is not None:
        return dict(given)
    return {**given, route.page or "": route.begins_after}


def page_of(verb: Verb, given: Mapping[str, Any], terms: Terms) -> Exchange:
    """The items of one page, and the arguments that give the next one; None after the last."""
    came = yield from answered(request_of(verb, given, key=terms.new_key), terms)
    page = read_as(_page_shape(verb).model_validate_json, came.body)
    after = None if page.next is None else {**given, route_of(verb.__name__).page or "": page.next}
    return page.items, after


def is_ready() -> Exchange:
    """True where the server says that it is; False where it says no, or nothing. Asked once."""
    came = yield Asked(method="GET", path="/ready")
    return isinstance(came, Answered) and came.good


def answered(asked: Asked, terms: Terms) -> Generator[Asked | Pause, Came | None, Answered]:
    """The good answer to a request, after as many attempts as it takes and the terms allow."""
    attempt = 0
    while True:
        attempt += 1
        came = yield asked
        if isinstance(came, Answered) and came.good:
            return came
        if came is None:
            raise StoreError("the exchange was carried out wrongly: no answer was told")
        wait_s = _wait_s(came, attempt, terms) if attempt <= terms.retries and _again(came, asked) else None
        if wait_s is None:
            raise failure_of(came)
        yield Pause(seconds=wait_s)


def failure_of(came: Came) -> GlossatorError:
    """The error that an answer, or its absence, tells of."""
    match came:
        case Unanswered():
            return StoreError(came.reason, retryable=True)
        case Answered(status=HTTPStatus.CONFLICT) if came.retry_after:
            return StoreError("an earlier attempt is still at work, or has died; ask again in a minute", retryable=True)
        case Answered():
            return error_of(_problem_in(came))


def read_as(read: Callable[[bytes], Any], body: bytes) -> Any:
    """The body's value. StoreError where it is none: a server of another version, or none of ours."""
    try:
        return read(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "body"
        problem = f"the server answered what this client cannot read ({where}: {first['msg']})"
        raise StoreError(f"{problem}; use the same version on both sides") from error


def _again(came: Came, asked: Asked) -> bool:
    """Can another attempt help, and can it do no harm?"""
    match came:
        case Unanswered():
            return not came.arrived or (asked.repeatable and not came.late)
        case Answered(status=HTTPStatus.CONFLICT):
            return asked.repeatable and bool(came.retry_after)  # an earlier attempt with this key is still at work
        case Answered(status=HTTPStatus.TOO_MANY_REQUESTS | HTTPStatus.SERVICE_UNAVAILABLE):
            return bool(_problem_in(came).get("retryable", True))
        case Answered():
            return False


def _wait_s(came: Came, attempt: int, terms: Terms) -> float | None:
    asked_s = terms.pace.asked_s(came.retry_after) if isinstance(came, Answered) else None
    wait_s = terms.pace.backoff_s(attempt, asked_s=asked_s)
    return wait_s if wait_s <= WAIT_MAX_S else None


def _problem_in(came: Answered) -> Mapping[str, Any]:
    """The problem document; one made of the status where another program on the way answered."""
    if came.kind.partition(";")[0].strip() == MEDIA_TYPE:
        read = _read_object(came.body)
        if read is not None:
            return read
    if OK_LAST < came.status <= REDIRECT_LAST:
        return {"status": came.status, "detail": "redirects are not followed, give the final address"}
    said = " ".join(came.body.decode("utf-8", "replace").split())[:SHOWN_CHARACTERS_MAX]
    return {"status": came.status, "detail": f"{said or 'nothing more was said'} ({NOT_OURS})"}


def _read_object(body: bytes) -> Mapping[str, Any] | None:
    try:
        return _Problem.model_validate_json(body).model_dump()
    except ValidationError:
        return None


class _Problem(BaseModel, extra="allow"):
    """A problem document: any JSON object."""


@cache
def _page_shape(verb: Verb) -> type[BaseModel]:
    """`{"items": [...], "next": ...}` around the verb's result."""
    items = get_type_hints(verb)["return"]
    return create_model(f"{verb.__name__}_page", items=(items, ...), next=(int | str | None, None))
