"""Which lanes search for candidates, and how many may each namespace bring?"""

import numpy as np
from numpy.typing import NDArray

from glossator.model import NAMESPACES, Ask, Filters, Namespace, Query, Scope
from glossator.recall.layout import F32, I32

BUDGETS: dict[Namespace, int] = {"episodic": 150, "knowledge": 50, "preference": 50}
"""Each namespace has its own, so that thirty short facts cannot crowd out the words they were taken from. 150 is where
LoCoMo's Recall stops rising with depth."""
TERMS_MAX = 32
"""A pasted page as a question is searched by its first 32 telling words."""


def ask_for(
    query: Query, *, scope: Scope, filters: Filters, vector: NDArray[np.float32] | None, model: str, lexical: bool
) -> Ask:
    """The one index search that serves every lane of this question."""
    terms = query.terms[:TERMS_MAX] if lexical else ()
    return Ask(scope=scope, filters=filters, terms=terms, vector=vector, model=model)


def within_budgets(score: F32, namespace: NDArray[np.int8], *, limit: int) -> I32:
    """The best rows of each namespace by its budget (at least `limit`), best first, ties by row."""
    chosen: list[NDArray[np.intp]] = []
    for place, name in enumerate(NAMESPACES):
        rows = np.flatnonzero(namespace == place)
        budget = max(BUDGETS[name], limit)
        if len(rows) > budget:
            rows = rows[np.sort(np.argpartition(-score[rows], budget - 1)[:budget])]
        chosen.append(rows)
    together = np.sort(np.concatenate(chosen))
    return together[np.argsort(-score[together], kind="stable")].astype(np.int32)
