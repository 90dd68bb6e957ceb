"""Which spans of time does a text name?

The tables of words are the languages' own (one module each); the grammar is shared. A text is lexed into kinds of
word, a first pass reads spans that stand by themselves, a second pass joins them, and only then do wall-clock
boundaries become UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import cache, partial
from typing import Literal

from glossator.errors import UsageError
from glossator.model.time import Interval, TimeExpression
from glossator.rules.patterns import late_re
from glossator.rules.timex import atoms, joins
from glossator.rules.timex.calendar import Moment, Span
from glossator.rules.timex.chinese import CHINESE
from glossator.rules.timex.dates import whole_year
from glossator.rules.timex.english import ENGLISH
from glossator.rules.timex.french import FRENCH
from glossator.rules.timex.german import GERMAN
from glossator.rules.timex.grammar import Grammar, Reading, grammar
from glossator.rules.timex.japanese import JAPANESE
from glossator.rules.timex.lexer import NUMERIC_CORE, Lexer, lexer, word_pattern
from glossator.rules.timex.russian import RUSSIAN
from glossator.rules.timex.spanish import SPANISH
from glossator.rules.timex.words import GAP, SIGN, Language, Token

Prefer = Literal["past", "future"]

LATIN: tuple[Language, ...] = (ENGLISH, GERMAN, FRENCH, SPANISH)
"""Languages in Latin letters; a text is read in the one whose words it has most of, English if none leads."""
SCRIPTS: tuple[tuple[str, Language], ...] = (
    (r"[а-яА-ЯёЁ]", RUSSIAN),
    (r"[ぁ-ヿ]|先[週月]|来[週月年]|今[週月]|昨年|一昨日|曜日", JAPANESE),
    (r"\A[^ぁ-ヿ]*[一-鿿][^ぁ-ヿ]*\Z", CHINESE),
)
"""Other languages, each with the pattern of letters that calls for it: Han without kana is Chinese."""
LANGUAGES = LATIN + tuple(language for _, language in SCRIPTS)

_CORE_KINDS = frozenset(
    "day_word rel_unit rel_weekday weekday weekday_soft month month_soft season season_soft unit week_unit year_unit "
    "units weekend weekends plural part tonight holiday holiday_soft recent day_mark month_mark".split()
)
_SENTENCE_REACH = 120
_BREAK = late_re(r"[!?\n。！？]|(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)\.(?=\s|$)")
_WORD = re.compile(r"\b[^\W\d_]+\b")
_MEASURED = 2_000


@cache
def _core_words() -> frozenset[str]:
    """Words without which, and without digits, a text names no time; of a phrase its rarest-looking word."""
    phrases = [
        _WORD.findall(word)
        for language in LANGUAGES
        for word, meaning in language.words.items()
        if language.spaced and meaning.kind in _CORE_KINDS
    ]
    single = {phrase[0] for phrase in phrases if len(phrase) == 1}
    return frozenset(single | {max(phrase, key=len) for phrase in phrases if single.isdisjoint(phrase)})


@cache
def _unspaced() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(word_pattern(language, _CORE_KINDS)) for language in LANGUAGES if not language.spaced)


_DIGIT = re.compile(r"\d")
_NUMERIC = late_re(NUMERIC_CORE, re.IGNORECASE)


def _may_name_time(text: str) -> bool:
    """A quick look that spares most texts the reading."""
    if not _core_words().isdisjoint(_WORD.findall(text.lower())):
        return True
    if _DIGIT.search(text) and _NUMERIC.search(text):
        return True
    return not text.isascii() and any(pattern.search(text) for pattern in _unspaced())


@dataclass(frozen=True, slots=True)
class _Reader:
    lexer: Lexer
    atoms: Grammar
    joins: Grammar
    tense: re.Pattern[str]
    habit: re.Pattern[str]


@cache
def _reader(language: Language) -> _Reader:
    # A language's own rules may hold open weekdays and months, so all but "ago" ask for the tense.
    extra_atoms = [(pattern, atoms.READINGS[name], name != "ago") for pattern, name in language.atoms]
    extra_joins = [(pattern, joins.READINGS[name], False) for pattern, name in language.joins]
    return _Reader(
        lexer(language),
        grammar([*extra_atoms, *atoms.RULES]),
        grammar([*extra_joins, *joins.RULES]),
        re.compile(f"(?P<future>{language.future or '(?!)'})|(?P<past>{language.past or '(?!)'})", re.IGNORECASE),
        re.compile(language.habit or r"(?!)", re.IGNORECASE),
    )


def find_times(text: str, *, now: datetime, prefer: Prefer = "past") -> tuple[TimeExpression, ...]:
    """The time phrases of `text`, in its order and without overlap, each as long as it can be read.

    `now` is the moment of speaking in the speaker's zone (aware, else UsageError). Intervals are UTC, half open,
    computed from calendar boundaries in that zone; "since", "until", "before" and "after" leave an end open. Weeks run
    from Monday. An open weekday, month or date is the latest that has begun, unless `prefer` is "future" or its
    sentence looks forward (the nearest cue in it decides; "usually" makes it a custom and names nothing). The precision
    is that of the smallest unit that holds what was named: a morning is a "day", a weekend a "week", a quarter a
    "season". Rolling windows ("the past month", "recently") end with today. 8/5/2023 is 5 August (month first) unless
    its first number is above 12; in other languages than English it is 8 May. A bare year counts only from 1900 to
    2099 after a word such as in, since, of, from, by, until, before, after, or as the whole text. Habits ("every
    Monday"), durations ("for three weeks"; but "for three years now" is since then) and times of day without a day
    name no interval. A date that does not exist gives nothing; no text raises.
    """
    if now.tzinfo is None or now.utcoffset() is None:
        raise UsageError("now", "it has no zone", remedy="pass an aware datetime in the speaker's zone")
    if not _may_name_time(text):
        return ()
    found: list[tuple[int, int, Span]] = []
    for language in _languages(text):
        found.extend(_spans(text, _reader(language), now, prefer))
    return tuple(_expressions(text, found, now.tzinfo))


def _languages(text: str) -> Iterator[Language]:
    sample = text[:_MEASURED]
    words = set(_WORD.findall(sample.lower()))
    yield max(LATIN, key=lambda language: len(words & _vocabulary(language)))
    if not text.isascii():
        yield from (language for pattern, language in SCRIPTS if re.search(pattern, text))


@cache
def _vocabulary(language: Language) -> frozenset[str]:
    single = {part for word in language.words for part in word.split() if len(part) > 1}
    return language.common | frozenset(single)


def _spans(text: str, reader: _Reader, now: datetime, prefer: Prefer) -> Iterator[tuple[int, int, Span]]:
    assert now.tzinfo is not None
    back = Moment(now.replace(tzinfo=None), False, now.tzinfo)
    tokens, signs = reader.lexer.tokens(text)
    if len(tokens) == 1 and tokens[0].kind == "year" and text.strip(" ?.!") == text[tokens[0].begin : tokens[0].stop]:
        tokens = [Token("span", tokens[0].begin, tokens[0].stop, span=whole_year(tokens, back))]
        signs = SIGN["span"]
    tensed = partial(_tensed, text, reader, back, prefer)
    first = _read(reader.atoms, tokens, signs, back, tensed)
    second = _read(reader.joins, first, "".join(SIGN.get(token.kind, GAP) for token in first), back, tensed)
    for token in second:
        if token.span is not None and token.kind in ("span", "weekday_span"):
            yield token.begin, token.stop, token.span


def _read(
    rules: Grammar, tokens: list[Token], signs: str, back: Moment, tensed: Callable[[list[Token]], Moment | None]
) -> list[Token]:
    """The tokens with every match of `rules` turned into one token that holds its span."""
    seen: list[Token] = []
    end = 0
    for begin, stop, reading, is_tensed in rules.matches(signs):
        seen.extend(tokens[end:begin])
        part, end = tokens[begin:stop], stop
        at = tensed(part) if is_tensed else back
        seen.append(_as_token(part, _safely(reading, part, at) if at else None))
    return [*seen, *tokens[end:]]


def _tensed(text: str, reader: _Reader, back: Moment, prefer: Prefer, part: list[Token]) -> Moment | None:
    """Which way an open weekday, month or holiday looks in its sentence; None where the sentence tells a custom."""
    before, after = _sentence(text, part[0].begin, part[-1].stop)
    if reader.habit.search(before) or reader.habit.search(after):
        return None
    cues = [*reader.tense.finditer(before)][-1:] or [*reader.tense.finditer(after)][:1]
    return replace(back, forward=prefer == "future" or any(cue.lastgroup == "future" for cue in cues))


def _safely(reading: Reading, part: list[Token], at: Moment) -> Span | None:
    """None for a date that the calendar does not have or that lies beyond years 1-9999."""
    try:
        return reading(part, at)
    except (ValueError, OverflowError):
        return None


_LEADING = frozenset("in on at by over for the of from to and".split())


def _as_token(part: list[Token], span: Span | None) -> Token:
    if span is None:
        return Token("gap", part[0].begin, part[-1].stop)
    bare = len(part) == 1 and part[0].kind in ("weekday", "weekday_soft")
    begin = part[0].begin
    if span.start is not None and span.end is not None:
        begin = next((token.begin for token in part if token.kind not in _LEADING), begin)
    return Token("weekday_span" if bare else "span", begin, part[-1].stop, span=span)


def _sentence(text: str, begin: int, stop: int) -> tuple[str, str]:
    """What stands before and after a phrase in its sentence, no more than 120 characters to either side."""
    before = text[max(0, begin - _SENTENCE_REACH) : begin]
    after = text[stop : stop + _SENTENCE_REACH]
    ends = [match.end() for match in _BREAK.finditer(before)]
    tail = _BREAK.search(after)
    return before[ends[-1] if ends else 0 :], after[: tail.start()] if tail else after


def _expressions(text: str, found: list[tuple[int, int, Span]], zone: tzinfo) -> Iterator[TimeExpression]:
    end = 0
    for begin, stop, span in sorted(found, key=lambda item: (item[0], -item[1])):
        interval = _interval(span, zone) if begin >= end else None
        if interval is not None:
            yield TimeExpression(words=text[begin:stop], begin=begin, stop=stop, interval=interval)
            end = stop


def _interval(span: Span, zone: tzinfo) -> Interval | None:
    """The span in UTC. Where the clocks change inside it, its boundaries stay those of the wall clock."""
    try:
        start = _in_utc(span.start, zone)
        end = _in_utc(span.end, zone)
        if start is not None and end is not None and end <= start:
            assert span.start is not None
            assert span.end is not None
            end = start + (span.end - span.start)
        if start is not None and end is not None and end <= start:
            return None
        return Interval(start=start, end=end, precision=span.precision)
    except (ValueError, OverflowError):
        return None


def _in_utc(wall: datetime | None, zone: tzinfo) -> datetime | None:
    return None if wall is None else wall.replace(tzinfo=zone).astimezone(UTC)


def event_interval(text: str, *, now: datetime) -> TimeExpression | None:
    """The phrase that dates what `text` states: the most precise, the first of equally precise ones, None if none."""
    found = find_times(text, now=now)
    return min(found, key=lambda time: joins.RANK.index(time.interval.precision), default=None)
