"""What does the reference store hold, what is erased from it, and how much is there?"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from glossator.errors import ConflictError, NotFoundError, StoreError, UsageError
from glossator.model import (
    ForgetPreview,
    ForgetReceipt,
    ForgetTarget,
    Message,
    Scope,
    Status,
)
from glossator.stores.matching import is_trusted
from glossator.stores.memory.burying import MemoryBurying
from glossator.stores.memory.rows import Piece, Work
from glossator.stores.memory.values import queued_scope
from glossator.upkeep.receipts import erased_body

SAMPLES_MAX = 5


class MemoryUpkeep(MemoryBurying):
    """The port Upkeep but for `examine`."""

    def preview(self, target: ForgetTarget) -> ForgetPreview:
        """What the target names now."""
        named = self._named(target)
        chunk_ids = self._chunk_ids([message.message_id for message in named])
        doomed = self._doomed(target, named)
        seen = repr((target, [message.message_id for message in named], chunk_ids, doomed.beside_messages))
        return ForgetPreview(
            fact_count=len(doomed.fact_ids),
            token=sha256(seen.encode("utf-8", "surrogatepass")).hexdigest(),
            message_count=len(named),
            chunk_count=len(chunk_ids),
            conversations=tuple(dict.fromkeys(message.conversation.key for message in named)),
            samples=tuple(" ".join(message.content.split())[:60] for message in named[:SAMPLES_MAX]),
        )

    def erase(self, target: ForgetTarget, *, confirm: str, now: datetime) -> ForgetReceipt:
        """Erase what the preview named."""
        try:
            token = self.preview(target).token
        except NotFoundError as error:
            raise ConflictError("confirm", "what it named is gone", remedy="preview again") from error
        if token != confirm:
            raise ConflictError("confirm", "the target has changed since the preview", remedy="preview again")
        named = self._named(target)
        ids = [message.message_id for message in named]
        chunk_count = len(self._chunk_ids(ids))
        state = self._state
        doomed = self._doomed(target, named)
        gone = self._erase_doomed(target, doomed, now)
        vector_count, work_count = self._erase_talk(ids)
        receipt = ForgetReceipt(
            erased_at=now,
            message_ids=tuple(message.external_id for message in named),
            message_count=len(named),
            chunk_count=chunk_count,
            lexical_row_count=chunk_count + gone.lexical_row_count,
            vector_count=vector_count + gone.vector_count,
            work_count=work_count + gone.work_count,
            fact_count=gone.fact_count,
            evidence_count=gone.evidence_count,
            remaining_count=0,
            revision_count=gone.revision_count,
            backups=tuple(state.forgotten.backups),
            scope=target.scope,
            by=target.scope.job_source or target.scope.believed,
        )
        body = erased_body(receipt, doomed.fact_ids)
        return replace(receipt, receipt_id=self._receipt(target.scope, body, now))

    def _erase_talk(self, ids: Sequence[int]) -> tuple[int, int]:
        """Take messages with their chunks, vectors and work; how many of the last two went."""
        state, chunk_ids = self._state, self._chunk_ids(ids)
        before = len(state.vectors), len(state.work)
        state.vectors = {key: vector for key, vector in state.vectors.items() if key[0] not in chunk_ids}
        state.work = [row for row in state.work if row.chunk_id not in chunk_ids]
        for chunk_id in chunk_ids:
            del state.pieces[chunk_id]
        for stored in state.messages:
            if stored.message_id in ids:
                stored.message = None
        stones = state.forgotten.tombstones
        stones[:] = [stone for stone in stones if stone.message_id not in ids]
        living = {stored.session_number for stored in state.messages if stored.message}
        state.sessions = {key: session for key, session in state.sessions.items() if session.number in living}
        return before[0] - len(state.vectors), before[1] - len(state.work)

    def _named(self, target: ForgetTarget) -> list[Message]:
        ways = [bool(target.message_ids), target.session is not None, target.everything]
        if sum(ways) > 1 or (target.everything and target.conversation is not None):
            raise UsageError("target", "names what to forget in more than one way", remedy="leave one")
        if not any(ways) and target.conversation is None:
            raise UsageError("target", "names nothing", remedy="name ids, a session, a conversation or everything")
        named = [
            message
            for message in self._live(target.scope)
            if target.conversation in (None, message.conversation.key)
            and target.session in (None, message.session)
            and (not target.message_ids or message.external_id in target.message_ids)
        ]
        if not named and self._doomed(target, named).is_empty:
            raise NotFoundError("target", "names nothing that is stored in this scope", remedy="check ids and scope")
        if target.message_ids and len({message.external_id for message in named}) < len(named):
            raise UsageError("message_ids", "are in several conversations", remedy="name the conversation")
        over = [each for each in self._live(target.scope.whole) if each not in named and _sums_up(each, named)]
        return sorted([*named, *over], key=lambda message: message.message_id)

    def status(self, scope: Scope | None = None) -> Status:
        """Counts."""
        messages = [each.message for each in self._state.messages if each.message]
        messages = [message for message in messages if scope is None or scope.covers(message.scope)]
        pieces = [
            each for each, piece in self._state.pieces.items() if scope is None or scope.covers(piece.chunk.scope)
        ]
        models = [model for _, model in self._state.vectors]
        work = [row for row in self._state.work if self._seen(row, scope)]
        facts = [kept.fact for kept in self._state.facts.values()]
        return Status(
            schema_version=0,
            message_count=len(messages),
            chunk_count=len(pieces),
            vector_count=sum(1 for chunk_id, _ in self._state.vectors if chunk_id in pieces),
            conversation_count=len({message.scope for message in messages}),
            session_count=len({(message.scope, message.session) for message in messages}),
            pending_count=sum(1 for row in work if not row.failed),
            failed_count=sum(1 for row in work if row.failed),
            file_bytes=0,
            model=max(models, key=models.count, default=""),
            oldest_said_at=min((message.said.at for message in messages), default=None),
            newest_said_at=max((message.said.at for message in messages), default=None),
            fact_count=sum(
                1
                for fact in facts
                if fact.state == "active"
                and (scope is None or scope.covers(fact.scope))
                and (scope is None or is_trusted(scope) or fact.category != "directive")
            ),
        )

    def backup(self, path: Path) -> None:
        """Not possible: nothing here outlives the process."""
        raise StoreError(f"a memory store has nothing to copy to {path}")

    def close(self) -> None:
        """Drop everything; later calls raise StoreError."""
        self._open_state = None

    def _live(self, scope: Scope) -> list[Message]:
        return [each.message for each in self._state.messages if each.message and scope.covers(each.message.scope)]

    def _chunk_ids(self, message_ids: Sequence[int]) -> list[int]:
        return [each for each, piece in self._state.pieces.items() if piece.chunk.message_id in message_ids]

    def _seen(self, row: Work, scope: Scope | None) -> bool:
        """True if the row is about something that the scope covers."""
        if row.chunk_id is not None:
            where = self._state.pieces[row.chunk_id].chunk.scope
        elif row.fact_id is not None:
            where = self._state.facts[row.fact_id].fact.scope
        else:
            assert row.queued is not None
            where = queued_scope(row.queued)
        return scope is None or scope.covers(where)

    def _message_before(self, piece: Piece) -> Message | None:
        """What was said just before this message in its session."""
        earlier = [
            stored
            for stored in self._state.messages
            if stored.message
            and stored.session_number == piece.session_number
            and stored.position < piece.chunk.position
        ]
        return max(earlier, key=lambda stored: stored.position).message if earlier else None


def _sums_up(message: Message, named: Sequence[Message]) -> bool:
    """True for a checkpoint that was made after one of these had left the window."""
    return message.kind == "checkpoint_summary" and any(
        each.window_state == "compacted"
        and each.conversation == message.conversation
        and each.message_id < message.message_id
        for each in named
    )
