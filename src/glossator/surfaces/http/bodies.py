"""How much of a body is read, how long is it waited for, and of what kind must it be?"""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from glossator.surfaces.http.answers import RefusalError, busy, refused
from glossator.surfaces.http.settings import Settings
from glossator.wire.routes import INGEST, PREFIX

STREAMED = f"{PREFIX}{INGEST}"
"""What is read line by line has no bound as a whole."""

STRANGER_BYTES_MAX = 10_000
"""Of who has shown no key yet: a log-in is a key and an address."""
PACE_BYTES_PER_S = 10_000
"""A body comes at least so fast after its first wait: who sends a byte now and then holds no place for long."""


class Bounded:
    """No body is longer than `Settings.body_bytes_max`, and none is waited for without end."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self._app = app
        self._bytes_max = settings.body_bytes_max
        self._wait_s = settings.body_wait_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        streamed = scope["path"] == STREAMED
        bytes_max = self._bytes_max if "caller" in scope.get("state", ()) else min(self._bytes_max, STRANGER_BYTES_MAX)
        if not streamed:
            _check_announced(scope, bytes_max)
        seen = 0
        complete = False
        began_s = asyncio.get_running_loop().time()

        async def bounded() -> Message:
            nonlocal seen, complete
            if complete:  # now it is only asked whether the caller is still there
                return await receive()
            wait_s = self._wait_s
            if not streamed:
                wait_s = min(wait_s, began_s + wait_s + seen / PACE_BYTES_PER_S - asyncio.get_running_loop().time())
            try:
                async with asyncio.timeout(wait_s):
                    message = await receive()
            except TimeoutError:
                late = busy(408, "the body did not come", retry_after_s=1)
                late.headers["Connection"] = "close"
                raise late from None
            seen += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if seen > bytes_max and not streamed:
                raise _too_large(bytes_max)
            return message

        await self._app(scope, bounded, send)


def _check_announced(scope: Scope, bytes_max: int) -> None:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value) > bytes_max:
            raise _too_large(bytes_max)


def _too_large(bytes_max: int) -> RefusalError:
    problem = f"is longer than {bytes_max:,} bytes"
    return refused(413, "body", problem, f"send less at once, or lines to {STREAMED}", connection="close")


def check_kind(request: Request, *kinds: str) -> None:
    """Raises RefusalError for a body of another kind: a form that another site's page can send is none."""
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given not in kinds:
        problem = f"is {given[:80]!r}" if given else "is missing"
        raise refused(415, "Content-Type", problem, f"send {kinds[0]}")


async def json_body(request: Request) -> bytes:
    """The bytes of a JSON body; b"" where there is none."""
    body = await request.body()
    if body:
        check_kind(request, "application/json")
    return body


async def lines_of(request: Request, *, bytes_max: int) -> AsyncIterator[list[bytes | None]]:
    """The lines of a body without their ends, those together that came together.

    None stands for a line that is longer than it may be. What a cut has left of a line is none. Raises
    ClientDisconnect at the cut.
    """
    rest = bytearray()
    too_long = False
    async for piece in request.stream():
        rest += piece
        *whole, last = rest.split(b"\n")
        lines: list[bytes | None] = [bytes(line) if len(line) <= bytes_max else None for line in whole]
        if lines and too_long:
            lines[0], too_long = None, False
        rest = last
        if len(rest) > bytes_max:
            rest, too_long = bytearray(), True
        if lines:
            yield lines
    if too_long or rest:
        yield [None if too_long else bytes(rest)]
