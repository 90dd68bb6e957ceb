"""Does what was forgotten stay away, is each forgetting proved, and do facts come and go by themselves as told?"""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.errors import ConflictError, UsageError
from glossator.model import (
    FACT_STATES,
    RECALLABLE,
    Admit,
    ClosedSpan,
    FactAsk,
    FactFilter,
    FactState,
    ForgetTarget,
    Merge,
    Move,
    Refuse,
    Supersede,
)
from glossator.ports import Store
from glossator.testing.contract.base import LATER, MODEL, NOW, commit, fact, record, texts
from glossator.testing.contract.isolation import OUTSIDERS
from glossator.testing.contract.ledger import moved
from glossator.testing.contract.queue import queued
from glossator.testing.contract.receipts import WORDS, ReceiptsContract, put_away
from glossator.testing.contract.upkeep import forget
from glossator.testing.drafts import CHAT, SCOPE, admitted, draft, entry, new_fact, passage, ruling, turn

DAY = timedelta(days=1)
QUIET = (HealthCheck.function_scoped_fixture, HealthCheck.differing_executors)
"""One contract runs over several stores, each with its own folder."""


def said_until(store: Store, text: str, *, days: int) -> None:
    """A fact whose time ends so many days after NOW."""
    given = replace(draft(text), expires_at=NOW + days * DAY)
    commit(store, ruling(turn(passage(text)), Admit(new=new_fact(given), reason="new")))


class ErasuresContract(ReceiptsContract):
    """Erasures; with it what proves them."""

    @pytest.mark.parametrize("state", ["erased", "invalidated"])
    def test_forgotten_words_are_closed(self, store: Store, state: FactState) -> None:
        # proves: K21
        one, two = record(store, entry("m1", f"well, {WORDS}, and milk"), entry("m2", WORDS))
        said = passage(f"well, {WORDS}, and milk", recorded=one)
        commit(store, ruling(turn(said), Admit(new=new_fact(draft(WORDS, start=6)), reason="new")))
        merge = Merge(draft=draft(WORDS), fact=fact(store, 1), confidence=0.9, reason="again")
        commit(store, ruling(turn(passage(WORDS, recorded=two)), merge))
        ids = [one.message_id, two.message_id]
        assert store.closed_spans(SCOPE, ids) == ()
        put_away(store, 1, state)
        assert store.closed_spans(SCOPE, ids) == (
            ClosedSpan(message_id=one.message_id, start=6, stop=6 + len(WORDS), state="erased"),
            ClosedSpan(message_id=two.message_id, start=0, stop=len(WORDS), state="erased"),
        )
        # no ruling brings them back, however the words are cut
        for start, end in ((6, 6 + len(WORDS)), (0, 7), (6 + len(WORDS) - 1, len(said.text))):
            again = new_fact(draft("again", start=start, end=end))
            with pytest.raises(ConflictError):
                commit(store, ruling(turn(said), Admit(new=again, reason="new")))
        with pytest.raises(ConflictError):
            commit(store, ruling(turn(passage(WORDS, recorded=two)), replace(merge, fact=fact(store, 1))))
        # beside them, and in a new message, there is room
        (three,) = record(store, entry("m3", WORDS))
        beside = new_fact(draft("milk", start=len(said.text) - 4))
        commit(store, ruling(turn(said), Admit(new=beside, reason="new")), admitted(WORDS, recorded=three))
        assert sorted(texts(store)) == [WORDS, "milk"]
        # a refusal may always be logged
        commit(store, ruling(turn(said), Refuse(draft=draft("", start=6, end=6), reason="forgotten")))

    def test_what_is_restored_is_open_again(self, store: Store) -> None:
        (one,) = record(store, entry("m1", WORDS))
        commit(store, admitted(WORDS, recorded=one))
        put_away(store, 1, "invalidated")
        moved(store, 1, "active")
        assert store.closed_spans(SCOPE, [one.message_id]) == ()

    def test_the_same_statement_of_an_earlier_version_is_closed_with_it(self, store: Store) -> None:
        # proves: K21
        one, two = record(store, entry("m1", WORDS), entry("m2", WORDS))
        commit(store, admitted(WORDS, recorded=one))
        surer = Supersede(new=new_fact(draft(WORDS)), olds=(fact(store, 1),), closed_at=NOW, reason="surer")
        commit(store, ruling(turn(passage(WORDS, recorded=two)), surer))
        put_away(store, 2, "invalidated")
        spans = store.closed_spans(SCOPE, [one.message_id, two.message_id])
        assert {(each.message_id, each.state) for each in spans} == {
            (one.message_id, "erased"), (one.message_id, "superseded"), (two.message_id, "erased"),
        }  # fmt: skip
        moved(store, 2, "active")
        assert [each.state for each in store.closed_spans(SCOPE, [one.message_id, two.message_id])] == ["superseded"]

    @pytest.mark.parametrize("state", ["superseded", "archived", "expired", "quarantined"])
    def test_what_was_put_away_says_which_statement_it_was(self, store: Store, state: FactState) -> None:
        (one,) = record(store, entry("m1", WORDS))
        commit(store, admitted(WORDS, recorded=one))
        put_away(store, 1, state)
        (span,) = store.closed_spans(SCOPE, [one.message_id])
        assert (span.state, span.content_hash) == (state, fact(store, 1).content_hash)
        assert store.closed_spans(SCOPE, []) == ()

    def test_nobody_else_sees_what_is_closed_or_proved(self, store: Store) -> None:
        # proves: I4
        (one,) = record(store, entry("m1", WORDS))
        commit(store, admitted(WORDS, recorded=one))
        put_away(store, 1, "deprioritised", hints=("tea",))
        for outsider in (*OUTSIDERS, replace(SCOPE, job="nightly")):
            assert store.hinted(outsider) == ()
            assert store.relearn(outsider, now=NOW) == 0
        put_away(store, 1, "erased")
        for outsider in (*OUTSIDERS, replace(SCOPE, job="nightly")):
            assert store.closed_spans(outsider, [one.message_id]) == ()
            assert store.receipts(outsider) == ()

    @pytest.mark.parametrize("state", ["erased", "invalidated"])
    def test_turns_that_wait_with_their_text_lose_the_words_and_whoever_has_read_them_their_claim(
        self, store: Store, state: FactState
    ) -> None:
        # proves: K21
        commit(store, admitted(WORDS, source="pre_compress"))
        waiting = queued(f"so, {WORDS}\nand milk")
        store.push(waiting, capacity=9, now=NOW)
        store.push(queued("bread"), capacity=9, now=NOW)
        store.push(queued(WORDS, scope=replace(SCOPE, owner="u2")), capacity=9, now=NOW)
        read = store.claim(["pre_compress"], now=NOW, lease_s=9, limit=1)
        put_away(store, 1, state)
        late = replace(admitted("and milk", source="pre_compress"), settles=read)
        with pytest.raises(ConflictError):
            commit(store, late)
        rows = store.claim(["pre_compress"], now=LATER, lease_s=9, limit=9)
        said = [each.turn.passages[0].text for each in store.turns(rows)]
        assert said == [f"so, {' ' * len(WORDS)}\nand milk", "bread", WORDS]

    def test_tombstones_go_with_their_message(self, store: Store) -> None:
        (one,) = record(store, entry("m1", WORDS))
        commit(store, admitted(WORDS, recorded=one))
        put_away(store, 1, "erased")
        forget(store, ForgetTarget(scope=SCOPE, message_ids=("m1",)))
        assert store.closed_spans(SCOPE, [one.message_id]) == ()

    # Learning anew

    def test_what_facts_are_taken_from_is_queued_once_in_order(self, store: Store) -> None:
        document = replace(entry("m4", "a text"), message=replace(entry("m4", "a text").message, kind="document"))
        record(
            store,
            entry("m1", "tea"),
            replace(entry("m2", "milk"), extract=True),
            entry("m3", "hello", role="assistant"),
            document,
            entry("m5", "bread"),
            entry("m6", "beer"),
        )
        forget(store, ForgetTarget(scope=SCOPE, message_ids=("m6",)))
        assert store.relearn(SCOPE, now=NOW) == 2  # m2 waits already
        assert store.relearn(SCOPE, now=NOW) == 0
        rows = store.claim(["extract"], now=NOW, lease_s=9, limit=9)
        said = [each.turn.passages[0].external_id for each in store.turns(rows)]
        assert sorted(name or "" for name in said) == ["m1", "m2", "m5"]
        ids = [each.turn.passages[0].message_id or 0 for each in store.turns(rows)]
        assert [each.state for each in store.learning(SCOPE, ids)] == ["pending"] * 3
        # a row that failed is tried again
        store.fail(rows, reason="down", retry_at=None)
        assert store.relearn(replace(SCOPE, conversation=CHAT.key), now=NOW) == 3
        again = store.claim(["extract"], now=NOW, lease_s=9, limit=9)
        assert [each.turn.passages[0].external_id for each in store.turns(again)] == ["m1", "m2", "m5"]

    # Coming and going

    def test_hints_wait_with_a_deprioritised_fact_only(self, store: Store) -> None:

        commit(store, admitted("tea"), admitted("milk"))
        put_away(store, 1, "deprioritised", hints=("new job", "Tee & Köln"))
        put_away(store, 2, "archived", hints=("never",))
        (hinted,) = store.hinted(SCOPE)
        assert (hinted.fact, hinted.hints) == (fact(store, 1), ("new job", "Tee & Köln"))
        moved(store, 1, "active")
        assert store.hinted(SCOPE) == ()
        moved(store, 1, "deprioritised")
        assert store.hinted(SCOPE) == ()

    def test_hints_go_with_the_words(self, store: Store) -> None:
        # proves: K20
        commit(store, admitted("tea"))
        put_away(store, 1, "deprioritised", hints=("secret",))
        moved(store, 1, "erased")
        assert store.hinted(SCOPE) == ()

    def test_facts_are_due_when_their_time_has_passed(self, store: Store) -> None:
        said_until(store, "tea", days=2)
        said_until(store, "milk", days=1)
        commit(store, admitted("bread"))
        assert fact(store, 1).expires_at == NOW + 2 * DAY
        assert store.due_to_expire(now=NOW + DAY / 2) == ()
        assert [each.text for each in store.due_to_expire(now=NOW + DAY)] == ["milk"]
        assert [each.text for each in store.due_to_expire(now=NOW + 3 * DAY, scope=SCOPE)] == ["milk", "tea"]
        assert [each.text for each in store.due_to_expire(now=NOW + 3 * DAY, limit=1)] == ["milk"]
        for outsider in OUTSIDERS:
            assert store.due_to_expire(now=NOW + 3 * DAY, scope=outsider) == ()
        moved(store, 2, "expired", now=NOW + 3 * DAY)
        assert [each.text for each in store.due_to_expire(now=NOW + 3 * DAY)] == ["tea"]
        # what is brought back has no end any more, or it would go at once
        moved(store, 2, "active", now=NOW + 3 * DAY)
        assert fact(store, 2).expires_at is None
        moved(store, 1, "erased")
        assert (fact(store, 1).expires_at, store.due_to_expire(now=NOW + 3 * DAY)) == (None, ())

    @settings(max_examples=25, deadline=None, suppress_health_check=list(QUIET))
    @given(moves=st.lists(st.tuples(st.integers(1, 3), st.sampled_from(FACT_STATES)), max_size=12))
    def test_only_what_is_held_is_found_whatever_moved(
        self, moves: list[tuple[int, FactState]], tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        # proves: I6
        store = self.open_store(tmp_path_factory.mktemp("moves"))
        commit(store, admitted("I like tea"), admitted("I like milk"), admitted("I like bread"))
        vector = np.ones(2, np.float32)
        store.put_fact_vectors(MODEL, dict.fromkeys((1, 2, 3), vector), texts=dict.fromkeys((1, 2, 3), "x"))
        for fact_id, state in moves:
            version = fact(store, fact_id).version
            move = Move(fact_id=fact_id, version=version, to_state=state, by="owner", reason="told so")
            with suppress(UsageError):  # which moves are allowed is proved elsewhere
                store.move_facts(SCOPE, [move], now=LATER)
            ask = FactAsk(scope=SCOPE, filters=FactFilter(), terms=("like", "tea"), model=MODEL, vector=vector)
            by_search = {match.fact.fact_id: match.fact.state for match in store.match_facts(ask).matches}
            by_list = {each.fact_id: each.state for each in store.facts(SCOPE, FactFilter())}
            held = {each for each in (1, 2, 3) if fact(store, each).state in RECALLABLE}
            assert set(by_search) == set(by_list) == held
            assert set(by_search.values()) <= set(RECALLABLE)
        store.close()
