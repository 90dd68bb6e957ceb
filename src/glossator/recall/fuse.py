"""How do the lanes become one score? The hand-set blend: the declared fallback of the learned ranker, and its ground.

BM25 over the asked terms plus cosine, each scaled to its best row; then context: neighbours in the session, the
session's best rows, the speaker that the question names; then names, phrases and time. Every part has its switch in
`Options.signals`. Equal scores are ordered by row, that is by session, position and id.
"""

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from glossator.model import Pool, Query
from glossator.recall.layout import (
    F32,
    Layout,
    scaled_above_median,
    scaled_to_top,
    session_top,
    shifted,
)
from glossator.recall.moment import time_factor
from glossator.rules.tokens import query_terms

K1, B = 1.2, 0.5
"""BM25 (Robertson and Zaragoza 2009, eq. 3.16) with the length correction halved: turns are short."""
VECTOR_WEIGHT = 0.5
NEAR_WEIGHTS = (0.35, 0.15)
SPEAKER_BOOST = 0.15
SESSION_WEIGHT = 0.2
SESSION_BEST = 3
NAME_BOOST, PHRASE_BOOST, WHEN_BOOST, NOSTALGIA_BOOST = 0.1, 0.3, 0.1, 0.1
BOOST_MAX = 2.0
"""Name, phrase and time boosts together at most double a score: exact words must not beat a far better match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend:
    """Scores per row (n) and per session; `parts` are the signals that went in, for the trace."""

    lexical: F32
    base: F32
    score: F32
    session: F32
    parts: dict[str, F32]


def blend(pool: Pool, layout: Layout, query: Query, *, signals: Set[str]) -> Blend:
    """Score every row of the pool."""
    lexical = bm25(pool, query)
    cosine = pool.similarity if pool.similarity is not None else np.zeros(len(pool), np.float32)
    parts = {"lexical": scaled_to_top(lexical), "vector": scaled_above_median(cosine) * np.float32(VECTOR_WEIGHT)}
    base = (parts["lexical"] + parts["vector"]).astype(np.float32)
    score = base.copy()
    if "neighbours" in signals:
        near = sum(
            (
                weight * (shifted(layout, base, by) + shifted(layout, base, -by))
                for by, weight in enumerate(NEAR_WEIGHTS, 1)
            ),
            np.zeros_like(base),
        )
        parts["neighbours"] = near.astype(np.float32)
        score = score + parts["neighbours"]
    best = session_top(layout, base, SESSION_BEST)
    if "session" in signals:
        parts["session"] = (SESSION_WEIGHT * best[layout.session]).astype(np.float32)
        score = score + parts["session"]
    if query.named:
        parts["speaker"] = (SPEAKER_BOOST * np.isin(pool.speaker, query.named)).astype(np.float32)
        score = score + parts["speaker"]
    factor = _boosts(pool, query, signals, parts)
    score = (score * factor * pool.weight).astype(np.float32)
    return Blend(lexical=lexical, base=base, score=score, session=best, parts=parts)


def bm25(pool: Pool, query: Query) -> F32:
    """BM25 of every row over the query's terms; statistics are those of the whole filtered scope.

    A term counts once a row: in turns of a sentence or two a repeated word says little.
    """
    out = np.zeros(len(pool), np.float32)
    norm = K1 * (1 - B + B * pool.length / max(pool.length_mean, 1.0))
    for term in query.terms:
        rows = pool.postings.get(term)
        if rows is not None and len(rows):
            out[rows] += term_weight(pool, term) * (K1 + 1) / (1 + norm[rows])
    return out


def term_weight(pool: Pool, term: str) -> float:
    """Inverse document frequency in the scope, always positive: ln(1 + (n - df + 0.5) / (df + 0.5))."""
    count = pool.term_counts.get(term, 0)
    return float(np.log1p((pool.chunk_count - count + 0.5) / (count + 0.5)))


def _boosts(pool: Pool, query: Query, signals: Set[str], parts: dict[str, F32]) -> F32:
    factor = np.ones(len(pool), np.float32)
    if "names" in signals:
        factor += _share_boost(pool, query.names, NAME_BOOST, parts, "names")
    if "phrases" in signals:
        factor += _share_boost(pool, query.phrases, PHRASE_BOOST, parts, "phrases")
    if "time" in signals and query.times:
        parts["time"] = time_factor(pool, query)
        factor *= parts["time"]
    if "time" in signals and query.asks_when:
        parts["dated"] = (WHEN_BOOST * pool.own_date).astype(np.float32)
        factor += parts["dated"]
    if "nostalgia" in signals and query.nostalgic:
        parts["nostalgia"] = (NOSTALGIA_BOOST * pool.own_date).astype(np.float32)
        factor += parts["nostalgia"]
    return np.minimum(factor, BOOST_MAX)


def _share_boost(pool: Pool, texts: tuple[str, ...], boost: float, parts: dict[str, F32], name: str) -> F32:
    """The boost times the share of the texts all of whose terms a row has."""
    share = np.zeros(len(pool), np.float32)
    for text in texts:
        postings = [pool.postings.get(term) for term in query_terms(text)]
        if not postings or any(rows is None for rows in postings):
            continue
        rows = postings[0]
        for more in postings[1:]:
            rows = np.intersect1d(rows, more) if rows is not None and more is not None else None
        if rows is not None:
            share[rows] += boost / len(texts)
    if share.any():
        parts[name] = share
    return share
