"""What is there, in outline? The port Outline over one file."""

import sqlite3
from collections.abc import Mapping

from glossator.model import (
    WORK_KINDS,
    ConversationOutline,
    OpenWork,
    ReviewState,
    Scope,
    ScopeOutline,
    WorkKind,
)
from glossator.stores.matching import sees_all
from glossator.stores.outlining import READ_CHARACTERS, Page, first_words, page_of, without_content
from glossator.stores.sqlite.base import SqliteBase
from glossator.stores.sqlite.journal import ROWS_MAX
from glossator.stores.sqlite.reviews import state_of
from glossator.stores.sqlite.rows import Row, instant, instant_or_none, scope_parameters
from glossator.stores.sqlite.statements import SQL

INT_MAX = 2**63 - 1


class SqliteOutline(SqliteBase):
    """The port Outline."""

    def conversations(
        self, scope: Scope, *, limit: int, after: str | None = None
    ) -> tuple[ConversationOutline, ...]:  # fmt: skip
        """Conversations, the one in which something was said last comes first; see ports.Outline."""
        begin = None if after is None else page_of(after)
        if not sees_all(scope):
            return ()
        whose = scope_parameters(scope)
        with self._connections.reading() as connection:
            if begin is None:
                (newest_id,) = connection.execute(SQL["newest_message_id"], whose).fetchone()
                begin = Page(as_of=newest_id, newest=INT_MAX, number=INT_MAX)
            asked = {
                **whose, "as_of": begin.as_of, "newest": begin.newest, "conversation_id": begin.number,
                "limit": min(max(limit, 0), ROWS_MAX),
            }  # fmt: skip
            rows = connection.execute(SQL["talks"], asked).fetchall()
            return tuple(_outline(connection, row, as_of=begin.as_of) for row in rows)

    def scopes(self, scope: Scope) -> tuple[ScopeOutline, ...]:
        """Agents and owners of the workspace, as far as the caller may see them; see ports.Outline."""
        if not sees_all(scope):
            return ()
        asked = {**scope_parameters(scope), "everybody": scope.believed == "operator"}
        with self._connections.reading() as connection:
            rows = connection.execute(SQL["kept_scopes"], asked).fetchall()
        return tuple(
            ScopeOutline(
                scope=Scope(workspace=scope.workspace, agent=row[0], owner=row[1]),
                message_count=row[2],
                fact_count=row[3],
                last_said_at=instant_or_none(row[4]),
            )
            for row in rows
        )

    def open_work(self, scope: Scope | None = None) -> tuple[OpenWork, ...]:
        """What is to be done, by kind; see ports.Outline."""
        if scope is not None and not sees_all(scope):
            return ()
        with self._connections.reading() as connection:
            asked = {} if scope is None else scope_parameters(scope)
            rows = connection.execute(SQL["work_counts" if scope is None else "work_counts_in_scope"], asked)
            counts = {(row[0], row[1]): row[2:] for row in rows}
            return tuple(_open(connection, kind, counts, asked) for kind in WORK_KINDS)

    def review_states(self, scope: Scope, *, limit: int) -> tuple[ReviewState, ...]:
        """Where the reviews of conversations stand, the one that changed last first."""
        if not sees_all(scope):
            return ()
        asked = {**scope_parameters(scope), "limit": min(max(limit, 0), ROWS_MAX)}
        with self._connections.reading() as connection:
            return tuple(state_of(row, scope) for row in connection.execute(SQL["review_states"], asked))


def _outline(connection: sqlite3.Connection, row: Row, *, as_of: int) -> ConversationOutline:
    conversation_id, key, newest = row
    asked = {"conversation_id": conversation_id, "characters": READ_CHARACTERS}
    messages, live, first, last, sessions = connection.execute(SQL["talk_counts"], asked).fetchone()
    words = connection.execute(SQL["last_words"], asked).fetchone()
    return ConversationOutline(
        conversation=key,
        message_count=messages,
        live_count=live,
        session_count=sessions,
        first_said_at=instant(first),
        last_said_at=instant(last),
        last_words="" if words is None else first_words(words[0]),
        page=Page(as_of=as_of, newest=newest, number=conversation_id).text,
    )


def _open(
    connection: sqlite3.Connection,
    kind: WorkKind,
    counts: Mapping[tuple[str, str], Row],
    whose: Mapping[str, str | None],
) -> OpenWork:
    pending, due, first = counts.get((kind, "open"), (0, None, None))
    failed, _, _ = counts.get((kind, "failed"), (0, None, None))
    if not pending + failed:
        return OpenWork(kind=kind)
    began = connection.execute(SQL["work_began"], (first,)).fetchone()
    statement = SQL["work_failed_in_scope" if whose else "work_failed"]
    reason = connection.execute(statement, {"kind": kind, **whose}).fetchone()
    return OpenWork(
        kind=kind,
        pending_count=pending,
        failed_count=failed,
        oldest_created_at=None if began is None else instant(began[0]),
        next_due_at=instant_or_none(due),
        last_error="" if reason is None else without_content(reason[0]),
    )
