"""How does the server answer: a value, a page, or a problem?"""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from glossator.errors import GlossatorError, StoreError, UsageError
from glossator.surfaces.watch.server_meters import Rejection
from glossator.wire.bodies import MalformedError
from glossator.wire.problems import MEDIA_TYPE, problem_of

JSON = "application/json"


COUNTED: Mapping[int, Rejection] = {401: "auth", 413: "size", 421: "host", 429: "rate"}
"""What a status counts as, among the requests that were turned away."""


class RefusalError(Exception):
    """A request that is answered with this error, under this status."""

    def __init__(
        self,
        error: GlossatorError,
        status: int,
        headers: Mapping[str, str] | None = None,
        *,
        counted: Rejection | None = None,
    ) -> None:
        super().__init__(str(error))
        self.counted = counted or COUNTED.get(status)
        self.error = error
        self.status = status
        self.headers = dict(headers or {})


def refused(status: int, argument: str, problem: str, remedy: str = "", **headers: str) -> RefusalError:
    """The caller must act. `headers` are named as in Python: `retry_after` is Retry-After."""
    return RefusalError(UsageError(argument, problem, remedy=remedy), status, _headers(headers))


def busy(status: int, reason: str, *, retry_after_s: float) -> RefusalError:
    """The same request may be answered later."""
    seconds = str(max(1, round(retry_after_s + 0.5)))
    return RefusalError(StoreError(reason, retryable=True), status, {"Retry-After": seconds})


def _headers(named: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-").title(): text for name, text in named.items()}


def json_answer(body: bytes | str, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer whose JSON is written already."""
    return Response(body, status_code=status, media_type=JSON, headers=dict(headers or {}))


def problem_answer(
    error: GlossatorError, *, status: int | None = None, headers: Mapping[str, str] | None = None, request_id: str = ""
) -> Response:
    """The error as a problem document."""
    if status is None and isinstance(error, MalformedError):
        status = 400
    document: dict[str, Any] = problem_of(error, status=status)
    if request_id:
        document["request_id"] = request_id
    text = json.dumps(document, ensure_ascii=True)  # an argument may be half a character
    more = dict(headers or {})
    if document.get("retryable"):
        more.setdefault("Retry-After", "1")
    return Response(text, status_code=document["status"], media_type=MEDIA_TYPE, headers=more)
