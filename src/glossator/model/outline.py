"""What is there, in outline: which conversations, which scopes, which work is open? Counts and times, hardly a word."""

from dataclasses import dataclass
from datetime import datetime

from glossator.model.scope import Scope
from glossator.model.upkeep import WorkKind

LAST_WORDS_CHARACTERS_MAX = 120
"""A line of a list. Cut where a reader would cut: never inside what is shown as one character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationOutline:
    """One conversation of an owner with an agent. What was erased is not counted.

    `conversation` is its key. `live_count` messages are still in its window: no compaction and no /clear took them out.
    `last_words` is how the message that was said last begins, on one line. `page` goes on behind this one, as `after`.
    """

    conversation: str
    message_count: int
    live_count: int
    session_count: int
    first_said_at: datetime
    last_said_at: datetime
    last_words: str
    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeOutline:
    """One owner with one agent, and how much is kept of them. `fact_count` counts active facts."""

    scope: Scope
    message_count: int
    fact_count: int
    last_said_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWork:
    """What is still to be done of one kind.

    `failed_count` rows were given up. `next_due_at` is when the next open row may be claimed, `last_error` why a row
    failed last: a short reason without anything that was said, "" where none failed.
    """

    kind: WorkKind
    pending_count: int = 0
    failed_count: int = 0
    oldest_created_at: datetime | None = None
    next_due_at: datetime | None = None
    last_error: str = ""
