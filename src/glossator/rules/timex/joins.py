"""Second pass: which spans do joining words make of spans ("since 2021", "the Sunday before 25 May")?"""

# ruff: noqa: ARG001 - every reading has the same two arguments, whichever it needs

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from glossator.model.time import Precision
from glossator.rules.timex.calendar import (
    DAY,
    WEEK,
    Moment,
    Part,
    Span,
    day_of,
    days,
    moved,
    third,
    unit_holding,
    week_of,
    weekend_of,
)
from glossator.rules.timex.dates import within_day
from glossator.rules.timex.grammar import Reading, Rule
from glossator.rules.timex.relative import shifted
from glossator.rules.timex.words import ONE_UNIT, Token, Tokens, must, pick

RANK: tuple[Precision, ...] = ("second", "minute", "hour", "day", "week", "month", "season", "year", "decade")
"""Precisions from the finest to the coarsest."""
_PARTS: dict[str, Part] = {"early": "early", "mid": "mid", "late": "late"}
_EXPRESSIONS = ("span", "weekday_span")


def _spans(tokens: Sequence[Token]) -> list[Span]:
    return [token.span for token in tokens if token.span is not None and token.kind in _EXPRESSIONS]


def between(tokens: Tokens, at: Moment) -> Span | None:
    """From the start of the first to the end of the second; the open one of them is moved to fit the other."""
    first, last = _spans(tokens)
    if first.start is None or last.end is None or last.start is None:
        return None
    if last.start < first.start:
        first, last = _fitted(first, last)
    if first.start is None or last.end is None or last.end <= first.start:
        return None
    return Span(start=first.start, end=last.end, precision=max(first.precision, last.precision, key=RANK.index))


def _fitted(first: Span, last: Span) -> tuple[Span, Span]:
    if last.repeats != "never":
        return first, _turned(last, 1)
    while first.repeats != "never" and first.start and last.start and first.start > last.start:
        first = _turned(first, -1)
    return first, last


def _turned(span: Span, count: int) -> Span:
    assert span.start is not None
    assert span.end is not None
    unit = "week" if span.repeats == "weekly" else "year"
    return replace(span, start=moved(span.start, unit, count), end=moved(span.end, unit, count))


def _named(tokens: Tokens) -> Span:
    """The only span, or the third of it that an edge word asks for ("since early March")."""
    span, edge = _spans(tokens)[0], pick(tokens, "edge")
    return third(span, _PARTS[edge.name]) if edge else span


def since(tokens: Tokens, at: Moment) -> Span | None:
    span = _named(tokens)
    return replace(span, end=None) if span.start else None


def until(tokens: Tokens, at: Moment) -> Span | None:
    """Up to the end of what is named: "until 2021" may be any day of 2021."""
    span = _named(tokens)
    return replace(span, start=None) if span.end else None


def before(tokens: Tokens, at: Moment) -> Span | None:
    span = _named(tokens)
    return replace(span, start=None, end=span.start) if span.start else None


def after(tokens: Tokens, at: Moment) -> Span | None:
    span = _named(tokens)
    return replace(span, start=span.end, end=None) if span.end else None


def beside(tokens: Tokens, at: Moment) -> Span | None:
    """ "the Sunday before 25 May", "the week before 9 June", "the day after Christmas", "two days after 8 May"."""
    forward = pick(tokens, "after", "from") is not None
    anchor = _spans(tokens)[-1]
    edge = anchor.end if forward else anchor.start
    if edge is None or anchor.start is None:
        return None
    if tokens[0].kind == "weekday_span":
        return _weekday_beside(_spans(tokens)[0], edge, forward)
    if pick(tokens, "small", "big", "other", "count", "article", "vague", "half"):
        return shifted(tokens, anchor.start, 1 if forward else -1)
    unit = must(tokens, *ONE_UNIT, "weekend", "part").name
    if tokens[0].kind == "part":
        return within_day(day_of((edge if forward else edge - DAY).date()), tokens[0])
    if unit == "week" and anchor.precision in RANK[:4]:
        return days(edge.date() if forward else edge.date() - WEEK, 7, "week")
    if unit == "weekend":
        return _weekend_beside(edge, forward)
    return unit_holding(unit, edge if forward and unit == "day" else moved(anchor.start, unit, 1 if forward else -1))


def _weekday_beside(named: Span, edge: datetime, forward: bool) -> Span | None:
    if named.start is None:
        return None
    number = named.start.weekday()
    day = edge.date() + ((number - edge.weekday()) % 7) * DAY
    return day_of(day if forward else day - WEEK)


def _weekend_beside(edge: datetime, forward: bool) -> Span:
    """The first whole weekend after, the last that began before."""
    here = weekend_of(edge.date())
    assert here.start is not None
    if forward:
        return here if here.start >= edge else weekend_of(edge.date() + WEEK)
    return here if here.start < edge - DAY else weekend_of(edge.date() - WEEK)


def of_span(tokens: Tokens, at: Moment) -> Span | None:
    """ "the week of 23 August", "the weekend of June 24", "the night of May 5th"."""
    span, head = _spans(tokens)[-1], tokens[0]
    if span.start is None:
        return None
    if head.kind == "part":
        return within_day(day_of(span.start.date()), head) if span.precision == "day" else None
    if head.kind == "weekend":
        return weekend_of(span.start.date())
    if head.name == "week":
        return week_of(span.start.date())
    return span if head.name in (span.precision, "day") else None


def nth_of(tokens: Tokens, at: Moment) -> Span | None:
    """ "the first week of June" (days 1-7), "the last Friday of May", "the third quarter of 2022"."""
    span, which, head = _spans(tokens)[-1], must(tokens, "ordinal", "nth", "last"), tokens[1]
    if span.start is None or span.end is None:
        return None
    number = -1 if which.kind == "last" else which.number
    if head.kind in ("weekday_span", "weekend", "weekday_soft"):
        return _nth_weekday(span, number, head)
    return _nth_unit(span.start, span.end, number, head.name)


def _nth_weekday(span: Span, number: int, head: Token) -> Span | None:
    assert span.start is not None
    assert span.end is not None
    named = 5 if head.kind == "weekend" else head.number
    if head.span is not None and head.span.start is not None:
        named = head.span.start.weekday()
    if number > 0:
        day = span.start + ((named - span.start.weekday()) % 7) * DAY + (number - 1) * WEEK
    else:
        day = span.end - ((span.end.weekday() - named) % 7 or 7) * DAY
    if not span.start <= day < span.end:
        return None
    return days(day.date(), 2, "week") if head.kind == "weekend" else day_of(day.date())


def _nth_unit(start: datetime, end: datetime, number: int, unit: str) -> Span | None:
    if unit not in ("day", "week", "month", "quarter", "year"):
        return None
    low = moved(end, unit, -1) if number < 0 else moved(start, unit, number - 1)
    high = moved(low, unit, 1)
    if not start <= low < end:
        return None
    return Span(start=low, end=min(high, end), precision=unit_holding(unit, low).precision)


def half_of(tokens: Tokens, at: Moment) -> Span | None:
    """ "the first half of 2022", "the second half of May": six months, days 1-15 and 16-end."""
    span, which = _spans(tokens)[-1], must(tokens, "ordinal", "nth").number
    if span.start is None or span.end is None or which not in (1, 2):
        return None
    middle = span.start + timedelta(days=15) if span.precision == "month" else span.start + (span.end - span.start) / 2
    if span.precision == "year":
        middle = moved(span.start, "month", 6)
    return replace(span, end=middle) if which == 1 else replace(span, start=middle)


def edge_of(tokens: Tokens, at: Moment) -> Span | None:
    """ "early March", "mid 2021", "the end of last year"."""
    unit = pick(tokens, *ONE_UNIT)
    spans = _spans(tokens)
    span = spans[-1] if spans else unit_holding(unit.name, at.now) if unit else None
    if span is None or (span.start and span.end and span.end - span.start < DAY):
        return span
    return third(span, _PARTS[must(tokens, "edge").name])


def clocked(tokens: Tokens, at: Moment) -> Span | None:
    """ "yesterday at 3pm", "5:30 on Monday": to the hour or the minute as it is said, 24 hours without am or pm."""
    span, clock = _spans(tokens)[0], must(tokens, "clock")
    if span.start is None or span.precision != "day":
        return span
    start = datetime.combine(span.start.date(), datetime.min.time()) + timedelta(minutes=clock.number)
    if clock.name == "minute":
        return Span(start=start, end=start + timedelta(minutes=1), precision="minute")
    return Span(start=start, end=start + timedelta(hours=1), precision="hour")


def first_of(tokens: Tokens, at: Moment) -> Span | None:
    """ "2024-04-03 Wednesday": the date says it all."""
    return _spans(tokens)[0]


def parted(tokens: Tokens, at: Moment) -> Span | None:
    """ "on 8 May in the morning"."""
    span = _spans(tokens)[0]
    if span.start is None or span.precision != "day" or span.end is None or span.end - span.start < DAY:
        return span
    return within_day(span, pick(tokens, "part"))


RULES: tuple[Rule, ...] = (
    ("from expr (?:to|dash|until) the? expr", between, False),
    ("between expr and expr", between, False),
    ("weekday_span (?:before|after) the? expr", beside, False),
    ("(?:unit|weekend|part) (?:before|after) the? expr", beside, False),
    ("(?:number|vague|half) (?:anyunit|weekend|weekends) (?:before|after|from) the? expr", beside, False),
    ("which half of the? expr", half_of, False),
    ("(?:which|last) (?:unit|weekend|weekday_span|weekday_soft) of the? expr", nth_of, False),
    ("(?:unit|weekend|part) of the? expr", of_span, False),
    ("edge dash? the? (?:expr|unit)", edge_of, False),
    ("span (?:weekday_span|weekday_soft) comma? at? clock", clocked, False),
    ("span (?:weekday_span|weekday_soft)", first_of, False),
    ("expr comma? at? clock", clocked, False),
    ("at? clock comma? (?:in|on)? expr", clocked, False),
    ("expr comma? in the part", parted, False),
    ("since edge? dash? the? expr", since, False),
    ("(?:until|by) edge? dash? the? expr", until, False),
    ("before edge? dash? the? expr", before, False),
    ("after edge? dash? the? expr", after, False),
    ("expr (?:to|dash|until) expr", between, False),
)

READINGS: dict[str, Reading] = {
    "between": between, "since": since, "until": until, "before": before, "after": after, "beside": beside,
}  # fmt: skip
"""The readings that a language's own rules may name."""
