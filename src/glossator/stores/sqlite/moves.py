"""How does a fact change its state, and what is written about it?"""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from glossator.errors import ConflictError, NotFoundError, UsageError
from glossator.model import RECALLABLE, Fact, Move, Scope
from glossator.rules.states import FORGOTTEN, WEIGHTS, may_move
from glossator.stores.sqlite.erasures import backups_of, write_receipt
from glossator.stores.sqlite.facts import facts_of
from glossator.stores.sqlite.resources import blank_revisions, revisions_that_go
from glossator.stores.sqlite.rows import ids_json, micros, micros_or_none, to_json
from glossator.stores.sqlite.rulings import ASK_AGAIN, revised
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.tombstones import Burial, blank_waiting, bury
from glossator.upkeep.receipts import burial_counts, moved_body


def move_facts(
    connection: sqlite3.Connection, scope: Scope, moves: Sequence[Move], *, now: datetime
) -> tuple[Fact, ...]:
    """Make the moves in order, inside the caller's transaction; the facts as they are then, one per move."""
    if not moves:
        return ()
    owner = (scope.workspace, scope.agent, scope.owner)
    row = connection.execute(SQL["scope_row"], owner).fetchone()
    revision = (
        0 if row is None else revised(connection, row[0], erased=any(each.to_state == "erased" for each in moves))
    )
    counts: Counter[str] = Counter()
    for move in moves:
        found = facts_of(connection, scope, [move.fact_id])
        if not found:
            raise NotFoundError(
                "moves", f"there is no fact f{move.fact_id} in this scope", remedy="check ids and scope"
            )
        check_move(found[0], move)
        if move.to_state == "erased":
            gone = [move.fact_id]
            burial = Burial(
                scope_id=row[0], fact_ids=gone, decision_ids=[], by=move.by, reason=move.reason, revision=revision
            )
            buried = bury(connection, burial, now=now)
            revisions = revisions_that_go(connection, row[0], memory_ids=gone)
            counts.update(burial_counts(buried, blank_revisions(connection, row[0], revisions, now=now)))
        else:
            _move(connection, scope, found[0], move, now=now, revision=revision)
    if any(each.to_state in FORGOTTEN for each in moves):
        connection.execute(SQL["erase_replies"])
    body = moved_body(scope, moves, counts=counts, at=now, backups=backups_of(connection))
    if body:
        write_receipt(connection, row[0], scope.conversation, body, now=now)
    ids = [move.fact_id for move in moves]
    after = {fact.fact_id: fact for fact in facts_of(connection, scope, ids)}
    return tuple(after[fact_id] for fact_id in ids)


def check_move(fact: Fact, move: Move) -> None:
    """Raises ConflictError if the fact has changed since it was read, UsageError if the move is not allowed."""
    if fact.version != move.version:
        raise ConflictError("moves", f"fact {fact.id} has changed since it was read", remedy=ASK_AGAIN)
    if not may_move(fact.state, move.to_state):
        raise UsageError(
            "moves", f"fact {fact.id} is {fact.state}, it cannot become {move.to_state}", remedy="see docs"
        )


def _move(
    connection: sqlite3.Connection, scope: Scope, fact: Fact, move: Move, *, now: datetime, revision: int
) -> None:
    returns = move.to_state == "active" and fact.state not in RECALLABLE
    if returns:
        _check_place(connection, scope, fact)
        parent = {"fact_id": fact.fact_id, "now": micros(now), "revision": revision}
        connection.execute(SQL["leave_parent"], parent)  # what had replaced it begins a chain of its own
    archived = move.to_state == "archived"
    asked = {
        "fact_id": fact.fact_id,
        "state": move.to_state,
        "weight": WEIGHTS.get(move.to_state, fact.weight),
        "reason": "" if move.to_state == "active" else move.reason,
        "valid_to": micros_or_none(_valid_to(fact, move, now)),
        "superseded_by": None if returns else fact.superseded_by,
        "seen_at": micros(now) if returns else 0,
        "archived_at": micros(now) if archived else None,
        "archived_by": move.by if archived else None,
        "archive_reason": move.reason if archived else None,
        "now": micros(now),
        "revision": revision,
    }
    try:
        connection.execute(SQL["move_fact"], asked)
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
            raise
        raise ConflictError("moves", f"the place of {fact.id} is taken by another active fact") from error
    _keep_beside(connection, owner_row(connection, scope), fact, move, now=now)
    change = (fact.fact_id, micros(now), move.by, fact.state, move.to_state, move.reason)
    connection.execute(SQL["add_change"], change)


def owner_row(connection: sqlite3.Connection, scope: Scope) -> int:
    """The row of `scopes` that the facts of this scope lie under."""
    (scope_id,) = connection.execute(SQL["scope_row"], (scope.workspace, scope.agent, scope.owner)).fetchone()
    return int(scope_id)


def _keep_beside(connection: sqlite3.Connection, scope_id: int, fact: Fact, move: Move, *, now: datetime) -> None:
    """Hints, the end of a fact's time, and the tombstones of what is forgotten change with the state."""
    hints = move.hints if move.to_state == "deprioritised" else ()
    connection.execute(SQL["set_hints"], (to_json(list(hints)), fact.fact_id))
    # earlier versions of the very statement rest on words of their own
    same = [row[0] for row in connection.execute(SQL["same_statements"], (scope_id, fact.content_hash))]
    named = ids_json(same)
    if move.to_state == "invalidated":
        connection.execute(SQL["add_tombstones"], {"fact_ids": named, "now": micros(now)})
        blank_waiting(connection, scope_id, same)
    elif move.to_state == "active":
        connection.execute(SQL["drop_tombstones_of_facts"], (named,))
        connection.execute(SQL["clear_expiry"], (fact.fact_id, micros(now)))


def _check_place(connection: sqlite3.Connection, scope: Scope, fact: Fact) -> None:
    """A superseded fact may only come back where nothing that replaced it is active."""
    newer = [] if fact.superseded_by is None else facts_of(connection, _whole(scope), [fact.superseded_by])
    if newer and newer[0].state in RECALLABLE:
        raise ConflictError(
            "moves", f"{newer[0].id} has taken the place of {fact.id}", remedy=f"move {newer[0].id} first"
        )


def _whole(scope: Scope) -> Scope:
    return Scope(workspace=scope.workspace, agent=scope.agent, owner=scope.owner)


def _valid_to(fact: Fact, move: Move, now: datetime) -> datetime | None:
    """A fact that comes back holds again; one that is superseded by hand held until now."""
    if move.to_state == "active":
        return None
    if move.to_state == "superseded":
        return fact.valid_to or max(now, fact.valid_from)
    return fact.valid_to
