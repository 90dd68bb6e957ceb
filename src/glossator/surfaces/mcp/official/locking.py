"""Who may write a file now, among threads and processes? Whoever holds its lock file; a crash sets it free."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from glossator.errors import StoreLockedError

try:
    import fcntl
except ImportError:  # Windows: two processes that write one file at once are kept apart by the check before replacing
    LOCKS = False
else:
    LOCKS = True

WAIT_S = 20.0
"""A client gives a tool call about a minute; a write of 50 MB takes a second or two."""
POLL_S = 0.005


@contextlib.contextmanager
def locked(path: Path, *, wait_s: float = WAIT_S) -> Iterator[None]:
    """Hold the lock for a block. Raises StoreLockedError where another holds it for longer than `wait_s`."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if LOCKS:
            _acquire(descriptor, path, wait_s)
        yield
    finally:
        os.close(descriptor)  # which releases it


def _acquire(descriptor: int, path: Path, wait_s: float) -> None:
    until = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise StoreLockedError(f"another process has held {path.name} for {wait_s:g} s") from None
            time.sleep(POLL_S)
        else:
            return
