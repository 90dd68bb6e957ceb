"""What should a store do with facts? The reference model of the ports Facts, Ledger and Queue: plain lists."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from glossator.errors import ConflictError, NotFoundError, UsageError
from glossator.model import (
    RECALLABLE,
    Decided,
    Evidence,
    Fact,
    FactAsk,
    FactFilter,
    FactMatch,
    FactPool,
    Learning,
    Move,
    OpenTurn,
    QueuedTurn,
    Ruling,
    Scope,
    StateChange,
    Turn,
    WorkRow,
)
from glossator.rules.states import WEIGHTS, may_move
from glossator.stores.matching import in_order, passes, rarity, sees_all, shown
from glossator.stores.memory.rows import KeptFact, Vector
from glossator.stores.memory.ruling import write_ruling
from glossator.stores.memory.steps import MemorySteps
from glossator.stores.memory.values import checked_vector, passage_of, unit
from glossator.upkeep.receipts import burial_counts, moved_body


class MemoryBook(MemorySteps):
    """The fact book in memory."""

    # Facts

    def commit(self, ruling: Ruling, *, now: datetime) -> tuple[Decided, ...]:
        """Write a ruling, all of it or nothing."""
        before = self._state.copy()
        try:
            return write_ruling(self._state, ruling, now)
        except UsageError:
            self._open_state = before
            raise

    def facts(self, scope: Scope, asked: FactFilter) -> tuple[Fact, ...]:
        """The facts that the scope covers and the filter lets through."""
        return in_order([kept.fact for kept in self._covered(scope) if passes(kept.fact, asked)], asked)

    def _covered(self, scope: Scope) -> list[KeptFact]:
        return [kept for kept in self._state.facts.values() if shown(scope, kept.fact)]

    def match_facts(self, ask: FactAsk) -> FactPool:
        """The most telling by words and the nearest by vector of all that pass."""
        kept = [each for each in self._covered(ask.scope) if passes(each.fact, ask.filters)]
        terms = tuple(dict.fromkeys(ask.terms))
        counts = {term: sum(term in each.terms for each in kept) for term in terms}
        telling = [sum(rarity(counts[term], len(kept)) for term in terms if term in each.terms) for each in kept]
        cosines = [self._cosine(each.fact.fact_id, ask) for each in kept]
        rows = range(len(kept))
        lexical = sorted((row for row in rows if telling[row]), key=lambda row: (telling[row], row), reverse=True)
        near = sorted(
            (row for row in rows if cosines[row] is not None), key=lambda row: (cosines[row] or 0.0, row), reverse=True
        )
        brought = {*lexical[: ask.candidates_max], *near[: ask.candidates_max]}
        matches = tuple(
            FactMatch(
                fact=kept[row].fact,
                terms=tuple(term for term in terms if term in kept[row].terms),
                similarity=cosines[row],
                length=len(kept[row].terms),
            )
            for row in sorted(brought)
        )
        return FactPool(matches=matches, fact_count=len(kept), term_counts=counts)

    def _cosine(self, fact_id: int, ask: FactAsk) -> float | None:
        held = self._state.fact_vectors.get((fact_id, ask.model))
        if ask.vector is None or held is None or len(held.vector) != len(ask.vector):
            return None
        return float(held.vector @ unit(ask.vector))

    def move_facts(self, scope: Scope, moves: Sequence[Move], *, now: datetime) -> tuple[Fact, ...]:
        """Make the moves in order, all of them or none."""
        before = self._state.copy()
        try:
            counts: Counter[str] = Counter()
            for move in moves:
                counts.update(self._move(scope, move, now))
            body = moved_body(scope, moves, counts=counts, at=now, backups=self._state.forgotten.backups)
            if body:
                self._receipt(scope, body, now)
        except UsageError:
            self._open_state = before
            raise
        return tuple(self._state.facts[move.fact_id].fact for move in moves)

    def _move(self, scope: Scope, move: Move, now: datetime) -> Mapping[str, int]:
        kept = self._state.facts.get(move.fact_id)
        if kept is None or not shown(scope, kept.fact):
            raise NotFoundError("moves", f"there is no fact f{move.fact_id} in this scope")
        fact = kept.fact
        if fact.version != move.version:
            raise ConflictError("moves", f"fact {fact.id} has changed since it was read")
        if not may_move(fact.state, move.to_state):
            raise UsageError("moves", f"fact {fact.id} cannot become {move.to_state}")
        if move.to_state == "erased":
            gone = self._bury([fact.fact_id], [], owner=scope.whole, by=move.by, reason=move.reason, now=now)
            doomed = self._neighbours._revisions_that_go(scope.whole, memory_ids=[fact.fact_id])
            return burial_counts(gone, self._neighbours._blank_revisions(scope.whole, doomed, now=now))
        returns = move.to_state == "active" and fact.state not in RECALLABLE
        if returns:
            fact = self._returned(fact, now)
        elif move.to_state == "superseded":
            fact = replace(fact, valid_to=fact.valid_to or max(now, fact.valid_from))
        kept.fact = replace(
            fact,
            state=move.to_state,
            weight=WEIGHTS.get(move.to_state, fact.weight),
            reason="" if move.to_state == "active" else move.reason,
            last_seen_at=max(fact.last_seen_at, now) if returns else fact.last_seen_at,
            version=fact.version + 1,
            updated_at=now,
        )
        self._state.changes.append(
            StateChange(
                fact_id=fact.fact_id, at=now, by=move.by, from_state=fact.state, to_state=move.to_state,
                reason=move.reason,
            )
        )  # fmt: skip
        self._keep_beside(kept, move, now)
        return {}

    def _keep_beside(self, kept: KeptFact, move: Move, now: datetime) -> None:
        """Hints, the end of a fact's time, and the tombstones of what is forgotten change with the state."""
        forgotten = self._state.forgotten
        forgotten.hints.pop(move.fact_id, None)
        if move.to_state == "deprioritised" and move.hints:
            forgotten.hints[move.fact_id] = move.hints
        same = [
            fact_id
            for fact_id, other in self._state.facts.items()
            if (other.fact.scope.whole, other.fact.content_hash) == (kept.fact.scope.whole, kept.fact.content_hash)
        ]  # earlier versions of the very statement rest on words of their own
        if move.to_state == "invalidated":
            for fact_id in same:
                self._close(fact_id)
        elif move.to_state == "active":
            forgotten.tombstones = [each for each in forgotten.tombstones if each.fact_id not in same]
            if kept.fact.expires_at is not None and kept.fact.expires_at <= now:
                kept.fact = replace(kept.fact, expires_at=None)

    def _returned(self, fact: Fact, now: datetime) -> Fact:
        """The fact holding again, if nothing has its place."""
        newer = None if fact.superseded_by is None else self._state.facts[fact.superseded_by].fact
        if newer is not None and newer.state in RECALLABLE:
            raise ConflictError("moves", f"{newer.id} has taken the place of {fact.id}")
        if self._state.is_taken(fact):
            raise ConflictError("moves", f"the place of {fact.id} is taken by another active fact")
        for other in self._state.facts.values():
            if other.fact.parent_id == fact.fact_id:
                other.fact = replace(other.fact, parent_id=None, version=other.fact.version + 1, updated_at=now)
        return replace(fact, valid_to=None, superseded_by=None)

    def put_fact_vectors(
        self, model: str, vectors: Mapping[int, NDArray[np.float32]], *, texts: Mapping[int, str]
    ) -> int:
        """Keep one unit vector per fact for this model."""
        checked = {fact_id: checked_vector(fact_id, vector, texts) for fact_id, vector in vectors.items()}
        held = [fact_id for fact_id in checked if self._is_there(fact_id)]
        for fact_id in held:
            text_hash = sha256(texts[fact_id].encode()).digest()
            self._state.fact_vectors[fact_id, model] = Vector(vector=checked[fact_id], text_hash=text_hash)
        return len(held)

    def _is_there(self, fact_id: int) -> bool:
        return fact_id in self._state.facts and self._state.facts[fact_id].fact.state != "erased"

    def facts_to_embed(self, fact_ids: Sequence[int]) -> dict[int, str]:
        """The indexed text of these facts."""
        return {each: self._state.facts[each].indexed_text for each in sorted(set(fact_ids)) if self._is_there(each)}

    def unembedded_facts(self, model: str, *, limit: int) -> tuple[int, ...]:
        """Ids of facts without a vector of this model, oldest first."""
        missing = [
            each for each in self._state.facts if self._is_there(each) and (each, model) not in self._state.fact_vectors
        ]
        return tuple(missing[: max(limit, 0)])

    # Ledger

    def evidence(
        self, scope: Scope, *, fact_ids: Sequence[int] = (), message_ids: Sequence[int] = ()
    ) -> tuple[Evidence, ...]:
        """The evidence of these facts, or that these messages give."""
        covered = {kept.fact.fact_id for kept in self._covered(scope)}
        found = [
            link.evidence
            for link in self._state.evidence
            if link.evidence.fact_id in covered
            and scope.conversation in (None, link.evidence.conversation)
            and (link.evidence.fact_id in fact_ids or link.evidence.message_id in message_ids)
        ]
        found.sort(key=lambda each: (each.said.at, each.message_id or 0, each.start))
        return tuple(found)

    def decisions(
        self, scope: Scope, *, fact_ids: Sequence[int] = (), message_ids: Sequence[int] = (), limit: int = 1000
    ) -> tuple[Decided, ...]:
        """The log's rows about these facts or messages, or all."""
        covered = {kept.fact.fact_id for kept in self._covered(scope)}
        found = [
            row.decided
            for row in self._state.decisions
            if replace(scope, job=None).covers(row.scope)
            and (sees_all(scope) or row.decided.fact_id in covered)
            and (
                (not fact_ids and not message_ids)
                or row.decided.fact_id in fact_ids
                or row.decided.message_id in message_ids
            )
        ]
        return tuple(found[: max(limit, 0)])

    def changes(self, scope: Scope, fact_ids: Sequence[int]) -> tuple[StateChange, ...]:
        """The audit of these facts."""
        covered = {kept.fact.fact_id for kept in self._covered(scope)} & set(fact_ids)
        return tuple(change for change in self._state.changes if change.fact_id in covered)

    # Queue

    def push(self, queued: QueuedTurn, *, capacity: int, now: datetime) -> bool:
        """Keep the turn unless `capacity` rows of its kind are open."""
        if sum(row.kind == queued.kind and not row.failed for row in self._state.work) >= capacity:
            return False
        self._state.add_work(queued.kind, now, queued=queued)
        return True

    def turns(self, rows: Sequence[WorkRow]) -> tuple[OpenTurn, ...]:
        """The turns behind claimed rows."""
        held = {row.work_id: row for row in self._state.work}
        found: list[OpenTurn] = []
        for row in rows:
            work = held.get(row.work_id)
            if work is None or work.kind in ("embed", "embed_fact"):
                continue
            turn = self._message_turn(row.chunk_ids[0]) if work.queued is None else work.queued.turn
            found.append(OpenTurn(row=row, turn=turn))
        return tuple(found)

    def _message_turn(self, chunk_id: int) -> Turn:
        piece = self._state.pieces[chunk_id]
        message = next(each.message for each in self._state.messages if each.message_id == piece.chunk.message_id)
        assert message is not None
        before = self._message_before(piece)
        return Turn(
            scope=message.scope.whole,
            passages=(passage_of(message),),
            source="document" if message.kind == "document" else "turn",
            before=None if before is None else passage_of(before),
            project=piece.chunk.project,
            tags=piece.chunk.tags,
        )

    def learning(self, scope: Scope, message_ids: Sequence[int]) -> tuple[Learning, ...]:
        """How far the extraction of each message is."""
        live = {message.message_id: message for message in self._live(scope)}
        return tuple(self._learning_of(each, live[each].external_id) for each in message_ids if each in live)

    def _learning_of(self, message_id: int, external_id: str) -> Learning:
        chunk_ids = self._chunk_ids([message_id])
        row = next((each for each in self._state.work if each.kind == "extract" and each.chunk_id in chunk_ids), None)
        if message_id not in self._state.due:
            return Learning(external_id=external_id, message_id=message_id, state="none")
        if row is None:
            return Learning(external_id=external_id, message_id=message_id, state="done")
        return Learning(
            external_id=external_id,
            message_id=message_id,
            state="failed" if row.failed else "pending",
            reason=row.reason,
        )
