"""What does a search among facts read? The columns of a scope's facts in memory, brought up to date by delta.

A fact that changed has the revision under which it did, so that only what is new is read; an erasure anywhere in the
scope loads it anew. Arrays are replaced, never changed: a search keeps what it has.
"""

import json
import sqlite3
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glossator.model import ALL_CATEGORIES, FACT_STATES, SENSITIVITIES, FactFilter
from glossator.stores.sqlite.columns import ScopeState
from glossator.stores.sqlite.postings import Postings
from glossator.stores.sqlite.rows import micros
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.vectors import VectorRows, VectorView

NO_ID = -1
NEVER = np.iinfo(np.int64).max
"""The end of what still holds."""
_state_code = {name: code for code, name in enumerate(FACT_STATES)}
_category_code = {name: code for code, name in enumerate(ALL_CATEGORIES)}
_sensitivity_code = {name: code for code, name in enumerate(SENSITIVITIES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class FactColumns:
    """The facts of a scope at one revision, one row each, in order of fact_id."""

    state: ScopeState | None = None
    fact_id: NDArray[np.int64]
    fact_state: NDArray[np.int8]
    category: NDArray[np.int8]
    sensitivity: NDArray[np.int8]
    project: NDArray[np.int64]
    place: NDArray[np.int64]
    """For whom the fact holds: a number per scope type and id, see `places`."""
    conversation: NDArray[np.int64]
    valid_from: NDArray[np.int64]
    valid_to: NDArray[np.int64]
    length: NDArray[np.int64]
    projects: dict[str, int]
    places: dict[tuple[str, str], int]
    tagged: dict[str, NDArray[np.int64]]
    """Ids of the facts that have the tag, rising."""
    postings: Postings

    def __len__(self) -> int:
        return len(self.fact_id)

    def kept(self, asked: FactFilter, conversation_id: int | None, named: set[int] | None) -> NDArray[np.bool_]:
        """Which rows meet the conditions."""
        states = [_state_code[name] for name in asked.states]
        tests = [np.isin(self.fact_state, states), self.fact_id > asked.after_id]
        if conversation_id is not None:
            tests.append(self.conversation == conversation_id)
        if asked.categories:
            tests.append(np.isin(self.category, [_category_code[name] for name in asked.categories]))
        if asked.sensitivities:
            tests.append(np.isin(self.sensitivity, [_sensitivity_code[name] for name in asked.sensitivities]))
        if asked.scope_types or asked.scope_ids:
            tests.append(np.isin(self.place, self._places(asked)))
        if asked.project is not None:
            tests.append(self.project == self.projects.get(asked.project, NO_ID - 1))
        if asked.as_of is not None:
            as_of = micros(asked.as_of)
            tests += [self.valid_from <= as_of, self.valid_to > as_of]
        empty = np.empty(0, np.int64)
        tests += [np.isin(self.fact_id, self.tagged.get(tag, empty)) for tag in asked.tags]
        if named is not None:
            tests.append(np.isin(self.fact_id, np.fromiter(named, np.int64, len(named))))
        return np.asarray(np.logical_and.reduce(tests))

    def _places(self, asked: FactFilter) -> list[int]:
        return [
            number
            for (scope_type, scope_id), number in self.places.items()
            if (not asked.scope_types or scope_type in asked.scope_types)
            and (not asked.scope_ids or scope_id in asked.scope_ids)
        ]


def no_columns() -> FactColumns:
    """What is in memory of a scope that was not read yet."""
    return FactColumns(
        fact_id=np.empty(0, np.int64),
        fact_state=np.empty(0, np.int8),
        category=np.empty(0, np.int8),
        sensitivity=np.empty(0, np.int8),
        project=np.empty(0, np.int64),
        place=np.empty(0, np.int64),
        conversation=np.empty(0, np.int64),
        valid_from=np.empty(0, np.int64),
        valid_to=np.empty(0, np.int64),
        length=np.empty(0, np.int64),
        projects={},
        places={},
        tagged={},
        postings=Postings("fact_postings"),
    )


def advanced(before: FactColumns, connection: sqlite3.Connection, state: ScopeState) -> FactColumns:
    """The columns at `state`: what changed is put in its place, what is new behind."""
    revision = NO_ID if before.state is None else before.state.revision
    rows = connection.execute(SQL["fact_columns"], (state.scope_id, revision)).fetchall()
    if not rows:
        return replace(before, state=state)
    projects, spots = dict(before.projects), dict(before.places)
    for row in rows:
        spots.setdefault((row[9], row[10]), len(spots))
        if row[3] is not None:
            projects.setdefault(row[3], len(projects))
    given: dict[str, NDArray[Any]] = {
        "fact_id": np.array([row[0] for row in rows], np.int64),
        "fact_state": np.array([_state_code[row[1]] for row in rows], np.int8),
        "category": np.array([_category_code[row[2]] for row in rows], np.int8),
        "sensitivity": np.array([_sensitivity_code[row[11]] for row in rows], np.int8),
        "project": np.array([NO_ID if row[3] is None else projects[row[3]] for row in rows], np.int64),
        "place": np.array([spots[row[9], row[10]] for row in rows], np.int64),
        "conversation": np.array([NO_ID if row[5] is None else row[5] for row in rows], np.int64),
        "valid_from": np.array([row[6] for row in rows], np.int64),
        "valid_to": np.array([NEVER if row[7] is None else row[7] for row in rows], np.int64),
        "length": np.array([row[8] for row in rows], np.int64),
    }
    last_id = int(before.fact_id[-1]) if len(before) else 0
    fresh = given["fact_id"] > last_id
    places = np.searchsorted(before.fact_id, given["fact_id"][~fresh])
    merged: dict[str, Any] = {
        name: np.concatenate([getattr(before, name), column[fresh]]) for name, column in given.items()
    }
    for name, column in given.items():
        merged[name][places] = column[~fresh]
    tagged = _tagged(before.tagged, [row for row, is_new in zip(rows, fresh.tolist(), strict=True) if is_new])
    return replace(before, state=state, projects=projects, places=spots, tagged=tagged, **merged)


def _tagged(before: dict[str, NDArray[np.int64]], rows: list[tuple[Any, ...]]) -> dict[str, NDArray[np.int64]]:
    """The tags with those of new facts; a fact's tags never change."""
    added: dict[str, list[int]] = {}
    for row in rows:
        for tag in json.loads(row[4]):
            added.setdefault(tag, []).append(row[0])
    empty = np.empty(0, np.int64)
    news = {tag: np.array(ids, np.int64) for tag, ids in added.items()}
    return {**before, **{tag: np.concatenate([before.get(tag, empty), ids]) for tag, ids in news.items()}}


class ScopeFacts:
    """What one scope's facts have in memory. Use under `lock`; what it gives is free of it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._columns = no_columns()
        self._vectors: VectorRows | None = None

    def refresh(
        self, connection: sqlite3.Connection, state: ScopeState, *, model: str, dimension: int
    ) -> tuple[FactColumns, VectorView | None] | None:
        """Columns and vectors at `state`; None if memory is ahead of the transaction."""
        known = self._columns.state
        if known is not None and known.revision > state.revision:
            return None
        if known is None or (known.scope_id, known.erasure_count) != (state.scope_id, state.erasure_count):
            self._columns, self._vectors = no_columns(), None
        if self._columns.state != state:
            self._columns = advanced(self._columns, connection, state)
        if not dimension:
            return self._columns, None
        vectors, self._vectors = self._vectors, None  # what fails half way must not stay
        if vectors is None or not vectors.holds(model, dimension):
            vectors = VectorRows(model, dimension, statement="scope_fact_vectors")
        if vectors.revision != state.revision:
            vectors.load(connection, state.scope_id, self._columns.fact_id, revision=state.revision)
        self._vectors = vectors
        return self._columns, vectors.view(len(self._columns))


class FactCache:
    """The scopes whose facts are in memory, the least recently used dropped first."""

    def __init__(self, *, scopes_max: int) -> None:
        self._scopes_max = scopes_max
        self._scopes: OrderedDict[int, ScopeFacts] = OrderedDict()
        self._lock = threading.Lock()

    def scope(self, scope_id: int) -> ScopeFacts:
        """What the scope has in memory; empty if it is new here."""
        with self._lock:
            found = self._scopes.setdefault(scope_id, ScopeFacts())
            self._scopes.move_to_end(scope_id)
            while len(self._scopes) > self._scopes_max:
                self._scopes.popitem(last=False)
            return found

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._scopes.clear()
