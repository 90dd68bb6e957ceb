"""Which rows repeat another, and which statement is the newest of those that conflict?"""

import numpy as np

from glossator.model import Pool
from glossator.recall.layout import F32, I32

SAME_SUBJECT_COSINE = 0.6
"""Two rows this alike speak of the same thing; then the newer one is the one that holds."""
CONFLICT_DEPTH = 10
SCORE_SHARE_MIN = 0.7


def newest_first(pool: Pool, rows: I32, ranked: I32, score: F32) -> I32:
    """Move a newer row before an older one that says nearly the same thing about as well.

    `rows` are in the order to be shown, `score` belongs to the rows `ranked`, best first. Only the best ten can move,
    and never past a row of their own session: there the later turn is the answer to the earlier, not its successor.
    """
    if pool.vectors is None or len(rows) < 2:
        return rows
    shown = rows[:CONFLICT_DEPTH]
    place = {row: at for at, row in enumerate(ranked.tolist())}
    likely = _likelihood(np.array([score[place[row]] for row in shown.tolist()], np.float32))
    vectors = pool.vectors[shown]
    alike = (vectors @ vectors.T >= SAME_SUBJECT_COSINE) & (
        pool.session[shown][:, None] != pool.session[shown][None, :]
    )
    order = list(range(len(shown)))
    for later in range(1, len(order)):
        for earlier in range(later):
            old, new = order[earlier], order[later]
            newer = pool.said_at[shown[new]] > pool.said_at[shown[old]]
            if newer and alike[old, new] and likely[new] >= SCORE_SHARE_MIN * likely[old]:
                order.insert(earlier, order.pop(later))
                break
    return np.concatenate([shown[np.array(order)], rows[CONFLICT_DEPTH:]])


def _likelihood(score: F32) -> F32:
    """Scores of any kind as shares of the best one's: exp(score - best)."""
    likely: F32 = np.exp(score - score.max()).astype(np.float32)
    return likely


def one_per_session(session: I32, rows: I32, session_score: F32) -> I32:
    """The best row of each session, sessions by their score, ties by session."""
    first: dict[int, int] = {}
    for row in rows.tolist():
        first.setdefault(int(session[row]), row)
    best = sorted(first, key=lambda each: (-float(session_score[each]), each))
    return np.array([first[each] for each in best], np.int32)
