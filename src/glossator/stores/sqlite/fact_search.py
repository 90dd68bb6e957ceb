"""What does one search among facts bring? The most telling by words and the nearest by vector, filtered inside."""

import sqlite3

import numpy as np
from numpy.typing import NDArray

from glossator.model import Fact, FactAsk, FactMatch, FactPool
from glossator.stores.matching import rarity, visible
from glossator.stores.sqlite.columns import ScopeState
from glossator.stores.sqlite.fact_columns import FactCache, FactColumns
from glossator.stores.sqlite.facts import facts_of, named_ids
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.vectors import VectorView

Rows = NDArray[np.int64]


def match_facts(connection: sqlite3.Connection, cache: FactCache, ask: FactAsk) -> FactPool | None:
    """The pool of this search; None if another thread's memory is ahead of this transaction: begin again."""
    scope = ask.scope
    filters = visible(scope, ask.filters)
    if filters is None:
        return _nothing(ask)
    owner = (scope.workspace, scope.agent, scope.owner)
    row = connection.execute(SQL["scope_state"], owner).fetchone()
    if row is None:
        return _nothing(ask)
    state = ScopeState(scope_id=row[0], revision=row[1], erasure_count=row[2])
    conversation = connection.execute(SQL["conversation_id"], (state.scope_id, scope.conversation)).fetchone()
    if scope.conversation is not None and conversation is None:
        return _nothing(ask)
    held = cache.scope(state.scope_id)
    dimension = 0 if ask.vector is None else len(ask.vector)
    with held.lock:
        found = held.refresh(connection, state, model=ask.model, dimension=dimension)
    if found is None:
        return None
    columns, vectors = found
    named = named_ids(connection, scope, filters)
    kept = columns.kept(filters, None if conversation is None else int(conversation[0]), named)
    if not kept.any():  # the jobs' facts of an owner without jobs: asked at every recall
        return _nothing(ask)
    terms = tuple(dict.fromkeys(ask.terms))
    postings = {
        term: columns.postings.rows(connection, state.scope_id, term, columns.fact_id).astype(np.int64)
        for term in terms
    }
    postings = {term: rows[kept[rows]] for term, rows in postings.items()}
    rows, similarity = _best(ask, columns, vectors, kept, postings)
    facts = {fact.fact_id: fact for fact in facts_of(connection, scope, columns.fact_id[rows].tolist())}
    return FactPool(
        matches=_matches(rows, columns, facts, postings, similarity),
        fact_count=int(kept.sum()),
        term_counts={term: len(found_rows) for term, found_rows in postings.items()},
    )


def _nothing(ask: FactAsk) -> FactPool:
    return FactPool(matches=(), fact_count=0, term_counts=dict.fromkeys(ask.terms, 0))


def _best(
    ask: FactAsk,
    columns: FactColumns,
    vectors: VectorView | None,
    kept: NDArray[np.bool_],
    postings: dict[str, Rows],
) -> tuple[Rows, NDArray[np.float32] | None]:
    """Rows of the best of each lane, rising, and the cosine of every row where a vector was asked."""
    total = int(kept.sum())
    telling = np.zeros(len(columns), np.float64)
    for rows in postings.values():
        telling[rows] += rarity(len(rows), total)
    lanes = [_highest(telling, np.flatnonzero(telling), ask.candidates_max)]
    similarity: NDArray[np.float32] | None = None
    if ask.vector is not None and vectors is not None:
        similarity = vectors.similarity(ask.vector, None)
        near = np.flatnonzero(kept & ~np.isnan(similarity))
        lanes.append(_highest(similarity, near, ask.candidates_max))
    return np.unique(np.concatenate(lanes)), similarity


def _highest(scores: NDArray[np.float64] | NDArray[np.float32], rows: Rows, count: int) -> Rows:
    """The `count` of these rows with the highest scores; of equal ones those that came later."""
    if len(rows) <= count:
        return rows
    return rows[np.lexsort((-rows, -scores[rows]))[: max(count, 0)]]


def _matches(
    rows: Rows,
    columns: FactColumns,
    facts: dict[int, Fact],
    postings: dict[str, Rows],
    similarity: NDArray[np.float32] | None,
) -> tuple[FactMatch, ...]:
    having = {term: set(found.tolist()) for term, found in postings.items()}
    matches = []
    for row in rows.tolist():
        cosine = None if similarity is None or np.isnan(similarity[row]) else float(similarity[row])
        matches.append(
            FactMatch(
                fact=facts[int(columns.fact_id[row])],
                terms=tuple(term for term, found in having.items() if row in found),
                similarity=cosine,
                length=int(columns.length[row]),
            )
        )
    return tuple(matches)
