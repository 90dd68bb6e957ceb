"""When is a failed call tried again, and how long may the whole take? Time and randomness come in here."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

BACKOFF_FIRST_S = 0.25
"""A rate limit of a second is met by the second try, and a call of two seconds still has room for it."""
BACKOFF_MAX_S = 8.0
TOO_MANY_REQUESTS = 429
SERVER_ERRORS = 500


def _waited(stop: threading.Event, seconds: float) -> bool:
    return stop.wait(seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """A monotonic clock in seconds, a number in [0, 1), the time in UTC, and a wait that ends early.

    `wait(stop, seconds)` returns True where `stop` was set meanwhile.
    """

    monotonic: Callable[[], float] = time.monotonic
    fraction: Callable[[], float] = random.random
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    wait: Callable[[threading.Event, float], bool] = _waited

    def backoff_s(self, attempt: int, *, asked_s: float | None) -> float:
        """How long to wait after the n-th failed attempt: what the server asked for, else a growing random time.

        The random part is the upper half, so that callers that failed together do not come back together.
        """
        if asked_s is not None:
            return asked_s
        ceiling: float = min(BACKOFF_MAX_S, BACKOFF_FIRST_S * 2 ** min(attempt - 1, 10))
        return ceiling * (0.5 + 0.5 * self.fraction())

    def asked_s(self, retry_after: str) -> float | None:
        """Seconds that a Retry-After header asks for, None where it names none; a date in the past asks for 0."""
        text = retry_after.strip()
        if text.isascii() and text.isdigit() and len(text) < 10:
            return float(text)
        try:
            at = parsedate_to_datetime(text)
        except (ValueError, TypeError):
            return None
        if at.tzinfo is None:
            at = at.replace(tzinfo=UTC)
        return max(0.0, (at - self.now()).total_seconds())


def is_worth_retrying(status: int) -> bool:
    """True for too many requests and for faults of the server; nothing else gets better by itself."""
    return status == TOO_MANY_REQUESTS or status >= SERVER_ERRORS
