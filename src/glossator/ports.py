"""What does the engine need from the outside? Protocols of at most six methods each.

Journal, Index, Work, Facts, Ledger, Queue, Steps and Upkeep together are a Store; one class implements them all. Every
method may raise StoreError; none raises a foreign error. Every read takes a Scope and never returns what it does not
cover.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from glossator.model import (
    WORK_KINDS,
    Ask,
    Batch,
    Chunk,
    Completion,
    Decided,
    EmbeddingText,
    Encoded,
    EncodedQuestion,
    Evidence,
    Extraction,
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
    Prompt,
    QueuedTurn,
    Recorded,
    Ruling,
    Scope,
    StateChange,
    Status,
    Step,
    StepMatch,
    Turn,
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
        self, scope: Scope, *, session: str | None = None, after_id: int = 0, limit: int = 1000
    ) -> tuple[Message, ...]:
        """Messages in journal order, with message_id > after_id; the erased are left out."""
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


class Facts(Protocol):
    """Admitted statements, with their index rows."""

    def commit(self, ruling: Ruling, *, now: datetime) -> tuple[Decided, ...]:
        """Write a ruling in one transaction: facts, evidence, index rows, decision log, audit, work done and due.

        Returns one Decided per decision, in order. A new fact gets a row of "embed_fact" work. Merging adds evidence
        (once per message and offsets), one sighting, and moves `last_seen_at` to the passage's said time if that is
        later. All or nothing: raises ConflictError("ruling", ...) when a named fact has changed since it was read, when
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
        """Keep a turn that is not in the journal, durable on return; False where `capacity` rows of its kind wait."""
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


class Store(Journal, Index, Work, Facts, Ledger, Queue, Steps, Upkeep, Protocol):
    """One store: all of them."""


@runtime_checkable
class Embedder(Protocol):
    """Texts to vectors. `name` changes whenever the same text would get another vector."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One L2-normalised row per text, shape (len(texts), dimension). Raises ProviderError."""
        ...


@runtime_checkable
class PieceEmbedder(Embedder, Protocol):
    """An embedder that also gives the vectors of word pieces, for late interaction."""

    def encode(self, texts: Sequence[EmbeddingText]) -> Encoded:
        """Vectors as `embed`, with the signs of the pieces of each text's own words. Raises ProviderError."""
        ...

    def encode_question(self, text: str) -> EncodedQuestion:
        """The question's vector as `embed`, with the vectors of its pieces. Raises ProviderError."""
        ...


class Ranker(Protocol):
    """A learned combiner of the recall signals."""

    @property
    def name(self) -> str: ...

    @property
    def embedder(self) -> str:
        """The name of the embedder on whose vectors it was trained; it fits no other."""
        ...

    def score(self, features: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
        """One score per row from named columns of equal length, higher is better. Raises ProviderError."""
        ...


class Reranker(Protocol):
    """A second opinion on the best hits, for users who have a cross-encoder."""

    @property
    def name(self) -> str: ...

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One score per text, higher is better. Raises ProviderError."""
        ...


class LanguageModel(Protocol):
    """A model that writes text."""

    @property
    def name(self) -> str:
        """Provider and model, for example "openai:gpt-5-mini"; what the decision log and the counters name."""
        ...

    def complete(self, prompt: Prompt) -> Completion:
        """One reply within `prompt.timeout_s`. Raises ProviderTimeoutError, or ProviderError (with .retryable)."""
        ...


class Extractor(Protocol):
    """Takes durable statements out of a turn."""

    @property
    def name(self) -> str: ...

    def extract(self, turn: Turn, *, limit: int) -> Extraction:
        """At most `limit` drafts, the most durable first. Raises ProviderError when a model fails."""
        ...


class Redactor(Protocol):
    """Finds personal data."""

    @property
    def name(self) -> str: ...

    def redacted(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The text with a mark in place of each part, and a note for each kind ("PERSON x 2"). Raises ProviderError."""
        ...


class Clock(Protocol):
    """The time, by argument."""

    def now(self) -> datetime:
        """An aware datetime in UTC."""
        ...


class Ids(Protocol):
    """New ids, by argument."""

    def new(self) -> str:
        """A fresh id, never given before."""
        ...
