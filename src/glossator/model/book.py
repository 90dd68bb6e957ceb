"""What is asked of the facts that a store keeps, and what comes back: the fact book."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from glossator.model.decision import Decision
from glossator.model.fact import RECALLABLE, Category, Fact, FactState, ScopeType, Sensitivity, Turn
from glossator.model.scope import Scope
from glossator.model.upkeep import WorkRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What is written in one transaction: the decisions about one turn's drafts, `by` whom, and the work they settle.

    Each evidence row comes from a draft's passage and offsets. Facts named by Merge and Supersede must still have the
    version that was decided on, and the claims of `settles` must still be held.
    """

    turn: Turn
    by: str
    decisions: tuple[Decision, ...]
    settles: tuple[WorkRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """Conditions on facts; all given ones must hold, an empty tuple or None is no condition.

    `as_of` asks for what held then: valid_from <= as_of, and valid_to missing or later; give `states` that include
    "superseded" with it. `keys` are (subject, key) pairs, compared as stored. `after_id` pages in order of fact_id.
    """

    states: tuple[FactState, ...] = RECALLABLE
    categories: tuple[Category, ...] = ()
    scope_types: tuple[ScopeType, ...] = ()
    scope_ids: tuple[str, ...] = ()
    sensitivities: tuple[Sensitivity, ...] = ()
    fact_ids: tuple[int, ...] | None = None
    hashes: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    values: tuple[str, ...] = ()
    as_of: datetime | None = None
    project: str | None = None
    tags: tuple[str, ...] = ()
    order: Literal["last_seen", "fact_id"] = "last_seen"
    """"last_seen" gives the latest seen first (equal ones: the higher fact_id first)."""
    after_id: int = 0
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FactAsk:
    """One search among facts: by words and, where a vector is given, by meaning; filtered inside the search."""

    scope: Scope
    filters: FactFilter
    terms: tuple[str, ...] = ()
    vector: NDArray[np.float32] | None = None
    model: str = ""
    candidates_max: int = 50
    """Per lane."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactMatch:
    """A fact that a lane brought; `similarity` is None where it has no vector of the asked model."""

    fact: Fact
    terms: tuple[str, ...]
    similarity: float | None
    length: int
    """Index terms in its indexed text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactPool:
    """What a search among facts brings, in order of fact_id, with the counts that scoring needs.

    It holds the `candidates_max` facts that match the most telling terms (sum of inverse document frequency; ties by
    the higher fact_id) and the `candidates_max` nearest by vector.
    """

    matches: tuple[FactMatch, ...]
    fact_count: int = 0
    term_counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Bring a fact from the state it was read in to another; `version` guards against what happened since."""

    fact_id: int
    version: int
    to_state: FactState
    by: str
    reason: str
    hints: tuple[str, ...] = ()
    """With "deprioritised": words of which any one brings it back when they are said."""


QueueKind = Literal["pre_compress", "session_end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedTurn:
    """A turn that is not in the journal, kept on disk until facts have been taken from it."""

    kind: QueueKind
    turn: Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """A claimed row of extraction work with the turn that it is about."""

    row: WorkRow
    turn: Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """How far the extraction of one message is. "none": it was never due, for example an assistant's message."""

    external_id: str
    message_id: int
    state: Literal["none", "pending", "done", "failed"]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One reasoning step of an agent's run."""

    run_id: str
    number: int
    thought: str = ""
    action: str = ""
    observation: str = ""
    verified: bool = False
    evidence: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMatch:
    """A step found by its words, with the score that orders it (higher is better)."""

    step: Step
    score: float
