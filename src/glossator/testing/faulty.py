"""A store that fails at a chosen call: does the caller survive, and is what it retries done once?"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from glossator.errors import StoreError
from glossator.model import (
    WORK_KINDS,
    Ask,
    Batch,
    Chunk,
    Decided,
    Evidence,
    Fact,
    FactAsk,
    FactFilter,
    FactPool,
    Finding,
    ForgetPreview,
    ForgetReceipt,
    ForgetTarget,
    Learning,
    Message,
    Move,
    OpenTurn,
    Pool,
    QueuedTurn,
    Recorded,
    Ruling,
    Scope,
    StateChange,
    Status,
    Step,
    StepMatch,
    WorkKind,
    WorkRow,
)
from glossator.ports import Store

T = TypeVar("T")


class FaultyStore:
    """Hands every call on to `store`; the n-th one, counted from 1, raises StoreError before or after its effect."""

    def __init__(self, store: Store, *, fail_at: int, when: Literal["before", "after"] = "before") -> None:
        self._store = store
        self._fail_at = fail_at
        self._when = when
        self.call_count = 0
        self.failed_in: str | None = None
        """The name of the call that was made to fail."""

    def _call(self, name: str, call: Callable[[], T]) -> T:
        self.call_count += 1
        if self.call_count != self._fail_at:
            return call()
        self.failed_in = name
        if self._when == "after":
            call()
        raise StoreError(f"call {self.call_count} ({name}) fails {self._when} its effect", retryable=True)

    def append(self, batch: Batch, *, now: datetime) -> tuple[Recorded, ...]:
        """See ports.Journal."""
        return self._call("append", lambda: self._store.append(batch, now=now))

    def messages(
        self, scope: Scope, *, session: str | None = None, after_id: int = 0, limit: int = 1000
    ) -> tuple[Message, ...]:
        """See ports.Journal."""
        return self._call(
            "messages", lambda: self._store.messages(scope, session=session, after_id=after_id, limit=limit)
        )

    def message(self, scope: Scope, external_id: str, *, conversation: str | None = None) -> Message | None:
        """See ports.Journal."""
        return self._call("message", lambda: self._store.message(scope, external_id, conversation=conversation))

    def survey(self, ask: Ask) -> Pool:
        """See ports.Index."""
        return self._call("survey", lambda: self._store.survey(ask))

    def chunks(self, scope: Scope, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        """See ports.Index."""
        return self._call("chunks", lambda: self._store.chunks(scope, chunk_ids))

    def put_vectors(
        self,
        model: str,
        vectors: Mapping[int, NDArray[np.float32]],
        *,
        texts: Mapping[int, str],
        signs: Mapping[int, NDArray[np.uint8]] | None = None,
    ) -> int:
        """See ports.Index."""
        return self._call("put_vectors", lambda: self._store.put_vectors(model, vectors, texts=texts, signs=signs))

    def signs(self, scope: Scope, model: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.uint8]]:
        """See ports.Index."""
        return self._call("signs", lambda: self._store.signs(scope, model, chunk_ids))

    def unembedded(self, model: str, *, limit: int) -> tuple[int, ...]:
        """See ports.Index."""
        return self._call("unembedded", lambda: self._store.unembedded(model, limit=limit))

    def drop_vectors(self, *, keep_model: str) -> int:
        """See ports.Index."""
        return self._call("drop_vectors", lambda: self._store.drop_vectors(keep_model=keep_model))

    def claim(self, kinds: Sequence[WorkKind], *, now: datetime, lease_s: float, limit: int) -> tuple[WorkRow, ...]:
        """See ports.Work."""
        return self._call("claim", lambda: self._store.claim(kinds, now=now, lease_s=lease_s, limit=limit))

    def settle(self, rows: Sequence[WorkRow]) -> None:
        """See ports.Work."""
        return self._call("settle", lambda: self._store.settle(rows))

    def fail(self, rows: Sequence[WorkRow], *, reason: str, retry_at: datetime | None) -> None:
        """See ports.Work."""
        return self._call("fail", lambda: self._store.fail(rows, reason=reason, retry_at=retry_at))

    def enqueue(self, chunk_ids: Sequence[int], *, now: datetime, fact_ids: Sequence[int] = ()) -> int:
        """See ports.Work."""
        return self._call("enqueue", lambda: self._store.enqueue(chunk_ids, now=now, fact_ids=fact_ids))

    def pending(self, scope: Scope | None = None, *, kinds: Sequence[WorkKind] = WORK_KINDS) -> int:
        """See ports.Work."""
        return self._call("pending", lambda: self._store.pending(scope, kinds=kinds))

    def work_of(self, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        """See ports.Work."""
        return self._call("work_of", lambda: self._store.work_of(chunk_ids))

    def commit(self, ruling: Ruling, *, now: datetime) -> tuple[Decided, ...]:
        """See ports.Facts."""
        return self._call("commit", lambda: self._store.commit(ruling, now=now))

    def facts(self, scope: Scope, asked: FactFilter) -> tuple[Fact, ...]:
        """See ports.Facts."""
        return self._call("facts", lambda: self._store.facts(scope, asked))

    def match_facts(self, ask: FactAsk) -> FactPool:
        """See ports.Facts."""
        return self._call("match_facts", lambda: self._store.match_facts(ask))

    def move_facts(self, scope: Scope, moves: Sequence[Move], *, now: datetime) -> tuple[Fact, ...]:
        """See ports.Facts."""
        return self._call("move_facts", lambda: self._store.move_facts(scope, moves, now=now))

    def put_fact_vectors(
        self, model: str, vectors: Mapping[int, NDArray[np.float32]], *, texts: Mapping[int, str]
    ) -> int:
        """See ports.Facts."""
        return self._call("put_fact_vectors", lambda: self._store.put_fact_vectors(model, vectors, texts=texts))

    def facts_to_embed(self, fact_ids: Sequence[int]) -> dict[int, str]:
        """See ports.Facts."""
        return self._call("facts_to_embed", lambda: self._store.facts_to_embed(fact_ids))

    def evidence(
        self, scope: Scope, *, fact_ids: Sequence[int] = (), message_ids: Sequence[int] = ()
    ) -> tuple[Evidence, ...]:
        """See ports.Ledger."""
        return self._call("evidence", lambda: self._store.evidence(scope, fact_ids=fact_ids, message_ids=message_ids))

    def decisions(
        self, scope: Scope, *, fact_ids: Sequence[int] = (), message_ids: Sequence[int] = (), limit: int = 1000
    ) -> tuple[Decided, ...]:
        """See ports.Ledger."""
        return self._call(
            "decisions",
            lambda: self._store.decisions(scope, fact_ids=fact_ids, message_ids=message_ids, limit=limit),
        )

    def changes(self, scope: Scope, fact_ids: Sequence[int]) -> tuple[StateChange, ...]:
        """See ports.Ledger."""
        return self._call("changes", lambda: self._store.changes(scope, fact_ids))

    def push(self, queued: QueuedTurn, *, capacity: int, now: datetime) -> bool:
        """See ports.Queue."""
        return self._call("push", lambda: self._store.push(queued, capacity=capacity, now=now))

    def turns(self, rows: Sequence[WorkRow]) -> tuple[OpenTurn, ...]:
        """See ports.Queue."""
        return self._call("turns", lambda: self._store.turns(rows))

    def learning(self, scope: Scope, message_ids: Sequence[int]) -> tuple[Learning, ...]:
        """See ports.Queue."""
        return self._call("learning", lambda: self._store.learning(scope, message_ids))

    def unembedded_facts(self, model: str, *, limit: int) -> tuple[int, ...]:
        """See ports.Queue."""
        return self._call("unembedded_facts", lambda: self._store.unembedded_facts(model, limit=limit))

    def put_steps(self, scope: Scope, steps: Sequence[Step], *, now: datetime) -> int:
        """See ports.Steps."""
        return self._call("put_steps", lambda: self._store.put_steps(scope, steps, now=now))

    def steps(self, scope: Scope, run_id: str) -> tuple[Step, ...]:
        """See ports.Steps."""
        return self._call("steps", lambda: self._store.steps(scope, run_id))

    def search_steps(
        self, scope: Scope, terms: Sequence[str], *, run_id: str | None = None, limit: int = 10
    ) -> tuple[StepMatch, ...]:
        """See ports.Steps."""
        return self._call("search_steps", lambda: self._store.search_steps(scope, terms, run_id=run_id, limit=limit))

    def drop_steps(self, scope: Scope, run_id: str, numbers: Sequence[int] | None = None) -> int:
        """See ports.Steps."""
        return self._call("drop_steps", lambda: self._store.drop_steps(scope, run_id, numbers))

    def preview(self, target: ForgetTarget) -> ForgetPreview:
        """See ports.Upkeep."""
        return self._call("preview", lambda: self._store.preview(target))

    def erase(self, target: ForgetTarget, *, confirm: str, now: datetime) -> ForgetReceipt:
        """See ports.Upkeep."""
        return self._call("erase", lambda: self._store.erase(target, confirm=confirm, now=now))

    def status(self, scope: Scope | None = None) -> Status:
        """See ports.Upkeep."""
        return self._call("status", lambda: self._store.status(scope))

    def examine(self, *, model: str, repair: bool, now: datetime) -> tuple[Finding, ...]:
        """See ports.Upkeep."""
        return self._call("examine", lambda: self._store.examine(model=model, repair=repair, now=now))

    def backup(self, path: Path) -> None:
        """See ports.Upkeep."""
        return self._call("backup", lambda: self._store.backup(path))

    def close(self) -> None:
        """Never fails: it has to be possible to reopen what was disturbed."""
        self._store.close()
