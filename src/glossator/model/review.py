"""What does the background reviewer read, what may it change, and what became of one review?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from glossator.model.fact import Category, Draft, FactState, Polarity, ScopeType
from glossator.model.scope import Trust
from glossator.model.time import EventTime, SaidTime

ReviewTarget = Literal["user", "memory"]
"""Where an added statement goes: "user" is about the owner (USER.md), "memory" is working knowledge (MEMORY.md)."""
Bucket = Literal["user_md", "memory_md"]
BUCKETS: tuple[Bucket, ...] = ("user_md", "memory_md")
ReviewStatus = Literal["ok", "nothing_to_save", "failed", "skipped"]
SENTINEL = "Nothing to save."
"""The whole reply of a reviewer that has nothing to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCursor:
    """How far a conversation has been read: every message up to and including `message_id`.

    `offset` is 0, or so many characters of the message `message_id + 1` have been read too: the beginning of one that
    was too long for one review. It never stands behind words that no review has read.
    """

    message_id: int = 0
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedMessage:
    """The own words of one message that a review reads: `content[start:end]`, recalled and quoted parts blanked."""

    message_id: int
    text: str
    said: SaidTime
    speaker: str
    trust: Trust
    start: int
    end: int
    external_id: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """What one review reads, the oldest first, and the cursor that is right once it has been read.

    `token_count` is the estimate for the messages as the prompt shows them. There may be no messages and yet a further
    cursor, where messages hold nothing but recalled memory: then there is nothing to ask. `left` is True where one of
    the given messages was not read to its end.
    """

    messages: tuple[PackedMessage, ...]
    cursor: ReviewCursor
    token_count: int
    left: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """A fact that a prompt file may show, as the reviewer sees it: `value` is the statement, as it would be rendered.

    `key` says which question the statement answers ("home", or ""), `answer` what it answers ("oslo"). `first_said`
    and `last_said` are when it was said first and last, where that is known.
    """

    fact_id: int
    bucket: Bucket
    scope_type: ScopeType
    scope_id: str
    category: Category
    key: str
    value: str
    answer: str
    subject: str
    polarity: Polarity
    event: EventTime
    state: FactState = "active"
    source_trust: Trust = "owner"
    first_said: datetime | None = None
    last_said: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRoom:
    """How full a prompt file is, in characters."""

    bucket: Bucket
    used: int
    cap: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AddOperation:
    """Keep a new statement. `message_id` is the message that the reviewer names as its source, where it names one.

    `draft` is what an extractor has read of it, where one has: whom it is about and which question it answers.
    """

    target: ReviewTarget
    category: Category
    value: str
    message_id: int | None = None
    draft: Draft | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceOperation:
    """Give a row another statement; its scope and category stay. `draft` as in AddOperation."""

    fact_id: int
    value: str
    message_id: int | None = None
    draft: Draft | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveOperation:
    """Take a row out of prompts and recall; it can be restored."""

    fact_id: int
    reason: str


ReviewOperation = AddOperation | ReplaceOperation | ArchiveOperation


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewReply:
    """What a reviewer answered: operations in order, and why each further one cannot be read.

    `nothing_to_save` says that it wants no change; then there are no operations.
    """

    operations: tuple[ReviewOperation, ...]
    skipped: tuple[str, ...] = ()
    nothing_to_save: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """The user's words that an operation rests on, `content[start:end]` of a message, and how far they are believed."""

    message_id: int
    start: int
    end: int
    trust: Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedAdd:
    """A statement that may be added."""

    operation: AddOperation
    grounds: Grounds


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedReplace:
    """A row that may be given another statement."""

    operation: ReplaceOperation
    row: ReviewRow
    grounds: Grounds


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedArchive:
    """A row that may be archived. Its reason is what was said, or that its time is over."""

    operation: ArchiveOperation
    row: ReviewRow


AllowedOperation = AllowedAdd | AllowedReplace | AllowedArchive


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedOperations:
    """What a review may do, in order, and how many operations were left out for which reason."""

    allowed: tuple[AllowedOperation, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)

    @property
    def skipped_count(self) -> int:
        """How many operations were left out."""
        return sum(self.skipped.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewResult:
    """What became of one review of one conversation; `dataclasses.asdict` of it is ready for JSON.

    `skip_reason` is "" unless the status is "skipped": disabled, under_interval, in_failure_backoff, no_new_messages or
    concurrent_run. `failure` says why it failed. `more` is True where messages are left for the next pass.
    """

    conversation: str
    agent: str
    owner: str
    status: ReviewStatus
    skip_reason: str = ""
    failure: str = ""
    added: int = 0
    replaced: int = 0
    archived: int = 0
    skipped: int = 0
    skipped_ops: Mapping[str, int] = field(default_factory=dict)
    """How many operations were left out, by reason."""
    input_messages: int = 0
    input_tokens: int = 0
    more: bool = False

    @property
    def changed(self) -> int:
        """How many rows were written."""
        return self.added + self.replaced + self.archived

    def __str__(self) -> str:
        if self.status == "skipped":
            return f"{self.conversation}: skipped ({self.skip_reason})"
        if self.status == "failed":
            return f"{self.conversation}: failed ({self.failure})"
        parts = [f"{name} {getattr(self, name)}" for name in ("added", "replaced", "archived", "skipped")]
        read = f"read {self.input_messages} messages, {self.input_tokens} tokens"
        done = ", ".join(parts) if self.status == "ok" else "nothing to save"
        return f"{self.conversation}: {done}; {read}" + ("; more to read" if self.more else "")
