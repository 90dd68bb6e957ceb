"""How well do the words fit? BM25 of rows and of whole sessions, from the postings of the asked terms.

Robertson and Zaragoza 2009, eq. 3.16. A term counts once a row: in a turn of a sentence or two a repeated word says
little. In a session it counts once for every row that has it.
"""

import numpy as np
from numpy.typing import NDArray

from glossator.model import Pool, Query
from glossator.recall.layout import F32, Bools, Layout

ROW_K1, ROW_B = 1.1, 0.4
"""The length correction is halved for rows: turns are short, and a long one mostly holds more."""
SESSION_K1, SESSION_B = 1.2, 0.75


def asked_terms(pool: Pool, query: Query) -> tuple[str, ...]:
    """The terms of the question that were searched for."""
    return tuple(term for term in query.terms if term in pool.postings)


def rarity(count: int, containing: int) -> float:
    """Inverse document frequency, always positive: ln(1 + (n - df + 0.5) / (df + 0.5))."""
    return float(np.log1p((count - containing + 0.5) / (containing + 0.5)))


def term_weights(pool: Pool, terms: tuple[str, ...]) -> F32:
    """The rarity of each term among the rows of the whole filtered scope."""
    return np.array([rarity(pool.chunk_count, pool.term_counts.get(term, 0)) for term in terms], np.float32)


def session_weights(pool: Pool, layout: Layout, terms: tuple[str, ...]) -> F32:
    """The rarity of each term among sessions."""
    count = len(layout.bounds)
    found = [len(np.unique(layout.session[pool.postings[term]])) for term in terms]
    return np.array([rarity(count, containing) for containing in found], np.float32)


def row_bm25(pool: Pool, query: Query) -> F32:
    """BM25 of every row."""
    out = np.zeros(len(pool), np.float32)
    terms = asked_terms(pool, query)
    norm = ROW_K1 * (1 - ROW_B + ROW_B * pool.length / max(pool.length_mean, 1.0))
    for term, weight in zip(terms, term_weights(pool, terms), strict=True):
        rows = pool.postings[term]
        out[rows] += weight * (ROW_K1 + 1) / (1 + norm[rows])
    return out


def session_bm25(pool: Pool, layout: Layout, query: Query, *, only: Bools | None = None) -> F32:
    """BM25 of every session as one text, or of those of its rows that `only` marks."""
    count = len(layout.bounds)
    out = np.zeros(count, np.float32)
    if not count:
        return out
    length: NDArray[np.float64] = (pool.length if only is None else np.where(only, pool.length, 0)).astype(np.float64)
    size = np.add.reduceat(length, layout.bounds)
    norm = SESSION_K1 * (1 - SESSION_B + SESSION_B * size / max(float(size.mean()), 1.0))
    terms = asked_terms(pool, query)
    for term, weight in zip(terms, session_weights(pool, layout, terms), strict=True):
        rows = pool.postings[term] if only is None else pool.postings[term][only[pool.postings[term]]]
        times = np.bincount(layout.session[rows], minlength=count)
        out += (weight * times * (SESSION_K1 + 1) / (times + norm)).astype(np.float32)
    return out
