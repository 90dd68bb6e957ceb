"""Does the store know how it is doing: what there is, what waits since when, what has happened lately?"""

from datetime import timedelta

from glossator.model import DECISIONS, WORK_KINDS
from glossator.ports import Store
from glossator.testing.contract.base import LATER, NOW, Contract, embed, record
from glossator.testing.drafts import entry


class MonitorContract(Contract):
    """Monitor."""

    def test_an_empty_store_has_a_number_for_everything(self, store: Store) -> None:
        vitals = store.vitals(now=NOW)
        assert (vitals.message_count, vitals.chunk_count, vitals.vector_count, vitals.fact_count) == (0, 0, 0, 0)
        assert [each.kind for each in vitals.backlog] == list(WORK_KINDS)
        assert (vitals.pending_count, vitals.failed_count, vitals.recorded_lately_count) == (0, 0, 0)
        assert dict(vitals.decided_lately) == dict.fromkeys(DECISIONS, 0)
        assert vitals.reviewed_at is None

    def test_what_waits_is_told_by_kind_and_since_when(self, store: Store) -> None:
        first, second = record(store, entry("m1", "tea"), entry("m2", "milk"))
        embed(store, {first.chunk_ids[0]: [1, 0]})
        rows = store.claim(["embed"], now=NOW, lease_s=60, limit=10)
        store.settle([row for row in rows if row.chunk_ids == first.chunk_ids])
        store.fail([row for row in rows if row.chunk_ids == second.chunk_ids], reason="broken", retry_at=LATER)
        vitals = store.vitals(now=NOW + timedelta(seconds=5))
        embeds = vitals.backlog[WORK_KINDS.index("embed")]
        assert (embeds.pending_count, embeds.failed_count, embeds.oldest_created_at) == (1, 0, NOW)
        assert (vitals.message_count, vitals.chunk_count, vitals.vector_count) == (2, 2, 1)

        row = store.claim(["embed"], now=LATER, lease_s=60, limit=10)
        store.fail(row, reason="broken", retry_at=None)
        parked = store.vitals(now=LATER).backlog[WORK_KINDS.index("embed")]
        assert (parked.pending_count, parked.failed_count, parked.oldest_created_at) == (0, 1, None)

    def test_lately_is_a_minute(self, store: Store) -> None:
        record(store, entry("m1", "tea"), entry("m2", "milk"))
        assert store.vitals(now=NOW + timedelta(seconds=59)).recorded_lately_count == 2
        assert store.vitals(now=NOW + timedelta(seconds=61)).recorded_lately_count == 0
