"""Which messages of a conversation are still sent to the model, and what became of each attempt to shorten them?"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from glossator.model.message import Message, MessageDraft

CompactionOutcome = Literal["compacted", "weak", "failed"]
"""How an attempt that asked a model ended: "weak" is a summary that would have saved too little."""
CompactionReason = Literal[
    "compacted", "disabled", "no_model", "no_measurement", "under_threshold", "failure_backoff", "frequency_limit",
    "nothing_to_compact", "does_not_fit", "stale", "weak", "failed",
]  # fmt: skip
"""Why a conversation was compacted or not."""
WINDOW_TOKENS_UNKNOWN = 100_000
"""The window of a model whose own is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What of a conversation is still sent to the model, as it was read.

    `messages` are live and in journal order, the `checkpoint` not among them. `last_id` is the highest message id of
    the conversation, also of what is no longer live: it says whether something has been added since.
    """

    conversation: str
    messages: tuple[Message, ...] = ()
    checkpoint: Message | None = None
    last_id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """The largest prompt of a turn as the provider counted it, and the window of the model, both in tokens.

    A peak of 0 says that nothing was measured since the window was changed.
    """

    peak_tokens: int
    window_tokens: int
    measured_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionAttempt:
    """One attempt that asked a model. Token counts are estimates of the whole window.

    `reason` is a short word ("empty", "html", "timeout"), never something that was said; "" for a success.
    """

    at: datetime
    outcome: CompactionOutcome
    before_tokens: int
    after_tokens: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowChange:
    """What a window is to become: `compacted` and `cleared` name live messages by id, the old checkpoint among them.

    It rests on a window that was read with this `last_id`. The `checkpoint` is added, and the `attempt` logged, in
    the same transaction. The peak that was measured becomes 0: it was one of a window that is no more.
    """

    conversation: str
    last_id: int
    compacted: tuple[int, ...] = ()
    cleared: tuple[int, ...] = ()
    checkpoint: MessageDraft | None = None
    attempt: CompactionAttempt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRecord:
    """What is known about a conversation's window: the last measure, and the newest attempts, newest first."""

    measure: Measure | None = None
    attempts: tuple[CompactionAttempt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptWindow:
    """What to send of a conversation, oldest first, after the prompt's own parts.

    `messages` are chat messages with "role" and "content", tool calls and their results in pairs; a checkpoint stands
    behind the system messages that the conversation began with, as fenced text. `message_ids` are the ids of what was
    recorded, without the checkpoint. `tokens` is an estimate.
    """

    messages: tuple[Mapping[str, object], ...]
    message_ids: tuple[str, ...]
    checkpoint: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionResult:
    """What became of a compaction. `notice` is the one line for the chat where a preflight has compacted, else "".

    Token counts are estimates of the whole window, 0 where none was made. `detail` says what failed.
    """

    reason: CompactionReason
    before_tokens: int = 0
    after_tokens: int = 0
    notice: str = ""
    detail: str = ""

    @property
    def compacted(self) -> bool:
        """True where the window is another one now."""
        return self.reason == "compacted"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandReply:
    """What a slash command did: the `text` to show in the chat, and the result where it was /compact."""

    command: Literal["compact", "new", "clear"]
    text: str
    result: CompactionResult | None = None
