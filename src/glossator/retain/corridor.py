"""The write path: message - journal - chunk - embed. The only room of retain/ that calls ports."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from glossator.errors import UsageError
from glossator.model import (
    JOB_CHANNEL,
    JOB_WEIGHT,
    Batch,
    Conversation,
    EmbeddingText,
    Entry,
    MessageDraft,
    MessageKind,
    Namespace,
    Receipt,
    Scope,
    Strategy,
    WorkRow,
)
from glossator.options import Options
from glossator.ports import Embedder, Ids, PieceEmbedder, Store
from glossator.retain.drafts import entry_of
from glossator.retain.embedding_text import embedding_text
from glossator.retain.intake import read_messages
from glossator.retain.redaction import Cleaner
from glossator.rules.canonical import checked_text, stable_id
from glossator.rules.instants import read_said_time, zone_named
from glossator.rules.trust import less_believed, may_learn

DOCUMENT_CHANNEL = "document"


def record(
    store: Store,
    ids: Ids,
    options: Options,
    cleaner: Cleaner,
    messages: Sequence[Mapping[str, object]],
    *,
    scope: Scope,
    conversation: str,
    session: str | None,
    project: str | None,
    tags: tuple[str, ...],
    now: datetime,
    kind: MessageKind = "chat",
) -> Receipt:
    """Check the messages, cut them into chunks and store all of it in one transaction.

    What a job records is of kind "tool" and counts little in recall, and no facts are taken from it, now or in review:
    nobody has said it.
    """
    place = Conversation.parse(conversation)
    automated = scope.job is not None or place.channel == JOB_CHANNEL
    drafts, notes = read_messages(
        ids, messages, session=session, zone=zone_named(options.zone), bytes_max=options.message_bytes_max, now=now,
        cleaner=cleaner, trust=scope.believed, kind="tool" if automated else kind,
    )  # fmt: skip
    learns = options.extracts_by != "none" and not automated and may_learn(None, scope.agent, at_most=scope.tier)
    entries = tuple(
        entry_of(
            replace(draft, tier=scope.tier), strategy="message", characters_max=options.chunk_characters_max,
            project=project, tags=tags, extract=learns and draft.role == "user",
        )
        for draft in drafts
    )  # fmt: skip
    return _append(store, scope, place, _set_back(entries) if automated else entries, notes, now)


def remember_document(
    store: Store,
    options: Options,
    cleaner: Cleaner,
    text: str,
    *,
    scope: Scope,
    strategy: Strategy,
    extract: bool,
    document_id: str | None,
    project: str | None,
    tags: tuple[str, ...],
    at: object,
    speaker: str | None,
    namespace: Namespace,
    now: datetime,
) -> Receipt:
    """Store a document verbatim as one journal message, cut by `strategy`."""
    if extract and scope.job is not None:
        remedy = 'pass mode="raw", and keep what matters with `remember`'
        raise UsageError("mode", "is full, and from a job's document no facts are taken", remedy=remedy)
    zone = zone_named(options.zone)
    content, notes = checked_text(text, argument="text", bytes_max=options.message_bytes_max)
    content, hidden = cleaner.text(content)
    notes = (*notes, *hidden)
    said = read_said_time(now if at is None else at, argument="at", zone=zone)
    if at is None:
        said = replace(said, given=False)
    key = document_id or stable_id("document", content)
    draft = MessageDraft(
        external_id=key, role="user", speaker=speaker or "document", content=content, said=said, session=key,
        kind="document", metadata={"strategy": strategy},
        tier=scope.tier,
        trust=less_believed(scope.believed, "owner"),  # who hands a text over has not said what stands in it
    )  # fmt: skip
    entry = entry_of(
        draft, strategy=strategy, characters_max=options.chunk_characters_max, namespace=namespace, project=project,
        tags=tags, extract=extract,
    )  # fmt: skip
    entries = (entry,) if scope.job is None else _set_back((entry,))
    return _append(store, scope, Conversation(channel=DOCUMENT_CHANNEL, chat=key), entries, (notes,), now)


def embed_rows(store: Store, embedder: Embedder, rows: Sequence[WorkRow]) -> int:
    """Embed the chunks and facts behind claimed work rows and settle the rows; returns how many vectors were kept."""
    chunk_ids = tuple(dict.fromkeys(chunk_id for row in rows for chunk_id in row.chunk_ids))
    chunks = store.work_of(chunk_ids)
    kept = _embed(store, embedder, {chunk.chunk_id: embedding_text(chunk) for chunk in chunks}) if chunks else 0
    texts = store.facts_to_embed([row.fact_id for row in rows if row.fact_id is not None])
    if texts:
        vectors = dict(zip(texts, embedder.embed(list(texts.values())), strict=True))
        kept += store.put_fact_vectors(embedder.name, vectors, texts=texts)
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


def _set_back(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries as rows of a job: an hourly one writes thousands, and they stand behind what people said."""
    return tuple(
        replace(entry, chunks=tuple(replace(chunk, weight=JOB_WEIGHT) for chunk in entry.chunks)) for entry in entries
    )


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
        replace(each, notes=each.notes + amended) for each, amended in zip(recorded, notes, strict=True)
    )  # fmt: skip
    pending = sum(len(each.chunk_ids) for each in noted if each.outcome == "stored")
    return Receipt(recorded=noted, pending=pending)
