"""Which messages of a conversation are still sent to the model? The reference model of the port Windows."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from glossator.errors import ConflictError
from glossator.model import (
    Batch,
    CompactionAttempt,
    Conversation,
    Entry,
    Measure,
    Message,
    Scope,
    Window,
    WindowChange,
    WindowRecord,
    WindowState,
)
from glossator.ports.talk import Journal
from glossator.stores.memory.rows import Stored
from glossator.stores.memory.upkeep import MemoryUpkeep

Place = tuple[Scope, str]
"""An owner with an agent, and the key of a conversation."""


@dataclass(slots=True)
class WindowRows:
    """What is kept beside the messages."""

    measures: dict[Place, Measure] = field(default_factory=dict)
    attempts: dict[Place, list[CompactionAttempt]] = field(default_factory=dict)


class MemoryWindows(MemoryUpkeep):
    """The port Windows in memory."""

    _window_rows: WindowRows | None = None

    def window(self, scope: Scope, conversation: str) -> Window:
        """What is live now."""
        stored = self._conversation(scope, conversation)
        live = [each.message for each in stored if each.message and each.message.window_state == "live"]
        checkpoints = [each for each in live if each.kind == "checkpoint_summary"]
        return Window(
            conversation=conversation,
            messages=tuple(each for each in live if each.kind != "checkpoint_summary"),
            checkpoint=checkpoints[-1] if checkpoints else None,
            last_id=max((each.message_id for each in stored), default=0),
        )

    def replace_window(self, scope: Scope, change: WindowChange, *, now: datetime) -> Window:
        """Check everything, then change everything."""
        seen = self.window(scope, change.conversation)
        live = {each.message_id for each in (*seen.messages, *_there(seen.checkpoint))}
        named = (*change.compacted, *change.cleared)
        known = self._known(scope, change.conversation)
        if not known or seen.last_id != change.last_id or not live.issuperset(named):
            raise ConflictError("window", "is stale: it has changed since it was read", remedy="read it again")
        if set(change.compacted) & set(change.cleared):
            raise ConflictError("window", "is stale: a message has left it", remedy="name each message once")
        self._set_state(scope, change.conversation, change.compacted, "compacted")
        self._set_state(scope, change.conversation, change.cleared, "cleared")
        if change.checkpoint is not None:
            entry = Entry(message=change.checkpoint, chunks=())
            there = Conversation.parse(change.conversation)
            batch = Batch(scope=scope.whole, conversation=there, entries=(entry,))
            cast(Journal, self).append(batch, now=now)
        if change.attempt is not None:
            self.log_compaction(scope, change.conversation, change.attempt)
        measure = self._rows().measures.get((scope.whole, change.conversation))
        if measure is not None:
            self._rows().measures[scope.whole, change.conversation] = replace(measure, peak_tokens=0)
        return self.window(scope, change.conversation)

    def measure_window(self, scope: Scope, conversation: str, measure: Measure) -> None:
        """Keep the measure, replacing."""
        if scope.job is None and scope.conversation in (None, conversation):
            self._rows().measures[scope.whole, conversation] = measure

    def log_compaction(self, scope: Scope, conversation: str, attempt: CompactionAttempt) -> None:
        """Log an attempt."""
        if self._known(scope, conversation):
            self._rows().attempts.setdefault((scope.whole, conversation), []).append(attempt)

    def window_record(self, scope: Scope, conversation: str, *, limit: int = 20) -> WindowRecord:
        """The last measure, and the newest attempts."""
        if scope.job is not None or scope.conversation not in (None, conversation):
            return WindowRecord()
        place = (scope.whole, conversation)
        attempts = self._rows().attempts.get(place, [])
        return WindowRecord(measure=self._rows().measures.get(place), attempts=tuple(attempts[::-1][: max(limit, 0)]))

    def _known(self, scope: Scope, conversation: str) -> bool:
        """True for a conversation that was ever spoken or measured in, and that the scope covers."""
        if scope.job is not None or scope.conversation not in (None, conversation):
            return False
        measured = (scope.whole, conversation) in self._rows().measures
        return measured or bool(self._conversation(scope, conversation))

    def _conversation(self, scope: Scope, conversation: str) -> list[Stored]:
        """Every message that the conversation ever had, the erased too."""
        there = replace(scope.whole, conversation=conversation)
        if not scope.covers(there):
            return []
        return [each for each in self._state.messages if (each.owner, each.conversation) == (scope.whole, conversation)]

    def _set_state(
        self, scope: Scope, conversation: str, message_ids: Iterable[int], window_state: WindowState
    ) -> None:
        leaving = set(message_ids)
        for stored in self._conversation(scope, conversation):
            if stored.message is not None and stored.message_id in leaving:
                stored.message = replace(stored.message, window_state=window_state)

    def _rows(self) -> WindowRows:
        if self._window_rows is None:
            self._window_rows = WindowRows()
        return self._window_rows


def _there(checkpoint: Message | None) -> tuple[Message, ...]:
    return () if checkpoint is None else (checkpoint,)
