"""How far has the background reviewer read each conversation?"""

from datetime import datetime
from typing import Protocol

from glossator.model import Message, ReviewClaim, ReviewCursor, ReviewEnd, ReviewState, Scope


class Reviews(Protocol):
    """How far each conversation has been reviewed, and who reviews it now.

    What is open to review is what a user said in chat or by voice, also what has left the window since: no documents,
    no summaries of what was said. A conversation is named by a scope whose `conversation` is its key.
    """

    def review_state(self, scope: Scope) -> ReviewState | None:
        """Where the review of `scope.conversation` stands; None where the scope has no such conversation."""
        ...

    def messages_to_review(self, scope: Scope, *, after: ReviewCursor, limit: int) -> tuple[Message, ...]:
        """What is open to review behind the cursor, in journal order: the message that was read in part comes first."""
        ...

    def unreviewed(
        self,
        scope: Scope | None = None,
        *,
        reviewed_before: datetime | None = None,
        or_after: datetime | None = None,
        limit: int = 1000,
    ) -> tuple[Scope, ...]:
        """Conversations with something open to review, as scopes; those tried longest ago first, ties by age.

        With `reviewed_before` only those that were reviewed at or before it, or never; with `or_after` also those that
        were reviewed at or after that, by a clock that was put back since. None crosses scopes; it is for the worker
        only.
        """
        ...

    def claim_review(self, seen: ReviewState, *, now: datetime, lease_s: float) -> ReviewClaim | None:
        """Take the review, in one step for all processes, until the lease ends or `finish_review`.

        None while another claim is live, and where the conversation was claimed since `seen` was read: whether it is
        due has to be asked anew. A lease that ends more than twice `lease_s` from now is of a clock that was put back
        since, and holds nobody off.
        """
        ...

    def finish_review(
        self, claim: ReviewClaim, *, status: ReviewEnd, cursor: ReviewCursor | None, now: datetime
    ) -> ReviewState:
        """End the review. "ok" and "nothing_to_save" move the cursor and clear the failures; "failed" only counts.

        Raises ConflictError when somebody else has claimed it since, UsageError for a cursor that goes back, one given
        with "failed" or none without.
        """
        ...
