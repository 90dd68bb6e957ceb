"""How is the file doing? Counts, the backlog and sizes: for the store that has it open, and for who only looks."""

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from glossator.errors import StoreCorruptError, StoreError, StoreTooNewError
from glossator.model import DECISIONS, WORK_KINDS, OpenWork, Vitals
from glossator.model.vitals import DECIDED_LATELY_S, LATELY_S
from glossator.stores.sqlite.base import SqliteBase
from glossator.stores.sqlite.faults import mapped
from glossator.stores.sqlite.migrate import APPLICATION_ID, shipped_migrations
from glossator.stores.sqlite.rows import instant, instant_or_none, micros
from glossator.stores.sqlite.statements import SQL

LOOK_TIMEOUT_S = 2.0
"""A look waits for no writer (the file is in WAL mode), only while the log is being recovered."""
ROWS_MAX = 10_000
"""Rows that are looked at for what has happened lately: the newest ones, so that a large store costs no more."""


class SqliteMonitor(SqliteBase):
    """The port Monitor."""

    def vitals(self, *, now: datetime) -> Vitals:
        """What there is and what waits; see ports.Monitor."""
        with self._connections.reading() as connection:
            return _vitals(connection, self._path, now)


def look(path: Path, *, now: datetime) -> Vitals:
    """The vitals of a file that others may be writing to, read through a connection that cannot write.

    Nothing is migrated, locked or left open. Raises StoreError where it cannot be read or has another schema.
    """
    if not path.is_file():
        raise StoreError("there is no such file")
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    with mapped(), closing(sqlite3.connect(address, uri=True, timeout=LOOK_TIMEOUT_S)) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.isolation_level = None
        connection.execute("BEGIN")
        _check_schema(connection)
        return _vitals(connection, path, now)


def _check_schema(connection: sqlite3.Connection) -> None:
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    newest = shipped_migrations()[-1].number
    if application_id != APPLICATION_ID:
        raise StoreCorruptError("the file is no Glossator store")
    if version > newest:
        raise StoreTooNewError(f"the file has schema {version}, this version knows up to {newest}: upgrade the package")
    if version < newest:
        raise StoreError(f"the file has schema {version}, this version needs {newest}: any other verb brings it there")


def _vitals(connection: sqlite3.Connection, path: Path, now: datetime) -> Vitals:
    messages, chunks, vectors, facts, reviewed = connection.execute(SQL["vitals_counts"]).fetchone()
    recently = {"rows_max": ROWS_MAX, "since": micros(now - timedelta(seconds=LATELY_S))}
    (recorded,) = connection.execute(SQL["vitals_recorded"], recently).fetchone()
    hour = {"rows_max": ROWS_MAX, "since": micros(now - timedelta(seconds=DECIDED_LATELY_S))}
    decided = dict(connection.execute(SQL["vitals_decided"], hour).fetchall())
    open_work = {row[0]: row for row in connection.execute(SQL["vitals_work"])}
    log = path.with_name(f"{path.name}-wal")
    backlog = (open_work.get(kind, (kind, 0, 0, None)) for kind in WORK_KINDS)
    return Vitals(
        message_count=messages,
        chunk_count=chunks,
        vector_count=vectors,
        fact_count=facts,
        recorded_lately_count=recorded,
        decided_lately={name: decided.get(name, 0) for name in DECISIONS},
        backlog=tuple(
            OpenWork(
                kind=kind,
                pending_count=waiting,
                failed_count=failed,
                oldest_created_at=None if oldest is None else instant(oldest),
            )
            for kind, waiting, failed, oldest in backlog
        ),
        file_bytes=path.stat().st_size,
        log_bytes=_size(log),
        reviewed_at=instant_or_none(reviewed),
    )


def _size(path: Path) -> int:
    """0 where there is none; it may go between two looks."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
