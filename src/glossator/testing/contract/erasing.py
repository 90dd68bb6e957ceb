"""Does what was forgotten take its facts with it, and only those?"""

from dataclasses import replace

import numpy as np
import pytest

from glossator.errors import ConflictError, NotFoundError
from glossator.model import FACT_STATES, FactAsk, FactFilter, ForgetTarget, Hold, Merge, Refuse, Supersede
from glossator.ports import Store
from glossator.testing.contract.base import LATER, MODEL, NOW, Contract, commit, fact, found, record, texts
from glossator.testing.contract.ledger import moved
from glossator.testing.contract.queue import open_row_count, queued
from glossator.testing.contract.steps import step
from glossator.testing.contract.upkeep import forget
from glossator.testing.drafts import CHAT, SCOPE, admitted, draft, entry, new_fact, passage, ruling, turn

EVERYTHING = ForgetTarget(scope=SCOPE, everything=True)


def of(*external_ids: str) -> ForgetTarget:
    """These messages."""
    return ForgetTarget(scope=SCOPE, message_ids=external_ids)


class ErasingContract(Contract):
    """Upkeep, as far as facts go."""

    def test_a_fact_goes_with_its_last_message(self, store: Store) -> None:
        # proves: D20, O18, I5, K20
        one, two = record(store, entry("m1", "I like secret tea"), entry("m2", "I like milk"))
        commit(store, admitted("I like secret tea", recorded=one, key="taste:tea", value="likes"))
        commit(store, admitted("I like milk", recorded=two))
        store.put_fact_vectors(MODEL, {1: np.ones(2, np.float32)}, texts={1: "x"})
        assert store.preview(of("m1")).fact_count == 1
        receipt = forget(store, of("m1"))
        assert (receipt.fact_count, receipt.evidence_count, receipt.remaining_count) == (1, 1, 0)
        # a chunk's and a fact's words, the fact's vector, a row of work for the chunk and one for the fact
        assert (receipt.lexical_row_count, receipt.vector_count, receipt.work_count) == (2, 1, 2)
        gone = fact(store, 1)
        assert (gone.state, gone.text, gone.key, gone.value, gone.content_hash) == ("erased", "", "", "", "")
        ask = FactAsk(
            scope=SCOPE, filters=FactFilter(states=FACT_STATES), terms=("secret", "milk"), model=MODEL,
            vector=np.ones(2, np.float32),
        )  # fmt: skip
        pool = store.match_facts(ask)
        assert ([match.fact.fact_id for match in pool.matches], pool.term_counts["secret"]) == ([2], 0)
        assert (texts(store), store.evidence(SCOPE, fact_ids=[1])) == (["I like milk"], ())
        assert (store.facts_to_embed([1]), store.status().fact_count) == ({}, 1)
        (decided,) = store.decisions(SCOPE, fact_ids=[1])
        assert (decided.decision, decided.text) == ("admit", "")
        (change,) = store.changes(SCOPE, [1])
        assert (change.from_state, change.to_state, change.by) == ("active", "erased", "forget")
        # and no rebuilding brings it back
        # proves: K21
        store.examine(model=MODEL, repair=True, now=NOW)
        assert (texts(store), [match.fact.fact_id for match in store.match_facts(ask).matches]) == (
            ["I like milk"],
            [2],
        )
        # and the same statement can be made again
        commit(store, admitted("I like secret tea"))
        assert fact(store, 3).text == "I like secret tea"

    def test_a_fact_stays_with_the_message_that_is_left(self, store: Store) -> None:
        # proves: O18
        one, two = record(store, entry("m1", "I like tea"), entry("m2", "tea, I like tea", session="s2"))
        commit(store, admitted("I like tea", recorded=one))
        merge = Merge(draft=draft("I like tea", start=5), fact=fact(store, 1), confidence=0.9, reason="again")
        commit(store, ruling(turn(passage("tea, I like tea", recorded=two, session="s2"), source="session_end"), merge))
        before = fact(store, 1)
        assert store.preview(of("m1")).fact_count == 0
        receipt = forget(store, of("m1"))
        assert (receipt.fact_count, receipt.evidence_count) == (0, 1)
        after = fact(store, 1)
        assert (after.text, after.state, after.seen_count) == ("I like tea", "active", before.seen_count)
        assert (after.source, after.session, after.created_at) == ("session_end", "s2", before.created_at)
        assert [each.external_id for each in store.evidence(SCOPE, fact_ids=[1])] == ["m2"]
        assert [each.text for each in store.decisions(SCOPE, fact_ids=[1])] == ["", "I like tea"]
        assert forget(store, of("m2")).fact_count == 1
        assert fact(store, 1).state == "erased"

    @pytest.mark.parametrize(
        "state", ["deprioritised", "superseded", "archived", "invalidated", "expired", "quarantined"]
    )
    def test_a_fact_goes_from_whatever_state_it_is_in(self, store: Store, state: str) -> None:
        (one,) = record(store, entry("m1", "I like tea"))
        commit(store, admitted("I like tea", recorded=one))
        moved(store, 1, state, reason="because of tea")  # type: ignore[arg-type]
        assert forget(store, of("m1")).fact_count == 1
        assert (fact(store, 1).state, fact(store, 1).reason) == ("erased", "")
        assert [each.reason for each in store.changes(SCOPE, [1])] == ["", "what it rested on was forgotten"]

    def test_a_quote_that_only_the_caller_had_goes_with_the_message_it_stands_in(self, store: Store) -> None:
        record(store, entry("m1", "100% I like tea_"), entry("m2", "I like bread"))
        commit(store, admitted("I like tea_", source="pre_compress"), admitted("I like milk", source="explicit"))
        receipt = forget(store, of("m1"))
        assert (receipt.fact_count, receipt.evidence_count) == (1, 1)
        assert texts(store) == ["I like milk"]

    def test_a_waiting_turn_goes_with_the_message_it_holds(self, store: Store) -> None:
        (one, _) = record(store, replace(entry("m1", "I like secret tea"), extract=True), entry("m2", "bread"))
        held = passage("nothing", recorded=one)
        for waiting in (
            queued("before I like secret tea after"), queued("secret tea"), queued("milk"),
            replace(queued("x"), turn=turn(passage("y"), before=held, source="pre_compress")),
        ):  # fmt: skip
            store.push(waiting, capacity=9, now=NOW)
        assert open_row_count(store) == 5
        forget(store, of("m1"))
        rows = store.claim(["pre_compress", "extract"], now=NOW, lease_s=9, limit=9)
        assert [each.turn.passages[0].text for each in store.turns(rows)] == ["milk"]

    def test_nothing_can_be_learned_from_a_message_that_is_gone(self, store: Store) -> None:
        (one,) = record(store, replace(entry("m1", "I like tea"), extract=True))
        rows = store.claim(["extract"], now=NOW, lease_s=9, limit=9)
        forget(store, of("m1"))
        assert (store.turns(rows), store.learning(SCOPE, [one.message_id])) == ((), ())
        for late in (admitted("I like tea", recorded=one), replace(admitted("I like milk"), settles=rows)):
            with pytest.raises(ConflictError):
                commit(store, late)
        assert store.status().fact_count == 0

    def test_the_log_loses_the_words_and_keeps_the_decision(self, store: Store) -> None:
        # proves: K20
        one, two = record(store, entry("m1", "I am Ana"), entry("m2", "I am Anja, not Ana"))
        commit(store, admitted("I am Ana", recorded=one, value="Ana"))
        said = passage("I am Anja, not Ana", recorded=two)
        refused = Refuse(draft=draft("not Ana", start=11), reason="no statement: not Ana")
        anja = Supersede(
            new=new_fact(draft("I am Anja", value="Anja")), olds=(fact(store, 1),), closed_at=NOW,
            reason="corrected: not Ana",
        )  # fmt: skip
        commit(store, ruling(turn(said), anja, refused))
        forget(store, of("m1"))
        log = store.decisions(SCOPE)
        assert [(each.decision, each.text, each.reason) for each in log] == [
            ("admit", "", "new"), ("supersede", "I am Anja", ""), ("refuse", "not Ana", ""),
        ]  # fmt: skip
        assert [fact(store, number).state for number in (1, 2)] == ["erased", "active"]
        assert [each.reason for each in store.changes(SCOPE, [1])] == ["", "what it rested on was forgotten"]

    def test_what_was_superseded_stays_so_when_its_successor_goes(self, store: Store) -> None:
        # proves: I7
        one, two = record(store, entry("m1", "Paris"), entry("m2", "Oslo"))
        commit(store, admitted("Paris", recorded=one, key="home"))
        oslo = Supersede(new=new_fact(draft("Oslo", key="home")), olds=(fact(store, 1),), closed_at=NOW, reason="moved")
        commit(store, ruling(turn(passage("Oslo", recorded=two)), oslo))
        forget(store, of("m2"))
        assert [fact(store, number).state for number in (1, 2)] == ["superseded", "erased"]
        assert (fact(store, 1).superseded_by, texts(store)) == (2, [])

    def test_everything_is_everything_of_one_owner(self, store: Store) -> None:
        # proves: K20, K22
        other = replace(SCOPE, owner="u2")
        for scope in (SCOPE, other):
            record(store, entry("m1", "I like tea"), scope=scope)
            commit(store, admitted("I like milk", scope=scope, source="explicit", conversation=None))
            held = Hold(new=new_fact(draft("x")), reason="a flood")
            commit(store, ruling(turn(passage("x"), scope=scope), held))
            store.push(queued("I like beer", scope=scope), capacity=9, now=NOW)
            store.put_steps(scope, [step(1, "tea")], now=NOW)
        assert store.preview(EVERYTHING).fact_count == 2
        receipt = forget(store, EVERYTHING)
        assert (receipt.message_count, receipt.fact_count, receipt.evidence_count) == (1, 2, 2)
        assert {each.text for each in store.facts(SCOPE, FactFilter(states=FACT_STATES))} == {""}
        assert {each.text for each in store.decisions(SCOPE)} == {""}
        assert (store.steps(SCOPE, "r1"), store.search_steps(SCOPE, ("tea",)), store.pending(SCOPE)) == ((), (), 0)
        assert (texts(store, scope=other), found(store, "tea", scope=other)) == (["I like milk"], ["m1"])
        assert (len(store.steps(other, "r1")), store.pending(other)) == (1, 4)
        assert [each.text for each in store.decisions(other)] == ["I like milk", "x"]
        # and again there is nothing
        with pytest.raises(NotFoundError):
            store.preview(EVERYTHING)

    def test_facts_without_messages_can_be_forgotten_with_everything(self, store: Store) -> None:
        commit(store, admitted("I like milk", source="explicit"))
        assert store.preview(EVERYTHING).message_count == 0
        assert forget(store, EVERYTHING).fact_count == 1
        assert texts(store) == []

    def test_a_conversation_takes_the_facts_that_hold_only_there(self, store: Store) -> None:
        record(store, entry("m1", "hello"))
        commit(store, admitted("tea here", scope_type="conversation", scope_id=CHAT.key, source="explicit"))
        commit(store, admitted("tea there", scope_type="conversation", scope_id="telegram:43:root"))
        commit(
            store, admitted("I like milk", source="explicit"), admitted("a thought of the run", source="pre_compress")
        )
        store.push(queued("beer"), capacity=9, now=NOW)
        store.push(queued("wine", conversation="telegram:43:root"), capacity=9, now=NOW)
        store.put_steps(replace(SCOPE, conversation=CHAT.key), [step(1, "tea")], now=NOW)
        receipt = forget(store, ForgetTarget(scope=SCOPE, conversation=CHAT.key))
        assert receipt.fact_count == 2
        assert sorted(texts(store)) == ["I like milk", "tea there"]
        assert (open_row_count(store), store.steps(SCOPE, "r1")) == (1, ())

    def test_what_is_learned_of_the_messages_after_the_preview_goes_with_them(self, store: Store) -> None:
        (one,) = record(store, entry("m1", "I like tea"))
        token = store.preview(of("m1")).token
        commit(store, admitted("I like tea", recorded=one))
        receipt = store.erase(of("m1"), confirm=token, now=LATER)
        assert (receipt.fact_count, receipt.remaining_count, texts(store)) == (1, 0, [])

    def test_what_is_told_after_the_preview_goes_only_with_one_that_names_it(self, store: Store) -> None:
        record(store, entry("m1", "I like tea"))
        token = store.preview(EVERYTHING).token
        commit(store, admitted("I like milk"))
        with pytest.raises(ConflictError):
            store.erase(EVERYTHING, confirm=token, now=LATER)
        assert texts(store) == ["I like milk"]

    def test_the_doctor_finds_facts_that_were_left_without_work(self, store: Store) -> None:
        commit(store, admitted("tea"), admitted("milk"))
        store.settle(store.claim(["embed_fact"], now=NOW, lease_s=9, limit=9))
        store.put_fact_vectors("old", {1: np.ones(2, np.float32)}, texts={1: "x"})
        before = {each.check: each.ok for each in store.examine(model=MODEL, repair=False, now=NOW)}
        assert (before["fact embedding"], before["other models"]) == (False, False)
        store.examine(model=MODEL, repair=True, now=NOW)
        rows = store.claim(["embed_fact"], now=NOW, lease_s=9, limit=9)
        assert [row.fact_id for row in rows] == [1, 2]
        assert all(each.ok for each in store.examine(model=MODEL, repair=False, now=NOW))
