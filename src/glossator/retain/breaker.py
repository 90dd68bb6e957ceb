"""May a model be called now, or has it failed too often just before?

Closed: calls pass. After `threshold` failures in a row it opens, and nothing passes for `cooldown_s`. Then it is half
open: one caller gets the probe, all others wait for what becomes of it. The probe's success closes the breaker, its
failure opens it for a full cooldown again. Ask immediately before the call, after every cheaper reason to skip, or the
probe is used up by a turn that calls nobody. One breaker per model.
"""

import threading
from dataclasses import dataclass
from typing import Literal

from glossator.errors import UsageError

BreakerState = Literal["closed", "open", "half_open"]
STATE_NUMBERS: dict[BreakerState, int] = {"closed": 0, "half_open": 1, "open": 2}
"""What the gauge shows: the higher, the worse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerSnapshot:
    """How a breaker stood at one moment; a value of its own that nobody can change it through."""

    state: BreakerState
    failure_count: int
    """Failures in a row."""
    opened_at_s: float | None
    """When it opened, on the caller's monotonic clock; None while it is closed."""


class Breaker:
    """Counts failures in a row and says when to leave a model alone. Safe to share between threads.

    `now_s` is the caller's monotonic time. A time-out, a server's error and an unreadable reply are failures; a
    client's own error (401, 404, a wrong name) is not, since waiting mends it no more than calling does: the caller
    leaves it out.
    """

    def __init__(self, *, threshold: int = 5, cooldown_s: float = 120.0) -> None:
        if threshold < 1:
            raise UsageError("threshold", "is below 1", remedy="pass how many failures in a row open the breaker")
        if cooldown_s < 0:
            raise UsageError("cooldown_s", "is negative", remedy="pass seconds >= 0")
        self._threshold = threshold
        self._cooldown_s = cooldown_s
        self._lock = threading.Lock()
        self._state: BreakerState = "closed"
        self._failure_count = 0
        self._opened_at_s: float | None = None
        self._next_probe_at_s = 0.0

    def may_call(self, now_s: float) -> bool:
        """True if the caller may call now; while half open, True takes the probe.

        A probe of which nothing is heard for a cooldown is taken for lost, and the next caller gets another one.
        """
        with self._lock:
            if self._state == "closed":
                return True
            if now_s < self._next_probe_at_s:
                return False
            self._state = "half_open"
            self._next_probe_at_s = now_s + self._cooldown_s
            return True

    def succeeded(self) -> None:
        """A reply came and could be read."""
        with self._lock:
            self._state = "closed"
            self._failure_count = 0
            self._opened_at_s = None

    def failed(self, now_s: float) -> None:
        """No reply came in time, or none that could be read."""
        with self._lock:
            self._failure_count += 1
            opens = self._state == "closed" and self._failure_count >= self._threshold
            if opens or self._state == "half_open":  # while open, a late failure does not lengthen the cooldown
                self._state = "open"
                self._opened_at_s = now_s
                self._next_probe_at_s = now_s + self._cooldown_s

    def snapshot(self) -> BreakerSnapshot:
        """How it stands."""
        with self._lock:
            return BreakerSnapshot(state=self._state, failure_count=self._failure_count, opened_at_s=self._opened_at_s)
