"""What should a store do? The reference model: plain lists, nothing clever, nothing kept on disk.

The other stores are compared with it over random histories. It also serves tests of the engine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from glossator.model import (
    WORK_KINDS,
    Ask,
    Batch,
    Chunk,
    ChunkDraft,
    Entry,
    Finding,
    Message,
    Pool,
    Recorded,
    Scope,
    WorkKind,
    WorkRow,
)
from glossator.stores.memory.access import MemoryAccess
from glossator.stores.memory.erasures import MemoryErasures
from glossator.stores.memory.jobs import MemoryJobs
from glossator.stores.memory.marks import MemoryMarks
from glossator.stores.memory.outline import MemoryOutline
from glossator.stores.memory.resources import MemoryResources
from glossator.stores.memory.rows import Piece, Session, Stored, Vector, Work
from glossator.stores.memory.values import checked_vector, chunk_of, message_of, passes, pool_of
from glossator.stores.memory.vitals import MemoryMonitor
from glossator.stores.memory.windows import MemoryWindows


class MemoryStore(
    MemoryAccess, MemoryMonitor, MemoryOutline, MemoryWindows, MemoryMarks, MemoryResources, MemoryJobs, MemoryErasures
):
    """A store in memory, all the ports; what is in it is gone with it. For one thread at a time."""

    # Journal

    def append(self, batch: Batch, *, now: datetime) -> tuple[Recorded, ...]:
        """Store what is new of the batch."""
        return tuple(self._record(batch, entry, now) for entry in batch.entries)

    def _record(self, batch: Batch, entry: Entry, now: datetime) -> Recorded:
        owner, key = batch.scope.whole, batch.conversation.key
        external_id = entry.message.external_id
        for stored in self._state.messages:
            if (stored.owner, stored.conversation, stored.external_id) == (owner, key, external_id):
                if stored.message is None:
                    return Recorded(external_id=external_id, message_id=stored.message_id, outcome="erased")
                same = stored.message.content == entry.message.content
                return Recorded(
                    external_id=external_id,
                    message_id=stored.message_id,
                    outcome="duplicate" if same else "conflict",
                    chunk_ids=tuple(self._chunk_ids([stored.message_id])),
                )
        message_id = len(self._state.messages) + 1
        session = self._session(owner, key, entry.message.session)
        message = message_of(batch, entry, message_id)
        stored = Stored(
            message_id=message_id,
            owner=owner,
            conversation=key,
            external_id=external_id,
            session_number=session.number,
            position=session.next_position,
            message=message,
            recorded_at=now,
        )
        session.next_position += 1
        self._state.messages.append(stored)
        drafts = sorted(entry.chunks, key=lambda draft: draft.index)
        chunk_ids = tuple(self._add_piece(draft, stored, message, now) for draft in drafts)
        if entry.extract and chunk_ids:
            self._state.due.add(message_id)
            self._state.add_work("extract", now, chunk_id=chunk_ids[0])
        return Recorded(external_id=external_id, message_id=message_id, outcome="stored", chunk_ids=chunk_ids)

    def _session(self, owner: Scope, key: str, name: str) -> Session:
        session = self._state.sessions.get((owner, key, name))
        if session is None:
            self._state.last_session += 1
            session = self._state.sessions[owner, key, name] = Session(number=self._state.last_session)
        return session

    def _add_piece(self, draft: ChunkDraft, stored: Stored, message: Message, now: datetime) -> int:
        self._state.last_chunk_id += 1
        chunk_id = self._state.last_chunk_id
        chunk = chunk_of(draft, chunk_id, message, stored.position)
        self._state.pieces[chunk_id] = Piece(chunk=chunk, draft=draft, session_number=stored.session_number)
        self._state.add_work("embed", now, chunk_id=chunk_id)
        return chunk_id

    def messages(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        after_id: int = 0,
        before_id: int | None = None,
        limit: int = 1000,
    ) -> tuple[Message, ...]:
        """Messages in journal order; before a number the last ones."""
        found = [
            message
            for message in self._live(scope)
            if message.message_id > after_id and session in (None, message.session)
        ]
        if before_id is None:
            return tuple(found[: max(limit, 0)])
        below = [message for message in found if message.message_id < before_id]
        return tuple(below[max(0, len(below) - limit) :])

    def message(self, scope: Scope, external_id: str, *, conversation: str | None = None) -> Message | None:
        """The first message with this external id, or None."""
        for message in self._live(scope):
            if message.external_id == external_id and conversation in (None, message.conversation.key):
                return message
        return None

    # Index

    def survey(self, ask: Ask) -> Pool:
        """All that passes scope and filters, in the pool's order."""
        pieces = [
            piece
            for piece in self._state.pieces.values()
            if ask.scope.covers(piece.chunk.scope) and passes(piece.chunk, ask.filters)
        ]
        pieces.sort(key=lambda piece: (piece.session_number, piece.chunk.position, piece.chunk.index))
        vectors = [self._state.vectors.get((piece.chunk.chunk_id, ask.model)) for piece in pieces]
        return pool_of(pieces, vectors, ask)

    def chunks(self, scope: Scope, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        """The chunks with these ids that the scope covers, in the order asked."""
        found = [self._state.pieces[each].chunk for each in chunk_ids if each in self._state.pieces]
        return tuple(chunk for chunk in found if scope.covers(chunk.scope))

    def put_vectors(
        self,
        model: str,
        vectors: Mapping[int, NDArray[np.float32]],
        *,
        texts: Mapping[int, str],
        signs: Mapping[int, NDArray[np.uint8]] | None = None,
    ) -> int:
        """Keep one unit vector per chunk for this model."""
        checked = {chunk_id: checked_vector(chunk_id, vector, texts) for chunk_id, vector in vectors.items()}
        kept = [chunk_id for chunk_id in checked if chunk_id in self._state.pieces]
        for chunk_id in kept:
            self._state.vectors[chunk_id, model] = Vector(
                vector=checked[chunk_id],
                text_hash=sha256(texts[chunk_id].encode()).digest(),
                signs=(signs or {}).get(chunk_id),
            )
        return len(kept)

    def signs(self, scope: Scope, model: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.uint8]]:
        """The sign rows of these chunks, as far as the scope covers them."""
        found: dict[int, NDArray[np.uint8]] = {}
        for chunk in self.chunks(scope, chunk_ids):
            held = self._state.vectors.get((chunk.chunk_id, model))
            if held is not None and held.signs is not None:
                found[chunk.chunk_id] = held.signs
        return found

    def unembedded(self, model: str, *, limit: int) -> tuple[int, ...]:
        """Ids of chunks without a vector of this model, oldest first."""
        missing = [chunk_id for chunk_id in self._state.pieces if (chunk_id, model) not in self._state.vectors]
        return tuple(missing[: max(limit, 0)])

    def drop_vectors(self, *, keep_model: str) -> int:
        """Drop the vectors of every other model."""
        count = 0
        for vectors in (self._state.vectors, self._state.fact_vectors):
            others = [key for key in vectors if key[1] != keep_model]
            for key in others:
                del vectors[key]
            count += len(others)
        return count

    # Work

    def claim(self, kinds: Sequence[WorkKind], *, now: datetime, lease_s: float, limit: int) -> tuple[WorkRow, ...]:
        """Take due rows of these kinds, oldest first."""
        due = [row for row in self._state.work if row.kind in kinds and not row.failed and row.due_at <= now]
        due = due[: max(limit, 0)]
        for row in due:
            row.attempt += 1
            row.due_at = now + timedelta(seconds=lease_s)
        return tuple(
            WorkRow(
                work_id=row.work_id,
                kind=row.kind,
                chunk_ids=() if row.chunk_id is None else (row.chunk_id,),
                fact_id=row.fact_id,
                attempt=row.attempt,
                created_at=row.created_at,
            )
            for row in due
        )

    def settle(self, rows: Sequence[WorkRow]) -> None:
        """Done: the rows go, unless another claim has taken them since."""
        held = self._held(rows)
        self._state.work = [row for row in self._state.work if row not in held]

    def fail(self, rows: Sequence[WorkRow], *, reason: str, retry_at: datetime | None) -> None:
        """Not done: due again, or parked."""
        for row in self._held(rows):
            row.reason = reason
            row.failed = retry_at is None
            row.due_at = row.due_at if retry_at is None else retry_at

    def _held(self, rows: Sequence[WorkRow]) -> list[Work]:
        claims = {(row.work_id, row.attempt) for row in rows}
        return [row for row in self._state.work if not row.failed and (row.work_id, row.attempt) in claims]

    def enqueue(self, chunk_ids: Sequence[int], *, now: datetime, fact_ids: Sequence[int] = ()) -> int:
        """Add rows for these chunks and facts where none is open."""
        asked = {("embed", each) for each in chunk_ids} | {("embed_fact", each) for each in fact_ids}
        self._state.work = [row for row in self._state.work if not (row.failed and _about(row) in asked)]
        waiting = {_about(row) for row in self._state.work}
        chunks = sorted(
            each for each in set(chunk_ids) if each in self._state.pieces and ("embed", each) not in waiting
        )
        facts = sorted(each for each in set(fact_ids) if self._is_there(each) and ("embed_fact", each) not in waiting)
        for chunk_id in chunks:
            self._state.add_work("embed", now, chunk_id=chunk_id)
        for fact_id in facts:
            self._state.add_work("embed_fact", now, fact_id=fact_id)
        return len(chunks) + len(facts)

    def pending(self, scope: Scope | None = None, *, kinds: Sequence[WorkKind] = WORK_KINDS) -> int:
        """How many rows of these kinds are not done and not failed."""
        return sum(1 for row in self._state.work if row.kind in kinds and not row.failed and self._seen(row, scope))

    def work_of(self, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        """The chunks with what was said before each."""
        found = [self._state.pieces[each] for each in chunk_ids if each in self._state.pieces]
        return tuple(replace(piece.chunk, before=self._before(piece)) for piece in found)

    def _before(self, piece: Piece) -> str:
        if piece.chunk.index:
            same = (
                other.chunk for other in self._state.pieces.values() if other.chunk.message_id == piece.chunk.message_id
            )
            last_piece = next(other for other in same if other.index == piece.chunk.index - 1)
            return f"{last_piece.speaker}: {last_piece.text}"
        last = self._message_before(piece)
        return f"{last.speaker}: {last.content}" if last else ""

    # Upkeep

    def examine(self, *, model: str, repair: bool, now: datetime) -> tuple[Finding, ...]:
        """What can drift here: vectors, and work that is missing or failed."""
        findings: list[Finding] = []
        if model:
            names = [name for _, name in (*self._state.vectors, *self._state.fact_vectors)]
            others = sum(name != model for name in names)
            findings.append(_drift("other models", others, repair))
            waiting = {_about(row) for row in self._state.work}
            missing = self.unembedded(model, limit=len(self._state.pieces))
            lost = [each for each in missing if ("embed", each) not in waiting]
            missing = self.unembedded_facts(model, limit=len(self._state.facts))
            lost_facts = [each for each in missing if ("embed_fact", each) not in waiting]
            findings.append(_drift("embedding", len(lost), repair))
            findings.append(_drift("fact embedding", len(lost_facts), repair))
            if repair:
                self.drop_vectors(keep_model=model)
                self.enqueue(lost, now=now)
                self.enqueue([], now=now, fact_ids=lost_facts)
        failed = [row for row in self._state.work if row.failed]
        findings.append(_drift("failed work", len(failed), repair))
        if repair:
            self._state.work = [row for row in self._state.work if not row.failed]
            for row in failed:
                self._state.add_work(row.kind, now, chunk_id=row.chunk_id, fact_id=row.fact_id, queued=row.queued)
        return tuple(findings)


def _about(row: Work) -> tuple[WorkKind, int | None]:
    return row.kind, row.fact_id if row.kind == "embed_fact" else row.chunk_id


def _drift(check: str, count: int, repair: bool) -> Finding:
    if not count:
        return Finding(check=check, ok=True, detail="in order")
    return Finding(check=check, ok=False, detail=f"{count} found", remedy="repair", repaired=repair)
