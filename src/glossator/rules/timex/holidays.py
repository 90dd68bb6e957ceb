"""On which day of a year does a holiday fall?"""

from __future__ import annotations

from datetime import date, timedelta

from glossator.rules.timex.calendar import Span, days

_FIXED = {
    "new_year": (1, 1),
    "new_year_eve": (12, 31),
    "christmas": (12, 25),
    "christmas_eve": (12, 24),
    "boxing_day": (12, 26),
    "halloween": (10, 31),
    "valentine": (2, 14),
    "patrick": (3, 17),
    "independence": (7, 4),
}
_NTH = {"thanksgiving": (11, 3, 4), "labor_day": (9, 0, 1), "mothers_day": (5, 6, 2), "fathers_day": (6, 6, 3)}
"""Month, weekday (Monday is 0), which one: the United States' rules."""
_FROM_EASTER = {"easter": 0, "good_friday": -2, "easter_monday": 1, "pentecost": 49}


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous computus, Meeus, Astronomical Algorithms, ch. 8)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def holiday(name: str, year: int) -> Span | None:
    """The day of a holiday in a year, or None for a name that is not in the tables."""
    if name in _FIXED:
        day = date(year, *_FIXED[name])
    elif name in _FROM_EASTER:
        day = easter(year) + timedelta(days=_FROM_EASTER[name])
    elif name in _NTH or name == "black_friday":
        month, weekday, which = _NTH.get(name, _NTH["thanksgiving"])
        first = date(year, month, 1)
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (which - 1))
        day += timedelta(days=1 if name == "black_friday" else 0)
    elif name == "memorial_day":
        day = date(year, 5, 31) - timedelta(days=date(year, 5, 31).weekday())
    else:
        return None
    return days(day, 1, "day", "yearly")
