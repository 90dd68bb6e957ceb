"""How does an error cross the wire? As a problem document (RFC 9457) that the client raises again as the same error."""

from collections.abc import Mapping
from typing import Any

from glossator import errors
from glossator.errors import GlossatorError, ProviderError, StoreError, UsageError

MEDIA_TYPE = "application/problem+json"

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


def problem_of(error: GlossatorError) -> dict[str, Any]:
    """The members of the problem document: type, title, status, detail; argument and remedy, or retryable."""
    kind = type(error).__name__
    document: dict[str, Any] = {
        "type": f"urn:glossator:{kind}",
        "title": (type(error).__doc__ or kind).strip().splitlines()[0],
        "status": STATUS[kind],
        "detail": str(error),
    }
    if isinstance(error, UsageError):
        return document | {"argument": error.argument, "problem": error.problem, "remedy": error.remedy}
    return document | {"retryable": bool(getattr(error, "retryable", False))}


def error_of(document: Mapping[str, Any]) -> GlossatorError:
    """The error that a problem document tells of; a StoreError for one of another program on the way."""
    kind = str(document.get("type", "")).removeprefix("urn:glossator:")
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
