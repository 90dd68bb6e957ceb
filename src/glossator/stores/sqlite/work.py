"""Which work is due, who has it, and when is it done? One row per thing, so that a bad one holds up no other."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from glossator.model import Chunk, Scope, WorkKind, WorkRow
from glossator.stores.sqlite.journal import ROWS_MAX
from glossator.stores.sqlite.rows import Row, chunk_of, ids_json, instant, micros, scope_parameters, to_json
from glossator.stores.sqlite.statements import SQL


def claim(
    connection: sqlite3.Connection, kinds: Sequence[WorkKind], *, now: datetime, lease_s: float, limit: int
) -> tuple[WorkRow, ...]:
    """Take due rows of these kinds, oldest first."""
    taken = min(max(limit, 0), ROWS_MAX)
    rows: list[Row] = []
    for kind in dict.fromkeys(kinds):  # one by one, so that none has to be sorted or passed over
        rows += connection.execute(SQL["due_work"], (kind, micros(now), taken))
    rows = sorted(rows)[:taken]
    lease_end = micros(now + timedelta(seconds=lease_s))
    connection.executemany(SQL["lease_work"], [(lease_end, row[0]) for row in rows])
    return tuple(
        WorkRow(
            work_id=row[0],
            kind=row[1],
            chunk_ids=() if row[2] is None else (row[2],),
            attempt=row[3],
            created_at=instant(row[4]),
            fact_id=row[5],
        )
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


def enqueue(
    connection: sqlite3.Connection, chunk_ids: Sequence[int], *, now: datetime, fact_ids: Sequence[int] = ()
) -> int:
    """Add rows for the chunks and facts that have none open. A parked row is replaced: no old claim can settle it."""
    asked = {"chunk_ids": ids_json(chunk_ids), "fact_ids": ids_json(fact_ids), "now": micros(now)}
    connection.execute(SQL["drop_failed_work"], asked)
    added = connection.execute(SQL["enqueue_work"], asked).rowcount
    return added + connection.execute(SQL["enqueue_fact_work"], asked).rowcount


def reopen_failed(connection: sqlite3.Connection, *, now: datetime) -> int:
    """Put all parked rows back under new ids; returns how many they are."""
    rows = connection.execute(SQL["failed_rows"]).fetchall()
    connection.execute(SQL["drop_all_failed_work"])
    connection.executemany(SQL["add_work"], [(*row[:6], micros(now), micros(now)) for row in rows])
    return len(rows)


def pending(connection: sqlite3.Connection, scope: Scope | None, kinds: Sequence[WorkKind]) -> int:
    """How many rows of these kinds are open, in the scope or in all."""
    asked = {"kinds": to_json(tuple(kinds))}
    if scope is None:
        row = connection.execute(SQL["pending"], asked).fetchone()
    else:
        row = connection.execute(SQL["pending_in_scope"], {**asked, **scope_parameters(scope)}).fetchone()
    return int(row[0])


def work_chunks(connection: sqlite3.Connection, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
    """The chunks in the order asked, with the message said before each."""
    rows = connection.execute(SQL["work_chunks"], {"chunk_ids": ids_json(chunk_ids)})
    found = {row[0]: chunk_of(row) for row in rows}
    return tuple(found[chunk_id] for chunk_id in chunk_ids if chunk_id in found)
