"""Which facts stop to hold by themselves? Those whose time has passed; each gets its row in the audit."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from glossator.errors import ConflictError, NotFoundError
from glossator.model import Fact, Move, Scope

BATCH = 100
"""Facts per round: a round is one transaction per owner, and a writer must not wait long behind it."""
BY = "expiry"
REASON = "its time has passed"


class Shelf(Protocol):
    """What expiring asks of a store."""

    def due_to_expire(self, *, now: datetime, scope: Scope | None = None, limit: int = 100) -> tuple[Fact, ...]:
        """See ports.Erasures."""
        ...

    def move_facts(self, scope: Scope, moves: Sequence[Move], *, now: datetime) -> tuple[Fact, ...]:
        """See ports.Facts."""
        ...


def expire_due(store: Shelf, *, now: datetime, scope: Scope | None = None) -> tuple[Fact, ...]:
    """Move every fact whose time has passed to "expired"; of one scope, or of all for the worker.

    A fact that somebody else changes at the same moment is left to the next round.
    """
    expired: list[Fact] = []
    while True:
        due = store.due_to_expire(now=now, scope=scope, limit=BATCH)
        moved = [fact for each in _by_owner(due) for fact in _moved(store, each, now)]
        expired += moved
        if len(due) < BATCH or not moved:
            return tuple(expired)


def _by_owner(facts: Sequence[Fact]) -> list[tuple[Fact, ...]]:
    owners = dict.fromkeys(fact.scope.whole for fact in facts)
    return [tuple(fact for fact in facts if fact.scope.whole == owner) for owner in owners]


def _moved(store: Shelf, facts: Sequence[Fact], now: datetime) -> tuple[Fact, ...]:
    moves = [
        Move(fact_id=fact.fact_id, version=fact.version, to_state="expired", by=BY, reason=REASON) for fact in facts
    ]
    try:
        return store.move_facts(facts[0].scope.whole, moves, now=now)
    except (ConflictError, NotFoundError):
        return ()
