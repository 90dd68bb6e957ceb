"""What does a page say when something failed?"""

from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from glossator.errors import GlossatorError, NotFoundError, PermissionDeniedError, UsageError
from glossator.surfaces.web.rendering import page
from glossator.wire.problems import status_of

RETRY_AFTER_S = 5
"""A lock that outlived the busy time-out is seldom gone at once."""
PREDICATES = frozenset({"is", "are", "has", "have", "names", "asks"})
"""A problem that begins so speaks of its argument."""


class PageRoute(APIRoute):
    """A route whose failures are pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """As FastAPI asks for it: the route, with the errors of the engine and of a wrong address told as pages."""
        answer = super().get_route_handler()

        async def told(request: Request) -> Response:
            try:
                return await answer(request)
            except GlossatorError as error:
                return failure_page(request, error)
            except RequestValidationError as error:
                return failure_page(request, usage_error_of(error))

        return told


def failure_page(request: Request, error: GlossatorError) -> Response:
    """The page that tells of an error of the engine, with its status."""
    retryable = bool(getattr(error, "retryable", False))
    remedy = error.remedy if isinstance(error, UsageError) and not isinstance(error, NotFoundError) else ""
    answer = page(
        request, "problem.html", status=status_of(error), title=title_of(error),
        words=words_of(error),
        remedy="Somebody else is writing. Wait a moment and load the page again." if retryable else remedy,
    )  # fmt: skip
    if retryable:
        answer.headers["Retry-After"] = str(RETRY_AFTER_S)
    return answer


def status_page(request: Request, status: int, *, words: str = "") -> Response:
    """The page for a bare status: 404 for an address that is no page, 403 for a form without its token."""
    phrase = HTTPStatus(status).phrase
    return page(request, "problem.html", status=status, title=phrase, words=words or phrase, remedy="")


def words_of(error: GlossatorError) -> str:
    """What is wrong, in a sentence; the argument only where the sentence needs it."""
    if not isinstance(error, UsageError):
        return str(error)
    named = error.problem.split(" ", 1)[0] in PREDICATES
    return f"{error.argument} {error.problem}" if named else error.problem


def title_of(error: GlossatorError) -> str:
    """The heading of its page, in a few words."""
    match error:
        case NotFoundError():
            return "Not here"
        case PermissionDeniedError():
            return "Not allowed"
        case UsageError():
            return "That cannot be asked so"
        case _ if getattr(error, "retryable", False):
            return "The memory is busy"
        case _:
            return "The memory failed"


def usage_error_of(error: RequestValidationError) -> UsageError:
    """What is wrong with the address or the form, as an argument error."""
    first = error.errors()[0]
    name = next((part for part in reversed(first.get("loc", ())) if isinstance(part, str)), "address")
    return UsageError(name, f"is not right: {first.get('msg', '')}", remedy="go back and correct it")
