"""What was decided about a draft: Admit, Merge, Supersede, Hold or Refuse, each with its reason."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from glossator.model.fact import Draft, Fact, FactState, ScopeType
from glossator.model.scope import Trust

DecisionName = Literal["admit", "merge", "supersede", "hold", "refuse"]
DECISIONS: tuple[DecisionName, ...] = ("admit", "merge", "supersede", "hold", "refuse")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact:
    """What a store needs to write a fact: the draft, its place and its index words."""

    draft: Draft
    scope_type: ScopeType
    scope_id: str
    content_hash: str
    source_trust: Trust
    valid_from: datetime
    weight: float
    indexed_text: str
    """The text with its date in front, as it is embedded; `terms` are its index tokens."""
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Admit:
    """A new fact."""

    new: NewFact
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Said before: another sighting of `fact`, whose confidence becomes `confidence`; no new row."""

    draft: Draft
    fact: Fact
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """A new fact that closes `olds` at `closed_at`; the first of them becomes its parent."""

    new: NewFact
    olds: tuple[Fact, ...]
    closed_at: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Kept in quarantine: stored, never recalled until an operator lets it in."""

    new: NewFact
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """Not kept. The words stay in the journal, the reason in the decision log."""

    draft: Draft
    reason: str


Decision = Admit | Merge | Supersede | Hold | Refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A row of the decision log. `text` is "" once the words were erased."""

    decision_id: int
    at: datetime
    by: str
    """The extractor, or who asked: "offline", a model's name, "explicit", "operator"."""
    decision: DecisionName
    reason: str
    text: str
    fact_id: int | None
    message_id: int | None
    external_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChange:
    """A row of the audit: who moved a fact from one state to another, when and why."""

    fact_id: int
    at: datetime
    by: str
    from_state: FactState
    to_state: FactState
    reason: str
