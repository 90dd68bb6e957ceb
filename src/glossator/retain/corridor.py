"""The write path: message - journal - chunk - embed. The only room of retain/ that calls ports."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from glossator.errors import UsageError
from glossator.model import (
    Batch,
    Conversation,
    EmbeddingText,
    Entry,
    MessageDraft,
    Namespace,
    Receipt,
    Recorded,
    Scope,
    Strategy,
    WorkRow,
)
from glossator.options import Options
from glossator.ports import Embedder, Ids, PieceEmbedder, Store
from glossator.retain.drafts import entry_of
from glossator.retain.embedding_text import embedding_text
from glossator.retain.intake import read_messages
from glossator.rules.canonical import checked_text, stable_id
from glossator.rules.instants import read_said_time, zone_named

DOCUMENT_CHANNEL = "document"


def record(
    store: Store,
    ids: Ids,
    options: Options,
    messages: Sequence[Mapping[str, object]],
    *,
    scope: Scope,
    conversation: str,
    session: str | None,
    project: str | None,
    tags: tuple[str, ...],
    now: datetime,
) -> Receipt:
    """Check the messages, cut them into chunks and store all of it in one transaction."""
    drafts, notes = read_messages(
        ids, messages, session=session, zone=zone_named(options.zone), bytes_max=options.message_bytes_max, now=now
    )
    entries = tuple(
        entry_of(draft, strategy="message", characters_max=options.chunk_characters_max, project=project, tags=tags)
        for draft in drafts
    )
    return _append(store, scope, Conversation.parse(conversation), entries, notes, now)


def remember_document(
    store: Store,
    options: Options,
    text: str,
    *,
    scope: Scope,
    strategy: Strategy,
    document_id: str | None,
    project: str | None,
    tags: tuple[str, ...],
    at: object,
    speaker: str | None,
    namespace: Namespace,
    now: datetime,
) -> Receipt:
    """Store a document verbatim as one journal message, cut by `strategy`."""
    zone = zone_named(options.zone)
    content, notes = checked_text(text, argument="text", bytes_max=options.message_bytes_max)
    said = read_said_time(now if at is None else at, argument="at", zone=zone)
    if at is None:
        said = type(said)(at=said.at, offset_minutes=said.offset_minutes, precision=said.precision, given=False)
    key = document_id or stable_id("document", content)
    draft = MessageDraft(
        external_id=key, role="user", speaker=speaker or "document", content=content, said=said, session=key,
        kind="document", metadata={"strategy": strategy},
    )  # fmt: skip
    entry = entry_of(
        draft, strategy=strategy, characters_max=options.chunk_characters_max, namespace=namespace, project=project,
        tags=tags,
    )  # fmt: skip
    return _append(store, scope, Conversation(channel=DOCUMENT_CHANNEL, chat=key), (entry,), (notes,), now)


def embed_rows(store: Store, embedder: Embedder, rows: Sequence[WorkRow]) -> int:
    """Embed the chunks behind claimed work rows and settle the rows; returns how many vectors were kept."""
    chunk_ids = tuple(dict.fromkeys(chunk_id for row in rows for chunk_id in row.chunk_ids))
    chunks = store.work_of(chunk_ids)
    kept = _embed(store, embedder, {chunk.chunk_id: embedding_text(chunk) for chunk in chunks}) if chunks else 0
    store.settle(rows)
    return kept


def _embed(store: Store, embedder: Embedder, texts: Mapping[int, EmbeddingText]) -> int:
    plain = {chunk_id: each.text for chunk_id, each in texts.items()}
    if not isinstance(embedder, PieceEmbedder):
        vectors = embedder.embed(list(plain.values()))
        return store.put_vectors(embedder.name, dict(zip(plain, vectors, strict=True)), texts=plain)
    made = embedder.encode(list(texts.values()))
    return store.put_vectors(
        embedder.name,
        dict(zip(plain, made.vectors, strict=True)),
        texts=plain,
        signs=dict(zip(plain, made.signs, strict=True)),
    )


def checked_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """At most 20 distinct tags of 1 to 100 characters, in order; UsageError otherwise."""
    if isinstance(tags, str):
        raise UsageError("tags", "is a str, not a list of them", remedy='pass ["one", "two"]')
    for place, tag in enumerate(tags):
        if not isinstance(tag, str) or not tag.strip() or len(tag) > 100:
            raise UsageError(f"tags[{place}]", "is no text of 1 to 100 characters", remedy="shorten or drop it")
    if len(tags) > 20:
        raise UsageError("tags", f"has {len(tags)} entries, more than 20", remedy="drop some")
    return tuple(dict.fromkeys(tags))


def checked_project(project: str | None) -> str | None:
    """The project's name, or None; UsageError when it is blank or longer than 200 characters."""
    if project is not None and (not isinstance(project, str) or not project.strip() or len(project) > 200):
        raise UsageError("project", "is no text of 1 to 200 characters", remedy="leave it out or name a project")
    return project


def _append(
    store: Store,
    scope: Scope,
    conversation: Conversation,
    entries: tuple[Entry, ...],
    notes: Sequence[tuple[str, ...]],
    now: datetime,
) -> Receipt:
    if not entries:
        return Receipt(recorded=(), pending=0)
    recorded = store.append(Batch(scope=scope, conversation=conversation, entries=entries), now=now)
    noted = tuple(
        Recorded(
            external_id=each.external_id, message_id=each.message_id, outcome=each.outcome, chunk_ids=each.chunk_ids,
            notes=each.notes + amended,
        )
        for each, amended in zip(recorded, notes, strict=True)
    )  # fmt: skip
    pending = sum(len(each.chunk_ids) for each in noted if each.outcome == "stored")
    return Receipt(recorded=noted, pending=pending)
