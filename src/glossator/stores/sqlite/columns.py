"""What does a search read? The columns of one scope in memory, brought up to date by delta before each search.

Rows lie in order of arrival (rising chunk_id) and are only ever appended; an erasure anywhere in the scope loads it
anew. `scopes.revision`, read in the search's own transaction, tells whether anything is new, also from other processes.
"""

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glossator.model import NAMESPACES, ROLES
from glossator.stores.sqlite.growing import Growing
from glossator.stores.sqlite.postings import Postings
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.vectors import VectorRows, VectorView

LOAD_ROWS = 8_192
SECOND = 1e6
"""Microseconds; times are float seconds in the columns."""

COLUMN_TYPES: Mapping[str, type] = {
    "chunk_id": np.int64,
    "message": np.int64,
    "namespace": np.int8,
    "session_id": np.int64,
    "position": np.int32,
    "place": np.int32,
    "speaker": np.int32,
    "role": np.int8,
    "said_at": np.float64,
    "event_start": np.float64,
    "event_end": np.float64,
    "own_date": np.bool_,
    "length": np.int32,
    "marks": np.uint16,
    "weight": np.float32,
    "conversation_id": np.int64,
    "project": np.int32,
}
NO_PROJECT = -1
CACHED_ROWS_MAX = 1_200_000
"""Rows of all scopes in memory together: about 2 GB at 384 dimensions. One larger scope alone is kept all the same."""
_namespace_code = {name: code for code, name in enumerate(NAMESPACES)}
_role_code = {name: code for code, name in enumerate(ROLES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeState:
    """The scope's row: what has to be in memory."""

    scope_id: int
    revision: int
    erasure_count: int


class Snapshot:
    """The columns of a scope at one revision; never changes. Arrays lie in order of arrival."""

    def __init__(
        self,
        columns: Mapping[str, NDArray[Any]],
        *,
        order: NDArray[np.int64],
        speakers: tuple[str, ...],
        projects: Mapping[str, int],
        tags: Mapping[str, int],
        tag_rows: NDArray[np.int64],
        tag_codes: NDArray[np.int32],
        postings: Postings,
        vectors: VectorView | None,
    ) -> None:
        self.columns = columns
        self.order = order
        """Rows by (session, position, index)."""
        self.speakers = speakers
        self.projects = projects
        self.tags = tags
        self.tag_rows = tag_rows
        self.tag_codes = tag_codes
        self.postings = postings
        self.vectors = vectors

    def __len__(self) -> int:
        return len(self.columns["chunk_id"])

    @cached_property
    def in_order(self) -> bool:
        """True if rows arrived in the order of a pool, so that nothing has to be gathered."""
        return bool((np.diff(self.columns["session_id"]) >= 0).all())

    @cached_property
    def ordered_vectors(self) -> NDArray[np.float32]:
        """The vectors in the order of a pool; only asked for scopes that are brought whole."""
        assert self.vectors is not None
        vectors = self.vectors.of(self.order, whole=self.in_order)
        vectors.flags.writeable = False
        return vectors


class ScopeColumns:
    """What one scope has in memory. Use under `lock`; the snapshots that it gives are free of it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._state: ScopeState | None = None
        self._snapshot: Snapshot | None = None
        self._vectors: VectorRows | None = None
        self._reset()

    def refresh(
        self, connection: sqlite3.Connection, state: ScopeState, *, model: str, dimension: int
    ) -> Snapshot | None:
        """The snapshot at `state`, with vectors if `dimension` > 0; None if memory is ahead of the transaction."""
        known = self._state
        if known is not None and known.revision > state.revision:
            return None
        if known is None or (known.scope_id, known.erasure_count) != (state.scope_id, state.erasure_count):
            self._reset()
        try:
            return self._brought_to(connection, state, model=model, dimension=dimension)
        finally:
            if self._state != state:  # something was raised: half a batch of columns must not stay
                self._reset()

    def _brought_to(self, connection: sqlite3.Connection, state: ScopeState, *, model: str, dimension: int) -> Snapshot:
        changed = self._state != state
        if changed:
            self._load_chunks(connection, state.scope_id)
        vectors = self._vectors
        if dimension and (vectors is None or not vectors.holds(model, dimension)):
            vectors = VectorRows(model, dimension)
        if dimension and vectors is not None and vectors.revision != state.revision:
            vectors.load(connection, state.scope_id, self._columns["chunk_id"].view(), revision=state.revision)
            changed = True
        if changed or self._snapshot is None or vectors is not self._vectors:
            self._snapshot = self._take(vectors)
        self._state, self._vectors = state, vectors
        return self._snapshot

    @property
    def row_count(self) -> int:
        """How many rows are in memory."""
        return self._columns["chunk_id"].count

    def _reset(self) -> None:
        self._columns = {name: Growing(dtype) for name, dtype in COLUMN_TYPES.items()}
        self._order: NDArray[np.int64] = np.empty(0, np.int64)
        self._speakers: dict[str, int] = {}
        self._projects: dict[str, int] = {}
        self._tags: dict[str, int] = {}
        self._tag_rows, self._tag_codes = Growing(np.int64), Growing(np.int32)
        self._postings = Postings()
        self._vectors = None
        self._state = None
        self._snapshot = None

    def _load_chunks(self, connection: sqlite3.Connection, scope_id: int) -> None:
        """Append what arrived since."""
        chunk_ids = self._columns["chunk_id"]
        before = chunk_ids.count
        after_id = int(chunk_ids.view()[-1]) if before else 0
        (count,) = connection.execute(SQL["count_scope_chunks"], (scope_id, after_id)).fetchone()
        for column in self._columns.values():
            column.reserve(count)
        cursor = connection.execute(SQL["scope_columns"], (scope_id, after_id))
        while rows := cursor.fetchmany(LOAD_ROWS):
            self._append(rows)
        self._order = merged_order(self._order, self._columns["session_id"].view())

    def _append(self, rows: list[tuple[Any, ...]]) -> None:
        first = self._columns["chunk_id"].count
        names = (*COLUMN_TYPES, "tags")
        values: dict[str, Sequence[Any]] = dict(zip(names, zip(*rows, strict=True), strict=True))
        speakers, projects = self._speakers, self._projects
        values["namespace"] = [_namespace_code[each] for each in values["namespace"]]
        values["role"] = [_role_code[each] for each in values["role"]]
        values["speaker"] = [speakers.setdefault(each.lower(), len(speakers)) for each in values["speaker"]]
        values["project"] = [
            NO_PROJECT if each is None else projects.setdefault(each, len(projects)) for each in values["project"]
        ]
        for number, tags in enumerate(values.pop("tags")):
            if tags != "[]":
                codes = [self._tags.setdefault(tag, len(self._tags)) for tag in sorted(set(json.loads(tags)))]
                self._tag_rows.extend(np.full(len(codes), first + number))
                self._tag_codes.extend(np.array(codes, np.int32))
        for name, column in self._columns.items():
            given = values[name]
            if name in ("said_at", "event_start", "event_end"):
                column.extend(np.array(given, np.float64) / SECOND)
            else:
                column.extend(np.array(given, COLUMN_TYPES[name]))

    def _take(self, vectors: VectorRows | None) -> Snapshot:
        columns = {name: column.view() for name, column in self._columns.items()}
        count = len(columns["chunk_id"])
        return Snapshot(
            columns,
            order=self._order,
            speakers=tuple(self._speakers),
            projects=dict(self._projects),
            tags=dict(self._tags),
            tag_rows=self._tag_rows.view(),
            tag_codes=self._tag_codes.view(),
            postings=self._postings,
            vectors=None if vectors is None else vectors.view(count),
        )


def merged_order(order: NDArray[np.int64], session_ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """The order of the first rows, with the rows behind them put at the end of their sessions.

    Inside a session rows arrive in order of position and index, so the session alone decides.
    """
    known = len(order)
    new = np.arange(known, len(session_ids))
    if not known:
        return np.argsort(session_ids, kind="stable")
    if not len(new):
        return order
    new = new[np.argsort(session_ids[new], kind="stable")]
    places = np.searchsorted(session_ids[order], session_ids[new], side="right")
    return np.insert(order, places, new)


class ColumnCache:
    """The scopes in memory, the least recently used dropped first."""

    def __init__(self, *, scopes_max: int) -> None:
        self._scopes_max = scopes_max
        self._scopes: OrderedDict[int, ScopeColumns] = OrderedDict()
        self._lock = threading.Lock()

    def scope(self, scope_id: int) -> ScopeColumns:
        """What the scope has in memory; empty if it is new here."""
        with self._lock:
            found = self._scopes.setdefault(scope_id, ScopeColumns())
            self._scopes.move_to_end(scope_id)
            while len(self._scopes) > 1 and self._too_much():
                self._scopes.popitem(last=False)
            return found

    def _too_much(self) -> bool:
        row_count = sum(each.row_count for each in self._scopes.values())
        return len(self._scopes) > self._scopes_max or row_count > CACHED_ROWS_MAX

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._scopes.clear()
