"""Where does the review of a conversation stand, and who holds it?"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from glossator.model.review import ReviewCursor
from glossator.model.scope import Scope

ReviewEnd = Literal["ok", "nothing_to_save", "failed"]
"""How a review ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewState:
    """Where the review of one conversation of one owner with one agent stands.

    `scope.conversation` is the conversation's key. `last_reviewed_at` is the end of the last review that did not fail,
    `failure_count` how many have failed since. `claim_number` rises with each claim.
    """

    scope: Scope
    cursor: ReviewCursor = field(default_factory=ReviewCursor)
    last_reviewed_at: datetime | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    status: ReviewEnd | None = None
    failed_at: datetime | None = None
    failure_count: int = 0
    claim_number: int = 0
    lease_until: datetime | None = None
    """None where nobody holds it."""
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewClaim:
    """The right to review a conversation until the lease ends; `cursor` is where to go on."""

    scope: Scope
    number: int
    cursor: ReviewCursor
    lease_until: datetime
