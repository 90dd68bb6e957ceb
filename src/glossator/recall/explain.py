"""Why was a row found, and what made its place?"""

import numpy as np

from glossator.model import Pool, Query, Trace
from glossator.recall.fuse import Blend


def trace_of(pool: Pool, query: Query, blended: Blend, row: int, *, learned: dict[str, float]) -> Trace:
    """The lanes that brought the row, the terms it matches, and the value of every signal."""
    matched = tuple(term for term in query.terms if _has(pool, term, row))
    signals = {name: round(float(part[row]), 4) for name, part in blended.parts.items()}
    if pool.similarity is not None and not np.isnan(pool.similarity[row]):
        signals["cosine"] = round(float(pool.similarity[row]), 4)
    signals["bm25"] = round(float(blended.lexical[row]), 4)
    signals["blend"] = round(float(blended.score[row]), 4)
    lanes = [name for name, here in (("lexical", bool(matched)), ("vector", signals.get("cosine", 0.0) > 0)) if here]
    if not lanes:
        lanes.append("neighbours")
    return Trace(lanes=tuple(lanes), matched_terms=matched, signals={**signals, **learned})


def _has(pool: Pool, term: str, row: int) -> bool:
    rows = pool.postings.get(term)
    if rows is None:
        return False
    at = int(np.searchsorted(rows, row))
    return at < len(rows) and int(rows[at]) == row
