"""What came in, what became of it, and the verbatim pieces that recall shows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from glossator.model.scope import Conversation, Scope, Tier, Trust
from glossator.model.time import EventTime, SaidTime

Role = Literal["user", "assistant", "system", "tool"]
ROLES: tuple[Role, ...] = ("user", "assistant", "system", "tool")
MessageKind = Literal["chat", "document", "voice_turn", "tool", "checkpoint_summary", "marker"]
WindowState = Literal["live", "compacted", "cleared"]
"""Is the message still sent to the model? What left the window stays searchable and open to review."""
Namespace = Literal["episodic", "knowledge", "preference"]
NAMESPACES: tuple[Namespace, ...] = ("episodic", "knowledge", "preference")
Strategy = Literal["message", "turn_pairs", "sentences", "paragraphs", "fixed_tokens"]
STRATEGIES: tuple[Strategy, ...] = ("message", "turn_pairs", "sentences", "paragraphs", "fixed_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDraft:
    """A message that passed the canonical check and is ready for the journal.

    `external_id` is the caller's id, or one made by retain/prefilter; unique within the conversation.
    """

    external_id: str
    role: Role
    speaker: str
    content: str
    said: SaidTime
    session: str
    kind: MessageKind = "chat"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    trust: Trust = "owner"
    tier: Tier | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkDraft:
    """A verbatim piece of one message, `content[start:end]`, with the words that index it.

    `terms` are index tokens (rules/tokens.py) of the piece, `speaker_terms` those of the speaker's name.
    """

    index: int
    start: int
    end: int
    text: str
    terms: tuple[str, ...]
    speaker_terms: tuple[str, ...]
    event: EventTime
    marks: int = 0
    """What the words look like, as bits (rules/marks.py): a date, a number, a question. Stored as is."""
    namespace: Namespace = "episodic"
    strategy: Strategy = "message"
    project: str | None = None
    tags: tuple[str, ...] = ()
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One message with its chunks: the unit that is stored whole or not at all."""

    message: MessageDraft
    chunks: tuple[ChunkDraft, ...]
    extract: bool = False
    """True where facts are to be taken from it: a row of "extract" work is written with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one `record` call writes in one transaction. `scope.conversation` is None here; see `conversation`."""

    scope: Scope
    conversation: Conversation
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message as the journal keeps it. `message_id` rises monotonically and is never reused."""

    message_id: int
    external_id: str
    scope: Scope
    conversation: Conversation
    session: str
    role: Role
    speaker: str
    kind: MessageKind
    content: str
    said: SaidTime
    metadata: Mapping[str, Any]
    trust: Trust = "owner"
    """How far its speaker was believed when it came in."""
    window_state: WindowState = "live"
    tier: Tier | None = None
    """The tier that the caller's agent had at most when it recorded the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A stored verbatim piece, with all that a hit shows of it.

    `scope.conversation` holds the conversation's key. `before` is what was said just before it in the same session
    ("Speaker: words"; for a later piece of a long message the piece before it), or "": they are embedded together.
    """

    chunk_id: int
    message_id: int
    external_id: str
    scope: Scope
    session: str
    position: int
    index: int
    start: int
    end: int
    text: str
    role: Role
    speaker: str
    said: SaidTime
    event: EventTime
    namespace: Namespace
    strategy: Strategy
    project: str | None
    tags: tuple[str, ...]
    weight: float
    before: str = ""


Outcome = Literal["stored", "duplicate", "conflict", "erased"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What became of one message.

    "duplicate": the same id with the same text is there already. "conflict": the id is there with another text; the
    stored one was kept (send the edit under a new id). "erased": this id was forgotten and is not taken back.
    """

    external_id: str
    message_id: int
    outcome: Outcome
    chunk_ids: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Proof that messages are durable, and what became of each, in the order given.

    Everything "stored" is on disk and found by keyword now; by meaning once `pending` (work rows) is done.
    """

    recorded: tuple[Recorded, ...]
    pending: int
    failure: str = ""
    """Why nothing was recorded: a turn's hook swallowed the error, or transcripts are switched off; "" otherwise."""

    def count(self, outcome: Outcome) -> int:
        """How many messages ended with this outcome."""
        return sum(1 for each in self.recorded if each.outcome == outcome)

    @property
    def message_ids(self) -> tuple[str, ...]:
        """The external ids, in the order given."""
        return tuple(each.external_id for each in self.recorded)

    def __str__(self) -> str:
        if self.failure:
            return f"not stored: {self.failure}"
        parts = [
            f"{name} {self.count(name)}"
            for name in ("stored", "duplicate", "conflict", "erased")
            if self.count(name) or name == "stored"
        ]
        return ", ".join(parts) + (f"; {self.pending} to embed" if self.pending else "")
