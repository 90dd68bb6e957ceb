"""How does an error cross the wire? As a problem document (RFC 9457) that the client raises again as the same error."""

from collections.abc import Mapping
from typing import Any

from glossator import errors
from glossator.errors import GlossatorError, ProviderError, StoreError, UsageError

MEDIA_TYPE = "application/problem+json"
URN = "urn:glossator:"

STATUS: Mapping[str, int] = {
    "UsageError": 422,
    "NotFoundError": 404,
    "ConflictError": 409,
    "PermissionDeniedError": 403,
    "StoreError": 500,
    "StoreLockedError": 503,
    "StoreReadOnlyError": 503,
    "StoreCorruptError": 500,
    "StoreTooNewError": 500,
    "StoreFullError": 507,
    "ProviderError": 502,
    "ProviderTimeoutError": 504,
    "NotDrainedError": 504,
    "GlossatorError": 500,
}
"""The status of each error by its name: whoever has to act is the caller (4xx) or the operator (5xx)."""

_TEXT = {"type": "string"}
SCHEMA: Mapping[str, Any] = {
    "title": "Problem",
    "description": "What is wrong, and whose turn it is to act (RFC 9457).",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "description": "urn:glossator: and the name of the error", "examples": [
            f"{URN}UsageError"]},
        "title": {**_TEXT, "description": "What this kind of error means."},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": {**_TEXT, "description": "What is wrong here, in one line."},
        "argument": {**_TEXT, "description": "What is wrong, as the caller wrote it: messages[3].content"},
        "problem": {**_TEXT, "description": "What is wrong with it."},
        "remedy": {**_TEXT, "description": "What to pass instead."},
        "retryable": {"type": "boolean", "description": "Whether the same request may succeed later."},
        "request_id": {**_TEXT, "description": "The header X-Request-Id, for whoever reads the log."},
    },
}  # fmt: skip
"""The problem document as a JSON schema."""


def kind_of(error: GlossatorError) -> str:
    """The name of the error's class in `glossator.errors`, or of the one that it is a kind of."""
    return next(each.__name__ for each in type(error).__mro__ if each.__name__ in STATUS)


def status_of(error: GlossatorError) -> int:
    """The status of the error, or of the one that it is a kind of."""
    return STATUS[kind_of(error)]


def problem_of(error: GlossatorError, *, status: int | None = None) -> dict[str, Any]:
    """The members of the problem document: type, title, status, detail; argument and remedy, or retryable.

    `status` is given where the protocol has a more exact one than the error's own (401, 412, 413, 429 ...).
    """
    kind = kind_of(error)
    document: dict[str, Any] = {
        "type": f"{URN}{kind}",
        "title": (getattr(errors, kind).__doc__ or kind).strip().splitlines()[0],
        "status": status or STATUS[kind],
        "detail": str(error),
    }
    if isinstance(error, UsageError):
        return document | {"argument": error.argument, "problem": error.problem, "remedy": error.remedy}
    return document | {"retryable": bool(getattr(error, "retryable", False))}


def error_of(document: Mapping[str, Any]) -> GlossatorError:
    """The error that a problem document tells of; a StoreError for one of another program on the way."""
    kind = str(document.get("type", "")).removeprefix(URN)
    cls = getattr(errors, kind, None)
    detail = str(document.get("detail") or document.get("title") or "the server gave no reason")
    if isinstance(cls, type) and issubclass(cls, UsageError):
        problem = str(document.get("problem") or detail)
        return cls(str(document.get("argument", "")), problem, remedy=str(document.get("remedy", "")))
    if isinstance(cls, type) and issubclass(cls, StoreError | ProviderError):
        return cls(detail, retryable=bool(document.get("retryable", False)))
    if isinstance(cls, type) and issubclass(cls, GlossatorError):
        return cls(detail)
    return StoreError(f"the server answered {document.get('status', 'nothing sensible')}: {detail}", retryable=True)
