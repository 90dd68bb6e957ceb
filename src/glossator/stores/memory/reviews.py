"""How far has the background reviewer read each conversation? The reference model of the port Reviews."""

from dataclasses import replace
from datetime import datetime, timedelta

from glossator.model import Message, ReviewClaim, ReviewCursor, ReviewEnd, ReviewState, Scope
from glossator.stores.memory.upkeep import MemoryUpkeep
from glossator.stores.reviewing import LEASES_MAX, checked_end, claim_lost


class MemoryReviews(MemoryUpkeep):
    """The port Reviews in memory."""

    def __init__(self) -> None:
        super().__init__()
        self._reviews: dict[Scope, ReviewState] = {}
        """By scope with its conversation."""

    def review_state(self, scope: Scope) -> ReviewState | None:
        """Where the review of the conversation stands."""
        place = _place(scope, scope.conversation)
        known = {_place(stored.owner, stored.conversation) for stored in self._state.messages}
        if scope.job is not None or place not in known:
            return None
        return self._reviews.get(place, ReviewState(scope=place))

    def messages_to_review(self, scope: Scope, *, after: ReviewCursor, limit: int) -> tuple[Message, ...]:
        """What is open to review behind the cursor."""
        found = [message for message in self._open(scope) if message.message_id > after.message_id]
        return tuple(found[: max(limit, 0)]) if scope.conversation is not None else ()

    def unreviewed(
        self,
        scope: Scope | None = None,
        *,
        reviewed_before: datetime | None = None,
        or_after: datetime | None = None,
        limit: int = 1000,
    ) -> tuple[Scope, ...]:
        """Conversations with something open to review, those tried longest ago first."""
        places = dict.fromkeys(_place(stored.owner, stored.conversation) for stored in self._state.messages)
        due: list[tuple[float, Scope]] = []
        for place in places:
            state = self._reviews.get(place, ReviewState(scope=place))
            if scope is not None and not scope.covers(place):
                continue
            at = state.last_reviewed_at
            if reviewed_before and at and at > reviewed_before and not (or_after and at >= or_after):
                continue
            if self.messages_to_review(place, after=state.cursor, limit=1):
                tried = [at.timestamp() for at in (state.last_reviewed_at, state.failed_at) if at is not None]
                due.append((max(tried, default=0.0), place))
        due.sort(key=lambda each: each[0])
        return tuple(place for _, place in due[: max(limit, 0)])

    def claim_review(self, seen: ReviewState, *, now: datetime, lease_s: float) -> ReviewClaim | None:
        """Take the review unless somebody holds it, or has held it since."""
        state = self.review_state(seen.scope)
        lease = timedelta(seconds=lease_s)
        if state is None or state.claim_number != seen.claim_number:
            return None
        if state.lease_until is not None and now < state.lease_until <= now + LEASES_MAX * lease:
            return None
        number = state.claim_number + 1
        self._reviews[state.scope] = replace(
            state, claim_number=number, started_at=now, lease_until=now + lease, updated_at=now
        )
        return ReviewClaim(scope=state.scope, number=number, cursor=state.cursor, lease_until=now + lease)

    def finish_review(
        self, claim: ReviewClaim, *, status: ReviewEnd, cursor: ReviewCursor | None, now: datetime
    ) -> ReviewState:
        """End the review."""
        state = self.review_state(claim.scope)
        if state is None or state.claim_number != claim.number or state.lease_until is None:
            raise claim_lost()
        checked_end(status, cursor, state.cursor)
        ended = replace(state, completed_at=now, status=status, lease_until=None, updated_at=now)
        if cursor is None:
            ended = replace(ended, failed_at=now, failure_count=state.failure_count + 1)
        else:
            ended = replace(ended, cursor=cursor, last_reviewed_at=now, failed_at=None, failure_count=0)
        self._reviews[state.scope] = ended
        return ended

    def _open(self, scope: Scope) -> list[Message]:
        return [
            message
            for message in self._live(scope)
            if message.role == "user" and message.kind in ("chat", "voice_turn")
        ]


def _place(owner: Scope, conversation: str | None) -> Scope:
    return replace(owner.whole, conversation=conversation)
