"""Is work done once, by one at a time, and never forgotten?"""

from datetime import timedelta

from glossator.model import WORK_KINDS
from glossator.ports import Store
from glossator.testing.contract.base import NOW, Contract, record
from glossator.testing.drafts import SCOPE, batch, entry

LEASE_S = 60.0


class WorkContract(Contract):
    """Work."""

    def test_each_new_chunk_waits_to_be_embedded(self, store: Store) -> None:
        recorded = record(store, entry("m1", "tea"), entry("m2", "milk"))
        rows = store.claim(WORK_KINDS, now=NOW, lease_s=LEASE_S, limit=9)
        assert [row.chunk_ids for row in rows] == [each.chunk_ids for each in recorded]
        assert [(row.kind, row.attempt, row.created_at) for row in rows] == [("embed", 1, NOW)] * 2
        assert store.pending() == 2

    def test_a_duplicate_adds_no_work(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        record(store, entry("m1", "tea"), entry("m1", "other"))
        assert store.pending() == 1

    def test_the_oldest_are_claimed_first_and_nobody_else_gets_them(self, store: Store) -> None:
        record(store, *(entry(f"m{n}", "x") for n in range(3)))
        first = store.claim(WORK_KINDS, now=NOW, lease_s=LEASE_S, limit=2)
        second = store.claim(WORK_KINDS, now=NOW, lease_s=LEASE_S, limit=9)
        assert (len(first), len(second)) == (2, 1)
        assert first[0].work_id < first[1].work_id < second[0].work_id
        assert store.claim(WORK_KINDS, now=NOW, lease_s=LEASE_S, limit=9) == ()

    def test_a_lease_that_ended_is_claimed_again(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        store.claim(WORK_KINDS, now=NOW, lease_s=LEASE_S, limit=1)
        assert store.claim(WORK_KINDS, now=NOW + timedelta(seconds=LEASE_S - 1), lease_s=LEASE_S, limit=1) == ()
        (again,) = store.claim(WORK_KINDS, now=NOW + timedelta(seconds=LEASE_S), lease_s=LEASE_S, limit=1)
        assert again.attempt == 2

    def test_a_worker_that_lost_its_lease_settles_nothing(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        slow = store.claim(WORK_KINDS, now=NOW, lease_s=1, limit=1)
        fast = store.claim(WORK_KINDS, now=NOW + timedelta(seconds=2), lease_s=LEASE_S, limit=1)
        store.settle(slow)
        store.fail(slow, reason="late", retry_at=None)
        assert (store.pending(), store.status().failed_count) == (1, 0)
        store.settle(fast)
        assert store.pending() == 0

    def test_failed_work_is_due_again_when_it_was_said(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        rows = store.claim(WORK_KINDS, now=NOW, lease_s=LEASE_S, limit=1)
        store.fail(rows, reason="429", retry_at=NOW + timedelta(seconds=5))
        assert store.claim(WORK_KINDS, now=NOW + timedelta(seconds=4), lease_s=LEASE_S, limit=1) == ()
        (again,) = store.claim(WORK_KINDS, now=NOW + timedelta(seconds=5), lease_s=LEASE_S, limit=1)
        assert again.attempt == 2

    def test_work_given_up_is_counted_and_can_be_taken_up_again(self, store: Store) -> None:
        (recorded,) = record(store, entry("m1", "tea"))
        rows = store.claim(WORK_KINDS, now=NOW, lease_s=LEASE_S, limit=1)
        store.fail(rows, reason="bad", retry_at=None)
        assert (store.pending(), store.status().failed_count) == (0, 1)
        assert store.claim(WORK_KINDS, now=NOW + timedelta(days=9), lease_s=LEASE_S, limit=1) == ()
        assert store.enqueue(recorded.chunk_ids, now=NOW) == 1
        assert (store.pending(), store.status().failed_count) == (1, 0)
        store.settle(rows)  # the claim from before it was given up
        assert store.pending() == 1

    def test_enqueue_adds_no_second_row(self, store: Store) -> None:
        (recorded,) = record(store, entry("m1", "tea"))
        assert store.enqueue([*recorded.chunk_ids, 999], now=NOW) == 0
        store.settle(store.claim(WORK_KINDS, now=NOW, lease_s=LEASE_S, limit=1))
        assert store.enqueue([*recorded.chunk_ids, *recorded.chunk_ids, 999], now=NOW) == 1
        assert store.pending() == 1

    def test_pending_counts_inside_a_scope(self, store: Store) -> None:
        other = type(SCOPE)(workspace="acme", agent="helper", owner="u2")
        record(store, entry("m1", "tea"))
        store.append(batch(entry("m1", "tea"), entry("m2", "tea"), scope=other), now=NOW)
        assert (store.pending(SCOPE), store.pending(other), store.pending()) == (1, 2, 3)

    def test_the_worker_is_told_what_was_said_before(self, store: Store) -> None:
        # given a session of three, into which another session's message falls
        two = entry("m3", "the red one", speaker="Ann")
        recorded = record(store, entry("m1", "Which?", speaker="Bob"), entry("x", "no", session="s2"), two)
        ids = [each.chunk_ids[0] for each in recorded]
        # when the worker asks for them, in an order of its own
        chunks = store.work_of([ids[2], 999, ids[0], ids[1]])
        # then each has the message just before it in its session
        assert [(each.text, each.before) for each in chunks] == [
            ("the red one", "Bob: Which?"), ("Which?", ""), ("no", ""),
        ]  # fmt: skip
