"""Which kinds of word make up a time phrase, and what is a language's table?

The grammar never sees letters of a language: the lexer turns each word into a `Token` of one kind, and a text into a
string with one sign per token. Rules are patterns over those signs, written with the names below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from glossator.rules.timex.calendar import Span

KINDS = (
    "span weekday_span dated clock nth ahead year slash_day short_year quarter day_range small big other ordinal "
    "count article vague half day_word rel_unit rel_weekday weekday weekday_soft month month_soft month_weak season "
    "season_soft unit week_unit year_unit now units weekend weekends part tonight ago ago_first last this next "
    "holiday holiday_soft recent edge earlier later the of in on at by over for every comma dash and to from "
    "between since until before after before_last until_post since_post month_mark day_mark oclock plural glue"
).split()
SIGN = {kind: chr(0x4E00 + number) for number, kind in enumerate(KINDS)}
"""One sign per kind, outside everything that means something in a regular expression."""
GAP = "."
"""Stands where words outside the grammar lie between two tokens."""


class Word(NamedTuple):
    """What a word of a language means: its kind, and a number or a name."""

    kind: str
    number: int = 0
    name: str = ""


class Token(NamedTuple):
    """A word of the text with its offsets `[begin, stop)`."""

    kind: str
    begin: int
    stop: int
    number: int = 0
    name: str = ""
    span: Span | None = None


Tokens = Sequence[Token]

MONTHS = ("month", "month_soft", "month_weak")
SEASONS = ("season", "season_soft")
WEEKDAYS = ("weekday", "weekday_soft", "plural")
HOLIDAYS = ("holiday", "holiday_soft")
UNITS = ("unit", "week_unit", "year_unit", "units", "weekend", "weekends")
YEARS = ("year", "short_year")
NUMBERS = ("small", "big", "other", "count", "article", "vague")
DAYS = ("small", "big", "ordinal", "nth", "count")


ONE_UNIT = UNITS[:3]


def pick(tokens: Tokens, *kinds: str) -> Token | None:
    """The first token of one of `kinds`."""
    return next((token for token in tokens if token.kind in kinds), None)


def must(tokens: Tokens, *kinds: str) -> Token:
    """The first token of one of `kinds`, which the rule is known to hold."""
    found = pick(tokens, *kinds)
    assert found is not None, kinds
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """Everything that is particular to a language. To add one, write one such table and list it in `engine`."""

    name: str
    words: Mapping[str, Word]
    ordinal_suffix: str = ""
    """Pattern of what follows a day number: "st|nd|rd|th", "\\." in German."""
    day_first: bool = True
    """Whether 8/5/2023 is 8 May. Where the first number is above 12 it is the day in every language."""
    spaced: bool = True
    """Whether words are separated by spaces."""
    common: frozenset[str] = frozenset()
    """Everyday words by which a text in this language is told from its neighbours in the same script."""
    atoms: tuple[tuple[str, str], ...] = ()
    """Extra rules of the first pass: pattern and the name of the reading."""
    joins: tuple[tuple[str, str], ...] = ()
    """Extra rules of the second pass."""
    future: str = ""
    """Pattern of words that make an open weekday or month a coming one."""
    past: str = ""
    """Pattern of words that keep it a past one: of the two, the nearest in the sentence decides."""
    habit: str = ""
    """Pattern of words that make an open weekday, season or holiday a custom, which happens at no one time."""
    when: str = ""
    """Pattern of a question for a time."""
    nostalgia: str = ""
    """Pattern of words that look back on earlier life."""
    veto: Mapping[str, str] = field(default_factory=dict)
    """Pattern of what follows a word when it is no time word: "may" before "be", "march" before "on"."""


def table(**kinds: Mapping[str, int | str] | Iterable[str]) -> dict[str, Word]:
    """Words by kind, each with its number or name. A word has one kind: a second one is refused."""
    found: dict[str, Word] = {}
    for kind, members in kinds.items():
        pairs: Iterable[tuple[str, int | str]]
        pairs = members.items() if isinstance(members, Mapping) else ((word, "") for word in members)
        if kind not in SIGN:
            raise ValueError(f"no kind {kind!r}")
        for word, value in pairs:
            if word in found:
                raise ValueError(f"{word!r} is both {found[word].kind} and {kind}")
            found[word] = _word(kind, value)
    return found


def _word(kind: str, value: int | str) -> Word:
    """The meaning in a table: a number, a name, or a name with a number of units away ("year-1")."""
    if isinstance(value, int):
        return Word(kind, value)
    if kind == "unit" and value in ("week", "year"):
        return Word(f"{value}_unit", 0, value)
    match = re.fullmatch(r"([a-z_]+?)(-?\d+)", value)
    return Word(kind, int(match[2]), match[1]) if match else Word(kind, 0, value)


def numbered(text: str, first: int = 0) -> dict[str, int]:
    """ "a/b c" -> {"a": 0, "b": 0, "c": 1}: words in order, with spellings of the same one between slashes."""
    return {
        word.replace("_", " "): number for number, group in enumerate(text.split(), first) for word in group.split("/")
    }


def named(text: str) -> dict[str, str]:
    """ "day:day/days week:week" -> {"day": "day", "days": "day", "week": "week"}."""
    pairs = (group.split(":") for group in text.split())
    return {word.replace("_", " "): name for name, words in pairs for word in words.split("/")}
