"""Has what was found to do with the request at all? A floor, so that unrelated memory does not steer the answer.

Recall always finds something best. What it says of a hit in absolute terms (its trace) is the ground here: how well the
word pieces of the request are answered, the cosine, and the share of the request's words that the hit has. The numbers
were chosen on half of the development data so that 98 to 99 % of the answerable questions keep their evidence, and
measured on the other half: bench/context.py, docs/context.md.
"""

from collections.abc import Sequence

from glossator.model import Hit
from glossator.rules.tokens import query_terms

COSINE_WEIGHT, WORDS_WEIGHT = 0.5, 0.2
FLOOR = 0.40
"""For embedders that give word pieces, as the default one does."""
WORDS_FLOOR = 0.25
"""Where there are no word pieces: the share of the request's words that the best hit must have ..."""
COSINE_FLOOR = 0.45
"""... unless its cosine is as high as this, and the embedder knows the language."""


def has_bearing(request: str, hits: Sequence[Hit], *, cosines: bool) -> bool:
    """True if the best of the hits clears the floor.

    `hits` carry traces. `cosines` says that cosines tell something where there are no word pieces: they do not where
    the embedder does not know the language.
    """
    terms = frozenset(query_terms(request))
    return any(_clears(hit, terms, cosines) for hit in hits)


def shares_words(terms: frozenset[str], text: str) -> bool:
    """True if the text has as many of the request's terms as the floor asks for."""
    return bool(terms) and len(terms.intersection(query_terms(text))) / len(terms) >= WORDS_FLOOR


def _clears(hit: Hit, terms: frozenset[str], cosines: bool) -> bool:
    if hit.trace is None:  # a fact for which no words stand: it has matched by itself
        return shares_words(terms, hit.text)
    signals = hit.trace.signals
    words_share = len(terms.intersection(hit.trace.matched_terms)) / max(len(terms), 1)
    cosine = signals.get("cosine", 0.0)
    late = signals.get("late")
    if late is None:
        return words_share >= WORDS_FLOOR or (cosines and cosine >= COSINE_FLOOR)
    return late + COSINE_WEIGHT * cosine + WORDS_WEIGHT * words_share >= FLOOR
