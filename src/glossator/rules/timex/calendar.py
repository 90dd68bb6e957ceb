"""What span of the local calendar does a named unit cover?

All values here are wall-clock times without a zone. They become UTC once, in `engine`, so that a day that is 23 or 25
hours long keeps its own boundaries.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Literal

from glossator.model.time import Precision

Repeats = Literal["never", "weekly", "yearly"]
Part = Literal["early", "mid", "late"]

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
SEASON_START = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
"""First month of each season: meteorological seasons of the northern half, where winter 2022 begins in December."""
_YEARS_SEARCHED = 9  # 29 February can be eight years apart (1896 - 1904)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A half-open wall-clock span; `repeats` says that the words left the year (or the week) open."""

    start: datetime | None
    end: datetime | None
    precision: Precision
    repeats: Repeats = "never"


@dataclass(frozen=True, slots=True)
class Moment:
    """When the text was said: the wall clock of the speaker, and whether open words look forward or back."""

    now: datetime
    forward: bool
    zone: tzinfo

    @property
    def today(self) -> date:
        return self.now.date()


def midnight(day: date) -> datetime:
    return datetime.combine(day, time.min)


def days(first: date, count: int, precision: Precision, repeats: Repeats = "never") -> Span:
    """`count` whole days from `first`."""
    start = midnight(first)
    return Span(start=start, end=start + count * DAY, precision=precision, repeats=repeats)


def months(year: int, month: int, count: int, precision: Precision, repeats: Repeats = "never") -> Span:
    """`count` whole months from `month`, which may lie outside 1-12 and then moves the year."""
    return Span(start=_first_of(year, month), end=_first_of(year, month + count), precision=precision, repeats=repeats)


def _first_of(year: int, month: int) -> datetime:
    return datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def day_of(day: date) -> Span:
    return days(day, 1, "day")


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def week_of(day: date) -> Span:
    """The Monday-to-Sunday week that holds `day`."""
    return days(monday_of(day), 7, "week")


def weekend_of(day: date) -> Span:
    """Saturday and Sunday of the Monday-to-Sunday week that holds `day`. A weekend is known no better than a week."""
    return days(monday_of(day) + 5 * DAY, 2, "week")


def season(name: str, year: int) -> Span:
    return months(year, SEASON_START[name], 3, "season", "yearly")


def unit_holding(unit: str, at: datetime) -> Span:
    """The calendar unit ("day", "week", "month", "quarter" ...) that holds `at`."""
    match unit:
        case "minute" | "hour" | "second":
            return _clock_unit(unit, at)
        case "day":
            return day_of(at.date())
        case "week":
            return week_of(at.date())
        case "weekend":
            return weekend_of(at.date())
        case "month":
            return months(at.year, at.month, 1, "month")
        case "quarter":
            return months(at.year, (at.month - 1) // 3 * 3 + 1, 3, "season")
        case "decade":
            return months(at.year // 10 * 10, 1, 120, "decade")
        case _:
            return months(at.year, 1, 12, "year")


def _clock_unit(unit: str, at: datetime) -> Span:
    if unit == "hour":
        start = at.replace(minute=0, second=0, microsecond=0)
        return Span(start=start, end=start + timedelta(hours=1), precision="hour")
    if unit == "minute":
        start = at.replace(second=0, microsecond=0)
        return Span(start=start, end=start + timedelta(minutes=1), precision="minute")
    start = at.replace(microsecond=0)
    return Span(start=start, end=start + timedelta(seconds=1), precision="second")


def moved(at: datetime, unit: str, count: int) -> datetime:
    """`at` moved by `count` units; a day that the target month lacks becomes its last day."""
    match unit:
        case "second":
            return at + timedelta(seconds=count)
        case "minute":
            return at + timedelta(minutes=count)
        case "hour":
            return at + timedelta(hours=count)
        case "day":
            return at + count * DAY
        case "week" | "weekend":
            return at + count * WEEK
        case "month":
            return _months_later(at, count)
        case "quarter":
            return _months_later(at, 3 * count)
        case "decade":
            return _months_later(at, 120 * count)
        case _:
            return _months_later(at, 12 * count)


def _months_later(at: datetime, count: int) -> datetime:
    first = _first_of(at.year, at.month + count)
    last_day = (_first_of(first.year, first.month + 1) - DAY).day
    return at.replace(year=first.year, month=first.month, day=min(at.day, last_day))


def third(span: Span, part: Part) -> Span:
    """The early, middle or late third of a span: 4 months of a year, days 1-10, 11-20, 21-end of a month."""
    if span.start is None or span.end is None:
        return span
    first, second = _thirds(span, span.start, span.end)
    start = {"early": span.start, "mid": first, "late": second}[part]
    end = {"early": first, "mid": second, "late": span.end}[part]
    return replace(span, start=start, end=end)


def _thirds(span: Span, start: datetime, end: datetime) -> tuple[datetime, datetime]:
    match span.precision:
        case "decade":
            return _months_later(start, 36), _months_later(start, 84)
        case "year":
            return _months_later(start, 4), _months_later(start, 8)
        case "season":
            return _months_later(start, 1), _months_later(start, 2)
        case "month":
            return start + 10 * DAY, start + 20 * DAY
        case "week" if end - start == WEEK:
            return start + 2 * DAY, start + 4 * DAY
        case _:
            return start + (end - start) / 3, start + (end - start) * 2 / 3


Occurrence = Callable[[int], Span | None]
"""The span that falls in a year, or None when that year has none (29 February)."""


def yearly(occurs: Occurrence, at: Moment, which: str) -> Span | None:
    """One occurrence of something that returns every year.

    "last" ended before now, "next" begins after now, "this" holds now or else falls in this calendar year, "open" is
    the latest that has begun, or looking forward the first that has not ended.
    """
    if which == "this":
        around = (occurs(at.now.year - 1), occurs(at.now.year))
        return next((span for span in around if span and _holds(span, at.now)), around[1])
    back = which == "last" or (which == "open" and not at.forward)
    reach = range(-_YEARS_SEARCHED, 1) if back else range(-1, _YEARS_SEARCHED)
    for year in (at.now.year + step for step in (reversed(reach) if back else reach)):
        span = occurs(year) if 1 <= year < 9999 else None
        if span is not None and span.start is not None and span.end is not None and _fits(span, at, which, back):
            return span
    return None


def _holds(span: Span, now: datetime) -> bool:
    return span.start is not None and span.end is not None and span.start <= now < span.end


def _fits(span: Span, at: Moment, which: str, back: bool) -> bool:
    assert span.start is not None
    assert span.end is not None
    if back:
        return span.end <= at.now if which == "last" else span.start <= at.now
    return span.start > at.now if which == "next" else span.end > at.now


def weekday(number: int, at: Moment, which: str) -> Span:
    """One occurrence of a weekday (Monday is 0).

    "last" is before today, "next" after today, "this" in the current week, "open" the latest up to and with today, or
    looking forward the first from today.
    """
    behind = (at.today.weekday() - number) % 7
    match which:
        case "last":
            day = at.today - (behind or 7) * DAY
        case "next":
            day = at.today + (7 - behind) * DAY
        case "this":
            day = monday_of(at.today) + number * DAY
            day += WEEK if at.forward and day < at.today else timedelta(0)
        case _:
            day = at.today + ((7 - behind) % 7) * DAY if at.forward else at.today - behind * DAY
    return days(day, 1, "day", "weekly")
