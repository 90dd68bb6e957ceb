"""Which time words stand in a text, and where?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime

from glossator.rules.timex.calendar import Span, day_of, months, unit_holding
from glossator.rules.timex.words import GAP, SIGN, Language, Token, Word

_NOT_BEFORE = r"(?<![A-Za-z0-9_À-ɏЀ-ӿ$€£¥₽#@.:/+])(?<!\d[-–,])"
_NOT_AFTER = r"(?![A-Za-z_%°À-ɏЀ-ӿ]|\d|[.:/]\d|,\d{3}(?!\d)|-\d)"
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?"
NUMERIC_CORE = r"\d{4}|\d[-/.:年月]\s?\d|\d{1,2}(?:st|nd|rd|th)\b|\d0['’]?s|\d[年月日]|\bq[1-4]\b"
"""Digits that may be a date without any time word."""
_FREE = re.compile(
    r"\s*(?:$|[^\w\s'’-]|\s(?:and|but|i|we|he|she|it|they|you|at|with|after|before|when|so|because|for|to|in|"
    r"was|is|or|of|that|the|my|our|last|this|next|as)\b)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\s(?!(?:was|is|has|its|this|as|his|us|always|perhaps|yes)\b)(?:people|men|women|[a-z]{3,}s)\b")
_JOINED = re.compile(r"\s{0,4}")


def trie(words: Iterable[str]) -> str:
    """One expression that matches the longest of `words`, sharing their beginnings, so that a miss costs little."""
    root: dict[str, dict[str, object]] = {}
    for word in words:
        node: dict[str, object] = root  # type: ignore[assignment]
        for letter in word:
            node = node.setdefault(letter, {})  # type: ignore[assignment]
        node[""] = {}
    return _branch(root)


def _branch(node: dict[str, dict[str, object]]) -> str:
    tails = [_letter(letter) + _branch(below) for letter, below in sorted(node.items()) if letter]  # type: ignore[arg-type]
    if not tails:
        return ""
    body = tails[0] if len(tails) == 1 and "" not in node else f"(?:{'|'.join(tails)})"
    return body + ("?" if "" in node else "")


def _letter(letter: str) -> str:
    return {" ": r"\s{1,3}", "'": "['’]"}.get(letter) or re.escape(letter)


def _edges(language: Language, body: str) -> str:
    return rf"\b(?:{body})(?!\w)" if language.spaced else f"(?:{body})"


def word_pattern(language: Language, kinds: frozenset[str] | None = None) -> str:
    """The expression for a language's words, or for those of some kinds."""
    chosen = (word for word, meaning in language.words.items() if not kinds or meaning.kind in kinds)
    return _edges(language, trie(chosen))


def lowered(text: str) -> str:
    """The text in small letters, every letter at its old place (a capital I with a dot would become two)."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(low if len(low := sign.lower()) == 1 else sign for sign in text)


@dataclass(frozen=True, slots=True)
class Lexer:
    """A language's words and the numerals around them in one expression."""

    language: Language
    search: re.Pattern[str]
    veto: dict[str, re.Pattern[str]]

    def tokens(self, text: str) -> tuple[list[Token], str]:
        """The time words of `text` in order and the string of their signs, with `GAP` where other words lie between."""
        found: list[Token] = []
        signs: list[str] = []
        end = 0
        for match in self.search.finditer(lowered(text)):
            token = self._token(match, text, found)
            if token is None:
                continue
            if not (_adjoins(text, end, token.begin) or (found and _abbreviated(found[-1], text, token.begin))):
                found.append(Token("gap", end, token.begin))
                signs.append(GAP)
            found.append(token)
            signs.append(SIGN[token.kind])
            end = token.stop
        return found, "".join(signs)

    def _token(self, match: re.Match[str], text: str, before: list[Token]) -> Token | None:
        group = match.lastgroup or ""
        begin, stop = match.span()
        if group == "word":
            return self._word(match[0], begin, stop, text)
        if group == "number":
            return self._number(match, text, before)
        if group in ("comma", "dash"):
            return Token(group, begin, stop)
        if group in ("iso", "slash"):
            span = written_date(match[0], day_first=self.language.day_first)
            return Token("dated", begin, stop, span=span)
        if group == "slash_day":
            return _slash_day(match[0], begin, stop, day_first=self.language.day_first)
        return READERS[group](match[0], begin, stop)

    def _word(self, words: str, begin: int, stop: int, text: str) -> Token | None:
        meaning = self.language.words.get(words)
        if meaning is None:
            words = " ".join(words.replace("’", "'").split())
            meaning = self.language.words[words]
        if words in self.veto and self.veto[words].match(text, begin):
            return None
        kind = _kind(meaning, text, begin, stop) if meaning.kind in _UNSURE else meaning.kind
        return Token(kind, begin, stop, meaning.number, meaning.name)

    def _number(self, match: re.Match[str], text: str, before: list[Token]) -> Token:
        digits, (begin, stop) = match["digits"], match.span()
        number = int(digits)
        if match["suffix"] == "." and len(digits) > 2:
            stop = match.end("digits")
        elif match["suffix"]:
            return Token("ordinal", begin, stop, number, "free" if _FREE.match(text, stop) else "")
        if len(digits) == 4 and 1900 <= number <= 2099:
            firm = bool(before) and before[-1].kind in ("in", "since", *_MONTHS)
            counted = not firm and _COUNTED.match(text, stop)
            return Token("other" if counted else "year", begin, stop, number)
        return Token("small" if 1 <= number <= 12 else "big" if 13 <= number <= 31 else "other", begin, stop, number)


_MONTHS = ("month", "month_soft", "month_weak")


_UNSURE = frozenset(["holiday_soft", "month_soft", "weekday_soft"])
"""Kinds whose words are names or other words as well, so that their surroundings decide."""


def _kind(meaning: Word, text: str, begin: int, stop: int) -> str:
    kind = meaning.kind
    if kind == "holiday_soft" and _FREE.match(text, stop):
        return "holiday"
    if kind == "month_soft":
        if text[stop : stop + 2] in ("'s", "’s"):
            return "glue"
        return "month_soft" if text[begin].isupper() else "month_weak"
    if kind == "weekday_soft" and not text[begin].isupper():
        return "glue"
    return kind


def _abbreviated(month: Token, text: str, begin: int) -> bool:
    """Whether only the full stop of a short month lies between ("Sept. 3"); May, June and July have no short form."""
    short = month.kind in _MONTHS and month.stop - month.begin <= 4 and month.number not in (5, 6, 7)
    return short and begin - month.stop <= 3 and text[month.stop : begin].strip() == "."


def _adjoins(text: str, end: int, begin: int) -> bool:
    return begin - end <= 4 and (begin == end or text[end:begin].isspace())


def written_date(words: str, *, day_first: bool) -> Span | None:
    """The span of an all-digit date ("2023-05-08", "2023-05", "8/5/2023", "8.5.23"), None when it does not exist.

    8/5/2023 is 5 August unless `day_first`; a first number above 12 is the day, dots and hyphens put the day first.
    """
    parts = [int(part) for part in re.findall(r"\d+", words)]
    try:
        if len(parts) == 2:
            return months(parts[0], parts[1], 1, "month") if 1 <= parts[1] <= 12 else None
        year, month, day = parts if parts[0] > 31 else (parts[2], parts[0], parts[1])
        if parts[0] <= 31 and (day_first or month > 12 or "." in words):
            month, day = day, month
        return day_of(date(year + (0 if year > 99 else 2000 if year < 70 else 1900), month, day))
    except (ValueError, OverflowError):
        return None


def _slash_day(words: str, begin: int, stop: int, *, day_first: bool) -> Token | None:
    month, day = (int(part) for part in words.split("/"))
    if day_first or month > 12:
        month, day = day, month
    return Token("slash_day", begin, stop, month * 100 + day) if 1 <= month <= 12 else None


def _instant(words: str, begin: int, stop: int) -> Token:
    return Token("dated", begin, stop, span=None, name=words)


def _clock(words: str, begin: int, stop: int) -> Token | None:
    parts = [int(part) for part in re.findall(r"\d+", words)]
    hour, minute = parts[0], parts[1] if len(parts) > 1 else 0
    half = re.search(r"[ap]", words)
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    if hour > 23 or minute > 59:
        return None
    return Token("clock", begin, stop, hour * 60 + minute, "minute" if len(parts) > 1 else "hour")


def _years(words: str, begin: int, stop: int) -> Token:
    first, last = (int(part) for part in re.findall(r"\d+", words))
    span = months(first, 1, 12 * (last - first + 1), "year") if first < last else None
    return Token("dated", begin, stop, span=span)


def _decade(words: str, begin: int, stop: int) -> Token:
    number = int("".join(re.findall(r"\d", words)))
    if number < 100:
        number += 1900 if number >= 20 else 2000
    span = None if number % 100 == 0 and number != 2000 else unit_holding("decade", datetime(number, 1, 1))
    return Token("dated", begin, stop, span=span)


def _day_range(words: str, begin: int, stop: int) -> Token:
    first, last = (int(part) for part in re.findall(r"\d+", words))
    return Token("day_range", begin, stop, first * 100 + last)


def _quarter(words: str, begin: int, stop: int) -> Token:
    return Token("quarter", begin, stop, int(words[1]))


def _short_year(words: str, begin: int, stop: int) -> Token:
    number = int(words[1:])
    return Token("short_year", begin, stop, number + (2000 if number < 40 else 1900))


READERS: dict[str, Callable[[str, int, int], Token | None]] = {
    "clock": _clock, "years": _years, "decade": _decade, "decade2": _decade,
    "day_range": _day_range, "quarter": _quarter, "short_year": _short_year, "instant": _instant,
}  # fmt: skip


def lexer(language: Language) -> Lexer:
    suffix = language.ordinal_suffix or "(?!)"
    numeric = {
        "instant": rf"\d{{4}}-\d\d-\d\d[t ]{_TIME}\s?(?:z|[+-]\d\d:?\d\d)?{_NOT_AFTER}",
        "iso": rf"\d{{4}}(?P<s1>[-/.])\d{{1,2}}(?P=s1)\d{{1,2}}{_NOT_AFTER}",
        "slash": rf"(?:\d{{1,2}}(?P<s2>[/.-])\d{{1,2}}(?P=s2)\d{{4}}|\d{{1,2}}/\d{{1,2}}/\d\d){_NOT_AFTER}",
        "slash_day": rf"\d{{1,2}}/\d{{1,2}}{_NOT_AFTER}",
        "clock": rf"(?:\d{{1,2}}(?::\d\d)?\s?[ap]\.?m\b\.?|{_TIME}(?![\w:]))",
        "years": rf"(?:19|20)\d\d\s?[-–—]\s?(?:19|20)\d\d{_NOT_AFTER}",
        "decade": r"(?:(?:1[89]|20)\d0['’]?s|(?<=the )[2-9]0['’]?s)\b",
        "day_range": rf"\d{{1,2}}(?:{suffix})?\s?[-–]\s?\d{{1,2}}(?:{suffix})?{_NOT_AFTER}",
        "number": rf"(?P<digits>\d{{1,4}})(?P<suffix>{suffix})?{_NOT_AFTER}",
    }
    other = {
        "word": word_pattern(language),
        "comma": "[,，、]",
        "dash": "[-–—~～]",
        "decade2": r"(?<!\w)['’]\d0['’]?s\b",
        "short_year": r"(?<!\w)['’]\d\d(?!\w)",
        "quarter": r"\bq[1-4]\b",
    }
    body = rf"(?=\d)(?:{_NOT_BEFORE}(?:{_alternatives(numeric)}))|{_alternatives(other)}"
    veto = {word: re.compile(pattern) for word, pattern in language.veto.items()}
    return Lexer(language, re.compile(body), veto)


def _alternatives(parts: dict[str, str]) -> str:
    return "|".join(f"(?P<{name}>{pattern})" for name, pattern in parts.items())
