"""Which work is due, who has it, and when is it done? One row per chunk, so that one bad chunk holds up no other."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from glossator.model import Chunk, Scope, WorkRow
from glossator.stores.sqlite.journal import ROWS_MAX
from glossator.stores.sqlite.rows import chunk_of, ids_json, instant, micros, scope_parameters
from glossator.stores.sqlite.statements import SQL


def claim(connection: sqlite3.Connection, *, now: datetime, lease_s: float, limit: int) -> tuple[WorkRow, ...]:
    """Take due rows, oldest first."""
    rows = connection.execute(SQL["due_work"], (micros(now), min(limit, ROWS_MAX))).fetchall()
    lease_end = micros(now + timedelta(seconds=lease_s))
    connection.executemany(SQL["lease_work"], [(lease_end, row[0]) for row in rows])
    return tuple(
        WorkRow(work_id=row[0], kind=row[1], chunk_ids=(row[2],), attempt=row[3], created_at=instant(row[4]))
        for row in rows
    )


def settle(connection: sqlite3.Connection, rows: Sequence[WorkRow]) -> None:
    """Delete the rows that this claim still holds."""
    connection.executemany(SQL["settle_work"], [(row.work_id, row.attempt) for row in rows])


def fail(connection: sqlite3.Connection, rows: Sequence[WorkRow], *, reason: str, retry_at: datetime | None) -> None:
    """Put the rows that this claim still holds back, or park them."""
    if retry_at is None:
        connection.executemany(SQL["park_work"], [(reason, row.work_id, row.attempt) for row in rows])
    else:
        due_at = micros(retry_at)
        connection.executemany(SQL["retry_work"], [(due_at, reason, row.work_id, row.attempt) for row in rows])


def enqueue(connection: sqlite3.Connection, chunk_ids: Sequence[int], *, now: datetime) -> int:
    """Add rows for the chunks that have none open. A parked row is replaced, so that an old claim cannot settle it."""
    asked = ids_json(chunk_ids)
    connection.execute(SQL["drop_failed_work"], (asked,))
    return connection.execute(SQL["enqueue_work"], {"chunk_ids": asked, "now": micros(now)}).rowcount


def pending(connection: sqlite3.Connection, scope: Scope | None) -> int:
    """How many rows are open, in the scope or in all."""
    if scope is None:
        row = connection.execute(SQL["pending"]).fetchone()
    else:
        row = connection.execute(SQL["pending_in_scope"], scope_parameters(scope)).fetchone()
    return int(row[0])


def work_chunks(connection: sqlite3.Connection, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
    """The chunks in the order asked, with the message said before each."""
    rows = connection.execute(SQL["work_chunks"], {"chunk_ids": ids_json(chunk_ids)})
    found = {row[0]: chunk_of(row) for row in rows}
    return tuple(found[chunk_id] for chunk_id in chunk_ids if chunk_id in found)
