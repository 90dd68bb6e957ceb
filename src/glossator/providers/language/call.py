"""How is a blocking call left behind when its time is up?

It runs in a daemon thread, so that a server that drips bytes, or a name that does not resolve, holds neither the caller
nor the end of the program up. Who gives up closes the call's connection, which ends the thread at its next read.
"""

import threading
from collections.abc import Callable
from typing import Protocol

from glossator.errors import ProviderError
from glossator.model import Completion


class Closable(Protocol):
    """A connection."""

    def close(self) -> None:
        """Break it off."""
        ...


class Lease:
    """A caller's patience: until when it lasts, whether it is over, and what to close then."""

    def __init__(self, ends_at: float) -> None:
        self.ends_at = ends_at
        self.over = threading.Event()
        self._lock = threading.Lock()
        self._held: Closable | None = None

    def hold(self, connection: Closable) -> None:
        """From now on the connection is closed when the caller gives up; at once where they have."""
        with self._lock:
            self._held = connection
            if self.over.is_set():
                connection.close()

    def give_back(self) -> bool:
        """True when the connection may serve another call; False when it is closed or about to be."""
        with self._lock:
            self._held = None
            return not self.over.is_set()

    def end(self) -> None:
        """The caller gives up."""
        with self._lock:
            self.over.set()
            if self._held is not None:
                self._held.close()


class Call:
    """One call in a thread of its own."""

    def __init__(self, ask: Callable[[Lease], Completion], *, ends_at: float) -> None:
        self._ask = ask
        self._lease = Lease(ends_at)
        self._done = threading.Event()
        self._completion: Completion | None = None
        self._error: ProviderError | None = None

    def outcome(self, timeout_s: float) -> Completion | None:
        """What came of it; None when the time was up first. Raises the ProviderError that the call raised."""
        threading.Thread(target=self._run, name="glossator-language-model", daemon=True).start()
        if not self._done.wait(timeout_s):
            self._lease.end()
            return None
        if self._error is not None:
            raise self._error
        if self._completion is None:
            raise ProviderError("the call broke off")
        return self._completion

    def _run(self) -> None:
        try:
            self._completion = self._ask(self._lease)
        except ProviderError as error:
            self._error = error
        finally:
            self._done.set()
