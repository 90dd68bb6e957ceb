"""What is kept of what was erased: tombstones, receipts, the list of backups? The reference model."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from glossator.model import RECALLABLE, Backup, ClosedSpan, ErasureRecord, Fact, Hinted, Message, Scope
from glossator.stores.matching import sees_all, shown
from glossator.stores.memory.upkeep import MemoryUpkeep

PUT_AWAY = ("superseded", "archived", "expired", "quarantined")
TALK = ("chat", "voice_turn")


class MemoryErasures(MemoryUpkeep):
    """The ports Erasures and Receipts in memory."""

    def closed_spans(self, scope: Scope, message_ids: Sequence[int]) -> tuple[ClosedSpan, ...]:
        """The words of these messages whose facts are not held any more."""
        live = {message.message_id for message in self._live(scope)} & set(message_ids)
        spans = {
            ClosedSpan(message_id=stone.message_id, start=stone.start, stop=stone.stop, state="erased")
            for stone in self._state.forgotten.tombstones
            if stone.message_id in live
        }
        for link in self._state.evidence:
            given, fact = link.evidence, self._state.facts[link.evidence.fact_id].fact
            if given.message_id in live and fact.state in PUT_AWAY:
                spans.add(
                    ClosedSpan(
                        message_id=given.message_id, start=given.start, stop=given.end, state=fact.state,
                        content_hash=fact.content_hash,
                    )
                )  # fmt: skip
        return tuple(
            sorted(spans, key=lambda each: (each.message_id, each.start, each.stop, each.state, each.content_hash))
        )

    def relearn(self, scope: Scope, *, now: datetime) -> int:
        """Queue extraction again, in journal order."""
        queued = 0
        for message in self._live(scope):
            chunk_ids = self._chunk_ids([message.message_id])
            rows = [row for row in self._state.work if row.kind == "extract" and row.chunk_id in chunk_ids]
            if not chunk_ids or not self._is_learned_from(message) or any(not row.failed for row in rows):
                continue
            self._state.work = [row for row in self._state.work if row not in rows]
            self._state.due.add(message.message_id)
            self._state.add_work("extract", now, chunk_id=min(chunk_ids))
            queued += 1
        return queued

    def _is_learned_from(self, message: Message) -> bool:
        return message.message_id in self._state.due or (message.role == "user" and message.kind in TALK)

    def hinted(self, scope: Scope) -> tuple[Hinted, ...]:
        """The deprioritised facts of the scope that have hints."""
        found = [
            Hinted(fact=self._state.facts[fact_id].fact, hints=hints)
            for fact_id, hints in sorted(self._state.forgotten.hints.items())
        ]
        return tuple(each for each in found if each.fact.state == "deprioritised" and shown(scope, each.fact))

    def due_to_expire(self, *, now: datetime, scope: Scope | None = None, limit: int = 100) -> tuple[Fact, ...]:
        """Facts whose time has passed, oldest first."""
        due = [
            (kept.fact.expires_at, kept.fact)
            for kept in self._state.facts.values()
            if kept.fact.expires_at is not None
            and kept.fact.expires_at <= now
            and kept.fact.state in RECALLABLE
            and (scope is None or shown(scope, kept.fact))
        ]
        due.sort(key=lambda each: (each[0], each[1].fact_id))
        return tuple(fact for _, fact in due[: max(limit, 0)])

    def keep_backup(self, path: Path, *, now: datetime) -> None:
        """Note that a copy was asked for."""
        self._state.forgotten.backups.append(Backup(path=str(path), at=now))

    def receipts(self, scope: Scope, *, newest: int | None = None) -> tuple[ErasureRecord, ...]:
        """The receipts of this owner, oldest first."""
        if not sees_all(scope):
            return ()
        found = tuple(
            replace(each, scope=replace(scope.whole, conversation=each.scope.conversation))
            for each in self._state.forgotten.receipts
            if each.scope.whole == scope.whole and scope.conversation in (None, each.scope.conversation)
        )
        return found if newest is None else found[max(len(found) - newest, 0) :]

    def seal_receipt(self, scope: Scope, number: int, text: str) -> None:
        """Keep the signed text, once."""
        kept = self._state.forgotten.receipts
        for place, each in enumerate(kept):
            if each.number == number and not each.signed and each.scope.whole == scope.whole and scope.job is None:
                kept[place] = replace(each, signed=text)

    def signing_key(self, made: bytes, *, now: datetime) -> bytes:  # noqa: ARG002
        """The store's key for signing."""
        if self._state.forgotten.key is None:
            self._state.forgotten.key = made
        return self._state.forgotten.key
