"""Do reviews of any history go in a store as they go in the reference store?"""

import tempfile
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.errors import GlossatorError
from glossator.model import (
    Conversation,
    ForgetTarget,
    ReviewClaim,
    ReviewCursor,
    ReviewEnd,
    ReviewState,
    Scope,
)
from glossator.ports import Store
from glossator.testing.contract.base import NOW, Contract
from glossator.testing.drafts import CHAT, SCOPE, batch, entry

LEASE_S = 300.0
CHAT_SCOPE = replace(SCOPE, conversation=CHAT.key)
START = ReviewCursor()
CHATS = (CHAT, Conversation.parse("telegram:42:side"))
Act = tuple[str, int, int]
ACTS = st.tuples(
    st.sampled_from(["say", "answer", "look", "claim", "end", "fail", "wait", "forget"]),
    st.integers(0, 3),
    st.integers(0, 400),
)


@dataclass(slots=True)
class Player:
    """One store through a history: what was seen and claimed in it, and the time."""

    store: Store
    now: datetime = NOW
    seen: dict[Scope, ReviewState] = field(default_factory=dict)
    claims: dict[Scope, ReviewClaim] = field(default_factory=dict)

    def play(self, act: Act, number: int) -> object:
        """Make the call; what comes back, or the error's kind."""
        name, which, amount = act
        scope = replace(SCOPE, owner=("u1", "u2")[which // 2], conversation=CHATS[which % 2].key)
        try:
            return self._play(name, scope, amount, number)
        except GlossatorError as error:
            return type(error).__name__

    def _play(self, name: str, scope: Scope, amount: int, number: int) -> object:
        match name:
            case "say" | "answer":
                made = entry(f"m{number}", "tea", role="user" if name == "say" else "assistant")
                chat = Conversation.parse(scope.conversation or "")
                return self.store.append(batch(made, scope=scope.whole, conversation=chat), now=self.now)
            case "look":
                self.seen[scope] = self.store.review_state(scope) or ReviewState(scope=scope)
                return self.seen[scope]
            case "claim":
                seen = self.seen.get(scope, ReviewState(scope=scope))
                claim = self.store.claim_review(seen, now=self.now, lease_s=LEASE_S)
                self.claims |= {} if claim is None else {scope: claim}
                return claim
            case "end" | "fail":
                never = ReviewClaim(scope=scope, number=0, cursor=START, lease_until=self.now)
                cursor = None if name == "fail" else ReviewCursor(message_id=amount % 9, offset=amount % 3)
                status: ReviewEnd = "failed" if name == "fail" else ("ok", "nothing_to_save")[amount % 2]
                claim = self.claims.get(scope, never)
                return self.store.finish_review(claim, status=status, cursor=cursor, now=self.now)
            case "wait":
                self.now += timedelta(seconds=amount - 50)
            case _:
                target = ForgetTarget(scope=scope.whole, conversation=scope.conversation)
                return self.store.erase(target, confirm=self.store.preview(target).token, now=self.now).message_ids
        return None

    def everything(self) -> object:
        """All that can be read."""
        places = [replace(SCOPE, owner=owner, conversation=chat.key) for owner in ("u1", "u2") for chat in CHATS]
        states = [self.store.review_state(place) for place in places]
        pause = timedelta(seconds=100)
        due = self.store.unreviewed(reviewed_before=self.now - pause, or_after=self.now + pause)
        return states, [open_ids(self.store, place) for place in places], self.store.unreviewed(), due


def open_ids(store: Store, scope: Scope = CHAT_SCOPE, after: ReviewCursor = START) -> list[str]:
    return [each.external_id for each in store.messages_to_review(scope, after=after, limit=99)]


class ReviewHistoryContract(Contract):
    """The port Reviews through random histories."""

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    @given(acts=st.lists(ACTS, max_size=25))
    def test_reviews_go_as_in_the_reference_store(self, acts: list[Act]) -> None:
        # proves: F26, I9
        with tempfile.TemporaryDirectory() as folder:
            mine, right = Player(self.open_store(Path(folder))), Player(self.open_reference())
            for number, act in enumerate(acts):
                assert mine.play(act, number) == right.play(act, number), act
                assert mine.everything() == right.everything(), act
            mine.store.close()
