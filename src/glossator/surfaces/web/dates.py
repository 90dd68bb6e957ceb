"""How is a time put on a page: readable, with the exact instant and its zone behind it?"""

from contextvars import ContextVar
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from markupsafe import Markup

from glossator.model import EventTime, Interval, SaidTime
from glossator.surfaces.show.wording import interval_words, offset_words, when_said
from glossator.surfaces.web.text import plain

READER_ZONE: ContextVar[tzinfo] = ContextVar("reader_zone", default=UTC)
"""The clock on which a page tells of what has no clock of its own: that of `glossator serve --zone`."""
_TIME = Markup('<time datetime="{}" title="{}">{}</time>')


def said_words(said: SaidTime) -> Markup:
    """When it was said, on the speaker's own clock."""
    local = said.at.astimezone(timezone(timedelta(minutes=said.offset_minutes)))
    known = f"known to the {said.precision}" if said.given else "no time was given, the clock was read"
    exact = f"{local:%Y-%m-%d %H:%M:%S} {offset_words(said.offset_minutes)}, {said.at.astimezone(UTC):%H:%M:%S} UTC"
    return _TIME.format(local.isoformat(), f"{exact}; {known}", when_said(said))


def moment(at: datetime) -> Markup:
    """An instant that the store keeps, on the reader's clock: the day, with the time of day behind it."""
    local = at.astimezone(READER_ZONE.get())
    return _TIME.format(local.isoformat(), f"{local:%Y-%m-%d %H:%M:%S} {_zone_words(local)}", _day(local))


def instant(at: datetime) -> Markup:
    """The same with its time of day."""
    local = at.astimezone(READER_ZONE.get())
    zone = _zone_words(local)
    return _TIME.format(local.isoformat(), f"{local:%Y-%m-%d %H:%M:%S} {zone}", f"{_day(local)}, {local:%H:%M} {zone}")


def _day(local: datetime) -> str:
    return f"{local.day} {local:%b %Y}"


def _zone_words(local: datetime) -> str:
    offset = local.utcoffset() or timedelta()
    return offset_words(int(offset.total_seconds() // 60))


def happened(event: EventTime, *, offset_minutes: int = 0) -> Markup:
    """When it happened, with the words that say so; empty where nothing but the time of saying is known."""
    if event.source not in ("own", "source"):
        return Markup("")
    when = span(event.interval, offset_minutes=offset_minutes)
    said = Markup(' <span class="quiet">“{}”</span>').format(plain(event.words)) if event.words else Markup("")
    return when + said


def span(interval: Interval, *, offset_minutes: int = 0) -> Markup:
    """An interval in words."""
    ends = [f"{end.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if end else "open" for end in (interval.start, interval.end)]
    exact = f"{ends[0]} to {ends[1]}, precise to the {interval.precision}"
    words = interval_words(interval, offset_minutes=offset_minutes)
    first = interval.start or interval.end
    if first is None:
        return Markup("{}").format(words)
    return _TIME.format(first.astimezone(UTC).isoformat(), exact, words)
