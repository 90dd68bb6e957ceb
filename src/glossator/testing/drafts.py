"""Messages for tests, with everything that a test does not care about filled in."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from glossator.model import (
    Batch,
    ChunkDraft,
    Conversation,
    Entry,
    EventSource,
    EventTime,
    Interval,
    MessageDraft,
    Namespace,
    Role,
    SaidTime,
    Scope,
)
from glossator.rules.tokens import index_terms

SAID = datetime(2026, 1, 1, 9, tzinfo=UTC)
SCOPE = Scope(workspace="acme", agent="helper", owner="u1")
CHAT = Conversation.parse("telegram:42")


def chunk(
    text: str,
    *,
    index: int = 0,
    start: int = 0,
    said: datetime = SAID,
    event: tuple[datetime | None, datetime | None] | None = None,
    source: EventSource = "session",
    speaker: str = "Ann",
    namespace: Namespace = "episodic",
    project: str | None = None,
    tags: tuple[str, ...] = (),
    marks: int = 0,
    weight: float = 1.0,
) -> ChunkDraft:
    """A piece that lies at `start` of its message; its event lasts a second if none is given."""
    begin, stop = event or (said, said + timedelta(seconds=1))
    return ChunkDraft(
        index=index,
        start=start,
        end=start + len(text),
        text=text,
        terms=index_terms(text),
        speaker_terms=index_terms(speaker),
        event=EventTime(interval=Interval(start=begin, end=stop, precision="second"), source=source),
        namespace=namespace,
        project=project,
        tags=tags,
        marks=marks,
        weight=weight,
    )


def entry(
    external_id: str,
    text: str,
    *,
    session: str = "s1",
    speaker: str = "Ann",
    role: Role = "user",
    said: datetime = SAID,
    metadata: Mapping[str, Any] | None = None,
    chunks: tuple[ChunkDraft, ...] | None = None,
    **of_chunk: Any,
) -> Entry:
    """A message, with one chunk over its whole text unless chunks are given."""
    return Entry(
        message=MessageDraft(
            external_id=external_id,
            role=role,
            speaker=speaker,
            content=text,
            said=SaidTime(at=said, offset_minutes=60, precision="second"),
            session=session,
            metadata=metadata or {},
        ),
        chunks=(chunk(text, said=said, speaker=speaker, **of_chunk),) if chunks is None else chunks,
    )


def batch(*entries: Entry, scope: Scope = SCOPE, conversation: Conversation = CHAT) -> Batch:
    """What one call records."""
    return Batch(scope=scope, conversation=conversation, entries=entries)
