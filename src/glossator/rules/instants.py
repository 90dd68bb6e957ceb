"""How is a caller's time read? ISO text, date or datetime -> an instant in UTC with the speaker's offset kept."""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from glossator.errors import UsageError
from glossator.model import Interval, Precision, SaidTime

_REMEDY = 'pass ISO 8601, for example "2023-05-20T02:21:00+01:00" or "2023-05-20"'
YEAR_MIN, YEAR_MAX = 1, 9998
"""One year inside what datetime can hold, so that no zone shift can leave it."""
_AFTER_DAY = re.compile(r"\d{4}-?(?:W\d\d(?:-?\d)?|\d\d-?\d\d)")
_OFFSET = re.compile(r"(?:[+-][\d:.,]+|Z)$", re.IGNORECASE)
SECOND_DIGITS = 6
"""A clock that is given to the second has two digits each for hour, minute and second."""
_LENGTHS = {"second": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1)}


def zone_named(name: str) -> tzinfo:
    """The IANA zone; UsageError when there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError("options.zone", f"{name!r} is no known zone", remedy='for example "Europe/Berlin"') from error


def read_said_time(value: object, *, argument: str, zone: tzinfo) -> SaidTime:
    """The said time that `value` names; a time without an offset is taken in `zone`.

    Raises UsageError naming `argument` for anything else.
    """
    moment, precision = _parsed(value, argument)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    if not YEAR_MIN < moment.year < YEAR_MAX:
        raise UsageError(argument, f"the year {moment.year} is out of range", remedy=_REMEDY)
    offset = moment.utcoffset() or timedelta(0)
    return SaidTime(at=moment.astimezone(UTC), offset_minutes=round(offset.total_seconds() / 60), precision=precision)


def said_at_moment(moment: datetime, *, given: bool) -> SaidTime:
    """An aware moment on the speaker's clock as a said time; not `given` where it is only when the words came in."""
    offset = moment.utcoffset() or timedelta(0)
    return SaidTime(
        at=moment.astimezone(UTC), offset_minutes=round(offset.total_seconds() / 60), precision="second", given=given
    )


def read_instant(value: object, *, argument: str, zone: tzinfo) -> datetime:
    """The same as an aware datetime in the offset that was given."""
    return local_time(read_said_time(value, argument=argument, zone=zone))


def local_time(said: SaidTime) -> datetime:
    """The said time on the speaker's own clock."""
    return said.at.astimezone(timezone(timedelta(minutes=said.offset_minutes)))


def span_of(said: SaidTime) -> Interval:
    """The second, minute or local day in which it was said, half-open, in UTC."""
    length = _LENGTHS.get(said.precision)
    if length is not None:
        return Interval(start=said.at, end=said.at + length, precision=said.precision)
    day = local_time(said).replace(hour=0, minute=0, second=0, microsecond=0)
    return Interval(start=day.astimezone(UTC), end=(day + timedelta(days=1)).astimezone(UTC), precision="day")


def _parsed(value: object, argument: str) -> tuple[datetime, Precision]:
    if isinstance(value, datetime):
        return value, "second"
    if isinstance(value, date):
        return datetime.combine(value, time()), "day"
    if not isinstance(value, str):
        raise UsageError(argument, f"is {type(value).__name__}, not a time", remedy=_REMEDY)
    text = value.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(argument, f"{value!r} is no date or time", remedy=_REMEDY) from error
    clock = _AFTER_DAY.sub("", text, count=1)
    if not clock:
        return moment, "day"
    digits_count = sum(map(str.isdigit, _OFFSET.sub("", clock)))
    return moment, "second" if digits_count >= SECOND_DIGITS else "minute"
