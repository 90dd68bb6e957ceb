"""Which of the question's word pieces does a row answer? Late interaction over the signs of the rows' own pieces.

A row's vector blurs its words; its pieces keep them apart, each in its context. For every piece of the question the
best piece of the row is found (MaxSim; Khattab and Zaharia 2020), and the maxima are summed by how rare the question's
words are in the scope. One bit per number is enough: the cosine of a vector with the signs of another is measured
against the vector's own length. A neighbour in the session may answer a piece in the row's stead, at a discount: "Where
did you buy it?" - "In Leeds."
"""

from collections.abc import Mapping, Sequence

import numpy as np
import regex
from numpy.typing import NDArray

from glossator.model import EncodedQuestion, Pool, Query
from glossator.recall.layout import F32, I32, Layout
from glossator.recall.lexical import rarity
from glossator.recall.products import products
from glossator.rules.stopwords import ENGLISH
from glossator.rules.tokens import index_terms

FLOOR = 0.15
"""Cosines with signs below this are chance."""
STAND_IN = {1: 0.8, 2: 0.6}
"""What a neighbour's answer counts, by its distance."""

_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ][\p{L}\p{M}]+)*")


def piece_weights(pool: Pool, query: Query, question: EncodedQuestion) -> F32:
    """How much each piece of the question tells: the rarity of its word in the scope; they sum to 1.

    Stop words and the names of addressed speakers tell nothing; if nothing tells, all pieces do alike.
    """
    names = {term for place in query.named for term in index_terms(pool.speakers[place])}
    told: dict[tuple[int, int], float] = {}
    for match in _WORD.finditer(query.text):
        terms = index_terms(match.group())
        if terms and not (set(terms) & names) and terms[0] not in ENGLISH:
            told[match.span()] = max(rarity(pool.chunk_count, pool.term_counts.get(term, 0)) for term in terms)
    weights = np.array(
        [
            next((value for (begin, stop), value in told.items() if begin <= first and last <= stop), 0.0)
            for first, last in question.spans
        ],
        np.float32,
    )
    if not weights.any():
        weights = np.ones(len(question.spans), np.float32)
    return (weights / max(float(weights.sum()), 1e-6)).astype(np.float32)


def rows_to_read(layout: Layout, rows: I32) -> I32:
    """The candidates and those of their neighbours that may stand in for them."""
    wanted = [rows]
    for by in STAND_IN:
        for step in (by, -by):
            near = rows + step
            wanted.append(near[(near >= layout.start[rows]) & (near < layout.stop[rows])])
    return np.unique(np.concatenate(wanted)).astype(np.int32)


def late_scores(
    layout: Layout,
    rows: I32,
    read: I32,
    signs: Sequence[NDArray[np.uint8] | None],
    question: EncodedQuestion,
    weights: F32,
) -> tuple[F32, F32]:
    """Per candidate the score of its own pieces, and that with neighbours standing in; nan where it has no signs.

    `signs` are those of the rows `read`, in that order.
    """
    telling = weights > 0
    maxima = _maxima(signs, question.pieces[telling])
    place = np.full(len(layout.session), -1, np.int32)
    place[read] = np.arange(len(read), dtype=np.int32)
    own = maxima[place[rows]]
    best = own.copy()
    for by, share in STAND_IN.items():
        for step in (by, -by):
            near = np.clip(rows + step, 0, len(layout.session) - 1)
            inside = (rows + step >= layout.start[rows]) & (rows + step < layout.stop[rows])
            stand_in = np.where(inside[:, None], np.nan_to_num(maxima[place[near]]) * share, 0.0)
            best = np.maximum(best, stand_in)
    told = weights[telling]
    return (own @ told).astype(np.float32), (best @ told).astype(np.float32)


def late_columns(own: F32, near: F32) -> Mapping[str, F32]:
    """The two scores as features: absolute, behind the best candidate, and by rank. Unknown counts as the median."""
    columns: dict[str, F32] = {}
    for name, score in (("late", own), ("late_near", near)):
        known = score[~np.isnan(score)]
        filled = np.nan_to_num(score, nan=float(np.median(known)) if len(known) else 0.0)
        order = np.argsort(np.argsort(-filled, kind="stable"), kind="stable")
        columns[name] = filled
        columns[f"{name}_gap"] = filled - filled.max(initial=0.0)
        columns[f"{name}_rank"] = np.log1p(order).astype(np.float32)
    return columns


def _maxima(signs: Sequence[NDArray[np.uint8] | None], pieces: F32) -> F32:
    """Per row and question piece the best cosine above FLOOR, less FLOOR; nan where a row has no signs."""
    out = np.full((len(signs), len(pieces)), np.nan, np.float32)
    held = [at for at, each in enumerate(signs) if each is not None and len(each)]
    if not held or not len(pieces):
        return out
    blocks = [each for each in signs if each is not None and len(each)]
    counts = np.array([len(block) for block in blocks])
    bits = np.unpackbits(np.concatenate(blocks), axis=1).astype(np.float32)
    cosines = (2 * products(bits, pieces) - pieces.sum(1)) / np.sqrt(np.float32(pieces.shape[1]))
    best = np.maximum.reduceat(cosines, np.cumsum(counts) - counts, axis=0)
    out[held] = np.maximum(best - FLOOR, 0)
    return out
