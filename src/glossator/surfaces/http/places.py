"""How many requests are answered at once? Whoever has shown no key takes no place of those who have."""

from collections import Counter

from starlette.types import ASGIApp, Receive, Scope, Send

from glossator.surfaces.http.answers import busy
from glossator.surfaces.http.settings import Settings

STRANGERS_SHARE = 4
"""Of the places, one in so many is beside them for log-ins and whatever else needs no key."""


class Places:
    """Asks the next request to come again while all places are taken; health has one always."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self._app = app
        self._places_max = {True: settings.requests_max, False: max(1, settings.requests_max // STRANGERS_SHARE)}
        self._taken: Counter[bool] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] == "/health":
            await self._app(scope, receive, send)
            return
        known = "caller" in scope.get("state", ())
        if self._taken[known] >= self._places_max[known]:
            raise busy(503, "the server is answering as many requests as it may", retry_after_s=1)
        self._taken[known] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._taken[known] -= 1
