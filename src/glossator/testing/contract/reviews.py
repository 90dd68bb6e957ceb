"""How far has the background reviewer read each conversation? The contract of the port Reviews."""

import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from glossator.errors import ConflictError, UsageError
from glossator.model import (
    Conversation,
    Entry,
    ForgetTarget,
    MessageKind,
    ReviewClaim,
    ReviewCursor,
    ReviewState,
    Scope,
)
from glossator.ports import Store
from glossator.testing.contract.base import LATER, NASTY, NOW, record
from glossator.testing.contract.review_history import LEASE_S, START, ReviewHistoryContract, open_ids
from glossator.testing.drafts import CHAT, SCOPE, entry

CHAT_SCOPE = replace(SCOPE, conversation=CHAT.key)


def state_of(store: Store, scope: Scope = CHAT_SCOPE) -> ReviewState:
    """The state of a conversation that is there."""
    state = store.review_state(scope)
    assert state is not None
    return state


def claimed(store: Store, scope: Scope = CHAT_SCOPE) -> ReviewClaim:
    """A claim that nobody disputes."""
    claim = store.claim_review(state_of(store, scope), now=NOW, lease_s=LEASE_S)
    assert claim is not None
    return claim


def of_kind(external_id: str, kind: MessageKind) -> Entry:
    made = entry(external_id, "tea")
    return replace(made, message=replace(made.message, kind=kind))


class ReviewsContract(ReviewHistoryContract):
    """The port Reviews."""

    def test_a_conversation_that_is_new_was_never_reviewed(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        assert state_of(store) == ReviewState(scope=CHAT_SCOPE)
        assert store.review_state(replace(SCOPE, conversation="telegram:nobody:root")) is None
        assert store.review_state(SCOPE) is None

    def test_open_to_review_is_what_a_user_said_in_chat_or_by_voice(self, store: Store) -> None:
        # proves: F27, F57
        record(store, entry("m1", "tea"), entry("m2", "Shall I?", role="assistant"), entry("m3", "x", role="tool"))
        record(store, of_kind("m4", "voice_turn"), of_kind("m5", "document"), of_kind("m6", "checkpoint_summary"))
        record(store, of_kind("m7", "marker"), entry("m8", "milk"))
        assert open_ids(store) == ["m1", "m4", "m8"]
        assert [each.external_id for each in store.messages_to_review(CHAT_SCOPE, after=START, limit=2)] == ["m1", "m4"]
        assert store.messages_to_review(CHAT_SCOPE, after=START, limit=0) == ()

    def test_behind_the_cursor_comes_first_what_was_read_in_part(self, store: Store) -> None:
        first, second, _ = record(store, entry("m1", "tea"), entry("m2", "milk"), entry("m3", "jam"))
        assert open_ids(store, after=ReviewCursor(message_id=second.message_id)) == ["m3"]
        assert open_ids(store, after=ReviewCursor(message_id=first.message_id, offset=2)) == ["m2", "m3"]

    def test_the_words_come_as_they_were_said(self, store: Store) -> None:
        record(store, *(entry(f"n{number}", text) for number, text in enumerate(NASTY)))
        assert [each.content for each in store.messages_to_review(CHAT_SCOPE, after=START, limit=99)] == list(NASTY)

    def test_one_claim_at_a_time(self, store: Store) -> None:
        # proves: F26
        record(store, entry("m1", "tea"))
        seen = state_of(store)
        assert store.claim_review(seen, now=NOW, lease_s=LEASE_S) is not None
        assert store.claim_review(seen, now=NOW, lease_s=LEASE_S) is None
        assert store.claim_review(state_of(store), now=NOW, lease_s=LEASE_S) is None
        assert state_of(store).started_at == NOW

    def test_of_many_threads_one_gets_the_claim(self, store: Store) -> None:
        # proves: F26
        if not self.durable:
            pytest.skip("for one thread at a time")
        record(store, entry("m1", "tea"))
        seen, won = state_of(store), list[ReviewClaim | None]()
        threads = [
            threading.Thread(target=lambda: won.append(store.claim_review(seen, now=NOW, lease_s=LEASE_S)))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(won), sum(each is not None for each in won)) == (8, 1)

    def test_what_was_reviewed_since_it_was_looked_at_is_not_claimed(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        seen = state_of(store)
        store.finish_review(claimed(store), status="ok", cursor=ReviewCursor(message_id=1), now=NOW)
        assert store.claim_review(seen, now=NOW, lease_s=LEASE_S) is None
        assert store.claim_review(state_of(store), now=NOW, lease_s=LEASE_S) is not None

    def test_a_dead_claim_ends_with_its_lease(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        dead = claimed(store)
        just_before, end = NOW + timedelta(seconds=LEASE_S - 1), NOW + timedelta(seconds=LEASE_S)
        assert store.claim_review(state_of(store), now=just_before, lease_s=LEASE_S) is None
        taken = store.claim_review(state_of(store), now=end, lease_s=LEASE_S)
        assert taken is not None
        with pytest.raises(ConflictError, match="no longer held"):
            store.finish_review(dead, status="ok", cursor=ReviewCursor(message_id=9), now=end)
        assert state_of(store).cursor == START
        assert store.finish_review(taken, status="ok", cursor=ReviewCursor(message_id=1), now=end).status == "ok"

    def test_a_lease_of_a_clock_that_was_put_back_holds_nobody_off(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        claimed(store)
        a_year_earlier = NOW - timedelta(days=365)
        assert store.claim_review(state_of(store), now=a_year_earlier, lease_s=LEASE_S) is not None

    def test_success_moves_the_cursor_and_clears_the_failures(self, store: Store) -> None:
        # proves: I9
        record(store, entry("m1", "tea"))
        failed = store.finish_review(claimed(store), status="failed", cursor=None, now=NOW)
        assert (failed.status, failed.failed_at, failed.failure_count) == ("failed", NOW, 1)
        assert (failed.cursor, failed.last_reviewed_at, failed.lease_until) == (START, None, None)
        twice = store.finish_review(claimed(store), status="failed", cursor=None, now=LATER)
        assert twice.failure_count == 2
        to = ReviewCursor(message_id=7, offset=3)
        done = store.finish_review(claimed(store), status="nothing_to_save", cursor=to, now=LATER)
        assert (done.cursor, done.last_reviewed_at, done.completed_at) == (to, LATER, LATER)
        assert (done.status, done.failed_at, done.failure_count) == ("nothing_to_save", None, 0)
        assert state_of(store) == done
        after = store.finish_review(claimed(store), status="failed", cursor=None, now=LATER)
        assert (after.cursor, after.last_reviewed_at) == (to, LATER)

    def test_a_review_ends_once(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        claim = claimed(store)
        store.finish_review(claim, status="ok", cursor=ReviewCursor(message_id=1), now=NOW)
        with pytest.raises(ConflictError, match="no longer held"):
            store.finish_review(claim, status="failed", cursor=None, now=NOW)

    def test_the_cursor_never_goes_back_and_failure_has_none(self, store: Store) -> None:
        # proves: I9
        record(store, entry("m1", "tea"))
        store.finish_review(claimed(store), status="ok", cursor=ReviewCursor(message_id=5, offset=2), now=NOW)
        claim = claimed(store)
        for cursor in (ReviewCursor(message_id=4), ReviewCursor(message_id=5, offset=1)):
            with pytest.raises(UsageError, match="goes back"):
                store.finish_review(claim, status="ok", cursor=cursor, now=NOW)
        with pytest.raises(UsageError, match="does not go with"):
            store.finish_review(claim, status="failed", cursor=ReviewCursor(message_id=6), now=NOW)
        with pytest.raises(UsageError, match="does not go with"):
            store.finish_review(claim, status="ok", cursor=None, now=NOW)
        assert state_of(store).cursor == ReviewCursor(message_id=5, offset=2)

    def test_owners_of_one_chat_are_reviewed_apart(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        bob = replace(SCOPE, owner="u_2")
        (his,) = record(store, entry("m1", "milk"), scope=bob)
        bobs = replace(bob, conversation=CHAT.key)
        store.finish_review(claimed(store, bobs), status="ok", cursor=ReviewCursor(message_id=his.message_id), now=NOW)
        assert store.unreviewed() == (CHAT_SCOPE,)
        assert (state_of(store).cursor, state_of(store).claim_number) == (START, 0)
        assert open_ids(store, bobs) == ["m1"]
        assert store.messages_to_review(bobs, after=state_of(store, bobs).cursor, limit=9) == ()

    def test_unreviewed_are_conversations_with_something_open(self, store: Store) -> None:
        other = Conversation.parse("irc:50%_off")
        record(store, entry("m1", "tea"))
        record(store, entry("m2", "Hi", role="assistant"), conversation=Conversation.parse("chat:silent"))
        (last,) = record(store, entry("m3", "jam"), conversation=other)
        there = replace(SCOPE, conversation=other.key)
        assert store.unreviewed() == store.unreviewed(SCOPE) == (CHAT_SCOPE, there)
        assert store.unreviewed(there) == (there,)
        assert store.unreviewed(replace(SCOPE, owner="u2")) == ()
        assert store.unreviewed(replace(SCOPE, job="nightly")) == ()
        store.finish_review(
            claimed(store, there), status="ok", cursor=ReviewCursor(message_id=last.message_id), now=NOW
        )
        assert store.unreviewed() == (CHAT_SCOPE,)
        record(store, entry("m4", "and honey"), conversation=other)
        assert store.unreviewed() == (CHAT_SCOPE, there)
        assert store.unreviewed(limit=1) == (CHAT_SCOPE,)
        assert store.unreviewed(reviewed_before=NOW - timedelta(seconds=1)) == (CHAT_SCOPE,)
        assert store.unreviewed(reviewed_before=NOW) == (CHAT_SCOPE, there)
        long_ago = NOW - timedelta(days=400)
        assert store.unreviewed(reviewed_before=long_ago, or_after=NOW) == (CHAT_SCOPE, there)
        assert store.unreviewed(reviewed_before=long_ago, or_after=LATER) == (CHAT_SCOPE,)
        store.finish_review(claimed(store), status="failed", cursor=None, now=LATER)
        assert store.unreviewed() == (there, CHAT_SCOPE)

    def test_erased_messages_are_not_reviewed(self, store: Store) -> None:
        record(store, entry("m1", "tea"), entry("m2", "milk"))
        target = ForgetTarget(scope=SCOPE, conversation=CHAT.key)
        store.erase(target, confirm=store.preview(target).token, now=NOW)
        assert store.unreviewed() == ()
        assert store.messages_to_review(CHAT_SCOPE, after=START, limit=9) == ()

    def test_the_review_of_another_scope_is_out_of_reach(self, store: Store) -> None:
        # proves: K22
        record(store, entry("m1", "tea"))
        for other in (
            replace(CHAT_SCOPE, workspace="acm_"),
            replace(CHAT_SCOPE, agent="%"),
            replace(CHAT_SCOPE, owner="u"),
            replace(CHAT_SCOPE, job="nightly"),
        ):
            assert store.review_state(other) is None
            assert store.messages_to_review(other, after=START, limit=9) == ()
            assert store.unreviewed(other) == ()
            assert store.claim_review(ReviewState(scope=other), now=NOW, lease_s=LEASE_S) is None

    def test_the_state_outlives_a_restart(self, store: Store, tmp_path: Path) -> None:
        if not self.durable:
            pytest.skip("keeps nothing")
        record(store, entry("m1", "tea"))
        done = store.finish_review(claimed(store), status="ok", cursor=ReviewCursor(message_id=1, offset=4), now=NOW)
        store.close()
        again = self.open_store(tmp_path)
        assert state_of(again) == done
        again.close()
