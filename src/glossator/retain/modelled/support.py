"""Which words of a turn are the evidence of a statement?"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from glossator.model import Passage
from glossator.retain.chunk import split_text
from glossator.rules.support import OVERLAP_MIN, telling_terms
from glossator.rules.tokens import index_terms

QUOTE_LETTERS_MIN = 2
"""A shorter quote stands everywhere."""
EVIDENCE_CHARACTERS_MAX = 400
"""A sentence that is longer is no sentence; the quote alone is the evidence then."""
_MARKS = str.maketrans(
    {"‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "‹": "<", "›": ">", "–": "-", "—": "-"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The evidence `passages[passage].text[start:end]`, and whether the model's own quote led to it."""

    passage: int
    start: int
    end: int
    quoted: bool


def located(quote: str, fact: str, passages: Sequence[Passage], *, speaking: frozenset[str]) -> Span | None:
    """Where the evidence stands: around the quote, else the sentence that shares most words with the statement.

    The user's passages come before others. `speaking` are words that only name the speaker. None where nothing fits.
    """
    order = sorted(range(len(passages)), key=lambda place: passages[place].role != "user")
    order = [place for place in order if passages[place].role != "system"]
    words = quote.strip().strip(".…\"'“”‘’ ")
    if sum(letter.isalnum() for letter in words) >= QUOTE_LETTERS_MIN:
        for find in (_exactly, _loosely):
            for place in order:
                found = find(passages[place].text, words)
                if found is not None:
                    start, end = _widened(passages[place].text, *found)
                    return Span(passage=place, start=start, end=end, quoted=True)
    return _likeliest(fact, passages, order, speaking)


def _exactly(text: str, words: str) -> tuple[int, int] | None:
    start = text.find(words)
    return (start, start + len(words)) if start >= 0 else None


def _loosely(text: str, words: str) -> tuple[int, int] | None:
    """As `_exactly`, whatever the case, the white space and the shape of quotation marks and dashes."""
    plain, places = _plain(text)
    wanted, _ = _plain(words)
    wanted = wanted.strip()
    start = plain.find(wanted) if wanted else -1
    return (places[start], places[start + len(wanted) - 1] + 1) if start >= 0 else None


def _plain(text: str) -> tuple[str, list[int]]:
    """The text folded letter by letter, with the place in the original of each letter."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text.translate(_MARKS)):
        if letter.isspace():
            if letters and letters[-1] != " ":
                letters.append(" ")
                places.append(place)
            continue
        for part in unicodedata.normalize("NFKC", letter).casefold():
            letters.append(part)
            places.append(place)
    return "".join(letters), places


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentences around a quote: who asks why wants to see the "not" before it too."""
    inside = [span for span in _sentences(text) if span[0] < end and span[1] > start]
    if not inside or inside[-1][1] - inside[0][0] > EVIDENCE_CHARACTERS_MAX:
        return start, end
    return min(start, inside[0][0]), max(end, inside[-1][1])


def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    return split_text(text, strategy="sentences", characters_max=EVIDENCE_CHARACTERS_MAX)


def _likeliest(fact: str, passages: Sequence[Passage], order: Sequence[int], speaking: frozenset[str]) -> Span | None:
    told = telling_terms(fact) - speaking
    best: tuple[float, Span] | None = None
    for place in order if told else ():
        if best is not None and passages[place].role != "user":
            break
        for start, end, terms in _sentence_terms(passages[place].text):
            share = len(told & terms) / len(told)
            if share >= OVERLAP_MIN and (best is None or share > best[0]):
                best = share, Span(passage=place, start=start, end=end, quoted=False)
    return best[1] if best else None


@lru_cache(maxsize=8)
def _sentence_terms(text: str) -> tuple[tuple[int, int, frozenset[str]], ...]:
    """The sentences of a passage, which every item of a reply is held against."""
    return tuple((start, end, frozenset(index_terms(text[start:end]))) for start, end in _sentences(text))
