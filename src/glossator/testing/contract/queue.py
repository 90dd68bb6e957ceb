"""Do turns wait for extraction on disk, and is it known how far each message is?"""

from dataclasses import replace
from datetime import timedelta

import pytest

from glossator.model import EXTRACTION_KINDS, QueuedTurn, QueueKind, Scope
from glossator.ports import Store
from glossator.testing.contract.base import NASTY, NOW, Contract, commit, record
from glossator.testing.drafts import CHAT, SAID, SCOPE, admitted, entry, passage, turn


def queued(
    text: str, *, kind: QueueKind = "pre_compress", scope: Scope = SCOPE, conversation: str = CHAT.key
) -> QueuedTurn:
    """A turn that only the caller has."""
    return QueuedTurn(kind=kind, turn=turn(passage(text, conversation=conversation), scope=scope, source=kind))


def open_row_count(store: Store) -> int:
    """Rows that wait for extraction."""
    return store.pending(kinds=EXTRACTION_KINDS)


class QueueContract(Contract):
    """Queue, and the kinds of work."""

    def test_a_message_that_is_to_be_learned_from_waits_beside_its_chunks(self, store: Store) -> None:
        record(store, replace(entry("m1", "Which?", speaker="Bob"), extract=False))
        record(store, replace(entry("m2", "I like tea", project="p", tags=("t",), speaker="Ann"), extract=True))
        assert (store.pending(), open_row_count(store)) == (3, 1)
        assert [row.kind for row in store.claim(["embed"], now=NOW, lease_s=9, limit=9)] == ["embed", "embed"]
        rows = store.claim(["extract"], now=NOW, lease_s=9, limit=9)
        (found,) = store.turns(rows)
        (message,) = [each for each in store.messages(SCOPE) if each.external_id == "m2"]
        assert found.row == rows[0]
        assert found.turn.scope == SCOPE
        assert (found.turn.source, found.turn.project, found.turn.tags) == ("turn", "p", ("t",))
        (said,) = found.turn.passages
        assert (said.text, said.speaker, said.role, said.said) == ("I like tea", "Ann", "user", message.said)
        assert (said.message_id, said.external_id, said.conversation, said.session) == (
            message.message_id, "m2", CHAT.key, "s1",
        )  # fmt: skip
        assert found.turn.before is not None
        assert (found.turn.before.text, found.turn.before.speaker) == ("Which?", "Bob")

    def test_it_is_known_how_far_each_message_is(self, store: Store) -> None:
        recorded = record(store, *(replace(entry(f"m{n}", "tea"), extract=n > 0) for n in range(4)))
        ids = [each.message_id for each in recorded]
        done, failed, _ = store.claim(["extract"], now=NOW, lease_s=9, limit=9)
        commit(store, replace(admitted("tea"), settles=(done,)))
        store.fail([failed], reason="429", retry_at=None)
        states = store.learning(SCOPE, [*reversed(ids), 99])
        assert [(each.external_id, each.state, each.reason) for each in states] == [
            ("m3", "pending", ""), ("m2", "failed", "429"), ("m1", "done", ""), ("m0", "none", ""),
        ]  # fmt: skip
        assert store.learning(replace(SCOPE, owner="u2"), ids) == ()
        assert store.learning(replace(SCOPE, conversation="telegram:43:root"), ids) == ()
        # and what failed is taken up again by the doctor, under a new claim
        store.examine(model="", repair=True, now=NOW)
        assert store.learning(SCOPE, [ids[2]])[0].state == "pending"
        store.settle([failed])
        assert store.learning(SCOPE, [ids[2]])[0].state == "pending"

    def test_a_message_recorded_before_facts_was_never_due(self, store: Store) -> None:
        # proves: A47
        (recorded,) = record(store, entry("m1", "I like tea"))
        assert store.learning(SCOPE, [recorded.message_id])[0].state == "none"
        assert (open_row_count(store), store.status().fact_count) == (0, 0)

    @pytest.mark.parametrize("text", NASTY[:-1], ids=range(len(NASTY) - 1))
    def test_a_queued_turn_comes_back_as_it_was(self, store: Store, text: str) -> None:
        whole = turn(
            passage(text, said=SAID + timedelta(microseconds=1)), passage("Really.", role="tool", session=None),
            source="session_end", before=passage(text, conversation=None), project=text.strip(), tags=(text, "t"),
            run_id=text,
        )  # fmt: skip
        given = QueuedTurn(kind="session_end", turn=whole)
        assert store.push(given, capacity=9, now=NOW)
        rows = store.claim(["session_end"], now=NOW, lease_s=9, limit=9)
        assert [(row.kind, row.chunk_ids, row.fact_id) for row in rows] == [("session_end", (), None)]
        (found,) = store.turns(rows)
        assert (found.turn, found.row) == (whole, rows[0])
        store.settle(rows)
        assert store.turns(rows) == ()

    def test_a_full_queue_says_so_by_kind(self, store: Store) -> None:
        assert [store.push(queued(f"t{n}"), capacity=2, now=NOW) for n in range(3)] == [True, True, False]
        assert store.push(queued("t4", kind="session_end"), capacity=2, now=NOW)
        assert not store.push(queued("t5", scope=replace(SCOPE, owner="u2")), capacity=2, now=NOW)
        rows = store.claim(["pre_compress"], now=NOW, lease_s=9, limit=1)
        store.settle(rows)
        assert store.push(queued("t6"), capacity=2, now=NOW)
        assert (store.pending(kinds=["pre_compress"]), store.pending(kinds=["session_end"])) == (2, 1)

    def test_kinds_are_claimed_apart_and_oldest_first(self, store: Store) -> None:
        store.push(queued("t1"), capacity=9, now=NOW)
        record(store, replace(entry("m1", "tea"), extract=True))
        store.push(queued("t2", kind="session_end"), capacity=9, now=NOW)
        commit(store, admitted("tea"))
        assert store.claim([], now=NOW, lease_s=9, limit=9) == ()
        some = store.claim(["session_end", "pre_compress", "extract"], now=NOW, lease_s=9, limit=2)
        assert [row.kind for row in some] == ["pre_compress", "extract"]
        rest = store.claim(["embed_fact", "session_end", "embed"], now=NOW, lease_s=9, limit=9)
        assert [row.kind for row in rest] == ["embed", "session_end", "embed_fact"]

    def test_open_work_is_counted_where_it_was_said(self, store: Store) -> None:
        store.push(queued("t1"), capacity=9, now=NOW)
        commit(store, admitted("tea", conversation="telegram:43:root"))
        record(store, replace(entry("m1", "tea"), extract=True))
        inside = replace(SCOPE, conversation=CHAT.key)
        assert (store.pending(), store.pending(SCOPE), store.pending(inside)) == (4, 4, 3)
        assert store.pending(replace(SCOPE, conversation="telegram:43:root")) == 1
        assert store.pending(inside, kinds=["extract", "embed_fact"]) == 1
        assert store.pending(replace(SCOPE, owner="u2")) == 0
        status = store.status(SCOPE)
        assert (status.pending_count, status.fact_count, store.status(inside).fact_count) == (4, 1, 0)

    def test_facts_without_a_vector_are_enqueued_once(self, store: Store) -> None:
        commit(store, admitted("tea"), admitted("milk"))
        assert store.enqueue([], now=NOW, fact_ids=[1, 2, 9]) == 0
        rows = store.claim(["embed_fact"], now=NOW, lease_s=9, limit=9)
        store.settle(rows[:1])
        store.fail(rows[1:], reason="bad", retry_at=None)
        assert store.enqueue([], now=NOW, fact_ids=[2, 1, 9]) == 2
        store.settle(rows)
        assert store.pending(kinds=["embed_fact"]) == 2
