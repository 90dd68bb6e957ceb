"""Which statement is the newest of those that conflict, and which row stands for a session?"""

import numpy as np
from numpy.typing import NDArray

from glossator.model import Pool
from glossator.recall.layout import F32, I32

SAME_SUBJECT_COSINE = 0.2
"""Two rows this alike, both near the top of one question's answers, speak of the same thing."""
FIRST = 5
"""Only the first five places change among themselves, so that nothing is lost from a short answer."""
BEHIND_MAX = 2.0
"""How far behind, in standard deviations of the candidates' scores, the newer statement may be."""
FEW = 10
"""Among fewer candidates two deviations reach the last of them: there the newer one needs a word of the question."""

LITTLE = 0.5
"""A row that counts less than this was set back: it is a job's."""
SEATS, SEATS_OF = 2, 5


def newest_first(pool: Pool, rows: I32, score: F32) -> I32:
    """Move a newer statement before an older one of the same subject that stands above it.

    `rows` are in the order to be shown, `score` beside them. A row never passes one of its own session: there the later
    turn answers the earlier, it does not replace it; nor one that counts more, as what people say beside a job's rows.
    """
    if pool.vectors is None or len(rows) < 2:
        return rows
    shown = rows[:FIRST]
    behind = (score - score.max()) / max(float(score.std()), 1e-6)
    vectors = pool.vectors[shown]
    worded = np.isin(shown, np.concatenate([np.zeros(0, np.int32), *pool.postings.values()])) | (len(rows) >= FEW)
    session, weight = pool.session[shown], pool.weight[shown]
    alike = (vectors @ vectors.T >= SAME_SUBJECT_COSINE) & (session[:, None] != session[None, :])
    order = list(range(len(shown)))
    for later in range(1, len(order)):
        for earlier in range(later):
            old, new = order[earlier], order[later]
            newer = pool.said_at[shown[new]] > pool.said_at[shown[old]] and weight[new] >= weight[old]
            if newer and alike[old, new] and worded[new] and behind[new] >= behind[old] - BEHIND_MAX:
                order.insert(earlier, order.pop(later))
                break
    moved: I32 = np.concatenate([shown[np.array(order)], rows[FIRST:]])
    return moved


def people_first(order: NDArray[np.intp], weight: F32) -> NDArray[np.intp]:
    """The order with at most two rows that count little (a job's) in each five places, while there are others.

    Weights alone do not keep them off the first page: a word that stands in thousands of a job's rows is worth next to
    nothing, in the owner's sentence too. `weight` is that of each row, `order` names rows, best first.
    """
    little = weight[order] < LITTLE
    if not little.any() or little.all():
        return order
    own, aside = np.flatnonzero(~little), np.flatnonzero(little)
    shown: list[np.intp] = []
    owns = asides = 0
    while owns < len(own) and asides < len(aside):
        earliest = SEATS_OF * (asides // SEATS) + asides % SEATS
        if aside[asides] < own[owns] and len(shown) >= earliest:
            shown.append(aside[asides])
            asides += 1
        else:
            shown.append(own[owns])
            owns += 1
    return order[np.array([*shown, *own[owns:], *aside[asides:]], np.intp)]


def first_of_sessions(session: I32, rows: I32) -> I32:
    """Places in `rows` of the first row of each session: sessions in the order of their best row.

    Nothing finer was better: sums over a session's rows, BM25 of its whole text and a ranker of its own, trained on
    sessions, gave the same figures on LoCoMo and LongMemEval, or worse (docs/decisions/ranking.md).
    """
    _, first = np.unique(session[rows], return_index=True)
    return np.sort(first).astype(np.int32)
