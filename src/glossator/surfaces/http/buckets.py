"""How often may somebody ask? A bucket of tokens for each, that fills again with time."""

from collections import OrderedDict
from collections.abc import Callable

KEPT_MAX = 10_000
"""Buckets that are remembered; the one that was used least recently goes first, and begins full again."""


class Buckets:
    """Buckets by name, each with `burst` tokens at most and `per_s` more of them in every second.

    For one event loop: nothing in it waits, so that nothing needs a lock.
    """

    def __init__(self, *, per_s: float, burst: float, monotonic_s: Callable[[], float]) -> None:
        self._per_s = per_s
        self._burst = burst
        self._monotonic_s = monotonic_s
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def missing_s(self, name: str) -> float:
        """How long until there is a token; 0 where there is one."""
        return max(0.0, (1.0 - self._level(name)) / self._per_s)

    def take(self, name: str) -> None:
        """Take one token, also where there is none: who goes on asking waits longer, a second's worth at most."""
        level = max(self._level(name) - 1.0, -self._per_s)
        self._buckets[name] = (level, self._monotonic_s())
        self._buckets.move_to_end(name)
        while len(self._buckets) > KEPT_MAX:
            self._buckets.popitem(last=False)

    def _level(self, name: str) -> float:
        level, at = self._buckets.get(name, (self._burst, self._monotonic_s()))
        return min(self._burst, level + (self._monotonic_s() - at) * self._per_s)
