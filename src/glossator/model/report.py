"""What do the fact verbs tell: what became of a statement, why a fact is held, what would go?"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from glossator.model.book import Learning
from glossator.model.decision import DECISIONS, Decided, DecisionName, StateChange
from glossator.model.fact import Evidence, Fact
from glossator.model.lifecycle import Backup
from glossator.model.recall import Degradation
from glossator.model.scope import Scope

_WORDS: dict[DecisionName, str] = {
    "admit": "stored", "merge": "merged", "supersede": "superseded", "hold": "held", "refuse": "rejected",
}  # fmt: skip


def summary_of(decided: Sequence[Decided]) -> str:
    """For example "stored 3, merged 1, rejected 1: only inferred, and stated otherwise"."""
    counts = {name: sum(1 for each in decided if each.decision == name) for name in DECISIONS}
    words = ", ".join(f"{_WORDS[name]} {count}" for name, count in counts.items() if count or name == "admit")
    reasons = dict.fromkeys(each.reason for each in decided if each.decision in ("refuse", "hold"))
    return words + (": " + "; ".join(reasons) if reasons else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """How far extraction is for some messages, and what was decided about each draft that they gave."""

    messages: tuple[Learning, ...]
    decided: tuple[Decided, ...]

    @property
    def pending_count(self) -> int:
        """Messages from which facts are still to be taken."""
        return sum(1 for each in self.messages if each.state == "pending")

    @property
    def failed_count(self) -> int:
        """Messages whose extraction was given up; `messages` has the reasons."""
        return sum(1 for each in self.messages if each.state == "failed")

    def count(self, decision: DecisionName) -> int:
        """How many drafts ended with this decision."""
        return sum(1 for each in self.decided if each.decision == decision)

    def __str__(self) -> str:
        waiting = f"; {self.pending_count} to extract" if self.pending_count else ""
        failed = f"; {self.failed_count} failed" if self.failed_count else ""
        return summary_of(self.decided) + waiting + failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of a statement that was given to be kept, and the fact as it is now (None if it was refused)."""

    decided: Decided
    fact: Fact | None

    def __str__(self) -> str:
        return summary_of([self.decided])


@dataclass(frozen=True, slots=True, kw_only=True)
class FactList:
    """Facts in the order asked, the fenced block that shows them to a model ("" for none), and what was missing."""

    facts: tuple[Fact, ...] = ()
    block: str = ""
    degraded: tuple[Degradation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a fact is held: the sentences, who said them when, every decision, and what it replaced or was replaced by.

    `chain` is the line of versions, oldest first, this one among them.
    """

    fact: Fact
    evidence: tuple[Evidence, ...]
    decided: tuple[Decided, ...]
    changes: tuple[StateChange, ...]
    chain: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A stored fact that a statement would collide with, and what recording it would do."""

    fact: Fact
    statement: str
    outcome: DecisionName
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactPreview:
    """The facts that `forget_facts` would take. `token` is what `confirm` takes; it holds while nothing has changed."""

    token: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactReceipt:
    """The facts that are forgotten now, in their new state.

    `backups` may still hold their words where they were erased. `signed` is the receipt as one line of JSON with its
    signature (`verify_receipt` takes it), "" where the memory has nothing to sign with.
    """

    facts: tuple[Fact, ...]
    at: datetime
    receipt_id: str = ""
    scope: Scope | None = None
    by: str = ""
    backups: tuple[Backup, ...] = ()
    not_covered: tuple[str, ...] = ()
    signed: str = ""
