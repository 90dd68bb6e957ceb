"""Which turns wait for extraction, and how far is it?"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from glossator.model import Conversation, Learning, OpenTurn, QueuedTurn, Scope, Turn, WorkRow
from glossator.stores.sqlite.fact_rows import message_passage, payload_of, queued_of
from glossator.stores.sqlite.journal import found_or_added
from glossator.stores.sqlite.rows import Row, ids_json, micros, scope_parameters
from glossator.stores.sqlite.statements import SQL


def push(connection: sqlite3.Connection, queued: QueuedTurn, *, capacity: int, now: datetime) -> bool:
    """Keep the turn unless `capacity` rows of its kind are open."""
    (open_count,) = connection.execute(SQL["count_open_work"], (queued.kind,)).fetchone()
    if open_count >= capacity:
        return False
    scope = queued.turn.scope
    owner = (scope.workspace, scope.agent, scope.owner)
    scope_id = found_or_added(connection, "scope_row", owner, "add_scope", owner)
    conversation_id = None
    key = scope.conversation or next((each.conversation for each in queued.turn.passages if each.conversation), None)
    if key is not None:
        place = Conversation.parse(key)
        values = (scope_id, key, place.channel, place.chat, place.thread)
        conversation_id = found_or_added(connection, "conversation_id", values[:2], "add_conversation", values)
    at = micros(now)
    row = (queued.kind, None, None, payload_of(queued), scope_id, conversation_id, at, at)
    connection.execute(SQL["add_work"], row)
    return True


def turns(connection: sqlite3.Connection, rows: Sequence[WorkRow]) -> tuple[OpenTurn, ...]:
    """The turns behind these rows, in their order."""
    asked = (ids_json(row.work_id for row in rows),)
    found: dict[int, Turn] = {row[0]: _turn_of(row) for row in connection.execute(SQL["extract_turns"], asked)}
    queued_at = {row.work_id: row.created_at for row in rows}
    for work_id, payload in connection.execute(SQL["queued_payloads"], asked):
        found[work_id] = queued_of(payload, queued_at=queued_at[work_id]).turn
    return tuple(OpenTurn(row=row, turn=found[row.work_id]) for row in rows if row.work_id in found)


def _turn_of(row: Row) -> Turn:
    """A row of `extract_turns`."""
    conversation, session = row[6:8]
    message = (row[1], row[2], *row[8:15])
    before = None
    if row[17] is not None:
        before = replace(message_passage(row[17:26], conversation=conversation, session=session), trust=row[28])
    return Turn(
        scope=Scope(workspace=row[3], agent=row[4], owner=row[5]),
        passages=(replace(message_passage(message, conversation=conversation, session=session), trust=row[27]),),
        source="document" if row[26] == "document" else "turn",
        before=before,
        project=row[15],
        tags=tuple(json.loads(row[16])),
    )


def learning(connection: sqlite3.Connection, scope: Scope, message_ids: Sequence[int]) -> tuple[Learning, ...]:
    """How far the extraction of each message is, in the order asked."""
    asked = {"message_ids": ids_json(message_ids), **scope_parameters(scope)}
    found = {row[0]: _learning_of(row) for row in connection.execute(SQL["learning"], asked)}
    return tuple(found[each] for each in message_ids if each in found)


def _learning_of(row: Row) -> Learning:
    message_id, external_id, was_due, work_state, reason = row
    if not was_due:
        return Learning(external_id=external_id, message_id=message_id, state="none")
    if work_state is None:
        return Learning(external_id=external_id, message_id=message_id, state="done")
    return Learning(
        external_id=external_id,
        message_id=message_id,
        state="pending" if work_state == "open" else "failed",
        reason=reason,
    )
