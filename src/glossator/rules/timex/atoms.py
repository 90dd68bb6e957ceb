"""First pass: which words name one span by themselves ("8 May 2023", "last March", "two weeks ago")?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from glossator.rules.timex.calendar import (
    DAY,
    WEEK,
    Moment,
    Span,
    day_of,
    days,
    midnight,
    monday_of,
    months,
    moved,
    season,
    unit_holding,
    weekday,
    weekend_of,
    yearly,
)
from glossator.rules.timex.grammar import Reading
from glossator.rules.timex.holidays import holiday
from glossator.rules.timex.words import Token

Tokens = Sequence[Token]

_FEW = {"few": (2, 4), "several": (3, 6)}
"""What "a few" and "several" may mean, least and most."""
_CLOCK_UNITS = ("second", "minute", "hour")


def pick(tokens: Tokens, *kinds: str) -> Token | None:
    """The first token of one of `kinds`."""
    return next((token for token in tokens if token.kind in kinds), None)


def must(tokens: Tokens, *kinds: str) -> Token:
    found = pick(tokens, *kinds)
    assert found is not None, "the rule names one of these kinds"
    return found


MONTHS = ("month", "month_soft", "month_weak")
SEASONS = ("season", "season_soft")
WEEKDAYS = ("weekday", "weekday_soft", "plural")
HOLIDAYS = ("holiday", "holiday_soft")
UNITS = ("unit", "units", "weekend", "weekends")
YEARS = ("year", "short_year")
NUMBERS = ("small", "big", "other", "count", "article", "vague")
DAYS = ("small", "big", "ordinal", "nth", "count")


def void(tokens: Tokens, at: Moment) -> Span | None:
    """Words that look like a date and are none: habits and durations."""
    return None


def written(tokens: Tokens, at: Moment) -> Span | None:
    """A date in digits; an instant with an offset is moved to the speaker's wall clock."""
    token = tokens[0]
    if not token.name:
        return token.span
    when = datetime.fromisoformat(token.name.replace(" ", "T", 1).replace(" ", ""))
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

    return yearly(occurs, at, _which(tokens))


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


def _which(tokens: Tokens) -> str:
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
    return yearly(lambda in_year: months(in_year, number, 1, "month", "yearly"), at, _which(tokens))


def month_range(tokens: Tokens, at: Moment) -> Span | None:
    """ "from May to July", "May-July 2022", "between November and March"."""
    first, last = (token.number for token in tokens if token.kind in MONTHS)
    count = (last - first) % 12 + 1
    year = pick(tokens, *YEARS)
    if year is not None:
        return months(year.number - (1 if first > last else 0), first, count, "month")
    return yearly(lambda in_year: months(in_year, first, count, "month", "yearly"), at, _which(tokens))


def year_season(tokens: Tokens, at: Moment) -> Span | None:
    """ "summer 2022", "in the fall", "last winter"."""
    name, year = must(tokens, *SEASONS).name, pick(tokens, *YEARS)
    if year is not None:
        return replace(season(name, year.number), repeats="never")
    return yearly(lambda in_year: season(name, in_year), at, _which(tokens))


def year_holiday(tokens: Tokens, at: Moment) -> Span | None:
    """ "Christmas 2022", "last Halloween", "on New Year's Eve"."""
    name, year = must(tokens, *HOLIDAYS).name, pick(tokens, *YEARS)
    if year is not None:
        found = holiday(name, year.number)
        return replace(found, repeats="never") if found else None
    return yearly(lambda in_year: holiday(name, in_year), at, _which(tokens))


def year_quarter(tokens: Tokens, at: Moment) -> Span | None:
    """ "Q3 2022", "Q3"."""
    number, year = must(tokens, "quarter").number, pick(tokens, *YEARS)
    if year is not None:
        return months(year.number, 3 * number - 2, 3, "season")
    return yearly(lambda in_year: months(in_year, 3 * number - 2, 3, "season", "yearly"), at, _which(tokens))


def whole_year(tokens: Tokens, at: Moment) -> Span | None:
    return months(must(tokens, *YEARS).number, 1, 12, "year")


def week_day(tokens: Tokens, at: Moment) -> Span | None:
    """ "on Friday", "last Friday", "Friday night"."""
    return _part_of(weekday(must(tokens, *WEEKDAYS).number, at, _which(tokens)), tokens)


def week_end(tokens: Tokens, at: Moment) -> Span | None:
    """ "last weekend" is that of the week before, "this" and "next" of this and the next week."""
    which = _which(tokens)
    if which == "open":
        steps = 0 if at.forward or at.today.weekday() >= 5 else -1
    else:
        steps = {"last": -1, "this": 0, "next": 1}[which]
    return weekend_of(at.today + steps * WEEK)


def near_unit(tokens: Tokens, at: Moment) -> Span | None:
    """ "last week", "this month", "next year" by the calendar; "the past month" rolls."""
    unit, which = must(tokens, *UNITS).name, _which(tokens)
    if unit == "day" or unit in _CLOCK_UNITS:
        return None
    if which == "last" and must(tokens, "last").name == "past":
        return _window(unit, 1, at, ahead=False)
    return unit_holding(unit, moved(at.now, unit, {"last": -1, "this": 0, "next": 1}[which]))


def before_last(tokens: Tokens, at: Moment) -> Span | None:
    """ "the Friday before last", "the week before last", "the summer before last"."""
    token = tokens[0]
    if token.kind in UNITS:
        return unit_holding(token.name, moved(at.now, token.name, -2))
    if token.kind in WEEKDAYS:
        last = weekday(token.number, at, "last")
        return days(last.start.date() - WEEK, 1, "day") if last.start else None
    read = month if token.kind in MONTHS else year_season if token.kind in SEASONS else year_holiday
    last_one = read([token, Token("last", 0, 0)], at)
    if last_one is None or last_one.start is None:
        return None
    return read([token, Token("last", 0, 0)], replace(at, now=last_one.start))


def window(tokens: Tokens, at: Moment) -> Span | None:
    """ "over the last three weeks", "in the past year", "the next two months"."""
    ahead = pick(tokens, "next") is not None
    unit = must(tokens, *UNITS).name
    return _window(unit, _amount(tokens)[1], at, ahead=ahead)


def _window(unit: str, count: int, at: Moment, *, ahead: bool) -> Span:
    """From `count` units before today's midnight to the end of today (or from now on); coarse as its unit."""
    precision = unit_holding(unit, at.now).precision
    if unit in _CLOCK_UNITS:
        far = moved(at.now, unit, count if ahead else -count)
        return Span(start=min(far, at.now), end=max(far, at.now), precision=precision)
    today = midnight(at.today)
    if ahead:
        return Span(start=today, end=moved(today, unit, count) + DAY, precision=precision)
    return Span(start=moved(today, unit, -count), end=today + DAY, precision=precision)


def _amount(tokens: Tokens) -> tuple[int, int]:
    """Least and most that a number names: "three" (3, 3), "a few" (2, 4)."""
    token = pick(tokens, *NUMBERS)
    if token is None:
        return 1, 1
    return _FEW.get(token.name, (token.number, token.number))


def ago(tokens: Tokens, at: Moment) -> Span | None:
    return shifted(tokens, at.now, -1)


def ahead(tokens: Tokens, at: Moment) -> Span | None:
    """ "in two weeks": only where the sentence looks forward, since else it is a duration."""
    return shifted(tokens, at.now, 1) if at.forward or pick(tokens, "ahead") else None


def shifted(tokens: Tokens, anchor: datetime, sign: int) -> Span | None:
    """The calendar unit that holds `anchor` moved by the amount in `tokens`: "two weeks ago" is a calendar week."""
    token = must(tokens, *UNITS, "plural", "weekday")
    least, most = _amount(tokens)
    if token.kind in WEEKDAYS:
        return _weekdays_off(token.number, anchor, sign * least)
    unit = token.name
    if pick(tokens, "half") is not None:
        return _half_shifted(tokens, anchor, sign)
    near, far = (unit_holding(unit, moved(anchor, unit, sign * count)) for count in (least, most))
    first, last = sorted((near, far), key=lambda span: span.start or datetime.min)
    return replace(first, end=last.end)


def _half_shifted(tokens: Tokens, anchor: datetime, sign: int) -> Span | None:
    """ "half a year ago", "a year and a half ago", "two and a half weeks ago", to the month, the day, the hour."""
    unit = must(tokens, *UNITS).name
    finer, per_unit = {"decade": ("year", 10), "year": ("month", 12), "quarter": ("month", 3), "month": ("week", 4),
                       "week": ("day", 7), "day": ("hour", 24), "hour": ("minute", 60)}.get(unit, ("", 0))  # fmt: skip
    if not finer:
        return None
    whole = 0 if tokens[0].kind == "half" else _amount(tokens)[0]
    return unit_holding(finer, moved(anchor, finer, sign * (whole * per_unit + per_unit // 2)))


def _weekdays_off(number: int, anchor: datetime, count: int) -> Span:
    """ "two Fridays ago": the second Friday before."""
    behind = (anchor.weekday() - number) % 7 or 7
    return day_of(anchor.date() - behind * DAY + (count + 1) * WEEK)


def relative_day(tokens: Tokens, at: Moment) -> Span | None:
    """ "yesterday", "tomorrow night", "the day before yesterday"."""
    return _part_of(day_of(at.today + must(tokens, "day_word").number * DAY), tokens)


def part_of_today(tokens: Tokens, at: Moment) -> Span | None:
    """ "this morning", "tonight", "last night", which is yesterday's evening."""
    back = 1 if pick(tokens, "last") else -1 if pick(tokens, "next") else 0
    return _part_of(day_of(at.today - back * DAY), tokens)


def _part_of(span: Span, tokens: Tokens) -> Span:
    return within_day(span, pick(tokens, "part", "tonight"))


def within_day(span: Span, part: Token | None) -> Span:
    """The hours of a day that a part names. Its precision stays "day": no finer unit holds a morning."""
    if part is None or span.start is None:
        return span
    first, last = divmod(part.number, 100)
    return replace(span, start=span.start + timedelta(hours=first), end=span.start + timedelta(hours=last))


def relative_unit(tokens: Tokens, at: Moment) -> Span | None:
    """One word for "last year": its name is the unit, its number how many units away; with a month or season in it."""
    token, inner = must(tokens, "rel_unit"), pick(tokens, *MONTHS, *SEASONS, "count", *DAYS)
    if inner is None:
        return unit_holding(token.name, moved(at.now, token.name, token.number))
    year = Token("year", 0, 0, moved(at.now, "year", token.number).year)
    if pick(tokens, "day_mark") or len([t for t in tokens if t.kind in DAYS]) > 1:
        return numeral_date([year, *tokens], at)
    if inner.kind in SEASONS:
        return year_season([inner, year], at)
    return months(year.number, inner.number, 1, "month")


def relative_weekday(tokens: Tokens, at: Moment) -> Span | None:
    """One word for "Friday of last week": the number holds the weekday and 10 times the weeks away."""
    token = must(tokens, "rel_weekday")
    weeks, number = divmod(token.number, 10)
    return _part_of(day_of(monday_of(at.today) + weeks * WEEK + number * DAY), tokens)


def numeral_date(tokens: Tokens, at: Moment) -> Span | None:
    """ "2024年4月1日", "4月1日", "4月": numbers in front of their marks."""
    year = pick(tokens, *YEARS)
    numbers = [token for token in tokens if token.kind in ("small", "big", "count")]
    if not 1 <= numbers[0].number <= 12:
        return None
    month_token = Token("month", 0, 0, numbers[0].number)
    named = [month_token, *([year] if year else [])]
    if len(numbers) == 1:
        return month(named, at)
    return month_day([*named, Token("small", 0, 0, numbers[1].number)], at)


def day_of_month(tokens: Tokens, at: Moment) -> Span | None:
    """ "on the 15th": the latest 15th, or looking forward the first to come."""
    token = must(tokens, "ordinal")
    if token.name != "free" or not 1 <= token.number <= 31:
        return None
    steps = range(0, 3) if at.forward else range(0, -3, -1)
    for step in steps:
        first = months(at.now.year, at.now.month + step, 1, "month")
        if first.start is None or first.end is None:
            return None
        day = first.start + (token.number - 1) * DAY
        if day < first.end and (day.date() >= at.today if at.forward else day.date() <= at.today):
            return day_of(day.date())
    return None


def lately(tokens: Tokens, at: Moment) -> Span | None:
    """ "recently" is the last 14 days, "the other day" the last 7: soft windows, never the day itself."""
    count = must(tokens, "recent").number
    today = midnight(at.today)
    other_day = count < 14
    return Span(
        start=today - count * DAY, end=today + (timedelta(0) if other_day else DAY),
        precision="week" if other_day else "month",
    )  # fmt: skip


def part_of_unit(tokens: Tokens, at: Moment) -> Span | None:
    """ "earlier this month", "later today"."""
    day_word = pick(tokens, "day_word")
    whole = day_of(at.today) if day_word else near_unit(tokens, at)
    if whole is None or (day_word and day_word.number != 0):
        return None
    if tokens[0].kind == "later":
        return replace(whole, start=max(midnight(at.today), whole.start or datetime.min))
    return replace(whole, end=midnight(at.today) + DAY)


Rule = tuple[str, Reading, bool]
"""Pattern, reading, and whether an open weekday, month or duration in it depends on the sentence's tense."""

_WEEKDAY_FIRST = "(?:anyweekday comma? (?:the|on the|on)?)?"
_NOT_DATED = "(?! comma? (?: the? daynumber | anyyear))"

RULES: tuple[Rule, ...] = (
    ("every the? (?:which|other|last|count)? (?:anyweekday|plural|anymonth|anyunit|weekend|weekends|anyseason|part"
     "|anyholiday) (?:part)?", void, False),
    ("for (?:vague|half|number)+ (?:and half)? anyunit (?!ago|before_last|ahead)", void, False),
    ("dated", written, False),
    (f"{_WEEKDAY_FIRST} anymonth the? daynumber comma? of? anyyear", month_day, False),
    (f"{_WEEKDAY_FIRST} the? (?:daynumber|nth) of? anymonth comma? of? anyyear", month_day, False),
    ("anymonth day_range comma? anyyear?", month_days, True),
    ("day_range of? anymonth comma? anyyear?", month_days, True),
    ("(?:from|between) anymonth (?:to|dash|and|until) anymonth (?:comma? of? anyyear)?", month_range, True),
    ("anymonth dash anymonth (?:comma? of? anyyear)?", month_range, True),
    ("firmmonth to firmmonth (?:comma? of? anyyear)?", month_range, True),
    ("(?:last|this|next) (?:last)? firmmonth the? daynumber", month_day, False),
    (f"{_WEEKDAY_FIRST} firmmonth the? daynumber (?!units)", month_day, True),
    ("month_weak ordinal", month_day, True),
    (f"{_WEEKDAY_FIRST} the? ordinal of? anymonth", month_day, True),
    (f"{_WEEKDAY_FIRST} the? (?:daynumber|nth) of anymonth", month_day, True),
    (f"{_WEEKDAY_FIRST} numeral firmmonth", month_day, True),
    ("anymonth comma? of? the? anyyear", month, False),
    ("anyseason comma? of? in? anyyear", year_season, False),
    ("anyholiday comma? of? in? anyyear", year_holiday, False),
    ("quarter comma? of? anyyear?", year_quarter, True),
    ("earlier in? (?:this unit | day_word)", part_of_unit, False),
    ("later in? (?:this unit | day_word)", part_of_unit, False),
    ("(?:anyweekday|unit|weekend|anyseason|anymonth|anyholiday) before_last", before_last, False),
    ("(?:over|in|for|at|this)? the? (?:last|next) (?:vague|half|number) (?:anyunit|weekend|weekends)", window, False),
    ("(?:over|in|for) the last unit (?!of)", window, False),
    ("this last unit (?!of)", window, False),
    ("(?:last|this|next) unit (?!of)", near_unit, False),
    ("(?:last|this|next) last? weekend (?!of)", week_end, False),
    (f"last anymonth {_NOT_DATED}", month, False),
    (f"this last anymonth {_NOT_DATED}", month, False),
    (f"(?:this|next) firmmonth {_NOT_DATED}", month, False),
    ("(?:last|this|next) last? anyweekday part? (?!of)", week_day, True),
    ("(?:last|this|next) last? anyseason (?!of|anyyear)", year_season, False),
    ("(?:last|this|next) last? anyholiday (?!anyyear)", year_holiday, False),
    ("(?:this|last) part", part_of_today, False),
    ("tonight", part_of_today, False),
    ("number units? unit? and half ago", ago, False),
    ("number and half anyunit ago", ago, False),
    ("half article? unit ago", ago, False),
    ("(?:number|vague) (?:anyunit|weekend|weekends|plural) ago", ago, False),
    ("(?:number|vague|half) (?:anyunit|weekend|weekends) ahead", ahead, False),
    ("in (?:number|vague|half) anyunit (?!of)", ahead, True),
    ("day_word part?", relative_day, False),
    ("rel_unit", relative_unit, False),
    ("rel_weekday part?", relative_weekday, False),
    ("recent", lately, False),
    ("anyweekday part", week_day, True),
    ("weekday", week_day, True),
    ("afteron weekday_soft", week_day, True),
    ("afterweekendprep weekend (?!of|before|after)", week_end, True),
    ("aftermonthprep anymonth", month, True),
    ("month", month, True),
    ("afterseasonprep anyseason (?!of)", year_season, True),
    ("afterholidayprep holiday_soft", year_holiday, True),
    ("holiday", year_holiday, True),
    ("afteron ordinal", day_of_month, True),
    ("afteryearprep year", whole_year, False),
    ("unit of? year", whole_year, False),
)  # fmt: skip
"""Longer before shorter: at one place the first that fits wins."""

READINGS: dict[str, Reading] = {
    "void": void, "month_day": month_day, "month": month, "week_day": week_day, "near_unit": near_unit,
    "week_end": week_end, "year_season": year_season, "ago": ago, "ahead": ahead, "window": window,
    "relative_unit": relative_unit, "relative_weekday": relative_weekday, "numeral_date": numeral_date,
    "whole_year": whole_year, "part_of_today": part_of_today, "year_holiday": year_holiday,
}  # fmt: skip
"""The readings that a language's own rules may name."""
