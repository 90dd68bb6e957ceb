"""Which numbers does the learned ranker see of a session?

One row per session. The turn ranking goes in as columns (its best row, how much of its weight the session holds, how
many of the first 5, 20 and 50 rows), beside what the session says as a whole.
"""

import numpy as np
from numpy.typing import NDArray

from glossator.model import ROLES, Pool, Query
from glossator.recall.features import TINY, Columns, known_similarity, question_columns, ranks
from glossator.recall.fuse import Blend
from glossator.recall.layout import F32, I32, Bools, Layout, session_top
from glossator.recall.lexical import SESSION_K1, asked_terms, session_weights

DAY_S = 86_400.0
FIRST = (5, 20, 50)


def session_columns(pool: Pool, layout: Layout, query: Query, blended: Blend) -> Columns:
    """The features of every session that do not depend on the turn ranking, by name."""
    human = pool.role != ROLES.index("assistant")
    columns: Columns = {}
    columns |= _words(pool, layout, query, blended, human)
    columns |= _blend(layout, blended)
    columns |= _meaning(layout, known_similarity(pool), human)
    columns |= _place(pool, layout)
    columns |= question_columns(query, len(layout.bounds))
    return {name: np.asarray(column, np.float32) for name, column in columns.items()}


def ranking_columns(where: I32, vectors: F32 | None, score: NDArray[np.float32], *, count: int) -> Columns:
    """What the turn ranking says of each of `count` sessions.

    For the ranked candidates, best first: `where` is the session of each, `vectors` their vectors, `score` their score.
    """
    behind = score - score.max(initial=-np.inf)
    first = np.full(count, float(behind.min(initial=0.0)), np.float32)
    np.maximum.at(first, where, behind.astype(np.float32))
    weight = np.exp(behind)
    like = np.zeros(count, np.float32)
    if vectors is not None and len(where) > 1:
        near = vectors @ vectors[:5].mean(0)
        like = np.full(count, float(near.min()), np.float32)
        np.maximum.at(like, where, near)
        like -= float(near.max())
    depths = {f"turn_in{depth}": np.bincount(where[:depth], minlength=count).astype(np.float32) for depth in FIRST}
    mass = np.bincount(where, weight, count) / max(float(weight.sum()), TINY)
    return depths | {
        "turn_best": first,
        "turn_rank": ranks(first, np.arange(count, dtype=np.int32)),
        "turn_mass": mass.astype(np.float32),
        "like": like,
    }


def _top(x: F32) -> F32:
    return (x / max(float(x.max()), TINY)).astype(np.float32)


def _everything(layout: Layout) -> I32:
    return np.arange(len(layout.bounds), dtype=np.int32)


def _words(pool: Pool, layout: Layout, query: Query, blended: Blend, human: Bools) -> Columns:
    every = _everything(layout)
    terms = asked_terms(pool, query)
    weights = session_weights(pool, layout, terms)
    total = max(float(weights.sum()), TINY)
    holds = np.zeros((len(terms), len(every)), np.bool_)
    human_holds = np.zeros_like(holds)
    for place, term in enumerate(terms):
        rows = pool.postings[term]
        holds[place, layout.session[rows]] = True
        human_holds[place, layout.session[rows[human[rows]]]] = True
    best = np.maximum.reduceat(blended.lexical, layout.bounds)
    return {
        "whole": _top(blended.text),
        "whole_rank": ranks(blended.text, every),
        "whole_abs": blended.text / (total * (SESSION_K1 + 1)),
        "mine": _top(blended.human_text),
        "mine_rank": ranks(blended.human_text, every),
        "row": _top(best),
        "row_rank": ranks(best, every),
        "row_mine": _top(np.maximum.reduceat(np.where(human, blended.lexical, 0), layout.bounds)),
        "cover": weights @ holds / total,
        "cover_mine": weights @ human_holds / total,
    }


def _blend(layout: Layout, blended: Blend) -> Columns:
    every = _everything(layout)
    base = np.maximum.reduceat(blended.base, layout.bounds)
    score = np.maximum.reduceat(blended.score, layout.bounds)
    named = {"base": base, "base3": blended.best, "score": score}
    return {name: _top(x) for name, x in named.items()} | {f"{name}_rank": ranks(x, every) for name, x in named.items()}


def _meaning(layout: Layout, similarity: F32, human: Bools) -> Columns:
    highest = np.maximum.reduceat(similarity, layout.bounds)
    highest_human = np.maximum.reduceat(np.where(human, similarity, -1), layout.bounds)
    mean = np.add.reduceat(similarity, layout.bounds) / layout.sizes
    best = session_top(layout, np.maximum(similarity, 0), 3)
    return {
        "sim": highest - highest.max(),
        "sim_rank": ranks(highest, _everything(layout)),
        "sim_raw": highest,
        "sim_mine": highest_human - highest_human.max(),
        "sim_mean": mean - mean.max(),
        "sim3": best - best.max(),
    }


def _place(pool: Pool, layout: Layout) -> Columns:
    every = _everything(layout)
    count = len(every)
    said = pool.said_at[layout.bounds]
    return {
        "rows": np.log1p(layout.sizes),
        "recency": every / max(count - 1, 1),
        "back": np.log1p(count - 1 - every),
        "age": np.log1p(np.maximum(float(said.max()) - said, 0) / DAY_S),
        "assistants": np.full(count, float((pool.role == ROLES.index("assistant")).mean())),
        "sessions": np.full(count, np.log1p(count)),
    }
