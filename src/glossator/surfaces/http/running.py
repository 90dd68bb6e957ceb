"""How is the server run: on which socket, with which time-outs, and how does it end?"""

import asyncio
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from glossator.surfaces.addresses import BACKLOG

HEAD_WAIT_S = 15.0
"""How long the head of a request may take; who sends one byte at a time holds a connection no longer."""
IDLE_S = 30
"""How long an idle connection is kept."""
FINISHING_S = 20
"""How long requests that run may go on after the server was told to stop."""


class ImpatientProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection on which no whole head of a request comes in time."""

    _head_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Read on; the wait ends with the head, and begins again with the next request's first byte."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._head_came()
        elif self._head_due is None:
            self._await_head()

    def on_response_complete(self) -> None:
        """The wait for the next request is uvicorn's own until its first byte."""
        self._head_came()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._head_came()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self._head_due = self.loop.call_later(HEAD_WAIT_S, self.timeout_keep_alive_handler)

    def _head_came(self) -> None:
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None


def configured(app: Any, *, log_level: str | None = None) -> uvicorn.Config:
    """How uvicorn runs the app: HTTP/1.1 alone, no header of a proxy believed, nothing told of itself.

    Without a `log_level` its loggers stay as they are.
    """
    return uvicorn.Config(
        app,
        http=ImpatientProtocol,
        ws="none",
        lifespan="on",
        loop="asyncio",
        log_config=None,
        log_level=log_level,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=FINISHING_S,
        backlog=BACKLOG,
    )
