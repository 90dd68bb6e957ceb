"""How are times, reasons and stored words put on a terminal? Pure text, without colour."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from urllib.parse import unquote

import regex

from glossator.model import EventTime, Hit, Interval, Precision, SaidTime, Trace
from glossator.rules.instants import zone_named

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Escape sequences and direction overrides: what was stored must not steer the terminal that shows it."""

_FORMATS: dict[Precision, str] = {
    "second": "{day} {date:%b %Y, %H:%M:%S}",
    "minute": "{day} {date:%b %Y, %H:%M}",
    "hour": "{day} {date:%b %Y, %H:%M}",
    "day": "{date:%a} {day} {date:%b %Y}",
    "week": "{day} {date:%b %Y}",
    "month": "{date:%B %Y}",
    "season": "{date:%B %Y}",
    "year": "{date.year}",
    "decade": "{date.year}",
}

SIGNAL_WORDS = {
    "speaker": "said by the one asked about",
    "names": "the name asked about",
    "phrases": "the exact words",
    "dated": "it names a date",
    "nostalgia": "an old memory",
}
"""What a signal means to someone who has not read about it."""

STRONG = 0.02
"""A signal below this moved nothing that a person would call a reason."""
NEAR_COSINE = 0.25
"""Two sentences less alike than this have nothing to do with each other, with the models in use."""


def safe(text: str) -> str:
    """The text with control characters made visible and line ends kept."""
    return _CONTROL.sub("\ufffd", text.replace("\r\n", "\n"))


def one_line(text: str, *, characters: int = 70) -> str:
    """The beginning of a text on one line."""
    line = " ".join(safe(text).split())
    return line if len(line) <= characters else line[: whole(line, characters - 1)].rstrip() + "…"


def whole(text: str, place: int) -> int:
    """The last place up to this one that splits no grapheme, so that half an emoji is never shown."""
    last = 0
    for found in regex.finditer(r"\X", text):
        if found.end() > place:
            break
        last = found.end()
    return last


def when_said(said: SaidTime) -> str:
    """The date on the speaker's own clock, with the zone where a time of day is shown."""
    local = said.at.astimezone(timezone(timedelta(minutes=said.offset_minutes)))
    if said.precision == "day":
        return f"{local:%a} {local.day} {local:%b %Y}"
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M} {offset_words(said.offset_minutes)}"


def day(moment: datetime, zone: str) -> str:
    """ "Fri 5 Jun 2026", on the clock of the zone."""
    local = moment.astimezone(zone_named(zone))
    return f"{local:%a} {local.day} {local:%b %Y}"


def clock(moment: datetime, zone: str) -> str:
    """ "Mon 30 Nov 2026, 12:00 UTC", on the clock of the zone, and which clock that is."""
    local = moment.astimezone(zone_named(zone))
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M} {local:%Z}"


def offset_words(minutes: int) -> str:
    """ "UTC", or the offset as +01:00."""
    if minutes == 0:
        return "UTC"
    sign = "+" if minutes > 0 else "-"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def when_it_happened(event: EventTime, said: SaidTime) -> str:
    """The interval in words, or "" where nothing but the time of saying is known."""
    if event.source not in ("own", "source"):
        return ""
    return interval_words(event.interval, offset_minutes=said.offset_minutes)


def interval_words(interval: Interval, *, offset_minutes: int = 0) -> str:
    """For example "March 2023", "1 Oct 2023 – 7 Oct 2023", "since 2021"."""
    zone = timezone(timedelta(minutes=offset_minutes))
    start = _point(interval.start, zone, interval.precision)
    end = _point(interval.end - timedelta(microseconds=1), zone, interval.precision) if interval.end else ""
    if start and end:
        return start if start == end else f"{start} – {end}"
    return f"since {start}" if start else f"until {end}" if end else "any time"


def _point(moment: datetime | None, zone: timezone, precision: Precision) -> str:
    if moment is None:
        return ""
    try:
        local = moment.astimezone(zone)
    except OverflowError:
        local = moment
    return _FORMATS[precision].format(date=local, day=local.day)


def reason(trace: Trace, words: Sequence[str]) -> str:
    """Why a hit was found, shortly: its matched `words`, how near in meaning, and the signals that helped."""
    parts = []
    if words:
        parts.append("words " + ", ".join(f"“{word}”" for word in words[:4]))
    cosine = trace.signals.get("cosine", 0.0)
    if cosine >= NEAR_COSINE:
        parts.append(f"meaning {cosine:.2f}")
    parts += [text for name, text in SIGNAL_WORDS.items() if trace.signals.get(name, 0.0) >= STRONG]
    if trace.signals.get("time", 1.0) >= 1.0 + STRONG:
        parts.append("the time asked about")
    return " · ".join(parts) or "what was said around it"


def heading(hit: Hit) -> str:
    """Who said it and when."""
    return f"{safe(hit.speaker)}, {when_said(hit.said)}"


def conversation_name(key: str) -> str:
    """A stored conversation's key as a person names it: "telegram:42:root" is "telegram:42"; can be typed back in."""
    parts = [unquote(part) for part in key.split(":")]
    if any(":" in part for part in parts):
        return safe(key)
    return safe(":".join(parts[:2] if parts[2:] == ["root"] else parts))


def plural(count: int, word: str) -> str:
    """ "1 message", "1,200 messages"."""
    return f"{count:,} {word}" + ("" if count == 1 else "s")
