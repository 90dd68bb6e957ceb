"""What does the engine need of a store for facts? Facts, Ledger, Queue and Steps."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

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


class Facts(Protocol):
    """Admitted statements, with their index rows."""

    def commit(self, ruling: Ruling, *, now: datetime) -> tuple[Decided, ...]:
        """Write a ruling in one transaction: facts, evidence, index rows, decision log, audit, work done and due.

        Returns one Decided per decision, in order. A new fact gets a row of "embed_fact" work. Merging adds evidence
        (once per message and offsets), one sighting, and moves `last_seen_at` to the passage's said time if that is
        later. The same words told anew (not in a message) and later are a sighting without evidence.

        All or nothing: raises ConflictError("ruling", ...) when a named fact has changed since it was read, when
        another fact holds the hash or the key, or when a claim of `settles` was lost.
        """
        ...

    def facts(self, scope: Scope, asked: FactFilter) -> tuple[Fact, ...]:
        """The facts that the scope covers and the filter lets through."""
        ...

    def match_facts(self, ask: FactAsk) -> FactPool:
        """One search among facts; see FactPool for what is brought."""
        ...

    def move_facts(self, scope: Scope, moves: Sequence[Move], *, now: datetime) -> tuple[Fact, ...]:
        """Change states, each with a row of the audit, in one transaction; returns the facts as they are now.

        Transitions are those of rules/states.py, else UsageError. Raises NotFoundError for a fact that the scope does
        not cover, ConflictError when one has changed since it was read or its place is taken by another active fact.
        A return to "active" of what was not recalled counts as being seen: `last_seen_at` is `now` then, if that is
        later, so that nothing that was said before the return closes it again, and it is in the next prompt.
        A fact that becomes "erased" loses its words, evidence, index rows and open work, as if it were forgotten.
        """
        ...

    def put_fact_vectors(
        self, model: str, vectors: Mapping[int, NDArray[np.float32]], *, texts: Mapping[int, str]
    ) -> int:
        """Keep one vector per fact id for this model, replacing; returns how many were kept."""
        ...

    def facts_to_embed(self, fact_ids: Sequence[int]) -> dict[int, str]:
        """The indexed text of these facts, for the worker only, so it crosses scopes; the erased are left out."""
        ...


class Ledger(Protocol):
    """Why a fact is what it is."""

    def evidence(
        self, scope: Scope, *, fact_ids: Sequence[int] = (), message_ids: Sequence[int] = ()
    ) -> tuple[Evidence, ...]:
        """The evidence of these facts, or that these messages give, in order of said time, then message and offset."""
        ...

    def decisions(
        self, scope: Scope, *, fact_ids: Sequence[int] = (), message_ids: Sequence[int] = (), limit: int = 1000
    ) -> tuple[Decided, ...]:
        """The log's rows about these facts or messages (all of the scope where neither is given), oldest first."""
        ...

    def changes(self, scope: Scope, fact_ids: Sequence[int]) -> tuple[StateChange, ...]:
        """The audit of these facts, oldest first."""
        ...


class Queue(Protocol):
    """Turns that wait for extraction."""

    def push(self, queued: QueuedTurn, *, capacity: int, now: datetime) -> bool:
        """Keep a turn that is not in the journal; False where `capacity` rows of its kind wait.

        On return it outlives the process; the disk need not have it yet, since an agent's turn waits.
        """
        ...

    def turns(self, rows: Sequence[WorkRow]) -> tuple[OpenTurn, ...]:
        """The turns behind claimed rows of EXTRACTION_KINDS; a row whose message is gone is left out.

        The scope of a recorded message's turn is all of its owner's; its passages name the conversation.
        """
        ...

    def learning(self, scope: Scope, message_ids: Sequence[int]) -> tuple[Learning, ...]:
        """How far the extraction of each of these messages is, in the order asked."""
        ...

    def unembedded_facts(self, model: str, *, limit: int) -> tuple[int, ...]:
        """Ids of facts that have no vector of this model, oldest first; the erased are left out."""
        ...


class Steps(Protocol):
    """The reasoning steps of agents' runs, found by their words."""

    def put_steps(self, scope: Scope, steps: Sequence[Step], *, now: datetime) -> int:
        """Keep steps by (run_id, number), replacing; returns how many."""
        ...

    def steps(self, scope: Scope, run_id: str) -> tuple[Step, ...]:
        """The steps of a run, in order."""
        ...

    def search_steps(
        self, scope: Scope, terms: Sequence[str], *, run_id: str | None = None, limit: int = 10
    ) -> tuple[StepMatch, ...]:
        """Steps whose thought or observation has any of the terms, best first (BM25)."""
        ...

    def drop_steps(self, scope: Scope, run_id: str, numbers: Sequence[int] | None = None) -> int:
        """Delete steps of a run, all where `numbers` is None; returns how many went."""
        ...
