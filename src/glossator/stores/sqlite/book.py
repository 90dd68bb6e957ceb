"""What does the SQLite store do for facts? The ports Facts, Ledger, Queue and Steps over one file."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from glossator.model import (
    Decided,
    Evidence,
    Fact,
    FactAsk,
    FactFilter,
    FactPool,
    Learning,
    Move,
    OpenTurn,
    QueuedTurn,
    Ruling,
    Scope,
    StateChange,
    Step,
    StepMatch,
    WorkRow,
)
from glossator.stores.sqlite import erase, fact_search, fact_vectors, rulings, turns
from glossator.stores.sqlite import facts as fact_rows
from glossator.stores.sqlite import steps as step_rows
from glossator.stores.sqlite.base import SqliteBase
from glossator.stores.sqlite.connections import Connections
from glossator.stores.sqlite.fact_columns import FactCache
from glossator.stores.sqlite.moves import move_facts


class SqliteBook(SqliteBase):
    """The fact book of one file."""

    def __init__(self, path: Path, connections: Connections, *, scopes_max: int) -> None:
        super().__init__(path, connections)
        self._fact_columns = FactCache(scopes_max=scopes_max)

    # Facts

    def commit(self, ruling: Ruling, *, now: datetime) -> tuple[Decided, ...]:
        """Write a ruling in one transaction; see ports.Facts."""
        with self._connections.writing(flushed=not ruling.settles) as connection:
            return rulings.commit(connection, ruling, now=now)

    def facts(self, scope: Scope, asked: FactFilter) -> tuple[Fact, ...]:
        """The facts that the scope covers and the filter lets through."""
        with self._connections.reading() as connection:
            return fact_rows.facts(connection, scope, asked)

    def match_facts(self, ask: FactAsk) -> FactPool:
        """One search among facts over what was committed before the call; see ports.Facts."""
        while True:
            with self._connections.reading() as connection:
                found = fact_search.match_facts(connection, self._fact_columns, ask)
            if found is not None:
                return found

    def move_facts(self, scope: Scope, moves: Sequence[Move], *, now: datetime) -> tuple[Fact, ...]:
        """Change states, each with a row of the audit; see ports.Facts."""
        with self._connections.writing() as connection:
            moved = move_facts(connection, scope, moves, now=now)
        if any(each.to_state == "erased" for each in moves):
            with self._connections.exclusive() as connection:
                erase.clean_files(connection, path=self._path)
        return moved

    def put_fact_vectors(
        self, model: str, vectors: Mapping[int, NDArray[np.float32]], *, texts: Mapping[int, str]
    ) -> int:
        """Keep one vector per fact for this model; see ports.Facts."""
        with self._connections.writing(flushed=False) as connection:
            return fact_vectors.put(connection, model, vectors, texts)

    def facts_to_embed(self, fact_ids: Sequence[int]) -> dict[int, str]:
        """The indexed text of these facts; crosses scopes."""
        with self._connections.reading() as connection:
            return fact_vectors.to_embed(connection, fact_ids)

    # Ledger

    def evidence(
        self, scope: Scope, *, fact_ids: Sequence[int] = (), message_ids: Sequence[int] = ()
    ) -> tuple[Evidence, ...]:
        """The evidence of these facts, or that these messages give."""
        with self._connections.reading() as connection:
            return fact_rows.evidence(connection, scope, fact_ids, message_ids)

    def decisions(
        self, scope: Scope, *, fact_ids: Sequence[int] = (), message_ids: Sequence[int] = (), limit: int = 1000
    ) -> tuple[Decided, ...]:
        """The log's rows about these facts or messages, oldest first."""
        with self._connections.reading() as connection:
            return fact_rows.decisions(connection, scope, fact_ids, message_ids, limit)

    def changes(self, scope: Scope, fact_ids: Sequence[int]) -> tuple[StateChange, ...]:
        """The audit of these facts, oldest first."""
        with self._connections.reading() as connection:
            return fact_rows.changes(connection, scope, fact_ids)

    # Queue

    def push(self, queued: QueuedTurn, *, capacity: int, now: datetime) -> bool:
        """Keep a turn that is not in the journal; see ports.Queue.

        The caller is an agent in the middle of its turn and does not wait for the disk: a crash of the process loses
        nothing, a power cut may lose the last turns queued (what was recorded of them is in the journal).
        """
        with self._connections.writing(flushed=False) as connection:
            return turns.push(connection, queued, capacity=capacity, now=now)

    def turns(self, rows: Sequence[WorkRow]) -> tuple[OpenTurn, ...]:
        """The turns behind claimed rows of extraction work."""
        with self._connections.reading() as connection:
            return turns.turns(connection, rows)

    def learning(self, scope: Scope, message_ids: Sequence[int]) -> tuple[Learning, ...]:
        """How far the extraction of each of these messages is."""
        with self._connections.reading() as connection:
            return turns.learning(connection, scope, message_ids)

    def unembedded_facts(self, model: str, *, limit: int) -> tuple[int, ...]:
        """Ids of facts without a vector of this model, oldest first."""
        with self._connections.reading() as connection:
            return fact_vectors.unembedded(connection, model, limit=limit)

    # Steps

    def put_steps(self, scope: Scope, steps: Sequence[Step], *, now: datetime) -> int:
        """Keep steps by run and number, replacing."""
        with self._connections.writing() as connection:
            return step_rows.put(connection, scope, steps, now=now)

    def steps(self, scope: Scope, run_id: str) -> tuple[Step, ...]:
        """The steps of a run, in order."""
        with self._connections.reading() as connection:
            return step_rows.steps_of(connection, scope, run_id)

    def search_steps(
        self, scope: Scope, terms: Sequence[str], *, run_id: str | None = None, limit: int = 10
    ) -> tuple[StepMatch, ...]:
        """Steps whose thought or observation has any of the terms, best first."""
        with self._connections.reading() as connection:
            return step_rows.search(connection, scope, terms, run_id=run_id, limit=limit)

    def drop_steps(self, scope: Scope, run_id: str, numbers: Sequence[int] | None = None) -> int:
        """Delete steps of a run; returns how many went."""
        with self._connections.writing() as connection:
            return step_rows.drop(connection, scope, run_id, numbers)
