"""What does the reference store hold? Its rows, as plain as they can be."""

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from glossator.model import Chunk, ChunkDraft, Message, Scope


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


@dataclass(slots=True, kw_only=True)
class Piece:
    """A chunk with the words that index it."""

    chunk: Chunk
    draft: ChunkDraft
    session_number: int


@dataclass(slots=True, kw_only=True)
class Work:
    """A row of work."""

    work_id: int
    chunk_id: int
    created_at: datetime
    due_at: datetime
    attempt: int = 0
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
