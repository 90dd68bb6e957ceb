"""Is one source rewriting the memory?

A source (owner, run and session) that supersedes many facts within a few minutes is more likely poisoned than a person
who changed their mind that often. It is quarantined for a while: its new facts are held, its conflicting ones refused.
Off by default, since an honest bulk correction looks the same (`Options.poison_tripwire`).
"""

import threading
from collections import deque
from typing import TypeVar

from glossator.errors import UsageError

Value = TypeVar("Value")

SUPERSEDED_MAX = 5
"""So many within the window trip it; a person who tells of a new life changes three or four facts in one turn."""
WINDOW_S = 600.0
QUARANTINE_S = 1_800.0
SOURCES_MAX = 10_000
"""Sources that are watched at once; the one that has been quiet longest is dropped first."""


class Tripwire:
    """Counts supersessions per source. `now_s` is the caller's monotonic time. Safe to share between threads."""

    def __init__(
        self,
        *,
        superseded_max: int = SUPERSEDED_MAX,
        window_s: float = WINDOW_S,
        quarantine_s: float = QUARANTINE_S,
        sources_max: int = SOURCES_MAX,
    ) -> None:
        if superseded_max < 1 or sources_max < 1:
            raise UsageError("superseded_max, sources_max", "is below 1", remedy="pass positive numbers")
        self._superseded_max = superseded_max
        self._window_s = window_s
        self._quarantine_s = quarantine_s
        self._sources_max = sources_max
        self._lock = threading.Lock()
        self._times: dict[str, deque[float]] = {}
        self._free_at_s: dict[str, float] = {}

    def superseded(self, source: str, now_s: float) -> bool:
        """`source` has superseded one more fact; True if that trips the wire."""
        with self._lock:
            times = self._times.pop(source, deque())
            while times and now_s - times[0] >= self._window_s:
                times.popleft()
            times.append(now_s)
            if len(times) >= self._superseded_max:
                self._remember(self._free_at_s, source, now_s + self._quarantine_s)
                return True
            self._remember(self._times, source, times)
            return False

    def quarantined(self, source: str, now_s: float) -> bool:
        """True while what `source` says is to be held."""
        with self._lock:
            free_at_s = self._free_at_s.get(source)
            if free_at_s is None:
                return False
            if now_s < free_at_s:
                return True
            del self._free_at_s[source]
            return False

    def _remember(self, kept: dict[str, Value], source: str, value: Value) -> None:
        kept.pop(source, None)
        while len(kept) >= self._sources_max:
            del kept[next(iter(kept))]
        kept[source] = value
