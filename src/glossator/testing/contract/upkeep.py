"""Is what is forgotten gone everywhere, and does the store know its own state?"""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from glossator.errors import ConflictError, NotFoundError, UsageError
from glossator.model import WORK_KINDS, Conversation, ForgetReceipt, ForgetTarget
from glossator.ports import Store
from glossator.testing.contract.base import LATER, MODEL, NOW, Contract, embed, found, record, survey
from glossator.testing.drafts import CHAT, SCOPE, entry


def forget(store: Store, target: ForgetTarget) -> ForgetReceipt:
    """Preview, then erase."""
    return store.erase(target, confirm=store.preview(target).token, now=LATER)


class UpkeepContract(Contract):
    """Upkeep."""

    def test_the_forgotten_is_gone_from_every_path(self, store: Store) -> None:
        # proves: K20
        recorded = record(store, entry("m1", "secret tea"), entry("m2", "plain tea"))
        ids = [each.chunk_ids[0] for each in recorded]
        embed(store, {ids[0]: [1, 0], ids[1]: [0, 1]})
        assert found(store, "tea") == ["m1", "m2"]
        receipt = forget(store, ForgetTarget(scope=SCOPE, message_ids=("m1",)))
        assert (receipt.message_ids, receipt.message_count, receipt.chunk_count) == (("m1",), 1, 1)
        assert (receipt.lexical_row_count, receipt.vector_count, receipt.work_count) == (1, 1, 1)
        assert (receipt.remaining_count, receipt.erased_at) == (0, LATER)
        assert found(store, "secret") == []
        assert found(store, "tea") == ["m2"]
        assert store.message(SCOPE, "m1") is None
        assert [message.external_id for message in store.messages(SCOPE)] == ["m2"]
        assert store.chunks(SCOPE, ids) == store.work_of(ids) == store.chunks(SCOPE, ids[1:])
        pool = survey(store, "secret", vector=np.array([1, 0], np.float32))
        assert (pool.chunk_id.tolist(), pool.term_counts) == ([ids[1]], {"secret": 0})
        assert store.pending() == 1
        assert store.status().vector_count == 1

    def test_the_forgotten_is_not_taken_back(self, store: Store) -> None:
        # proves: K21
        (first,) = record(store, entry("m1", "secret tea"))
        forget(store, ForgetTarget(scope=SCOPE, message_ids=("m1",)))
        (again,) = record(store, entry("m1", "secret tea"))
        assert (again.outcome, again.message_id, again.chunk_ids) == ("erased", first.message_id, ())
        assert found(store, "secret") == []
        (other,) = record(store, entry("m2", "new"))
        assert other.message_id > first.message_id

    def test_a_preview_names_what_would_go_and_touches_nothing(self, store: Store) -> None:
        record(store, *(entry(f"m{n}", f"number {n} " + "long " * 50) for n in range(7)))
        preview = store.preview(ForgetTarget(scope=SCOPE, everything=True))
        assert (preview.message_count, preview.chunk_count, preview.conversations) == (7, 7, (CHAT.key,))
        assert len(preview.samples) == 5
        assert preview.samples[0].startswith("number 0 long")
        assert len(preview.samples[0]) <= 80
        assert len(store.messages(SCOPE)) == 7

    def test_a_preview_holds_only_while_nothing_has_changed(self, store: Store) -> None:
        target = ForgetTarget(scope=SCOPE, session="s1")
        record(store, entry("m1", "tea"))
        token = store.preview(target).token
        record(store, entry("m2", "milk"))
        for confirm in (token, "", "nonsense"):
            with pytest.raises(ConflictError):
                store.erase(target, confirm=confirm, now=LATER)
        assert len(store.messages(SCOPE)) == 2

    def test_a_token_of_another_target_erases_nothing(self, store: Store) -> None:
        # proves: K23
        record(store, entry("m1", "tea"), entry("m2", "milk", session="s2"))
        token = store.preview(ForgetTarget(scope=SCOPE, session="s1")).token
        with pytest.raises(ConflictError):
            store.erase(ForgetTarget(scope=SCOPE, everything=True), confirm=token, now=LATER)
        assert len(store.messages(SCOPE)) == 2

    def test_erasing_twice_is_a_conflict(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        target = ForgetTarget(scope=SCOPE, everything=True)
        token = store.preview(target).token
        store.erase(target, confirm=token, now=LATER)
        with pytest.raises(ConflictError):
            store.erase(target, confirm=token, now=LATER)

    @pytest.mark.parametrize(
        ("named", "left"),
        [
            ({"message_ids": ("m1", "m4", "unknown")}, ["m2", "m3"]),
            ({"session": "s1"}, ["m3"]),
            ({"session": "s1", "conversation": CHAT.key}, ["m3", "m4"]),
            ({"conversation": "telegram:43:root"}, ["m1", "m2", "m3"]),
            ({"message_ids": ("m1",), "conversation": CHAT.key}, ["m2", "m3", "m4"]),
            ({"everything": True}, []),
        ],
        ids=str,
    )
    def test_each_way_of_naming_takes_just_that(self, store: Store, named: dict[str, object], left: list[str]) -> None:
        record(store, entry("m1", "x"), entry("m2", "x"), entry("m3", "x", session="s2"))
        record(store, entry("m4", "x"), conversation=Conversation.parse("telegram:43"))
        receipt = forget(store, ForgetTarget(scope=SCOPE, **named))  # type: ignore[arg-type]
        assert receipt.message_count == 4 - len(left)
        assert [message.external_id for message in store.messages(SCOPE)] == left

    @pytest.mark.parametrize(
        "named",
        [
            {},
            {"everything": True, "session": "s1"},
            {"everything": True, "conversation": CHAT.key},
            {"message_ids": ("m1",), "session": "s1"},
            {"message_ids": ("m1",)},
        ],
        ids=str,
    )
    def test_an_unclear_target_is_refused(self, store: Store, named: dict[str, object]) -> None:
        # proves: K23
        record(store, entry("m1", "x"))
        record(store, entry("m1", "x"), conversation=Conversation.parse("telegram:43"))
        with pytest.raises(UsageError) as caught:
            store.preview(ForgetTarget(scope=SCOPE, **named))  # type: ignore[arg-type]
        assert not isinstance(caught.value, NotFoundError)
        assert len(store.messages(SCOPE)) == 2

    @pytest.mark.parametrize("wild", ["*", "%", "_", "m%", ""])
    def test_wildcards_are_literal(self, store: Store, wild: str) -> None:
        # proves: K23
        record(store, entry("m1", "x"))
        for target in (
            ForgetTarget(scope=SCOPE, message_ids=(wild,)),
            ForgetTarget(scope=SCOPE, session=wild),
            ForgetTarget(scope=SCOPE, conversation=wild),
        ):
            with pytest.raises(NotFoundError):
                store.preview(target)

    def test_a_session_begun_again_after_it_was_forgotten_is_new(self, store: Store) -> None:
        record(store, entry("m1", "x"), entry("m2", "x", session="s2"))
        forget(store, ForgetTarget(scope=SCOPE, session="s1"))
        record(store, entry("m3", "x"))
        pool = survey(store)
        chunks = store.chunks(SCOPE, pool.chunk_id.tolist())
        assert [(each.external_id, each.position) for each in chunks] == [("m2", 0), ("m3", 0)]
        assert pool.session.tolist() == [0, 1]

    def test_positions_are_not_given_again(self, store: Store) -> None:
        recorded = record(store, *(entry(f"m{n}", f"t{n}") for n in range(3)))
        forget(store, ForgetTarget(scope=SCOPE, message_ids=("m1",)))
        (new,) = record(store, entry("m3", "t3"))
        assert survey(store).position.tolist() == [0, 2, 3]
        last, added = store.work_of([recorded[2].chunk_ids[0], new.chunk_ids[0]])
        assert (last.before, added.before) == ("Ann: t0", "Ann: t2")

    def test_status_counts_what_is_there(self, store: Store) -> None:
        early, late = datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
        other = type(SCOPE)(workspace="acme", agent="helper", owner="u2")
        recorded = record(store, entry("m1", "x", said=late), entry("m2", "x", said=early, session="s2"))
        record(store, entry("m1", "x"), scope=other)
        embed(store, {recorded[0].chunk_ids[0]: [1, 0]})
        store.settle(store.claim(WORK_KINDS, now=NOW, lease_s=9, limit=1))
        whole, part = store.status(), store.status(SCOPE)
        assert (whole.message_count, whole.conversation_count, whole.session_count) == (3, 2, 3)
        assert (part.message_count, part.chunk_count, part.vector_count) == (2, 2, 1)
        assert (part.conversation_count, part.session_count, part.pending_count) == (1, 2, 1)
        assert (part.oldest_said_at, part.newest_said_at, part.model) == (early, late, MODEL)

    def test_an_empty_store_is_in_order(self, store: Store) -> None:
        status = store.status()
        assert (status.message_count, status.model, status.oldest_said_at) == (0, "", None)
        assert all(finding.ok for finding in store.examine(model=MODEL, repair=False, now=NOW))

    def test_the_doctor_finds_and_repairs_forgotten_work(self, store: Store) -> None:
        # proves: D46
        (recorded,) = record(store, entry("m1", "tea"))
        store.settle(store.claim(WORK_KINDS, now=NOW, lease_s=9, limit=1))
        embed(store, {recorded.chunk_ids[0]: [1, 0]}, "old")
        before = {each.check: each for each in store.examine(model=MODEL, repair=False, now=NOW)}
        assert not before["embedding"].ok
        assert not before["other models"].ok
        assert store.pending() == 0
        during = {each.check: each for each in store.examine(model=MODEL, repair=True, now=NOW)}
        assert during["embedding"].repaired
        assert store.pending() == 1
        assert all(each.ok for each in store.examine(model=MODEL, repair=False, now=NOW))

    def test_the_doctor_takes_up_work_that_was_given_up(self, store: Store) -> None:
        record(store, entry("m1", "tea"))
        store.fail(store.claim(WORK_KINDS, now=NOW, lease_s=9, limit=1), reason="bad", retry_at=None)
        findings = {each.check: each for each in store.examine(model=MODEL, repair=True, now=NOW)}
        assert findings["failed work"].repaired
        assert len(store.claim(WORK_KINDS, now=NOW + timedelta(seconds=1), lease_s=9, limit=9)) == 1
