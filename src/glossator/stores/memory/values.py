"""How does the reference store make what it answers with?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from glossator.errors import UsageError
from glossator.model import (
    NAMESPACES,
    ROLES,
    Ask,
    Batch,
    Chunk,
    ChunkDraft,
    Entry,
    Filters,
    Message,
    Passage,
    Pool,
    QueuedTurn,
    Scope,
)
from glossator.stores.memory.rows import Piece, Vector


def passes(chunk: Chunk, filters: Filters) -> bool:
    """True if the chunk meets every condition; an event meets a window when they overlap."""
    start, end, said = chunk.event.interval.start, chunk.event.interval.end, chunk.said.at
    since, until = filters.since, filters.until
    return (
        chunk.namespace in filters.namespaces
        and filters.project in (None, chunk.project)
        and set(filters.tags) <= set(chunk.tags)
        and (since is None or end is None or end > since or (start is not None and start >= since))
        and (until is None or start is None or start < until)
        and (filters.said_since is None or said >= filters.said_since)
        and (filters.said_until is None or said < filters.said_until)
        and (filters.as_of is None or said <= filters.as_of)
    )


def passage_of(message: Message) -> Passage:
    """What the message says, as an extractor sees it."""
    return Passage(
        text=message.content,
        role=message.role,
        speaker=message.speaker,
        said=message.said,
        message_id=message.message_id,
        external_id=message.external_id,
        conversation=message.conversation.key,
        session=message.session,
        trust=message.trust,
    )


def queued_scope(queued: QueuedTurn) -> Scope:
    """Where a queued turn was said."""
    scope = queued.turn.scope
    if scope.conversation is not None:
        return scope
    named = next((each.conversation for each in queued.turn.passages if each.conversation), None)
    return replace(scope.whole, conversation=named)


def checked_vector(row_id: int, vector: NDArray[np.float32], texts: Mapping[int, str]) -> NDArray[np.float32]:
    """The vector at unit length; UsageError for one that is no finite row or has no text."""
    if row_id not in texts:
        raise UsageError(f"texts[{row_id}]", "is missing", remedy="pass the text of every vector")
    if vector.ndim != 1 or not len(vector) or not np.isfinite(vector).all():
        raise UsageError(f"vectors[{row_id}]", "is no row of finite numbers", remedy="check the embedder")
    return unit(vector)


def unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    norm = float(np.linalg.norm(vector))
    return vector / np.float32(norm) if norm else vector


def _seconds(at: datetime | None) -> float:
    return float("nan") if at is None else at.timestamp()


def message_of(batch: Batch, entry: Entry, message_id: int) -> Message:
    given = entry.message
    return Message(
        message_id=message_id,
        external_id=given.external_id,
        scope=replace(batch.scope.whole, conversation=batch.conversation.key),
        conversation=batch.conversation,
        session=given.session,
        role=given.role,
        speaker=given.speaker,
        kind=given.kind,
        content=given.content,
        said=given.said,
        metadata=dict(given.metadata),
        trust=given.trust,
        tier=given.tier,
    )


def chunk_of(draft: ChunkDraft, chunk_id: int, message: Message, position: int) -> Chunk:
    return Chunk(
        chunk_id=chunk_id,
        message_id=message.message_id,
        external_id=message.external_id,
        scope=message.scope,
        session=message.session,
        position=position,
        index=draft.index,
        start=draft.start,
        end=draft.end,
        text=draft.text,
        role=message.role,
        speaker=message.speaker,
        said=message.said,
        event=draft.event,
        namespace=draft.namespace,
        strategy=draft.strategy,
        project=draft.project,
        tags=draft.tags,
        weight=draft.weight,
    )


def pool_of(pieces: Sequence[Piece], vectors: Sequence[Vector | None], ask: Ask) -> Pool:
    chunks = [piece.chunk for piece in pieces]
    speakers = sorted({chunk.speaker.lower() for chunk in chunks})
    numbers = sorted({piece.session_number for piece in pieces})
    postings = {
        term: np.array([row for row, piece in enumerate(pieces) if term in piece.draft.terms], np.int32)
        for term in ask.terms
    }
    lengths = [len(piece.draft.terms) for piece in pieces]
    similarity, rows = _nearness(vectors, ask.vector)
    return Pool(
        chunk_id=np.array([chunk.chunk_id for chunk in chunks], np.int64),
        message=np.array([chunk.message_id for chunk in chunks], np.int64),
        namespace=np.array([NAMESPACES.index(chunk.namespace) for chunk in chunks], np.int8),
        session=np.array([numbers.index(piece.session_number) for piece in pieces], np.int32),
        position=np.array([chunk.position for chunk in chunks], np.int32),
        speaker=np.array([speakers.index(chunk.speaker.lower()) for chunk in chunks], np.int32),
        role=np.array([ROLES.index(chunk.role) for chunk in chunks], np.int8),
        said_at=np.array([_seconds(chunk.said.at) for chunk in chunks], np.float64),
        event_start=np.array([_seconds(chunk.event.interval.start) for chunk in chunks], np.float64),
        event_end=np.array([_seconds(chunk.event.interval.end) for chunk in chunks], np.float64),
        own_date=np.array([chunk.event.source == "own" for chunk in chunks], np.bool_),
        length=np.array(lengths, np.int32),
        marks=np.array([piece.draft.marks for piece in pieces], np.uint16),
        weight=np.array([chunk.weight for chunk in chunks], np.float32),
        speakers=tuple(speakers),
        postings=postings,
        similarity=similarity,
        vectors=rows,
        chunk_count=len(chunks),
        term_counts={term: len(found) for term, found in postings.items()},
        length_mean=sum(lengths) / len(lengths) if lengths else 0.0,
    )


def _nearness(
    vectors: Sequence[Vector | None], query: NDArray[np.float32] | None
) -> tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]:
    """The cosine with the query per row and the rows themselves; nan and zeros where there is no vector."""
    if query is None:
        return None, None
    asked = unit(query)
    similarity = np.full(len(vectors), np.nan, np.float32)
    rows = np.zeros((len(vectors), len(query)), np.float32)
    for place, held in enumerate(vectors):
        if held is not None and len(held.vector) == len(query):
            rows[place] = held.vector
            similarity[place] = held.vector @ asked
    return similarity, rows
