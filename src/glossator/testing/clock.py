"""A clock that stands until it is moved."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


class FakeClock:
    """Time by hand: `now()` says what it was set to."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start

    def now(self) -> datetime:
        """The time set, in UTC."""
        return self._now

    def advance(self, *, seconds: float) -> datetime:
        """Move on; returns the new time."""
        self._now += timedelta(seconds=seconds)
        return self._now

    def jump_to(self, at: datetime) -> None:
        """Set the time, backwards too: clocks do that."""
        self._now = at.astimezone(UTC)
