"""Do the words of a text carry a statement: its telling words, its numbers, its names?

Dates that the time phrases of the text come to count as said: "last March" carries "2023-03".
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache

import regex

from glossator.model import Interval, Passage
from glossator.rules.instants import local_time
from glossator.rules.patterns import late
from glossator.rules.stopwords import ENGLISH
from glossator.rules.timex import find_times
from glossator.rules.tokens import fold, index_terms

OVERLAP_MIN = 0.5
"""Share of a statement's telling words that a sentence must have to be its evidence without a quote."""
OVERLAP_QUOTED_MIN = 0.25
"""The same where the model quoted the turn: its own words may differ, but not altogether."""
NAME_LETTERS_MIN = 4
NAME_ENDING_MAX = 2
"""Names are inflected ("Berlin", "Berliner"; "Москва", "Москве"): all but the last two letters must agree."""

_WORD = late(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*+(?:['’ʼ-][\p{L}\p{M}\p{N}]++)*+")
_CAPITALISED = late(r"\p{Lu}[\p{L}\p{M}\p{N}'’ʼ-]*+")
_PARTS = late(r"['’ʼ-]")
_POSSESSIVE = late(r"['’ʼ]s?$")
_SENTENCE_START = late(r"(?:^|[.!?:]\s+|\n)[\"'“”‘’(]*$")
_NUMBER = late(r"\d++(?:[.,]\d++)*+(?::00)?(?=\s?(k|m|thousand|million|pm|p\.m\.)?)", regex.IGNORECASE)
_FACTORS = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000}
_NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
_PRONOUN_LIKE = frozenset({"one", "zero"})
OPENERS = frozenset(
    """
    user users speaker assistant agent team project prefers likes loves enjoys hates dislikes wants works lives uses has
    plans needs owns is does avoids keeps takes speaks studies responses answers emails meetings reports every always
    never only der die das ein eine le la les un une el los las una il lo
    """.split()
)
"""Words with which statements begin, and that are no names though they are written large."""
_WEAK = frozenset(
    index_terms(
        "like love enjoy prefer hate dislike want need wish hope plan own feel think say use know never always not no "
        "currently really today yesterday monday tuesday wednesday thursday friday saturday sunday january february "
        "april june july august september october november december"
    )
)
"""A taste is told by what is liked, not by the liking; dates are checked apart."""
USER_WORDS = frozenset(
    word
    for written in "user users nutzer nutzerin benutzer utilisateur usuario usuaria пользователь 用户 ユーザー".split()
    for word in (*index_terms(written), fold(written))
)
"""They only name the speaker."""
_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


def shared_share(fact: str, text: str, *, speaking: frozenset[str]) -> float:
    """The share of a statement's telling terms that stand in the text too."""
    told = telling_terms(fact) - speaking
    return len(told & set(index_terms(text))) / len(told) if told else 0.0


def telling_terms(text: str) -> frozenset[str]:
    """Index terms that tell what a statement is about: no grammar, no weak words, and no numbers (checked apart)."""
    terms = frozenset(
        term for term in index_terms(text) if term not in ENGLISH and not any(letter.isdigit() for letter in term)
    )
    return terms - _WEAK or terms


def unsupported_number(fact: str, texts: Iterable[str], passages: tuple[Passage, ...]) -> str | None:
    """A number of the statement that the texts do not have and no time phrase in them comes to, or None."""
    known: set[str] = set()
    for text in texts:
        known.update(*(forms for _, forms in _numbers(text)))
    pending = [written for written, forms in _numbers(fact) if not forms & known]
    if not pending:
        return None
    dated = _dated_words(passages)
    return next((written for written in pending if (written.lstrip("0") or "0") not in dated), None)


def unsupported_name(
    fact: str, texts: Iterable[str], passages: tuple[Passage, ...], *, speaking: frozenset[str]
) -> str | None:
    """A capitalised word of the statement that the texts do not have, or None.

    The first word of a sentence counts too, unless it is a usual beginning: a wrong refusal costs a fact that stays in
    the verbatim text, an invented name would cost trust.
    """
    written: set[str] = {fold(word) for text in texts for word in _WORD.findall(text)}
    parts = written | speaking | {part for word in written for part in _PARTS.split(word)}
    for match in _WORD.finditer(fact):
        word = str(_POSSESSIVE.sub("", match.group()))
        low = fold(word)
        if not _CAPITALISED.fullmatch(word) or low in parts or (low in ENGLISH and low not in _MONTHS):
            continue
        if low in OPENERS and _SENTENCE_START.search(fact, 0, match.start()):
            continue
        if not _is_inflected(low, parts) and _PARTS.split(low)[0] not in _dated_words(passages):
            return word
    return None


def _is_inflected(name: str, words: Iterable[str]) -> bool:
    """Is it one of the words but for its ending?"""
    for word in words:
        shorter = min(len(word), len(name))
        needed = max(NAME_LETTERS_MIN, shorter - NAME_ENDING_MAX)
        if shorter >= needed and word[:needed] == name[:needed]:
            return True
    return False


def _numbers(text: str) -> list[tuple[str, frozenset[str]]]:
    """Each number as written, with the forms in which it may stand elsewhere: "50K" is 50 and 50000, "7pm" 7 and 19."""
    found: list[tuple[str, frozenset[str]]] = []
    for match in _NUMBER.finditer(text):
        plain = match.group().removesuffix(":00").replace(",", "")
        forms = {plain, plain.lstrip("0") or "0", match.group()}
        unit = (match.group(1) or "").lower()
        whole = plain.replace(".", "", 1)
        if unit in _FACTORS and whole.isascii() and whole.isdigit() and len(whole) < 15:
            forms.add(f"{float(plain) * _FACTORS[unit]:.0f}")
        elif unit.startswith("p") and plain.isascii() and plain.isdigit() and len(plain) < 3:
            forms.add(str(int(plain) + 12))
        found.append((match.group(), frozenset(forms)))
    for word in _WORD.findall(fold(text)):
        if word in _NUMBER_WORDS and word not in _PRONOUN_LIKE:
            found.append((word, frozenset({_NUMBER_WORDS[word]})))
    return found


@lru_cache(maxsize=8)
def _dated_words(passages: tuple[Passage, ...]) -> frozenset[str]:
    """Years, months, days and weekdays that the time phrases of the passages come to."""
    words: set[str] = set()
    for passage in passages:
        now = local_time(passage.said)
        for time in find_times(passage.text, now=now):
            for day in _days(time.interval, now):
                month = _MONTHS[day.month - 1]
                words.update((str(day.year), f"{day.year // 10 * 10}s", str(day.month), str(day.day)))
                words.update((month, month[:3], _WEEKDAYS[day.weekday()]))
    return frozenset(words)


def _days(interval: Interval, now: datetime) -> list[datetime]:
    """The first and the last day of an interval, in the speaker's zone."""
    days = [interval.start] if interval.start is not None else []
    if interval.end is not None:
        days.append(interval.end - timedelta(seconds=1))
    return [day.astimezone(now.tzinfo) for day in days]


def counted(reasons: Iterable[str]) -> Mapping[str, int]:
    """How often each reason was given, in order of first use."""
    counts: dict[str, int] = {}
    for reason in reasons:
        counts[reason] = counts.get(reason, 0) + 1
    return counts
