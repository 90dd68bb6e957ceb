"""Which lanes search for candidates, and how many may each namespace bring?"""

import numpy as np
from numpy.typing import NDArray

from glossator.model import NAMESPACES, Ask, Filters, Namespace, Pool, Query, Scope
from glossator.recall.fuse import Blend
from glossator.recall.layout import I32, Layout, scaled_to_top

BUDGETS: dict[Namespace, int] = {"episodic": 150, "knowledge": 50, "preference": 50}
"""Each namespace has its own, so that thirty short facts cannot crowd out the words they were taken from. 150 is where
LoCoMo's Recall stops rising with depth."""
SESSION_SEATS = 40
TERMS_MAX = 32
"""A pasted page as a question is searched by its first 32 telling words."""


def ask_for(
    query: Query, *, scope: Scope, filters: Filters, vector: NDArray[np.float32] | None, model: str, lexical: bool
) -> Ask:
    """The one index search that serves every lane of this question."""
    terms = query.terms[:TERMS_MAX] if lexical else ()
    return Ask(scope=scope, filters=filters, terms=terms, vector=vector, model=model)


def within_budgets(pool: Pool, layout: Layout, blended: Blend, *, limit: int) -> I32:
    """The rows worth ranking: the best of each namespace by its budget (at least `limit`), best first, ties by row.

    In a namespace that is over budget, the best row of each of the forty best sessions has a seat of its own, so that a
    session whose evidence is spread over many rows is not left out.
    """
    chosen: list[NDArray[np.intp]] = []
    leading = _leading_rows(layout, blended)
    for place, name in enumerate(NAMESPACES):
        rows = np.flatnonzero(pool.namespace == place)
        budget = max(BUDGETS[name], limit)
        if len(rows) > budget:
            best = rows[np.argpartition(-blended.score[rows], budget - 1)[:budget]]
            best = best[np.argsort(-blended.score[best], kind="stable")]
            seated = leading[pool.namespace[leading] == place]
            seated = seated[~np.isin(seated, best)]
            rows = np.concatenate([best[: budget - len(seated)], seated])
        chosen.append(rows)
    together = np.sort(np.concatenate(chosen))
    return together[np.argsort(-blended.score[together], kind="stable")].astype(np.int32)


def _leading_rows(layout: Layout, blended: Blend) -> NDArray[np.intp]:
    """The best row by words and meaning of each of the best sessions."""
    session_score = scaled_to_top(blended.text) + scaled_to_top(blended.human_text) + scaled_to_top(blended.best)
    leaders = np.argsort(-session_score, kind="stable")[:SESSION_SEATS]
    stops = np.append(layout.bounds[1:], len(layout.session))
    return np.array(
        [layout.bounds[at] + int(np.argmax(blended.base[layout.bounds[at] : stops[at]])) for at in leaders], np.intp
    )
