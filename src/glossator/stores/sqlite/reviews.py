"""How far has the background reviewer read each conversation? The port Reviews over one file."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta

from glossator.model import Message, ReviewClaim, ReviewCursor, ReviewEnd, ReviewState, Scope
from glossator.stores.reviewing import LEASES_MAX, checked_end, claim_lost
from glossator.stores.sqlite.base import SqliteBase
from glossator.stores.sqlite.journal import ROWS_MAX
from glossator.stores.sqlite.rows import (
    Row,
    instant_or_none,
    message_of,
    micros,
    micros_or_none,
    scope_parameters,
)
from glossator.stores.sqlite.statements import SQL


class SqliteReviews(SqliteBase):
    """The port Reviews."""

    def review_state(self, scope: Scope) -> ReviewState | None:
        """Where the review of the conversation stands; see ports.Reviews."""
        with self._connections.reading() as connection:
            found = _found(connection, scope)
        return None if found is None else found.state

    def messages_to_review(self, scope: Scope, *, after: ReviewCursor, limit: int) -> tuple[Message, ...]:
        """What is open to review behind the cursor, in journal order."""
        asked = {**scope_parameters(scope), "after_id": after.message_id, "limit": min(max(limit, 0), ROWS_MAX)}
        with self._connections.reading() as connection:
            return tuple(message_of(row) for row in connection.execute(SQL["messages_to_review"], asked))

    def unreviewed(
        self,
        scope: Scope | None = None,
        *,
        reviewed_before: datetime | None = None,
        or_after: datetime | None = None,
        limit: int = 1000,
    ) -> tuple[Scope, ...]:
        """Conversations with something open to review; see ports.Reviews."""
        whose = dict.fromkeys(("workspace", "agent", "owner", "conversation")) if scope is None else {}
        asked = {
            **(whose if scope is None else scope_parameters(scope)),
            "before": micros_or_none(reviewed_before),
            "or_after": micros_or_none(or_after),
            "limit": min(max(limit, 0), ROWS_MAX),
        }
        with self._connections.reading() as connection:
            return tuple(
                Scope(workspace=workspace, agent=agent, owner=owner, conversation=key)
                for workspace, agent, owner, key in connection.execute(SQL["unreviewed"], asked)
            )

    def claim_review(self, seen: ReviewState, *, now: datetime, lease_s: float) -> ReviewClaim | None:
        """Take the review; see ports.Reviews."""
        lease = timedelta(seconds=lease_s)
        with self._connections.writing() as connection:
            found = _found(connection, seen.scope)
            if found is None or found.state.claim_number != seen.claim_number:
                return None
            held_until = found.state.lease_until
            if held_until is not None and now < held_until <= now + LEASES_MAX * lease:
                return None
            asked = {
                "conversation_id": found.conversation_id, "now": micros(now), "lease_until": micros(now + lease),
            }  # fmt: skip
            connection.execute(SQL["claim_review"], asked)
        return ReviewClaim(
            scope=seen.scope, number=seen.claim_number + 1, cursor=found.state.cursor, lease_until=now + lease
        )

    def finish_review(
        self, claim: ReviewClaim, *, status: ReviewEnd, cursor: ReviewCursor | None, now: datetime
    ) -> ReviewState:
        """End the review; see ports.Reviews."""
        with self._connections.writing() as connection:
            found = _found(connection, claim.scope)
            if found is None or found.state.claim_number != claim.number or found.state.lease_until is None:
                raise claim_lost()
            checked_end(status, cursor, found.state.cursor)
            asked: dict[str, object] = {"conversation_id": found.conversation_id, "now": micros(now)}
            if cursor is None:
                connection.execute(SQL["fail_review"], asked)
            else:
                asked |= {"status": status, "message_id": cursor.message_id, "offset": cursor.offset}
                connection.execute(SQL["finish_review"], asked)
            after = _found(connection, claim.scope)
        assert after is not None, "the conversation was there in the same transaction"
        return after.state


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A conversation's row with its review's."""

    conversation_id: int
    state: ReviewState


def _found(connection: sqlite3.Connection, scope: Scope) -> _Found | None:
    row = connection.execute(SQL["review_state"], scope_parameters(scope)).fetchone()
    return None if row is None else _Found(conversation_id=row[0], state=state_of(row, scope))


def state_of(row: Row, scope: Scope) -> ReviewState:
    """A row of `review_state` or `review_states`, whose claims are told apart by their number."""
    (_, key, message_id, offset, reviewed, started, completed, status, failed, failures, number, lease, updated) = row
    return ReviewState(
        scope=Scope(workspace=scope.workspace, agent=scope.agent, owner=scope.owner, conversation=key),
        cursor=ReviewCursor(message_id=message_id, offset=offset),
        last_reviewed_at=instant_or_none(reviewed),
        started_at=instant_or_none(started),
        completed_at=instant_or_none(completed),
        status=status,
        failed_at=instant_or_none(failed),
        failure_count=failures,
        claim_number=number,
        lease_until=instant_or_none(lease),
        updated_at=instant_or_none(updated),
    )
