"""Which rows repeat another, and which statement is the newest of those that conflict?"""

import numpy as np

from glossator.model import Pool
from glossator.recall.layout import F32, I32

SAME_SUBJECT_COSINE = 0.6
"""Two rows this alike speak of the same thing; then the newer one is the one that holds."""
CONFLICT_DEPTH = 10
SCORE_SHARE_MIN = 0.7


def newest_first(pool: Pool, rows: I32, score: F32) -> I32:
    """Move a newer row before an older one that says nearly the same thing about as well.

    `rows` are ordered best first with their scores beside them; only the best ten can move.
    """
    if pool.vectors is None or len(rows) < 2:
        return rows
    order = list(range(len(rows)))
    depth = min(CONFLICT_DEPTH, len(rows))
    vectors = pool.vectors[rows[:depth]]
    alike = vectors @ vectors.T >= SAME_SUBJECT_COSINE
    for later in range(1, depth):
        for earlier in range(later):
            old, new = order[earlier], order[later]
            newer = pool.said_at[rows[new]] > pool.said_at[rows[old]]
            if newer and alike[old, new] and score[new] >= SCORE_SHARE_MIN * score[old]:
                order.insert(earlier, order.pop(later))
                break
    reordered: I32 = rows[np.array(order)]
    return reordered


def one_per_session(session: I32, rows: I32, session_score: F32) -> I32:
    """The best row of each session, sessions by their score, ties by session."""
    first: dict[int, int] = {}
    for row in rows.tolist():
        first.setdefault(int(session[row]), row)
    best = sorted(first, key=lambda each: (-float(session_score[each]), each))
    return np.array([first[each] for each in best], np.int32)
