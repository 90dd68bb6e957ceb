"""Messages, turns and facts for tests, with everything that a test does not care about filled in."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from glossator.model import (
    Admit,
    Batch,
    Category,
    ChunkDraft,
    Conversation,
    Decision,
    Draft,
    Entry,
    EventSource,
    EventTime,
    ExtractionSource,
    Interval,
    MessageDraft,
    Namespace,
    NewFact,
    Passage,
    Recorded,
    Role,
    Ruling,
    SaidTime,
    Scope,
    ScopeType,
    Sensitivity,
    Turn,
    WorkRow,
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


def passage(
    text: str,
    *,
    recorded: Recorded | None = None,
    said: datetime = SAID,
    role: Role = "user",
    speaker: str = "Ann",
    conversation: str | None = CHAT.key,
    session: str | None = "s1",
) -> Passage:
    """What was said, as an extractor sees it; of a message in the journal where `recorded` is given."""
    return Passage(
        text=text,
        role=role,
        speaker=speaker,
        said=SaidTime(at=said, offset_minutes=60, precision="second"),
        message_id=None if recorded is None else recorded.message_id,
        external_id=None if recorded is None else recorded.external_id,
        conversation=conversation,
        session=session,
    )


def turn(
    *passages: Passage,
    scope: Scope = SCOPE,
    source: ExtractionSource = "turn",
    before: Passage | None = None,
    project: str | None = None,
    tags: tuple[str, ...] = (),
    run_id: str | None = None,
) -> Turn:
    """What one extraction reads."""
    return Turn(scope=scope, passages=passages, source=source, before=before, project=project, tags=tags, run_id=run_id)


def draft(
    text: str,
    *,
    category: Category = "preference",
    subject: str = "user",
    key: str = "",
    value: str = "",
    passage: int = 0,
    start: int = 0,
    end: int | None = None,
    said: datetime = SAID,
    confidence: float = 0.8,
    tags: tuple[str, ...] = (),
    sensitivity: Sensitivity = "internal",
) -> Draft:
    """A statement whose evidence is its own text, at the beginning of the passage if not said otherwise."""
    return Draft(
        text=text,
        category=category,
        kind="implicit_pref",
        subject=subject,
        key=key,
        value=value,
        passage=passage,
        start=start,
        end=start + len(text) if end is None else end,
        event=EventTime(
            interval=Interval(start=said, end=said + timedelta(days=1), precision="day"), source="own", words="today"
        ),
        confidence=confidence,
        tags=tags,
        sensitivity=sensitivity,
    )


def new_fact(
    given: Draft,
    *,
    scope_type: ScopeType = "owner",
    scope_id: str = "u1",
    content_hash: str | None = None,
    valid_from: datetime = SAID,
    weight: float = 1.0,
) -> NewFact:
    """All that a store writes of a draft; facts of one text have one hash."""
    indexed_text = f"[2026-01-01] {given.text}"
    return NewFact(
        draft=given,
        scope_type=scope_type,
        scope_id=scope_id,
        content_hash=sha256(given.text.encode()).hexdigest() if content_hash is None else content_hash,
        source_trust="owner",
        valid_from=valid_from,
        weight=weight,
        indexed_text=indexed_text,
        terms=index_terms(indexed_text),
    )


def ruling(of: Turn, *decisions: Decision, by: str = "offline", settles: tuple[WorkRow, ...] = ()) -> Ruling:
    """What is written in one transaction."""
    return Ruling(turn=of, by=by, decisions=decisions, settles=settles)


def admitted(text: str, *, recorded: Recorded | None = None, scope: Scope = SCOPE, **choices: Any) -> Ruling:
    """One new fact that says `text`. `choices` are those of `passage`, `turn`, `draft` and `new_fact`."""

    def of(*names: str) -> dict[str, Any]:
        return {name: choices[name] for name in names if name in choices}

    said = passage(text, recorded=recorded, **of("said", "role", "speaker", "conversation", "session"))
    given = draft(text, **of("category", "subject", "key", "value", "said", "confidence", "sensitivity"))
    new = new_fact(given, **of("scope_type", "scope_id", "content_hash", "valid_from", "weight"))
    whole = turn(said, scope=scope, **of("source", "project", "tags", "run_id"))
    return ruling(whole, Admit(new=new, reason=choices.get("reason", "new")), by=choices.get("by", "offline"))
