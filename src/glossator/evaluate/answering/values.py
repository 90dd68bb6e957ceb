"""What comes of a question that was answered? An answer with a verdict, or a failure, which is no verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from glossator.evaluate.values import Question

__all__ = ["FAILURES", "Answered", "Answers", "Calls", "Failure", "Role", "Verdict"]

Role = Literal["reader", "judge"]
Verdict = Literal["right", "wrong"]
Failure = Literal[
    "reader timed out",
    "reader failed",
    "reader said nothing",
    "unreadable choice",
    "judge timed out",
    "judge failed",
    "unreadable verdict",
    "not asked any more",
]
FAILURES: tuple[Failure, ...] = (
    "reader timed out",
    "reader failed",
    "reader said nothing",
    "unreadable choice",
    "judge timed out",
    "judge failed",
    "unreadable verdict",
    "not asked any more",
)
"""In the order in which they can happen; the last where a model failed too often in a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One question under one variant: the reader's answer ("" where none came) and what the judge found.

    Exactly one of `verdict` and `failure` is there. `said` is the judge's own words, or what went wrong. `reused`: the
    reader had been given the same block before, so that neither model was asked again.
    """

    question: Question
    answer: str = ""
    verdict: Verdict | None = None
    failure: Failure | None = None
    said: str = ""
    reused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """What one model was asked for. `count` counts calls, failed ones too; tokens and cost are those that came back.

    `cut` counts replies that ran into their token limit, `cost_usd` is None where no reply told its cost.
    """

    count: int = 0
    cut: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """All that was answered, by variant, questions in the order asked; one without a gold answer is not among them."""

    reader: str
    judge: str
    by_variant: Mapping[str, tuple[Answered, ...]]
    without_gold: int = 0
    calls: Mapping[Role, Calls] = field(default_factory=dict)
