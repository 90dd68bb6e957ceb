"""When is the memory there? It is opened behind the handshake, and whoever needs it waits for it."""

import threading
from collections.abc import Callable

from glossator.errors import UsageError
from glossator.facade import Memory


class Opening:
    """A memory that is opened when it is first asked for. A store that fails is tried again at the next call."""

    def __init__(self, open_memory: Callable[[], Memory]) -> None:
        self._open = open_memory
        self._lock = threading.Lock()
        self._memory: Memory | None = None
        self._closed = False

    def __call__(self) -> Memory:
        """The memory. Raises what opening it raised."""
        with self._lock:
            if self._closed:
                raise UsageError("memory", "is closed", remedy="start the server again")
            if self._memory is None:
                self._memory = self._open()
            return self._memory

    def close(self) -> None:
        """Release the store, if it was opened. Nobody opens it again."""
        with self._lock:
            self._closed = True
            memory, self._memory = self._memory, None
        if memory is not None:
            memory.close()
