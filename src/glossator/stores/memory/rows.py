"""What does the reference store hold? Its rows, as plain as they can be."""

from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from glossator.model import (
    RECALLABLE,
    Backup,
    Chunk,
    ChunkDraft,
    Decided,
    ErasureRecord,
    Evidence,
    ExtractionSource,
    Fact,
    Message,
    QueuedTurn,
    Revision,
    Scope,
    StateChange,
    Step,
    WorkKind,
)


@dataclass(slots=True, kw_only=True)
class Stored:
    """A message as kept; `message` is None once it is erased."""

    message_id: int
    owner: Scope
    conversation: str
    external_id: str
    session_number: int
    position: int
    message: Message | None
    recorded_at: datetime


@dataclass(slots=True, kw_only=True)
class Piece:
    """A chunk with the words that index it."""

    chunk: Chunk
    draft: ChunkDraft
    session_number: int


@dataclass(slots=True, kw_only=True)
class Work:
    """A row of work; what it is about is given by one of chunk_id, fact_id and queued."""

    work_id: int
    kind: WorkKind
    created_at: datetime
    due_at: datetime
    attempt: int = 0
    chunk_id: int | None = None
    fact_id: int | None = None
    queued: QueuedTurn | None = None
    failed: bool = False
    reason: str = ""


@dataclass(slots=True, kw_only=True)
class Vector:
    """A vector and the hash of the text that it was made from."""

    vector: NDArray[np.float32]
    text_hash: bytes
    signs: NDArray[np.uint8] | None = None


@dataclass(slots=True, kw_only=True)
class Session:
    """A session of a conversation; numbers rise in the order of first messages."""

    number: int
    next_position: int = 0


@dataclass(slots=True, kw_only=True)
class KeptFact:
    """A fact with what indexes it."""

    fact: Fact
    indexed_text: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Evidence, with the kind of extraction that found it."""

    evidence: Evidence
    source: ExtractionSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """A row of the decision log, with where it was said, in what words, and how they came."""

    decided: Decided
    scope: Scope
    quote: str
    source: ExtractionSource


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptStep:
    """A step and the scope it was put under."""

    scope: Scope
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """A span of a message that must not be learned from again, and the fact that rested on it."""

    fact_id: int
    message_id: int
    start: int
    stop: int


@dataclass(slots=True)
class Forgotten:
    """What is kept of what was forgotten, and the hints that bring a fact back."""

    tombstones: list[Tombstone] = field(default_factory=list)
    hints: dict[int, tuple[str, ...]] = field(default_factory=dict)
    receipts: list[ErasureRecord] = field(default_factory=list)
    backups: list[Backup] = field(default_factory=list)
    key: bytes | None = None

    def copy(self) -> "Forgotten":
        """The same in other lists."""
        return replace(
            self,
            tombstones=list(self.tombstones),
            hints=dict(self.hints),
            receipts=list(self.receipts),
            backups=list(self.backups),
        )


@dataclass(slots=True)
class State:
    """All that the store holds. Ids are given once: the counters never go back."""

    messages: list[Stored] = field(default_factory=list)
    pieces: dict[int, Piece] = field(default_factory=dict)
    sessions: dict[tuple[Scope, str, str], Session] = field(default_factory=dict)
    vectors: dict[tuple[int, str], Vector] = field(default_factory=dict)
    work: list[Work] = field(default_factory=list)
    last_chunk_id: int = 0
    last_session: int = 0
    last_work_id: int = 0
    due: set[int] = field(default_factory=set)
    """Ids of messages that were ever due for extraction."""
    facts: dict[int, KeptFact] = field(default_factory=dict)
    evidence: list[Link] = field(default_factory=list)
    decisions: list[Logged] = field(default_factory=list)
    changes: list[StateChange] = field(default_factory=list)
    fact_vectors: dict[tuple[int, str], Vector] = field(default_factory=dict)
    steps: dict[tuple[Scope, str, int], KeptStep] = field(default_factory=dict)
    revisions: list[Revision] = field(default_factory=list)
    forgotten: Forgotten = field(default_factory=lambda: Forgotten())

    def copy(self) -> "State":
        """A state that changes of this one do not reach, as far as a ruling or a move makes them."""
        return replace(
            self,
            work=[replace(row) for row in self.work],
            facts={fact_id: replace(kept) for fact_id, kept in self.facts.items()},
            evidence=list(self.evidence),
            decisions=list(self.decisions),
            changes=list(self.changes),
            fact_vectors=dict(self.fact_vectors),
            revisions=list(self.revisions),
            forgotten=self.forgotten.copy(),
        )

    def add_work(
        self,
        kind: WorkKind,
        now: datetime,
        *,
        chunk_id: int | None = None,
        fact_id: int | None = None,
        queued: QueuedTurn | None = None,
    ) -> None:
        """A new row, due now."""
        self.last_work_id += 1
        row = Work(
            work_id=self.last_work_id, kind=kind, created_at=now, due_at=now, chunk_id=chunk_id, fact_id=fact_id,
            queued=queued,
        )  # fmt: skip
        self.work.append(row)

    def is_taken(self, fact: Fact) -> bool:
        """True if another fact that may be recalled says the same or answers the same question."""
        for kept in self.facts.values():
            other = kept.fact
            near = (other.scope_type, other.scope_id) == (fact.scope_type, fact.scope_id)
            if other.fact_id == fact.fact_id or other.state not in RECALLABLE or not near:
                continue
            if not _same_owner(other.scope, fact.scope):
                continue
            if other.content_hash == fact.content_hash:
                return True
            if fact.key and (other.subject, other.key) == (fact.subject, fact.key):
                return True
        return False


def _same_owner(one: Scope, other: Scope) -> bool:
    return one.whole == other.whole
