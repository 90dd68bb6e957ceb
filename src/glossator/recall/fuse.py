"""How do the lanes become one score? The hand-set blend: the declared fallback of the learned ranker, and its ground.

BM25 over the asked terms plus cosine, each scaled to its best row; then context: neighbours in the session, the
session's best rows and its text as a whole, the speaker that the question names; then names, phrases and time. Every
part has its switch in `Options.signals`. Equal scores are ordered by row, that is by session, position and id.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

import numpy as np

from glossator.model import ROLES, Pool, Query
from glossator.recall.layout import (
    F32,
    I32,
    Layout,
    scaled_above_median,
    scaled_to_top,
    session_top,
    shifted,
)
from glossator.recall.lexical import row_bm25, session_bm25
from glossator.recall.moment import time_factor
from glossator.rules.tokens import query_terms

VECTOR_WEIGHT = 0.6
ASSISTANT_WEIGHT = 0.75
"""What the assistant said counts less than what a person said: memory is asked about the user."""
NEAR_WEIGHTS = (0.3, 0.12)
SPEAKER_BOOST = 0.15
SESSION_BEST_WEIGHT, SESSION_TEXT_WEIGHT = 0.2, 0.25
SESSION_BEST = 3
LATE_WEIGHTS = (0.35, 0.35)
PLAIN_SHARE = 0.5
SECOND_WEIGHT = 0.3
NAME_BOOST, PHRASE_BOOST, WHEN_BOOST, NOSTALGIA_BOOST = 0.1, 0.3, 0.1, 0.1
BOOST_MAX = 2.0
"""Name, phrase and time boosts together at most double a score: exact words must not beat a far better match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend:
    """Scores per row (`lexical`, `base`, `score`) and per session (`best`: mean of the best three rows, `text`: BM25
    of all that was said, `human_text`: of what people said); `parts` are the signals that went in, for the trace.
    """

    lexical: F32
    base: F32
    score: F32
    best: F32
    text: F32
    human_text: F32
    parts: dict[str, F32]


def blend(pool: Pool, layout: Layout, query: Query, *, signals: Set[str], trust: float = 1.0) -> Blend:
    """Score every row of the pool.

    `trust` is how far the embedder knows the question's language, 1 where there is none: cosines and context count that
    much. On MemDaily (Chinese) both only push the right row down: Recall@5 92.5 with context, 95.6 without.
    """
    lexical = row_bm25(pool, query)
    cosine = pool.similarity if pool.similarity is not None else np.zeros(len(pool), np.float32)
    parts = {
        "lexical": scaled_to_top(lexical),
        "vector": scaled_above_median(cosine) * np.float32(VECTOR_WEIGHT * trust),
    }
    base = (parts["lexical"] + parts["vector"]).astype(np.float32)
    human = pool.role != ROLES.index("assistant")
    if "speaker" in signals and not human.all():
        base = np.where(human, base, ASSISTANT_WEIGHT * base).astype(np.float32)
    text = session_bm25(pool, layout, query)
    human_text = text if human.all() else session_bm25(pool, layout, query, only=human)
    best = session_top(layout, base, SESSION_BEST)
    if "neighbours" in signals:
        parts["neighbours"] = _near(layout, base)
    if "session" in signals:
        whole = SESSION_BEST_WEIGHT * best + SESSION_TEXT_WEIGHT * scaled_to_top(human_text)
        parts["session"] = whole[layout.session].astype(np.float32)
    if query.named:
        parts["speaker"] = (SPEAKER_BOOST * np.isin(pool.speaker, query.named)).astype(np.float32)
    context = [parts[name] for name in ("neighbours", "session", "speaker") if name in parts]
    factor = _boosts(pool, query, signals, parts)
    score = ((base + np.float32(trust) * sum(context, np.zeros_like(base))) * factor * pool.weight).astype(np.float32)
    return Blend(
        lexical=lexical, base=base, score=score, best=best, text=text, human_text=human_text, parts=parts
    )  # fmt: skip


def best_row(blended: Blend) -> I32:
    """The row with the highest score, none where nothing has one."""
    top = np.argsort(-blended.score, kind="stable")[:1].astype(np.int32)
    return top[blended.score[top] > 0]


def with_second(first: Blend, second: Blend) -> Blend:
    """The first blend with a share of the second's scores, both over the same pool and scaled to their best rows."""
    added = (SECOND_WEIGHT * scaled_to_top(second.score)).astype(np.float32)
    score = (scaled_to_top(first.score) + added).astype(np.float32)
    return replace(first, score=score, parts=first.parts | {"second": added})


def with_late(score: F32, late: Mapping[str, F32], weight: F32 | None = None) -> F32:
    """The candidates' scores; with late interaction, where there is some, both scaled to 0..1 and added.

    `score` holds the rows' weights already; what is added to it is weighed here where `weight` is given.
    """
    if not late:
        return score
    parts = (late["late"], late["late_near"])
    factor = np.float32(1) if weight is None else weight
    added = [share * _spread(part) * factor for share, part in zip(LATE_WEIGHTS, parts, strict=True)]
    together: F32 = (_spread(score) + added[0] + added[1]).astype(np.float32)
    return together


def mixed(learned: F32, plain: F32, weight: F32) -> F32:
    """The learned order with a share of the hand-set one, each in standard deviations below its best candidate.

    The share costs nothing on talk like that trained on, and brings back most of what is lost on talk unlike it. A row
    that counts a fifth falls back by ln 5: the learned score knows nothing of weights, and its exponential is shown.
    """

    def behind(x: F32) -> F32:
        scaled: F32 = ((x - x.max(initial=-np.inf)) / max(float(x.std()), 1e-6)).astype(np.float32)
        return scaled

    together: F32 = behind(learned) + np.float32(PLAIN_SHARE) * behind(plain) + np.log(np.maximum(weight, 1e-6))
    return together


def _spread(x: F32) -> F32:
    """0 for the lowest candidate, 1 for the highest; 1 for all when they are equal."""
    low, top = float(x.min(initial=np.inf)), float(x.max(initial=-np.inf))
    spread: F32 = (x - low) / (top - low) if top > low else np.ones_like(x)
    return spread


def _near(layout: Layout, base: F32) -> F32:
    """What the neighbours in the session add."""
    out = np.zeros_like(base)
    for by, weight in enumerate(NEAR_WEIGHTS, 1):
        out += np.float32(weight) * (shifted(layout, base, by) + shifted(layout, base, -by))
    return out


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
        found = [rows for rows in postings if rows is not None]
        if not found or len(found) < len(postings):
            continue
        rows = found[0]
        for more in found[1:]:
            rows = np.intersect1d(rows, more)
        share[rows] += boost / len(texts)
    if share.any():
        parts[name] = share
    return share
