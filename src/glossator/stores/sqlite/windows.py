"""Which messages of a conversation are still sent to the model? The port Windows over one file."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from glossator.errors import ConflictError
from glossator.model import (
    Batch,
    CompactionAttempt,
    Conversation,
    Entry,
    Measure,
    Scope,
    Window,
    WindowChange,
    WindowRecord,
    WindowState,
)
from glossator.stores.sqlite import journal
from glossator.stores.sqlite.base import SqliteBase
from glossator.stores.sqlite.journal import ROWS_MAX, found_or_added
from glossator.stores.sqlite.rows import ids_json, instant, message_of, micros, scope_parameters
from glossator.stores.sqlite.statements import SQL


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """The rows of a conversation and of its scope."""

    conversation_id: int
    scope_id: int


class SqliteWindows(SqliteBase):
    """The port Windows."""

    def window(self, scope: Scope, conversation: str) -> Window:
        """What is live now; see ports.Windows."""
        with self._connections.reading() as connection:
            return _window(connection, _found(connection, scope, conversation), conversation)

    def replace_window(self, scope: Scope, change: WindowChange, *, now: datetime) -> Window:
        """Make the change in one transaction; see ports.Windows."""
        with self._connections.writing() as connection:
            place = _found(connection, scope, change.conversation)
            if place is None or change.last_id != _last_id(connection, place):
                raise ConflictError("window", "is stale: a message was added since it was read", remedy="read it again")
            _leave(connection, place, change.compacted, "compacted")
            _leave(connection, place, change.cleared, "cleared")
            if change.checkpoint is not None:
                entry = Entry(message=change.checkpoint, chunks=())
                there = Conversation.parse(change.conversation)
                journal.append(connection, Batch(scope=scope.whole, conversation=there, entries=(entry,)), now=now)
            if change.attempt is not None:
                _log(connection, place, change.attempt)
            connection.execute(SQL["spend_window_measure"], (place.conversation_id,))
            connection.execute(SQL["revise_scopes"], (ids_json([place.scope_id]),))
            return _window(connection, place, change.conversation)

    def measure_window(self, scope: Scope, conversation: str, measure: Measure) -> None:
        """Keep the measure; the conversation need not have a message yet."""
        if scope.job is not None or scope.conversation not in (None, conversation):
            return
        with self._connections.writing(flushed=False) as connection:
            owner = (scope.workspace, scope.agent, scope.owner)
            scope_id = found_or_added(connection, "scope_row", owner, "add_scope", owner)
            there = Conversation.parse(conversation)
            key = (scope_id, conversation)
            values = (*key, there.channel, there.chat, there.thread)
            conversation_id = found_or_added(connection, "conversation_id", key, "add_conversation", values)
            row = (conversation_id, measure.peak_tokens, measure.window_tokens, micros(measure.measured_at))
            connection.execute(SQL["put_window_measure"], row)

    def log_compaction(self, scope: Scope, conversation: str, attempt: CompactionAttempt) -> None:
        """Log an attempt that changed nothing."""
        with self._connections.writing(flushed=False) as connection:
            place = _found(connection, scope, conversation)
            if place is not None:
                _log(connection, place, attempt)

    def window_record(self, scope: Scope, conversation: str, *, limit: int = 20) -> WindowRecord:
        """The last measure, and the newest attempts."""
        with self._connections.reading() as connection:
            place = _found(connection, scope, conversation)
            if place is None:
                return WindowRecord()
            row = connection.execute(SQL["window_measure"], (place.conversation_id,)).fetchone()
            asked = (place.conversation_id, min(max(limit, 0), ROWS_MAX))
            attempts = connection.execute(SQL["compactions"], asked).fetchall()
        return WindowRecord(
            measure=None
            if row is None
            else Measure(peak_tokens=row[0], window_tokens=row[1], measured_at=instant(row[2])),
            attempts=tuple(
                CompactionAttempt(at=instant(at), outcome=outcome, before_tokens=before, after_tokens=after, reason=why)
                for at, outcome, before, after, why in attempts
            ),
        )


def _found(connection: sqlite3.Connection, scope: Scope, conversation: str) -> _Place | None:
    asked = {"key": conversation, **scope_parameters(scope)}
    row = connection.execute(SQL["window_conversation"], asked).fetchone()
    return None if row is None else _Place(conversation_id=row[0], scope_id=row[1])


def _last_id(connection: sqlite3.Connection, place: _Place) -> int:
    (last_id,) = connection.execute(SQL["window_last_id"], (place.conversation_id,)).fetchone()
    return int(last_id)


def _window(connection: sqlite3.Connection, place: _Place | None, conversation: str) -> Window:
    if place is None:
        return Window(conversation=conversation)
    asked = {"conversation_id": place.conversation_id, "scope_id": place.scope_id}
    live = [message_of(row) for row in connection.execute(SQL["window_messages"], asked)]
    checkpoints = [each for each in live if each.kind == "checkpoint_summary"]
    return Window(
        conversation=conversation,
        messages=tuple(each for each in live if each.kind != "checkpoint_summary"),
        checkpoint=checkpoints[-1] if checkpoints else None,
        last_id=_last_id(connection, place),
    )


def _leave(
    connection: sqlite3.Connection, place: _Place, message_ids: tuple[int, ...], window_state: WindowState
) -> None:
    asked = {
        "conversation_id": place.conversation_id,
        "message_ids": ids_json(message_ids),
        "window_state": window_state,
    }
    if connection.execute(SQL["leave_window"], asked).rowcount != len(set(message_ids)):
        raise ConflictError("window", "is stale: a message has left it since it was read", remedy="read it again")


def _log(connection: sqlite3.Connection, place: _Place, attempt: CompactionAttempt) -> None:
    row = (
        place.conversation_id, micros(attempt.at), attempt.outcome, attempt.before_tokens, attempt.after_tokens,
        attempt.reason,
    )  # fmt: skip
    connection.execute(SQL["add_compaction"], row)
