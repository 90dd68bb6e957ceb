"""Is the review of a conversation due? The reasons why it is not, the cheapest first."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from glossator.model import ReviewState

SkipReason = Literal["disabled", "under_interval", "in_failure_backoff", "no_new_messages", "concurrent_run"]

PATIENCE = 3
"""Failures in a row after which a conversation is left alone for longer."""
DOUBLINGS_MAX = 10
"""Three and a half days, from five minutes; the interval is reached before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """How often a conversation may be reviewed. `interval_hours` of 0 switches the background reviewer off."""

    interval_hours: int
    backoff_ms: int


def skip_reason(state: ReviewState, *, now: datetime, pacing: Pacing, forced: bool) -> SkipReason | None:
    """Why the review is not due by the clock, None where it is; `forced` asks for it now.

    Whole elapsed hours count: 23:59 are 23. A time that lies further ahead than the pause itself was written by a clock
    that has been put back since, and holds nothing up.
    """
    if forced:
        return None
    if not pacing.interval_hours:
        return "disabled"
    if state.last_reviewed_at is not None:
        hours = abs(now - state.last_reviewed_at) // timedelta(hours=1)
        if hours < pacing.interval_hours:
            return "under_interval"
    if state.failed_at is not None and abs(now - state.failed_at) < _pause(state.failure_count, pacing):
        return "in_failure_backoff"
    return None


def _pause(failure_count: int, pacing: Pacing) -> timedelta:
    """The back-off, which doubles with each failure after the first few: every try may cost a call of a model."""
    backoff = timedelta(milliseconds=pacing.backoff_ms)
    doublings = min(max(failure_count - PATIENCE, 0), DOUBLINGS_MAX)
    return min(backoff * int(2**doublings), max(timedelta(hours=pacing.interval_hours), backoff))
