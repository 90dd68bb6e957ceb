"""Which numbers does the learned ranker see of a candidate row?

One column per feature, one row per candidate, computed in a few vectorised passes; the order of the columns is the
ranker's affair (its card names them). Scores are given relative to the best of the scope, so that a scope of forty
turns and one of forty thousand look alike.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glossator.model import ROLES, Pool, Query
from glossator.recall.fuse import Blend, with_late
from glossator.recall.layout import F32, I32, Bools, Layout, scaled_above_median
from glossator.recall.lexical import ROW_K1, asked_terms, term_weights
from glossator.recall.products import products
from glossator.rules.marks import ASKS, DATE, ENDS_ASKING, FIRST_PERSON, NAME, NUMBER
from glossator.rules.questions import KINDS, asks_first, asks_newest, question_kind

Columns = dict[str, F32]
NEAR = (-3, -2, -1, 1, 2, 3)
TINY = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The candidate rows with their neighbours in the session, clipped to the pool, and whether they exist."""

    rows: I32
    at: dict[int, I32]
    exists: dict[int, Bools]

    def take(self, x: NDArray[np.float32], by: int) -> F32:
        """`x` of each candidate's neighbour `by` places on; 0 where there is none."""
        return np.where(self.exists[by], x[self.at[by]], 0).astype(np.float32)


def feature_matrix(
    pool: Pool, layout: Layout, query: Query, blended: Blend, rows: I32, *, late: Mapping[str, F32]
) -> Columns:
    """The features of the candidate rows, by name. `rows` are ordered by the blend, best first; `late` are the
    columns of late interaction (recall/late.py), empty where the embedder gives no word pieces.
    """
    seen = _seen(layout, rows)
    similarity = known_similarity(pool)
    columns: Columns = {}
    columns |= _lexical(pool, layout, query, blended, seen)
    columns |= _vector(layout, similarity, seen)
    columns |= _blend(layout, blended, seen)
    columns |= _speaker(pool, query, seen)
    columns |= _turn(pool, layout, seen, columns["turn_change"])
    columns |= question_columns(query, len(rows))
    columns |= _answering(query, columns)
    columns |= _feedback(pool, rows, similarity)
    columns |= late
    columns["blend"] = with_late(blended.score[rows], late)
    return {name: np.asarray(column, np.float32) for name, column in columns.items()}


def _seen(layout: Layout, rows: I32) -> _Seen:
    last = len(layout.session) - 1
    at = {by: np.clip(rows + by, 0, last).astype(np.int32) for by in (0, *NEAR)}
    exists = {by: (rows + by >= layout.start[rows]) & (rows + by < layout.stop[rows]) for by in (0, *NEAR)}
    return _Seen(rows=rows, at=at, exists=exists)


def known_similarity(pool: Pool) -> F32:
    """Cosines; a row that is not embedded yet counts as the median of those that are."""
    if pool.similarity is None:
        return np.zeros(len(pool), np.float32)
    known = pool.similarity[~np.isnan(pool.similarity)]
    return np.nan_to_num(pool.similarity, nan=float(np.median(known)) if len(known) else 0.0)


def ranks(x: F32, rows: I32) -> F32:
    """log(1 + how many rows of the pool are better)."""
    ordered = np.sort(x)
    return np.log1p(len(x) - np.searchsorted(ordered, x[rows], side="right")).astype(np.float32)


def _lexical(pool: Pool, layout: Layout, query: Query, blended: Blend, seen: _Seen) -> Columns:
    terms = asked_terms(pool, query)
    weights = term_weights(pool, terms)
    total = max(float(weights.sum()), TINY)
    best = max(float(blended.lexical.max()), TINY)
    hit = np.zeros((len(terms), len(pool)), np.bool_)
    in_session = np.zeros((len(terms), len(layout.bounds)), np.bool_)
    for place, term in enumerate(terms):
        hit[place, pool.postings[term]] = True
        in_session[place, layout.session[pool.postings[term]]] = True
    near = {by: hit[:, at] & seen.exists[by] for by, at in seen.at.items()}
    own = near[0]
    lexical = blended.lexical[seen.rows]

    def cover(hits: Bools) -> F32:
        return (weights @ hits / total).astype(np.float32)

    window1 = own | near[-1] | near[1]
    window2 = window1 | near[-2] | near[2]
    columns = {
        "bm25_top": lexical / best,
        "bm25_abs": lexical / (total * (ROW_K1 + 1)),
        "bm25_rank": ranks(blended.lexical, seen.rows),
        "bm25_prev": seen.take(blended.lexical, -1) / best,
        "bm25_next": seen.take(blended.lexical, 1) / best,
        "cover": cover(own),
        "cover_terms": own.sum(0) / max(len(terms), 1),
        "hits": own.sum(0),
        "rarest": (weights[:, None] * own).max(0, initial=0.0) / max(float(weights.max(initial=0.0)), TINY),
        "cover_prev": cover(near[-1]),
        "cover_next": cover(near[1]),
        "cover_w1": cover(window1),
        "cover_w2": cover(window2),
        "cover_w3": cover(window2 | near[-3] | near[3]),
        "cover_session": cover(in_session)[layout.session[seen.rows]],
        "pairs": (own[1:] & own[:-1]).sum(0),
    }
    alone = np.maximum(np.maximum(columns["cover_prev"], columns["cover_next"]), columns["cover"])
    return columns | {"cover_gain1": columns["cover_w1"] - alone}


def _vector(layout: Layout, similarity: F32, seen: _Seen) -> Columns:
    session = layout.session[seen.rows]
    top = float(similarity.max())
    scaled = scaled_above_median(similarity)
    around = (-2, -1, 0, 1, 2)
    count = np.sum([seen.exists[by] for by in around], axis=0)
    best = np.maximum.reduceat(similarity, layout.bounds)
    mean = np.add.reduceat(similarity, layout.bounds) / layout.sizes
    return {
        "sim": similarity[seen.rows],
        "sim_gap": similarity[seen.rows] - top,
        "sim_scaled": scaled[seen.rows],
        "sim_rank": ranks(similarity, seen.rows),
        "sim_prev": seen.take(scaled, -1),
        "sim_next": seen.take(scaled, 1),
        "sim_next2": seen.take(scaled, 2),
        "sim_window": np.sum([seen.take(similarity, by) for by in around], axis=0) / count,
        "sim_session": best[session] - top,
        "sim_session_mean": mean[session],
    }


def _blend(layout: Layout, blended: Blend, seen: _Seen) -> Columns:
    session = layout.session[seen.rows]
    base_top = max(float(blended.base.max()), TINY)
    best = np.maximum.reduceat(blended.base, layout.bounds)
    columns = {
        "base": blended.base[seen.rows] / base_top,
        "base_rank": ranks(blended.base, seen.rows),
        "score": blended.score[seen.rows] / max(float(blended.score.max()), TINY),
        "score_rank": np.log1p(np.arange(len(seen.rows))),
        "session_best": best[session] / max(float(best.max()), TINY),
        "session_top3": blended.best[session] / max(float(blended.best.max()), TINY),
        "session_rank": ranks(blended.best, session),
        "session_text": blended.human_text[session] / max(float(blended.human_text.max()), TINY),
        "session_text_rank": ranks(blended.human_text, session),
        "session_share": blended.base[seen.rows] / np.maximum(best[session], TINY),
    }
    near = {f"base_{'prev' if by < 0 else 'next'}{abs(by)}": seen.take(blended.base, by) / base_top for by in NEAR}
    return columns | near


def _speaker(pool: Pool, query: Query, seen: _Seen) -> Columns:
    speaker = pool.speaker[seen.rows]
    named = np.isin(speaker, query.named)
    changed = seen.exists[-1] & (pool.speaker[seen.at[-1]] != speaker)
    return {
        "named": np.where(named, 1.0, -1.0) if query.named else np.zeros(len(speaker)),
        "named_count": np.full(len(speaker), len(query.named)),
        "turn_change": changed,
        "role": pool.role[seen.rows],
    }


def _turn(pool: Pool, layout: Layout, seen: _Seen, turn_change: F32) -> Columns:
    rows = seen.rows
    marks = pool.marks[rows]
    before = np.where(seen.exists[-1], pool.marks[seen.at[-1]], 0)
    bits = {"date": DATE, "number": NUMBER, "capital": NAME, "asks": ASKS, "first_person": FIRST_PERSON}
    columns = {name: (marks & bit) > 0 for name, bit in (bits | {"ends_asking": ENDS_ASKING}).items()}
    return columns | {
        "length": np.log1p(pool.length[rows]),
        "answers": ((before & ENDS_ASKING) > 0) & (turn_change > 0),
        "from_start": np.log1p(rows - layout.start[rows]),
        "from_end": np.log1p(layout.stop[rows] - 1 - rows),
        "recency": layout.session[rows] / max(len(layout.bounds) - 1, 1),
        "assistants": np.full(len(rows), float((pool.role == ROLES.index("assistant")).mean())),
        "sessions": np.full(len(rows), np.log1p(len(layout.bounds))),
    }


def question_columns(query: Query, count: int) -> Columns:
    """What the question itself is like, the same for every row."""
    newest = float(asks_newest(query.text)) - float(asks_first(query.text))
    return {
        "kind": np.full(count, KINDS.index(question_kind(query.text)), np.float32),
        "q_terms": np.full(count, len(query.terms), np.float32),
        "q_words": np.full(count, np.log1p(len(query.text.split())), np.float32),
        "q_recent": np.full(count, newest, np.float32),
    }


def _answering(query: Query, columns: Columns) -> Columns:
    """Does the row hold the sort of thing that the question asks for?"""
    kind = question_kind(query.text)
    return {
        "when_date": columns["date"] * np.float32(kind == "when"),
        "many_number": columns["number"] * np.float32(kind == "how_many"),
        "where_capital": columns["capital"] * np.float32(kind in ("where", "who")),
    }


def _feedback(pool: Pool, rows: I32, similarity: F32) -> Columns:
    """Likeness to the best rows: what is told twice, and what stands near the likeliest answers."""
    count = len(rows)
    if pool.vectors is None or count < 2:
        return {name: np.zeros(count, np.float32) for name in ("like_first", "like_top3", "like_top10", "rocchio")}
    vectors = pool.vectors[rows]
    heads = vectors[:10]
    centre = heads[:5].mean(0)
    between = products(vectors, np.vstack([heads, centre]))
    mixed = similarity[rows] + 0.5 * between[:, -1]
    between = between[:, :-1]
    itself = np.arange(count)[:, None] == np.arange(len(heads))[None, :]
    others = np.where(itself, np.nan, between)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return {
            "like_first": np.where(itself[:, 0], between[:, 1:3].max(1), between[:, 0]),
            "like_top3": np.nanmax(others[:, : min(4, count)], 1),
            "like_top10": np.nanmean(others, 1),
            "rocchio": mixed / max(float(np.linalg.norm(centre)), TINY),
        }
