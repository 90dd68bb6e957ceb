"""How do messages become rows, all or none, once and only once?"""

import sqlite3
from datetime import datetime

from glossator.model import Batch, ChunkDraft, Entry, Message, Recorded, Scope, WorkKind
from glossator.stores.sqlite.rows import ids_json, message_of, micros, micros_or_none, scope_parameters, to_json
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.terms import body_words, speaker_words

ROWS_MAX = 2**31 - 1
"""More than any store holds, and a number that SQLite takes."""


def append(connection: sqlite3.Connection, batch: Batch, *, now: datetime) -> tuple[Recorded, ...]:
    """Write the batch inside the caller's transaction; one Recorded per entry, in order."""
    scope = batch.scope
    owner = (scope.workspace, scope.agent, scope.owner)
    scope_id = found_or_added(connection, "scope_state", owner, "add_scope", owner)
    conversation = batch.conversation
    place = (conversation.channel, conversation.chat, conversation.thread)
    key = (scope_id, conversation.key)
    conversation_id = found_or_added(connection, "conversation_id", key, "add_conversation", (*key, *place))
    writer = _Writer(connection, (*owner, *place), scope_id, conversation_id, micros(now))
    recorded = tuple(writer.record(entry) for entry in batch.entries)
    if any(each.outcome == "stored" for each in recorded):
        connection.execute(SQL["revise_scopes"], (ids_json([scope_id]),))
    return recorded


def found_or_added(
    connection: sqlite3.Connection, find: str, key: tuple[object, ...], add: str, values: tuple[object, ...]
) -> int:
    """The id of the row, added if missing.

    Not INSERT ... ON CONFLICT: that writes to `sqlite_sequence` each time, and recording duplicates must write nothing.
    """
    row = connection.execute(SQL[find], key).fetchone()
    return int(row[0]) if row is not None else inserted(connection.execute(SQL[add], values))


class _Writer:
    """The rows of one batch."""

    def __init__(
        self, connection: sqlite3.Connection, names: tuple[str, ...], scope_id: int, conversation_id: int, now: int
    ) -> None:
        self._connection = connection
        self._names = names
        self._scope_id = scope_id
        self._conversation_id = conversation_id
        self._now = now

    def record(self, entry: Entry) -> Recorded:
        """Store the entry, unless its id is there already."""
        external_id = entry.message.external_id
        before = self._connection.execute(SQL["recorded_before"], (self._conversation_id, external_id)).fetchone()
        if before is None:
            return self._store(entry)
        message_id, content, state = before
        if state == "erased":
            return Recorded(external_id=external_id, message_id=message_id, outcome="erased")
        rows = self._connection.execute(SQL["chunk_ids_of_message"], (message_id, self._scope_id))
        chunk_ids = tuple(row[0] for row in rows)
        return Recorded(
            external_id=external_id,
            message_id=message_id,
            outcome="duplicate" if content == entry.message.content else "conflict",
            chunk_ids=chunk_ids,
        )

    def _store(self, entry: Entry) -> Recorded:
        message = entry.message
        session = (self._conversation_id, message.session)
        placed = self._connection.execute(SQL["next_position"], session).fetchone()
        if placed is None:
            self._connection.execute(SQL["add_session"], session)
            placed = self._connection.execute(SQL["next_position"], session).fetchone()
        session_id, position = placed
        said = message.said
        row = (
            *self._names, message.speaker, message.role, message.kind, message.content,
            to_json(dict(message.metadata)), self._now, self._scope_id, self._conversation_id, session_id, position,
            message.external_id, micros(said.at), said.offset_minutes, said.precision, said.given,
            entry.extract and bool(entry.chunks), message.trust, message.tier,
        )  # fmt: skip
        message_id = inserted(self._connection.execute(SQL["add_message"], row))
        drafts = sorted(entry.chunks, key=lambda draft: draft.index)
        chunk_ids = tuple(self._add_chunk(draft, entry, message_id, session_id, position) for draft in drafts)
        if entry.extract and chunk_ids:
            self._add_work("extract", chunk_ids[0])
        return Recorded(external_id=message.external_id, message_id=message_id, outcome="stored", chunk_ids=chunk_ids)

    def _add_chunk(self, draft: ChunkDraft, entry: Entry, message_id: int, session_id: int, position: int) -> int:
        event = draft.event
        message = entry.message
        row = (
            message_id, self._scope_id, self._conversation_id, session_id, position, draft.index, draft.start,
            draft.end, draft.namespace, draft.strategy, message.role, message.speaker, micros(message.said.at),
            micros_or_none(event.interval.start), micros_or_none(event.interval.end), event.interval.precision,
            event.source, event.words, draft.project, to_json(list(draft.tags)), draft.weight, len(draft.terms),
            draft.marks, draft.text,
        )  # fmt: skip
        chunk_id = inserted(self._connection.execute(SQL["add_chunk"], row))
        words = (body_words(self._scope_id, draft.terms), speaker_words(self._scope_id, draft.speaker_terms))
        self._connection.execute(SQL["add_terms"], (chunk_id, *words))
        self._add_work("embed", chunk_id)
        return chunk_id

    def _add_work(self, kind: WorkKind, chunk_id: int) -> None:
        row = (kind, chunk_id, None, None, self._scope_id, self._conversation_id, self._now, self._now)
        self._connection.execute(SQL["add_work"], row)


def inserted(cursor: sqlite3.Cursor) -> int:
    """The id that the row got."""
    assert cursor.lastrowid is not None  # an INSERT without a conflict clause
    return cursor.lastrowid


def messages(
    connection: sqlite3.Connection, scope: Scope, *, session: str | None, after_id: int, before_id: int | None,
    limit: int,
) -> tuple[Message, ...]:  # fmt: skip
    """Live messages of the scope in journal order; before a number the last ones."""
    asked = {"session": session, "after_id": after_id, "limit": min(limit, ROWS_MAX), **scope_parameters(scope)}
    if before_id is None:
        return tuple(message_of(row) for row in connection.execute(SQL["messages"], asked))
    rows = connection.execute(SQL["messages_before"], {**asked, "before_id": before_id}).fetchall()
    return tuple(message_of(row) for row in reversed(rows))


def message(
    connection: sqlite3.Connection, scope: Scope, external_id: str, *, conversation: str | None
) -> Message | None:
    """The first live message with this id in the scope, or None."""
    asked = {"external_id": external_id, "named": conversation, **scope_parameters(scope)}
    row = connection.execute(SQL["message"], asked).fetchone()
    return None if row is None else message_of(row)
