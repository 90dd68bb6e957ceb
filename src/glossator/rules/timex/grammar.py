"""How does a rule over kinds of word become one regular expression over signs?

A rule is written with the names of kinds: "count units ago". Its parts may be grouped and repeated as in a regular
expression, without lower-case letters of its own. `SETS` names groups of kinds and contexts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from glossator.rules.timex.calendar import Moment, Span
from glossator.rules.timex.words import GAP, ONE_UNIT, SIGN, Token

Reading = Callable[[Sequence[Token], Moment], Span | None]
"""What the tokens of a match mean; None when they are no date (30 February), which silences those words."""
Rule = tuple[str, Reading, bool]
"""Pattern, reading, and whether an open weekday, month or duration in it depends on the sentence's tense."""


def _any(kinds: str) -> str:
    return "[" + "".join(SIGN[kind] for kind in re.sub(r"\bunit\b", " ".join(ONE_UNIT), kinds).split()) + "]"


def _behind(*kinds: str) -> str:
    """Stands after one of `kinds` (names, or the names of a sequence), with or without an article between."""
    before = [_sequence(names) for names in kinds]
    return "(?:" + "|".join(f"(?<={signs}{the})" for signs in before for the in ("", SIGN["the"])) + ")"


def _sequence(names: str) -> str:
    head, _, tail = names.partition(" > ")
    return _any(head) + (SIGN[tail] if tail else "")


_INSIDE = ("edge > dash", "unit weekend weekday part > of")
SETS = {
    "unit": _any("unit"),
    "number": _any("small big other count article vague"),
    "numeral": _any("small big"),
    "daynumber": _any("small big ordinal"),
    "which": _any("ordinal nth"),
    "anymonth": _any("month month_soft month_weak"),
    "firmmonth": _any("month month_soft"),
    "anyseason": _any("season season_soft"),
    "anyweekday": _any("weekday weekday_soft"),
    "anyholiday": _any("holiday holiday_soft"),
    "anyunit": _any("unit units"),
    "anyyear": _any("year short_year"),
    "expr": _any("span weekday_span"),
    "aftermonthprep": _behind("in over since until before after edge", *_INSIDE),
    "afterseasonprep": _behind("in over since until before after edge", *_INSIDE),
    "afterholidayprep": _behind("in on at over for since until before after by from to edge"),
    "afterweekendprep": _behind("in on at over for since until before after by edge"),
    "afteryearprep": _behind("in since of from by until before after to edge between and over", "edge > dash"),
    "notnth": f"(?<!{_any('ordinal nth last')})",
    "afterdayprep": _behind("on since until before after by from to between and for"),
    "afteron": _behind("on"),
}
_NEVER_FIRST = "[" + GAP + _any("comma dash of to and glue on")[1:]
"""Signs that begin no rule, so that the search passes over them at once."""
_NAME = re.compile(r"[a-z_]+")


def compiled(pattern: str) -> str:
    """The regular expression over signs for a rule's pattern."""
    return _NAME.sub(lambda name: SETS.get(name[0]) or SIGN[name[0]], pattern).replace(" ", "")


@dataclass(frozen=True, slots=True)
class Grammar:
    """Rules of one pass in one expression; at one place the first rule that fits wins, so longer ones stand first."""

    search: re.Pattern[str]
    readings: tuple[tuple[Reading, bool], ...]

    def matches(self, signs: str) -> Iterator[tuple[int, int, Reading, bool]]:
        """Begin, stop, reading and whether it depends on tense, for every match from left to right."""
        for match in self.search.finditer(signs):
            reading, tensed = self.readings[int((match.lastgroup or "r0")[1:])]
            yield match.start(), match.end(), reading, tensed


def grammar(rules: Iterable[Rule]) -> Grammar:
    listed = tuple(rules)
    alternatives = (f"(?P<r{number}>{compiled(pattern)})" for number, (pattern, _, _) in enumerate(listed))
    return Grammar(
        re.compile(f"(?!{_NEVER_FIRST})(?:{'|'.join(alternatives)})"),
        tuple((reading, tensed) for _, reading, tensed in listed),
    )
