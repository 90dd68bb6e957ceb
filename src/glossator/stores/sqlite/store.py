"""What is the SQLite store? All the ports over one file; each method opens a transaction and hands it on."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from glossator.model import (
    WORK_KINDS,
    Ask,
    Batch,
    Chunk,
    Finding,
    ForgetPreview,
    ForgetReceipt,
    ForgetTarget,
    Message,
    Pool,
    Recorded,
    Scope,
    Status,
    WorkKind,
    WorkRow,
)
from glossator.options import Options
from glossator.stores.sqlite import erase, health, journal, search, work
from glossator.stores.sqlite import vectors as vector_rows
from glossator.stores.sqlite.access import SqliteAccess
from glossator.stores.sqlite.appends import Appends
from glossator.stores.sqlite.backup import copy_database
from glossator.stores.sqlite.book import SqliteBook
from glossator.stores.sqlite.columns import ColumnCache, ScopeState
from glossator.stores.sqlite.connections import Connections
from glossator.stores.sqlite.erasures import SqliteErasures
from glossator.stores.sqlite.jobs import SqliteJobs
from glossator.stores.sqlite.marks import SqliteMarks
from glossator.stores.sqlite.migrate import migrate, shipped_migrations
from glossator.stores.sqlite.outline import SqliteOutline
from glossator.stores.sqlite.resources import SqliteResources
from glossator.stores.sqlite.reviews import SqliteReviews
from glossator.stores.sqlite.rows import chunk_of, ids_json, scope_parameters
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.vitals import SqliteMonitor
from glossator.stores.sqlite.windows import SqliteWindows


class SqliteStore(
    SqliteBook, SqliteReviews, SqliteWindows, SqliteMarks, SqliteResources, SqliteJobs, SqliteErasures, SqliteMonitor,
    SqliteOutline, SqliteAccess,
):  # fmt: skip
    """A store in one SQLite file, made and migrated when opened; threads and processes may share it.

    Raises UsageError, StoreTooNewError, StoreCorruptError, StoreReadOnlyError or StoreLockedError when it cannot open.
    """

    def __init__(self, path: Path, *, options: Options) -> None:
        self._schema_version = migrate(path, shipped_migrations(), busy_timeout_s=options.busy_timeout_s)
        connections = Connections(path, busy_timeout_s=options.busy_timeout_s)
        super().__init__(path, connections, scopes_max=options.column_cache_scopes_max)
        self._appends = Appends(connections)
        self._columns = ColumnCache(scopes_max=options.column_cache_scopes_max)
        with connections.exclusive() as connection:
            erase.clean_what_was_left(connection, path=path)

    # Journal

    def append(self, batch: Batch, *, now: datetime) -> tuple[Recorded, ...]:
        """Store the batch in one transaction; see ports.Journal."""
        return self._appends.append(batch, now=now)

    def messages(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        after_id: int = 0,
        before_id: int | None = None,
        limit: int = 1000,
    ) -> tuple[Message, ...]:
        """Messages in journal order; see ports.Journal."""
        with self._connections.reading() as connection:
            return journal.messages(
                connection, scope, session=session, after_id=after_id, before_id=before_id, limit=limit
            )

    def message(self, scope: Scope, external_id: str, *, conversation: str | None = None) -> Message | None:
        """The message with this external id, or None."""
        with self._connections.reading() as connection:
            return journal.message(connection, scope, external_id, conversation=conversation)

    # Index

    def survey(self, ask: Ask) -> Pool:
        """One search over what was acknowledged before the call; see ports.Index."""
        while True:
            with self._connections.reading() as connection:
                found = self._look_up(connection, ask)
            if found is not None:
                return search.empty_pool(ask) if found.snapshot is None else search.bring(found.snapshot, ask, found)

    def _look_up(self, connection: sqlite3.Connection, ask: Ask) -> search.Found | None:
        """What is found inside one transaction; None if another thread's memory is ahead of it: begin again, there."""
        scope = ask.scope
        if scope.job is not None:
            return search.NOTHING
        owner = (scope.workspace, scope.agent, scope.owner)
        row = connection.execute(SQL["scope_state"], owner).fetchone()
        if row is None:
            return search.NOTHING
        state = ScopeState(scope_id=row[0], revision=row[1], erasure_count=row[2])
        conversation = (state.scope_id, scope.conversation)
        conversation_row = connection.execute(SQL["conversation_id"], conversation).fetchone()
        if scope.conversation is not None and conversation_row is None:
            return search.NOTHING
        columns = self._columns.scope(state.scope_id)
        dimension = 0 if ask.vector is None else len(ask.vector)
        with columns.lock:
            snapshot = columns.refresh(connection, state, model=ask.model, dimension=dimension)
        if snapshot is None:
            return None
        postings = {
            term: snapshot.postings.rows(connection, state.scope_id, term, snapshot.columns["chunk_id"])
            for term in dict.fromkeys(ask.terms)
        }
        conversation_id = None if conversation_row is None else int(conversation_row[0])
        return search.Found(snapshot=snapshot, postings=postings, conversation_id=conversation_id)

    def chunks(self, scope: Scope, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        """The chunks with these ids that the scope covers, in the order asked."""
        with self._connections.reading() as connection:
            asked = {"chunk_ids": ids_json(chunk_ids), **scope_parameters(scope)}
            found = {row[0]: chunk_of(row) for row in connection.execute(SQL["chunks"], asked)}
        return tuple(found[each] for each in chunk_ids if each in found and scope.covers(found[each].scope))

    def put_vectors(
        self,
        model: str,
        vectors: Mapping[int, NDArray[np.float32]],
        *,
        texts: Mapping[int, str],
        signs: Mapping[int, NDArray[np.uint8]] | None = None,
    ) -> int:
        """Keep one vector per chunk for this model; see ports.Index."""
        with self._connections.writing(flushed=False) as connection:
            return vector_rows.put(connection, model, vectors, texts, signs or {})

    def signs(self, scope: Scope, model: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.uint8]]:
        """The sign rows of these chunks for this model; see ports.Index."""
        with self._connections.reading() as connection:
            return vector_rows.signs_of(connection, scope, model, chunk_ids)

    def unembedded(self, model: str, *, limit: int) -> tuple[int, ...]:
        """Ids of chunks without a vector of this model, oldest first."""
        with self._connections.reading() as connection:
            return vector_rows.unembedded(connection, model, limit=limit)

    def drop_vectors(self, *, keep_model: str) -> int:
        """Drop the vectors of every other model; returns how many went."""
        with self._connections.writing() as connection:
            return vector_rows.drop_others(connection, keep_model=keep_model)

    # Work

    def claim(self, kinds: Sequence[WorkKind], *, now: datetime, lease_s: float, limit: int) -> tuple[WorkRow, ...]:
        """Take due rows of these kinds, oldest first; see ports.Work."""
        with self._connections.writing(flushed=False) as connection:
            return work.claim(connection, kinds, now=now, lease_s=lease_s, limit=limit)

    def settle(self, rows: Sequence[WorkRow]) -> None:
        """Done: the rows go."""
        with self._connections.writing(flushed=False) as connection:
            work.settle(connection, rows)

    def fail(self, rows: Sequence[WorkRow], *, reason: str, retry_at: datetime | None) -> None:
        """Not done: due again at `retry_at`, or parked."""
        with self._connections.writing(flushed=False) as connection:
            work.fail(connection, rows, reason=reason, retry_at=retry_at)

    def enqueue(self, chunk_ids: Sequence[int], *, now: datetime, fact_ids: Sequence[int] = ()) -> int:
        """Add rows of embedding work for these chunks and facts; returns how many were added."""
        with self._connections.writing() as connection:
            return work.enqueue(connection, chunk_ids, now=now, fact_ids=fact_ids)

    def pending(self, scope: Scope | None = None, *, kinds: Sequence[WorkKind] = WORK_KINDS) -> int:
        """How many rows of these kinds are not done and not failed."""
        with self._connections.reading() as connection:
            return work.pending(connection, scope, kinds)

    def work_of(self, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        """The chunks behind claimed rows, with `before` filled; crosses scopes."""
        with self._connections.reading() as connection:
            return work.work_chunks(connection, chunk_ids)

    # Upkeep

    def preview(self, target: ForgetTarget) -> ForgetPreview:
        """What the target names now."""
        with self._connections.reading() as connection:
            return erase.preview(connection, target)

    def erase(self, target: ForgetTarget, *, confirm: str, now: datetime) -> ForgetReceipt:
        """Erase for good what the preview named, from rows, keyword index, vectors and the file's free pages."""
        with self._connections.writing() as connection:
            receipt = erase.erase(connection, target, confirm=confirm, now=now)
        with self._connections.exclusive() as connection:
            return erase.with_files_cleaned(connection, receipt, path=self._path)

    def status(self, scope: Scope | None = None) -> Status:
        """Counts."""
        with self._connections.reading() as connection:
            return health.status(connection, scope, path=self._path, schema_version=self._schema_version)

    def examine(self, *, model: str, repair: bool, now: datetime) -> tuple[Finding, ...]:
        """Integrity, drift and backlog; with `repair`, what drifted is rebuilt."""
        if not repair:  # outside a transaction, so that other processes can write meanwhile
            with self._connections.exclusive() as connection:
                return health.examine(connection, model=model, repair=False, now=now)
        with self._connections.writing() as connection:
            findings = health.examine(connection, model=model, repair=True, now=now)
        self._columns.clear()
        self._fact_columns.clear()
        return findings

    def backup(self, path: Path) -> None:
        """A consistent copy at `path`; refuses to overwrite."""
        with self._connections.exclusive() as connection:
            copy_database(connection, path, replace=False)

    def close(self) -> None:
        """Release everything; later calls raise StoreError."""
        self._connections.close()
        self._columns.clear()
        self._fact_columns.clear()
