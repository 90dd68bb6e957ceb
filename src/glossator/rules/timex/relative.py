"""What span do words name by their distance from now ("yesterday", "two weeks ago", "over the last month")?"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

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
    unit_holding,
    weekday,
    weekend_of,
)
from glossator.rules.timex.dates import chosen, month, month_day, numeral_date, part_of, year_holiday, year_season
from glossator.rules.timex.holidays import holiday
from glossator.rules.timex.words import (
    DAYS,
    HOLIDAYS,
    MONTHS,
    NUMBERS,
    SEASONS,
    UNITS,
    WEEKDAYS,
    Token,
    Tokens,
    must,
    pick,
)

_FEW = {"few": (2, 4), "several": (3, 6)}
"""What "a few" and "several" may mean, least and most."""
_CLOCK_UNITS = ("second", "minute", "hour")


def near_unit(tokens: Tokens, at: Moment) -> Span | None:
    """ "last week", "this month", "next year" by the calendar; "the past month" rolls."""
    unit, which = must(tokens, *UNITS).name, chosen(tokens)
    if unit == "day" or unit in _CLOCK_UNITS:
        return None
    if which == "last" and must(tokens, "last").name == "past":
        return _window(unit, 1, at, ahead=False)
    return unit_holding(unit, moved(at.now, unit, {"last": -1, "this": 0, "next": 1}[which]))


def week_end(tokens: Tokens, at: Moment) -> Span | None:
    """ "last weekend" is that of the week before, "this" and "next" of this and the next week."""
    which = chosen(tokens)
    if which == "open":
        steps = 0 if at.forward or at.today.weekday() >= 5 else -1
    else:
        steps = {"last": -1, "this": 0, "next": 1}[which]
    return weekend_of(at.today + steps * WEEK)


def before_last(tokens: Tokens, at: Moment) -> Span | None:
    """ "the Friday before last", "the week before last", "the summer before last", "the weekend after next"."""
    token, steps = tokens[0], must(tokens, "before_last").number
    if token.kind in UNITS:
        return unit_holding(token.name, moved(at.now, token.name, steps))
    if steps > 0:
        return None
    if token.kind in WEEKDAYS:
        last = weekday(token.number, at, "last")
        return days(last.start.date() - WEEK, 1, "day") if last.start else None
    read = month if token.kind in MONTHS else year_season if token.kind in SEASONS else year_holiday
    last_one = read([token, Token("last", 0, 0)], at)
    if last_one is None or last_one.start is None:
        return None
    return read([token, Token("last", 0, 0)], replace(at, now=last_one.start))


def of_near_year(tokens: Tokens, at: Moment) -> Span | None:
    """ "in March last year", "May 8 of last year", "last year at Christmas"."""
    near = {"last": -1, "this": 0, "next": 1}[chosen(tokens)]
    named = [token for token in tokens if token.kind not in ("last", "this", "next", "year_unit")]
    named.append(Token("year", 0, 0, at.now.year + near))
    if pick(named, *DAYS):
        return month_day(named, at)
    read = month if pick(named, *MONTHS) else year_season if pick(named, *SEASONS) else year_holiday
    return read(named, at)


def of_near_week(tokens: Tokens, at: Moment) -> Span | None:
    """ "Monday last week", "next week on Tuesday"."""
    near = {"last": -1, "this": 0, "next": 1}[chosen(tokens)]
    return part_of(day_of(monday_of(at.today) + near * WEEK + must(tokens, *WEEKDAYS).number * DAY), tokens)


def ago_today(tokens: Tokens, at: Moment) -> Span | None:
    """ "a year ago today", "a week ago yesterday": the very day."""
    day = midnight(at.today) + must(tokens, "day_word").number * DAY
    return day_of(moved(day, must(tokens, *UNITS).name, -_amount(tokens)[0]).date())


def running(tokens: Tokens, at: Moment) -> Span | None:
    """ "for three years now" has begun then and goes on."""
    first = shifted(tokens, at.now, -1)
    return replace(first, end=None) if first else None


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
    token = must(tokens, *UNITS, "plural", "weekday", "day_mark")
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
    return part_of(day_of(at.today + must(tokens, "day_word").number * DAY), tokens)


def part_of_today(tokens: Tokens, at: Moment) -> Span | None:
    """ "this morning", "tonight", "last night", which is yesterday's evening."""
    back = 1 if pick(tokens, "last") else -1 if pick(tokens, "next") else 0
    return part_of(day_of(at.today - back * DAY), tokens)


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
    token, week = pick(tokens, "rel_weekday"), pick(tokens, "rel_unit")
    if week is not None:
        weeks, number = week.number, must(tokens, "weekday").number
        if week.name != "week":
            return None
    else:
        weeks, number = divmod(must([token] if token else [], "rel_weekday").number, 10)
    return part_of(day_of(monday_of(at.today) + weeks * WEEK + number * DAY), tokens)


def relative_holiday(tokens: Tokens, at: Moment) -> Span | None:
    """ "去年圣诞节": a holiday of last, this or next year."""
    token = must(tokens, "rel_unit")
    if token.name != "year":
        return None
    return holiday(must(tokens, *HOLIDAYS).name, moved(at.now, "year", token.number).year)


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
