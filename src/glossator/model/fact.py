"""What is a fact: an admitted statement with its evidence, and the draft, the turn and the decision that led to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from glossator.model.message import Role
from glossator.model.scope import Scope, Trust
from glossator.model.time import EventTime, SaidTime

Category = Literal["identity", "preference", "interest", "goal", "context", "directive", "note", "summary"]
CATEGORIES: tuple[Category, ...] = ("identity", "preference", "interest", "goal", "context", "directive")
"""What a draft may say. "note" (memory_store) and "summary" (jobs) are internal: no extractor may give them."""
ALL_CATEGORIES: tuple[Category, ...] = (*CATEGORIES, "note", "summary")
Kind = Literal["exact_value", "hard_constraint", "decision_reason", "cross_task_dep", "implicit_pref"]
KINDS: tuple[Kind, ...] = ("exact_value", "hard_constraint", "decision_reason", "cross_task_dep", "implicit_pref")
FactState = Literal[
    "active", "deprioritised", "superseded", "archived", "invalidated", "expired", "quarantined", "erased"
]
FACT_STATES: tuple[FactState, ...] = (
    "active", "deprioritised", "superseded", "archived", "invalidated", "expired", "quarantined", "erased",
)  # fmt: skip
RECALLABLE: tuple[FactState, ...] = ("active", "deprioritised")
ScopeType = Literal["workspace", "owner", "agent", "conversation", "job"]
Polarity = Literal["positive", "negative"]
Epistemic = Literal["stated", "inferred"]
Sensitivity = Literal["public", "internal", "confidential", "restricted"]
SENSITIVITIES: tuple[Sensitivity, ...] = ("public", "internal", "confidential", "restricted")
ExtractionSource = Literal["turn", "session_end", "pre_compress", "explicit", "review", "document", "job", "import"]
SELF = "user"
"""The subject of a statement about its own speaker, where the speaker has no other name than their role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What one participant said in a turn, verbatim, as an extractor sees it.

    `message_id` and `external_id` name the journal's message; both are missing for text that only the caller has (a
    step's thought, the middle of a prompt that is about to be cut).
    """

    text: str
    role: Role
    speaker: str
    said: SaidTime
    message_id: int | None = None
    external_id: str | None = None
    conversation: str | None = None
    session: str | None = None
    trust: Trust | None = None
    """How far its speaker is believed, where that is known; by its role otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one extraction reads: the passages to take facts from, and what was said just before them.

    `before` gives a reply its sense ("Yes, since May") and is never itself a source of facts.
    """

    scope: Scope
    passages: tuple[Passage, ...]
    source: ExtractionSource
    before: Passage | None = None
    project: str | None = None
    tags: tuple[str, ...] = ()
    run_id: str | None = None
    within: ScopeType | None = None
    """For whom its facts hold, where the writer decides; by their category otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An extracted statement, not yet admitted.

    `subject` is whom or what it is about: SELF or the speaker's name for the speaker, else the name as it was said
    ("Ed", "my sister"). `key` says which question the statement answers and `value` is the answer; two statements of
    one subject with the same key and different values cannot both hold now ("home": Paris, Oslo), and what may be true
    side by side has its value in the key ("plays:cello"). A taste is "taste:<thing>" with "likes" or "dislikes" for its
    value, so that a change of mind meets the old taste. `key` is "" where the words do not say.
    `start:end` are the offsets of the evidence in `Turn.passages[passage].text`.
    `denies` is a value that the statement takes back ("no, she is Anja, not Ana": "Ana"), or "".
    """

    text: str
    category: Category
    kind: Kind | None
    subject: str
    key: str
    value: str
    passage: int
    start: int
    end: int
    event: EventTime
    polarity: Polarity = "positive"
    epistemic: Epistemic = "stated"
    confidence: float = 0.8
    denies: str = ""
    domain: str = "general"
    tags: tuple[str, ...] = ()
    sensitivity: Sensitivity = "internal"
    expires_at: datetime | None = None
    """When it stops to hold, where that is known; it is moved to "expired" then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What an extractor made of a turn.

    `lost` counts what could not be read or was refused before admission, by reason; nothing is lost without a count.
    """

    drafts: tuple[Draft, ...]
    lost: Mapping[str, int] = field(default_factory=dict)
    partial: bool = False
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """An admitted statement.

    `text` is bare: no date prefix. `created_at` never changes; `last_seen_at` moves with each repetition and orders
    the durable facts; `event` never changes through repetition. `valid_from` is when it was said (or the time its words
    name as the beginning), `valid_to` when it was said to hold no more, None while it holds. `parent_id` is the fact
    that this one superseded, `superseded_by` the one that superseded it. `version` rises with every change.
    """

    fact_id: int
    scope: Scope
    scope_type: ScopeType
    scope_id: str
    text: str
    category: Category
    kind: Kind | None
    subject: str
    key: str
    value: str
    polarity: Polarity
    epistemic: Epistemic
    confidence: float
    content_hash: str
    state: FactState
    weight: float
    event: EventTime
    valid_from: datetime
    valid_to: datetime | None
    created_at: datetime
    last_seen_at: datetime
    updated_at: datetime
    seen_count: int
    version: int
    parent_id: int | None
    superseded_by: int | None
    source: ExtractionSource
    source_trust: Trust
    project: str | None
    tags: tuple[str, ...]
    domain: str
    sensitivity: Sensitivity
    session: str | None = None
    run_id: str | None = None
    reason: str = ""
    """Why it is in its state, where that is not "active"."""
    expires_at: datetime | None = None
    """When it stops to hold by itself; None for most."""

    @property
    def id(self) -> str:
        """The fact's public id, for example "f42"."""
        return f"f{self.fact_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The words that a fact rests on, `message[start:end]`; `message_id` is None where only the caller had the text."""

    fact_id: int
    quote: str
    speaker: str
    role: Role
    said: SaidTime
    start: int
    end: int
    message_id: int | None = None
    external_id: str | None = None
    conversation: str | None = None
    session: str | None = None
