"""Which revisions of prompt files and other texts are kept? The port Resources over one file."""

import json
import os
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from glossator.model import Committed, ResourceKind, Revision, RevisionDraft, Scope, text_sha256
from glossator.stores.matching import sees_all
from glossator.stores.revising import check_follows, checked_place, is_said_already, place_of
from glossator.stores.sqlite.base import SqliteBase
from glossator.stores.sqlite.journal import found_or_added
from glossator.stores.sqlite.rows import Row, fact_parameters, ids_json, instant, instant_or_none, micros
from glossator.stores.sqlite.statements import SQL


class SqliteResources(SqliteBase):
    """The port Resources."""

    def commit_revision(self, scope: Scope, draft: RevisionDraft, *, now: datetime) -> Committed:
        """Make the draft the newest revision; see ports.Resources.

        There is no retry here: BEGIN IMMEDIATE waits for other writers as long as `Options.busy_timeout_s` says, by
        SQLite's own growing sleeps, and what stands there is read only once the lock is held.
        """
        place = checked_place(scope, draft)
        with self._connections.writing() as connection:
            head = _one(connection, scope, draft.kind, place)
            if head is not None and is_said_already(draft, head):
                return Committed(revision=head, changed=False)
            check_follows(draft, head, _target(connection, scope, draft, place))
            _add(connection, scope, draft, place, head=head, now=now)
            written = _one(connection, scope, draft.kind, place)
            assert written is not None
            return Committed(revision=written, changed=True)

    def revisions(
        self, scope: Scope, kind: ResourceKind, *, conversation: str | None = None, limit: int = 20
    ) -> tuple[Revision, ...]:
        """The revisions of a resource, newest first."""
        place = place_of(scope, kind, conversation)
        if place is None:
            return ()
        with self._connections.reading() as connection:
            return _read(connection, scope, kind, place, number=None, limit=max(limit, 0))

    def revision(
        self, scope: Scope, kind: ResourceKind, number: int, *, conversation: str | None = None
    ) -> Revision | None:
        """The revision with this number, or None."""
        place = place_of(scope, kind, conversation)
        if place is None:
            return None
        with self._connections.reading() as connection:
            return _one(connection, scope, kind, place, number=number)

    def resources(self, scope: Scope, *, limit: int = 1000) -> tuple[Revision, ...]:
        """The newest revision of each resource; see ports.Resources."""
        if not sees_all(scope):
            return ()
        asked = {**fact_parameters(scope), "limit": max(limit, 0)}
        with self._connections.reading() as connection:
            return tuple(_revision_of(row) for row in connection.execute(SQL["newest_revisions"], asked))

    def prompt_folder(self) -> str:
        """The folder in which the prompt files of the store at this path were last kept; "" where there was none."""
        with self._connections.reading() as connection:
            row = connection.execute(SQL["prompt_folder"], (self._store_path,)).fetchone()
        return "" if row is None else os.fsdecode(str(row[0]).encode())

    def keep_prompt_folder(self, folder: str) -> None:
        """Tell whoever opens the store at this path from now on that its prompt files lie there."""
        with self._connections.writing() as connection:
            connection.execute(SQL["keep_prompt_folder"], (self._store_path, _path_text(folder)))

    @property
    def _store_path(self) -> str:
        return _path_text(str(self._path.resolve()))


def _path_text(path: str) -> str:
    """The path as text that is the same under every locale; what no UTF-8 can be is spelt out."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def revisions_that_go(
    connection: sqlite3.Connection,
    scope_id: int,
    *,
    whole: bool = False,
    conversation: str | None = None,
    memory_ids: Sequence[int] = (),
    message_ids: Sequence[int] = (),
) -> tuple[int, ...]:
    """Ids of the revisions of this scope that rest on what is being erased; all of them for the `whole` scope.

    `conversation` takes the checkpoints of a conversation, the ids what was rendered from a fact or covers a message.
    """
    asked = {
        "scope_id": scope_id,
        "whole": whole,
        "conversation": conversation,
        "memory_ids": ids_json(memory_ids),
        "message_ids": ids_json(message_ids),
    }
    return tuple(int(row[0]) for row in connection.execute(SQL["revisions_that_go"], asked))


def blank_revisions(
    connection: sqlite3.Connection, scope_id: int, revision_ids: Sequence[int], *, now: datetime
) -> int:
    """Take the words and their fingerprint out of these revisions; returns how many lost them."""
    asked = {"scope_id": scope_id, "revision_ids": ids_json(revision_ids), "now": micros(now)}
    return connection.execute(SQL["erase_revisions"], asked).rowcount


def _one(
    connection: sqlite3.Connection, scope: Scope, kind: ResourceKind, place: str, *, number: int | None = None
) -> Revision | None:
    """The revision with this number; without one the newest."""
    return next(iter(_read(connection, scope, kind, place, number=number, limit=1)), None)


def _target(connection: sqlite3.Connection, scope: Scope, draft: RevisionDraft, place: str) -> Revision | None:
    """The revision that a rollback names."""
    return None if draft.target is None else _one(connection, scope, draft.kind, place, number=draft.target)


def _read(
    connection: sqlite3.Connection, scope: Scope, kind: ResourceKind, place: str, *, number: int | None, limit: int
) -> tuple[Revision, ...]:
    asked = {**fact_parameters(scope), "kind": kind, "place": place, "number": number, "limit": limit}
    return tuple(_revision_of(row) for row in connection.execute(SQL["revisions"], asked))


def _add(
    connection: sqlite3.Connection,
    scope: Scope,
    draft: RevisionDraft,
    place: str,
    *,
    head: Revision | None,
    now: datetime,
) -> None:
    owner = (scope.workspace, scope.agent, scope.owner)
    scope_id = found_or_added(connection, "scope_row", owner, "add_scope", owner)
    parent = None if head is None else head.number
    row = (
        scope_id, draft.kind, place, (parent or 0) + 1, parent, text_sha256(draft.content),
        len(draft.content.encode()), draft.content, draft.source, draft.trigger, ids_json(draft.memory_ids),
        ids_json(draft.message_ids), draft.target, draft.origin, draft.by, micros(now),
    )  # fmt: skip
    connection.execute(SQL["add_revision"], row)


def _revision_of(row: Row) -> Revision:
    """A row of `revisions` or `newest_revisions`."""
    return Revision(
        revision_id=row[0],
        scope=Scope(workspace=row[1], agent=row[2], owner=row[3]),
        kind=row[4],
        conversation=row[5] or None,
        number=row[6],
        parent=row[7],
        sha256=row[8],
        byte_count=row[9],
        content=row[10],
        source=row[11],
        trigger=row[12],
        memory_ids=tuple(json.loads(row[13])),
        message_ids=tuple(json.loads(row[14])),
        target=row[15],
        origin=row[16],
        by=row[17],
        created_at=instant(row[18]),
        erased_at=instant_or_none(row[19]),
    )
