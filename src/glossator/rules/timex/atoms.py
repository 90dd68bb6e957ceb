"""First pass: which words name one span by themselves ("8 May 2023", "last March", "two weeks ago")?"""

# ruff: noqa: ARG001 - every reading has the same two arguments, whichever it needs

from __future__ import annotations

from glossator.rules.timex.calendar import Moment, Span
from glossator.rules.timex.dates import (
    day_of_month,
    month,
    month_day,
    month_days,
    month_range,
    numeral_date,
    slash_day,
    week_day,
    weekday_of_month,
    whole_year,
    written,
    year_holiday,
    year_quarter,
    year_season,
)
from glossator.rules.timex.grammar import Reading, Rule
from glossator.rules.timex.relative import (
    ago,
    ago_today,
    ahead,
    before_last,
    lately,
    near_unit,
    of_near_week,
    of_near_year,
    part_of_today,
    part_of_unit,
    relative_day,
    relative_holiday,
    relative_unit,
    relative_weekday,
    running,
    week_end,
    window,
)
from glossator.rules.timex.words import Tokens


def void(tokens: Tokens, at: Moment) -> Span | None:
    """Words that look like a date and are none: habits and durations."""
    return None


_WEEKDAY_FIRST = "(?:anyweekday comma? (?:the|on the|on)?)?"
_NOT_DATED = "(?! comma? (?: the? daynumber | anyyear))"

_DATE = "anymonth the? daynumber | (?:ordinal|numeral) of? anymonth | anymonth | anyseason | anyholiday"

RULES: tuple[Rule, ...] = (
    ("article anyweekday part?", void, False),
    ("every the? (?:which|other|last|count)? (?:anyweekday|plural|anymonth|anyunit|weekend|weekends|anyseason|part"
     "|anyholiday) (?:part)?", void, False),
    ("for? at? (?:number|vague|half) (?:and half)? anyunit now", running, False),
    ("for (?:vague|half|number)+ (?:and half)? anyunit (?!ago|before_last|ahead)", void, False),
    ("dated", written, False),
    (f"the? (?:{_DATE}) comma? (?:of|in)? (?:last|this|next) year_unit", of_near_year, False),
    (f"(?:last|this|next) year_unit comma? (?:in|on|at|over)? the? (?:{_DATE})", of_near_year, False),
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
    ("anyweekday part? (?:of|in)? (?:last|this|next) week_unit", of_near_week, False),
    ("(?:last|this|next) week_unit comma? on? anyweekday part?", of_near_week, False),
    ("anyweekday the ordinal", weekday_of_month, True),
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
    ("number anyunit ago day_word", ago_today, False),
    ("number anyunit and half ago", ago, False),
    ("number and half anyunit ago", ago, False),
    ("half article? unit ago", ago, False),
    ("(?:number|vague) (?:anyunit|weekend|weekends|plural) ago", ago, False),
    ("(?:number|vague|half) (?:anyunit|weekend|weekends) ahead", ahead, False),
    ("in (?:number|vague|half) anyunit (?!of|ago|now|before|after|ahead)", ahead, True),
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
    ("afterdayprep slash_day", slash_day, True),
    ("afteron ordinal", day_of_month, True),
    ("afteryearprep year", whole_year, False),
    ("year_unit of? year", whole_year, False),
)  # fmt: skip
"""Longer before shorter: at one place the first that fits wins."""

READINGS: dict[str, Reading] = {
    "void": void, "month_day": month_day, "month": month, "month_range": month_range,
    "week_day": week_day, "near_unit": near_unit,
    "week_end": week_end, "year_season": year_season, "ago": ago, "ahead": ahead, "window": window,
    "relative_unit": relative_unit, "relative_weekday": relative_weekday, "relative_day": relative_day,
    "numeral_date": numeral_date,
    "relative_holiday": relative_holiday, "whole_year": whole_year, "part_of_today": part_of_today,
    "year_holiday": year_holiday,
}  # fmt: skip
"""The readings that a language's own rules may name."""
