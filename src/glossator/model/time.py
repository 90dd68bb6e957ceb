"""When did it happen: intervals with a precision, in UTC."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Precision = Literal["second", "minute", "hour", "day", "week", "month", "season", "year", "decade"]
EventSource = Literal["own", "source", "session", "ingest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A half-open span of time `[start, end)` in UTC, as precise as the words that named it.

    "last March" said on 2023-05-20 at +00:00 is 2023-03-01 to 2023-04-01 with precision "month".
    Either end may be missing (None) for open ranges such as "since 2021".
    """

    start: datetime | None
    end: datetime | None
    precision: Precision


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeExpression:
    """A time phrase found in a text: its words, its offsets `[begin, stop)` and the interval that it names."""

    words: str
    begin: int
    stop: int
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTime:
    """When the told thing happened, and how that is known.

    `source` is "own" (the words name a time), "source" (the document's date), "session" (the time it was said)
    or "ingest" (nothing better than the time it came in).
    """

    interval: Interval
    source: EventSource
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidTime:
    """When it was said: an instant in UTC, the speaker's offset from UTC in minutes, and the precision given."""

    at: datetime
    offset_minutes: int
    precision: Precision
    given: bool = True
    """False when the caller gave no time and the clock was read instead."""
