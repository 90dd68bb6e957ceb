"""What does the engine need of a store for what was said? Journal, Index, Work and Upkeep."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from glossator.model import (
    WORK_KINDS,
    Ask,
    Batch,
    Chunk,
    Finding,
    ForgetPreview,
    ForgetReceipt,
    ForgetTarget,
    Message,
    Pool,
    Recorded,
    Scope,
    Status,
    WorkKind,
    WorkRow,
)


class Journal(Protocol):
    """The ordered, verbatim messages: the truth from which all else can be rebuilt."""

    def append(self, batch: Batch, *, now: datetime) -> tuple[Recorded, ...]:
        """Store new messages with their chunks, lexical rows and work rows in one transaction.

        Returns one Recorded per entry, in order. All or nothing: an error leaves no trace. Durable on return.
        A message's position in its session is the order of arrival.
        """
        ...

    def messages(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        after_id: int = 0,
        before_id: int | None = None,
        limit: int = 1000,
    ) -> tuple[Message, ...]:
        """Messages in journal order, with message_id > after_id; the erased are left out.

        With `before_id` those with message_id < before_id, and of more than `limit` the last.
        """
        ...

    def message(self, scope: Scope, external_id: str, *, conversation: str | None = None) -> Message | None:
        """The message with this external id, or None. The first in journal order if several conversations have it."""
        ...


class Index(Protocol):
    """Finding: keyword rows and vectors beside the chunks."""

    def survey(self, ask: Ask) -> Pool:
        """One search; see Pool for what is brought. Reads what was acknowledged before the call, always."""
        ...

    def chunks(self, scope: Scope, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        """The chunks with these ids that the scope covers, in the order asked; the missing are left out."""
        ...

    def put_vectors(
        self,
        model: str,
        vectors: Mapping[int, NDArray[np.float32]],
        *,
        texts: Mapping[int, str],
        signs: Mapping[int, NDArray[np.uint8]] | None = None,
    ) -> int:
        """Keep one vector per chunk id for this model, replacing; returns how many were kept.

        `texts` are the embedded texts; their SHA-256 lies beside each vector. `signs` are kept beside them where
        given (Encoded.signs). A chunk that is gone is skipped.
        Vectors of another model stay until `drop_vectors`; a search never mixes models.
        """
        ...

    def signs(self, scope: Scope, model: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.uint8]]:
        """The sign rows of those of the chunks that the scope covers and that have them for this model."""
        ...

    def unembedded(self, model: str, *, limit: int) -> tuple[int, ...]:
        """Ids of chunks that have no vector of this model, oldest first."""
        ...

    def drop_vectors(self, *, keep_model: str) -> int:
        """Drop the vectors of every other model; returns how many went."""
        ...


class Work(Protocol):
    """Rows that say what must still be done."""

    def claim(self, kinds: Sequence[WorkKind], *, now: datetime, lease_s: float, limit: int) -> tuple[WorkRow, ...]:
        """Take up to `limit` due rows of these kinds, oldest first, hidden from other claims until the lease ends."""
        ...

    def settle(self, rows: Sequence[WorkRow]) -> None:
        """Done: the rows go. A row whose lease another worker has taken since is left alone."""
        ...

    def fail(self, rows: Sequence[WorkRow], *, reason: str, retry_at: datetime | None) -> None:
        """Not done: due again at `retry_at`, or parked as failed when None."""
        ...

    def enqueue(self, chunk_ids: Sequence[int], *, now: datetime, fact_ids: Sequence[int] = ()) -> int:
        """Add "embed" rows for these chunks and "embed_fact" rows for these facts; returns how many were added.

        What has a row open already is left out; a row that failed is replaced.
        """
        ...

    def pending(self, scope: Scope | None = None, *, kinds: Sequence[WorkKind] = WORK_KINDS) -> int:
        """How many rows of these kinds are not done and not failed."""
        ...

    def work_of(self, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        """The chunks behind claimed rows, with `before` filled; for the worker only, so it crosses scopes."""
        ...


class Upkeep(Protocol):
    """Erasure, health and copies."""

    def preview(self, target: ForgetTarget) -> ForgetPreview:
        """What the target names now. Raises NotFoundError when it names nothing."""
        ...

    def erase(self, target: ForgetTarget, *, confirm: str, now: datetime) -> ForgetReceipt:
        """Erase for good what the preview named: rows, lexical rows, vectors, work; ids stay as tombstones.

        Raises ConflictError when the target has changed since the preview of `confirm`.
        """
        ...

    def status(self, scope: Scope | None = None) -> Status:
        """Counts."""
        ...

    def examine(self, *, model: str, repair: bool, now: datetime) -> tuple[Finding, ...]:
        """Integrity, drift between rows, lexical rows and vectors, backlog; with `repair`, rebuild what drifted."""
        ...

    def backup(self, path: Path) -> None:
        """A consistent copy at `path` while others go on reading and writing; refuses to overwrite."""
        ...

    def close(self) -> None:
        """Release everything; later calls raise StoreError."""
        ...
