"""Was this statement dealt with a moment ago?

A hash is remembered for five minutes and then forgotten by itself, so that a loop cannot write the same fact over and
over, and nothing is locked for ever. A hit is for the caller to count. Explicit writes and restores never ask.
"""

import threading

from glossator.errors import UsageError

TTL_S = 300.0
"""Five minutes: longer than an agent's retries, shorter than a conversation that comes back to the matter."""
CAPACITY = 10_000
"""About 1 MB of hashes; a busy agent handles a few hundred in five minutes."""


class RecentHashes:
    """A set whose members leave after `ttl_s`, the oldest earlier where there is no room.

    `key` is the content hash with the version of the text and whatever else makes a statement the same one (its
    scope). `now_s` is the caller's monotonic time. Safe to share between threads.
    """

    def __init__(self, *, ttl_s: float = TTL_S, capacity: int = CAPACITY) -> None:
        if ttl_s <= 0:
            raise UsageError("ttl_s", "is not above 0", remedy="pass seconds > 0")
        if capacity < 1:
            raise UsageError("capacity", "is below 1", remedy="pass how many hashes to remember")
        self._ttl_s = ttl_s
        self._capacity = capacity
        self._lock = threading.Lock()
        self._added_at_s: dict[str, float] = {}

    def add(self, key: str, now_s: float) -> None:
        """Remember `key` from now on. Call it after the write has succeeded."""
        with self._lock:
            self._prune(now_s)
            self._added_at_s.pop(key, None)  # added again, it goes to the end: the dict is ordered by time
            while len(self._added_at_s) >= self._capacity:
                del self._added_at_s[next(iter(self._added_at_s))]
            self._added_at_s[key] = now_s

    def holds(self, key: str, now_s: float) -> bool:
        """True if `key` was added less than `ttl_s` ago and not evicted since."""
        with self._lock:
            added_at_s = self._added_at_s.get(key)
            if added_at_s is None:
                return False
            if now_s - added_at_s < self._ttl_s:
                return True
            del self._added_at_s[key]
            return False

    def __len__(self) -> int:
        """How many are kept, those included whose time has run out unnoticed."""
        with self._lock:
            return len(self._added_at_s)

    def _prune(self, now_s: float) -> None:
        while self._added_at_s:
            oldest = next(iter(self._added_at_s))
            if now_s - self._added_at_s[oldest] < self._ttl_s:
                return
            del self._added_at_s[oldest]
