"""What goes from the reference store beside messages and chunks?"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from glossator.model import Fact, ForgetTarget, JobRun, Message, QueuedTurn, Scope
from glossator.stores.memory.rows import Link, Logged
from glossator.stores.quoting import holds_any, is_said_in, names


@dataclass(frozen=True, slots=True, kw_only=True)
class Doomed:
    """What goes beside messages and chunks."""

    fact_ids: tuple[int, ...]
    links: tuple[Link, ...]
    decision_ids: tuple[int, ...]
    work_ids: tuple[int, ...]
    steps: tuple[tuple[Scope, str, int], ...]
    revision_ids: tuple[int, ...] = ()
    run_ids: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if nothing goes."""
        return not (self.fact_ids or self.links or self.work_ids or self.steps or self.revision_ids or self.run_ids)

    @property
    def beside_messages(self) -> tuple[object, ...]:
        """What a preview has to have named: what was told or done without the messages."""
        told = [
            (link.evidence.fact_id, link.evidence.quote)
            for link in self.links
            if link.evidence.message_id is None and link.source not in ("pre_compress", "session_end")
        ]
        return told, self.steps, self.run_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many rows went."""

    fact_count: int = 0
    evidence_count: int = 0
    lexical_row_count: int = 0
    vector_count: int = 0
    work_count: int = 0
    revision_count: int = 0


class Neighbours(Protocol):
    """What other rooms of the store keep of the words."""

    def _revisions_that_go(
        self,
        owner: Scope,
        *,
        whole: bool = False,
        conversation: str | None = None,
        memory_ids: Sequence[int] = (),
        message_ids: Sequence[int] = (),
    ) -> tuple[int, ...]: ...

    def _blank_revisions(self, owner: Scope, revision_ids: Sequence[int], *, now: datetime) -> int: ...

    @property
    def _shelf(self) -> "_Runs": ...


class _Runs(Protocol):
    runs: list[JobRun]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """What an erasure takes."""

    owner: Scope
    whole: bool
    conversation: str | None
    messages: tuple[Message, ...]

    @property
    def ids(self) -> set[int]:
        return {message.message_id for message in self.messages}

    @property
    def contents(self) -> list[str]:
        return [message.content for message in self.messages]

    def takes_fact(self, fact: Fact) -> bool:
        inside = self.conversation is not None and fact.scope_id == self.conversation
        return self.whole or (inside and fact.scope_type == "conversation")

    def takes_turn(self, queued: QueuedTurn) -> bool:
        """True if the waiting turn holds what goes."""
        if not self.owner.covers(queued.turn.scope):
            return False
        inside = self.conversation is not None and is_said_in(queued, self.conversation)
        return self.whole or inside or holds_any(queued, self.contents, self.ids)

    def takes_step(self, scope: Scope) -> bool:
        """True for a reasoning step under this scope."""
        inside = self.conversation is not None and scope.conversation == self.conversation
        return self.owner.covers(scope) and (self.whole or inside)

    def takes_words_of(self, run: JobRun) -> bool:
        """True if the final words of the run repeat what goes."""
        has_words = run.scope.whole == self.owner and bool(run.final_text or run.error)
        return has_words and (self.whole or repeats_any(run, self.contents))

    def takes_evidence(self, link: Link) -> bool:
        given = link.evidence
        return self.whole or self._takes(given.message_id, given.conversation, link.source, given.quote)

    def takes_decision(self, row: Logged) -> bool:
        if not self.owner.covers(row.scope):
            return False
        return self.whole or self._takes(row.decided.message_id, row.scope.conversation, row.source, row.quote)

    def _takes(self, message_id: int | None, conversation: str | None, source: str, quote: str) -> bool:
        if message_id is not None:
            return message_id in self.ids
        inside = self.conversation is not None and conversation == self.conversation
        return (inside and source in ("pre_compress", "session_end")) or (
            bool(quote) and any(quote in content for content in self.contents)
        )


def whole_conversation(target: ForgetTarget) -> str | None:
    if target.message_ids or target.session is not None:
        return None
    inside = target.scope.conversation
    if target.conversation is not None:
        return target.conversation if inside in (None, target.conversation) else None
    return inside


def repeats_any(run: JobRun, contents: Sequence[str]) -> bool:
    return names(f"{run.final_text}\n{run.error}", contents)
