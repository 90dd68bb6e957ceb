"""When does a stored fact say what a gold point says? Shared content words and equal numbers; no model, no judge.

A text's content words are its stemmed terms without stop words, single letters, the person's own name and words for
the speaker. A gold point is matched by one fact that has at least a `share` of its content words and of its numbers.
The share was chosen by reading 60 pairs of a gold point and its nearest sentence, see docs/evaluation.md.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from glossator.rules.stopwords import ENGLISH
from glossator.rules.tokens import index_terms

__all__ = ["LOOSE", "MAIN", "STRICT", "Words", "has_words", "one_supports", "overlap", "share_of", "words_of"]

MAIN = 0.5
"""Of the pairs read, those at or above it said the same in about 7 of 10 cases, those below it in 1 of 4."""
STRICT = 0.65
LOOSE = 0.35
SPEAKER_WORDS = frozenset(index_terms("user user's speaker assistant ai person"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The content words of a text; `numbers` are those of them that have a digit."""

    content: frozenset[str]
    numbers: frozenset[str]


def words_of(text: str, names: Iterable[str] = ()) -> Words:
    """The content words of `text`, the person's own `names` left out."""
    return _words(text, frozenset(term for name in names for term in index_terms(name)))


@lru_cache(maxsize=50_000)
def _words(text: str, names: frozenset[str]) -> Words:
    content = frozenset(
        term
        for term in index_terms(text)
        if term not in ENGLISH and term not in SPEAKER_WORDS and term not in names and not _letter(term)
    )
    return Words(content=content, numbers=frozenset(term for term in content if any(map(str.isdigit, term))))


def _letter(term: str) -> bool:
    """A single Latin letter says nothing; a single digit or Han character does."""
    return len(term) == 1 and term.isascii() and not term.isdigit()


def share_of(gold: Words, fact: Words) -> float:
    """How much of the gold point's content words one fact has, 0 where the numbers leave too little of it.

    The smaller of the shares of words and of numbers: a fact with another number does not say the same.
    """
    return overlap(gold, fact.content)


def overlap(wanted: Words, given: Collection[str]) -> float:
    """The share of the wanted words, or of the wanted numbers where that is smaller, among the given terms."""
    if not wanted.content:
        return 0.0
    words = sum(term in given for term in wanted.content) / len(wanted.content)
    if not wanted.numbers:
        return words
    return min(words, sum(term in given for term in wanted.numbers) / len(wanted.numbers))


def one_supports(fact: Words, gold: Words, share: float) -> bool:
    """Whether fact and gold point are about the same: either has at least `share` of the other's words."""
    return max(share_of(gold, fact), share_of(fact, gold)) >= share


def has_words(text: str, phrase: str) -> bool:
    """Whether the terms of `phrase` stand in `text` one after the other; "25" is also found in "25th" and "25k"."""
    wanted, given = index_terms(phrase), index_terms(text)
    if not wanted:
        return False
    return any(
        all(_same(term, given[place + step]) for step, term in enumerate(wanted))
        for place in range(len(given) - len(wanted) + 1)
    )


def _same(wanted: str, given: str) -> bool:
    if wanted == given:
        return True
    return wanted.isdigit() and given.startswith(wanted) and given[len(wanted) :].isalpha()
