"""What span does a date of the calendar name ("8 May 2023", "in May", "last summer", "on the 15th")?"""

# ruff: noqa: ARG001 - every reading has the same two arguments, whichever it needs

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from glossator.rules.timex.calendar import (
    DAY,
    Moment,
    Span,
    day_of,
    days,
    months,
    season,
    unit_holding,
    weekday,
    yearly,
)
from glossator.rules.timex.holidays import holiday
from glossator.rules.timex.words import DAYS, HOLIDAYS, MONTHS, SEASONS, WEEKDAYS, YEARS, Token, Tokens, must, pick


def written(tokens: Tokens, at: Moment) -> Span | None:
    """A date in digits; an instant with an offset is moved to the speaker's wall clock."""
    token = tokens[0]
    if not token.name:
        return token.span
    when = datetime.fromisoformat(token.name.replace(" ", "T", 1).upper().replace(" ", ""))
    if when.tzinfo is not None:
        when = when.astimezone(at.zone).replace(tzinfo=None)
    return unit_holding("second" if token.name.count(":") > 1 and ":" in token.name[14:19] else "minute", when)


def month_day(tokens: Tokens, at: Moment) -> Span | None:
    """ "May 8", "8 May 2023", "last May 8th"; without a year the latest one, or by "last", "this" and "next"."""
    month, day, year = must(tokens, *MONTHS).number, must(tokens, *DAYS).number, pick(tokens, *YEARS)
    if year is not None:
        return day_of(date(year.number, month, day))

    def occurs(in_year: int) -> Span | None:
        try:
            return days(date(in_year, month, day), 1, "day", "yearly")
        except ValueError:
            return None

    return yearly(occurs, at, chosen(tokens))


def slash_day(tokens: Tokens, at: Moment) -> Span | None:
    """ "on 3/8": the order of the language, and the latest one."""
    first, second = divmod(tokens[0].number, 100)
    return month_day([Token("month", 0, 0, first), Token("small", 0, 0, second)], at)


def month_days(tokens: Tokens, at: Moment) -> Span | None:
    """ "May 3-5", "3-5 May 2023"."""
    month, (first, last) = must(tokens, *MONTHS), divmod(must(tokens, "day_range").number, 100)
    if first >= last:
        return None
    ends = [month_day([month, Token("small", 0, 0, day), *_year(tokens)], at) for day in (first, last)]
    if ends[0] is None or ends[1] is None:
        return None
    return replace(ends[0], end=ends[1].end) if ends[0].start < ends[1].end else None  # type: ignore[operator]


def _year(tokens: Tokens) -> list[Token]:
    return [token for token in tokens if token.kind in YEARS]


def chosen(tokens: Tokens) -> str:
    token = pick(tokens, "last", "this", "next")
    if token is None:
        return "open"
    if token.kind == "this" and pick(tokens, "last", "next"):
        return must(tokens, "last", "next").kind
    return token.kind


def month(tokens: Tokens, at: Moment) -> Span | None:
    """ "May 2023", "in May", "last March", "this past July"."""
    number, year = must(tokens, *MONTHS).number, pick(tokens, *YEARS)
    if year is not None:
        return months(year.number, number, 1, "month")
    return yearly(lambda in_year: months(in_year, number, 1, "month", "yearly"), at, chosen(tokens))


def month_range(tokens: Tokens, at: Moment) -> Span | None:
    """ "from May to July", "May-July 2022", "between November and March"."""
    first, last = (token.number for token in tokens if token.kind in MONTHS)
    count = (last - first) % 12 + 1
    year = pick(tokens, *YEARS)
    if year is not None:
        return months(year.number - (1 if first > last else 0), first, count, "month")
    return yearly(lambda in_year: months(in_year, first, count, "month", "yearly"), at, chosen(tokens))


def year_season(tokens: Tokens, at: Moment) -> Span | None:
    """ "summer 2022", "in the fall", "last winter"."""
    name, year = must(tokens, *SEASONS).name, pick(tokens, *YEARS)
    if year is not None:
        return replace(season(name, year.number), repeats="never")
    return yearly(lambda in_year: season(name, in_year), at, chosen(tokens))


def year_holiday(tokens: Tokens, at: Moment) -> Span | None:
    """ "Christmas 2022", "last Halloween", "on New Year's Eve"."""
    name, year = must(tokens, *HOLIDAYS).name, pick(tokens, *YEARS)
    if year is not None:
        found = holiday(name, year.number)
        return replace(found, repeats="never") if found else None
    return yearly(lambda in_year: holiday(name, in_year), at, chosen(tokens))


def year_quarter(tokens: Tokens, at: Moment) -> Span | None:
    """ "Q3 2022", "Q3"."""
    number, year = must(tokens, "quarter").number, pick(tokens, *YEARS)
    if year is not None:
        return months(year.number, 3 * number - 2, 3, "season")
    return yearly(lambda in_year: months(in_year, 3 * number - 2, 3, "season", "yearly"), at, chosen(tokens))


def whole_year(tokens: Tokens, at: Moment) -> Span | None:
    """ "in 2019", "the year 2019"; not "the month of 2019"."""
    return months(must(tokens, *YEARS).number, 1, 12, "year")


def week_day(tokens: Tokens, at: Moment) -> Span | None:
    """ "on Friday", "last Friday", "Friday night"."""
    return part_of(weekday(must(tokens, *WEEKDAYS).number, at, chosen(tokens)), tokens)


def weekday_of_month(tokens: Tokens, at: Moment) -> Span | None:
    """ "Friday the 13th": the latest day that is both."""
    number, day = must(tokens, *WEEKDAYS).number, must(tokens, "ordinal").number
    for step in range(24) if at.forward else range(0, -24, -1):
        first = months(at.now.year, at.now.month + step, 1, "month")
        found = _nth_day(first, day)
        if found is not None and found.weekday() == number and (found >= at.today if at.forward else found <= at.today):
            return day_of(found)
    return None


def _nth_day(month_span: Span, day: int) -> date | None:
    if month_span.start is None or month_span.end is None or not 1 <= day <= 31:
        return None
    found = month_span.start + (day - 1) * DAY
    return found.date() if found < month_span.end else None


def day_of_month(tokens: Tokens, at: Moment) -> Span | None:
    """ "on the 15th": the latest 15th, or looking forward the first to come."""
    token = must(tokens, "ordinal")
    if token.name != "free":
        return None
    steps = range(3) if at.forward else range(0, -3, -1)
    for step in steps:
        day = _nth_day(months(at.now.year, at.now.month + step, 1, "month"), token.number)
        if day is not None and (day >= at.today if at.forward else day <= at.today):
            return day_of(day)
    return None


def numeral_date(tokens: Tokens, at: Moment) -> Span | None:
    """ "2024年4月1日", "4月1日", "4月": numbers in front of their marks."""
    year = pick(tokens, *YEARS)
    last_mark = max(place for place, token in enumerate(tokens) if token.kind in ("month_mark", "day_mark"))
    numbers = [token for token in tokens[:last_mark] if token.kind in ("small", "big", "count")]
    if not 1 <= numbers[0].number <= 12:
        return None
    month_token = Token("month", 0, 0, numbers[0].number)
    named = [month_token, *([year] if year else [])]
    if len(numbers) == 1:
        return month(named, at)
    found = month_day([*named, Token("small", 0, 0, numbers[1].number)], at)
    return part_of(found, tokens) if found else None


def within_day(span: Span, part: Token | None) -> Span:
    """The hours of a day that a part names. Its precision stays "day": no finer unit holds a morning."""
    if part is None or span.start is None:
        return span
    first, last = divmod(part.number, 100)
    return replace(span, start=span.start + timedelta(hours=first), end=span.start + timedelta(hours=last))


def part_of(span: Span, tokens: Tokens) -> Span:
    if pick(tokens, "oclock") is not None:
        return _at_hour(span, tokens)
    return within_day(span, pick(tokens, "part", "tonight"))


def _at_hour(span: Span, tokens: Tokens) -> Span:
    """ "下午两点": the hour before its mark, counted from noon in the later parts of a day."""
    mark = next(place for place, token in enumerate(tokens) if token.kind == "oclock")
    part, hour = pick(tokens, "part"), tokens[mark - 1].number
    hour += 12 if part is not None and part.number >= 1200 and hour < 12 else 0
    if span.start is None or hour > 23:
        return span
    start = span.start + timedelta(hours=hour)
    if pick(tokens[mark:], "half") is not None:
        half = start + timedelta(minutes=30)
        return replace(span, start=half, end=half + timedelta(minutes=1), precision="minute")
    return replace(span, start=start, end=start + timedelta(hours=1), precision="hour")
