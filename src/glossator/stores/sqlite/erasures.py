"""What is kept of what was erased: tombstones, receipts, the list of copies; and what comes back by itself?"""

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from glossator.errors import StoreCorruptError
from glossator.model import Backup, ClosedSpan, ErasureRecord, Fact, Hinted, Scope
from glossator.stores.matching import sees_all
from glossator.stores.sqlite.base import SqliteBase
from glossator.stores.sqlite.facts import facts_of
from glossator.stores.sqlite.rows import fact_parameters, ids_json, instant, micros, scope_parameters
from glossator.stores.sqlite.statements import SQL


class SqliteErasures(SqliteBase):
    """The ports Erasures and Receipts over one file."""

    # Erasures

    def closed_spans(self, scope: Scope, message_ids: Sequence[int]) -> tuple[ClosedSpan, ...]:
        """The words of these messages whose facts are not held any more; see ports.Erasures."""
        asked = {"message_ids": ids_json(message_ids), **scope_parameters(scope)}
        with self._connections.reading() as connection:
            rows = connection.execute(SQL["closed_spans"], asked).fetchall()
        return tuple(
            ClosedSpan(message_id=row[0], start=row[1], stop=row[2], state=row[3], content_hash=row[4]) for row in rows
        )

    def relearn(self, scope: Scope, *, now: datetime) -> int:
        """Queue extraction again in journal order; see ports.Erasures."""
        with self._connections.writing() as connection:
            found = connection.execute(SQL["to_relearn"], scope_parameters(scope)).fetchall()
            chunk_ids = ids_json(row[0] for row in found)
            connection.execute(SQL["drop_failed_extractions"], (chunk_ids,))
            connection.execute(SQL["mark_due"], (chunk_ids,))
            connection.execute(SQL["queue_extraction"], {"chunk_ids": chunk_ids, "now": micros(now)})
        return len(found)

    def hinted(self, scope: Scope) -> tuple[Hinted, ...]:
        """The deprioritised facts of the scope that have hints."""
        with self._connections.reading() as connection:
            hints = {
                row[0]: tuple(json.loads(row[1])) for row in connection.execute(SQL["hints"], fact_parameters(scope))
            }
            facts = facts_of(connection, scope, hints) if hints else []
        return tuple(Hinted(fact=fact, hints=hints[fact.fact_id]) for fact in sorted(facts, key=lambda f: f.fact_id))

    def due_to_expire(self, *, now: datetime, scope: Scope | None = None, limit: int = 100) -> tuple[Fact, ...]:
        """Facts whose time has passed, oldest first; crosses scopes where none is given."""
        nowhere = {"workspace": None, "agent": None, "owner": None, "conversation": None}
        asked = {"now": micros(now), "limit": limit, **(nowhere if scope is None else fact_parameters(scope))}
        with self._connections.reading() as connection:
            rows = connection.execute(SQL["due_to_expire"], asked).fetchall()
            found = [
                fact
                for row in rows
                for fact in facts_of(connection, scope or Scope(workspace=row[1], agent=row[2], owner=row[3]), [row[0]])
            ]
        return tuple(found)

    def keep_backup(self, path: Path, *, now: datetime) -> None:
        """Note that a copy was asked for."""
        with self._connections.writing() as connection:
            connection.execute(SQL["add_backup"], (str(path), micros(now)))

    # Receipts

    def receipts(self, scope: Scope, *, newest: int | None = None) -> tuple[ErasureRecord, ...]:
        """The receipts of this owner, oldest first."""
        if not sees_all(scope):
            return ()
        asked = {"newest": -1 if newest is None else max(newest, 0), **scope_parameters(scope)}
        with self._connections.reading() as connection:
            rows = connection.execute(SQL["receipts"], asked).fetchall()
        return tuple(
            ErasureRecord(
                number=row[0],
                scope=Scope(
                    workspace=scope.workspace, agent=scope.agent, owner=scope.owner, conversation=row[4]
                ),
                at=instant(row[1]),
                body=row[2],
                signed=row[3],
            )
            for row in reversed(rows)
        )  # fmt: skip

    def seal_receipt(self, scope: Scope, number: int, text: str) -> None:
        """Keep the signed text, once."""
        with self._connections.writing() as connection:
            connection.execute(SQL["seal_receipt"], {"number": number, "text": text, **scope_parameters(scope)})

    def signing_key(self, made: bytes, *, now: datetime) -> bytes:
        """The store's key for signing."""
        with self._connections.writing() as connection:
            row = connection.execute(SQL["signing_key"]).fetchone()
            if row is None:
                connection.execute(SQL["add_signing_key"], (made, micros(now)))
                row = connection.execute(SQL["signing_key"]).fetchone()
        if row is None:
            raise StoreCorruptError("the key for receipts can be neither read nor written")
        return bytes(row[0])


def backups_of(connection: sqlite3.Connection) -> tuple[Backup, ...]:
    """The copies that were asked for so far."""
    return tuple(Backup(path=row[0], at=instant(row[1])) for row in connection.execute(SQL["backups"]))


def write_receipt(
    connection: sqlite3.Connection, scope_id: int, conversation: str | None, body: str, *, now: datetime
) -> str:
    """Keep a receipt that is still to be signed, inside the caller's transaction; its id."""
    row = connection.execute(SQL["add_receipt"], (scope_id, conversation, micros(now), body))
    return f"r{row.lastrowid}"
