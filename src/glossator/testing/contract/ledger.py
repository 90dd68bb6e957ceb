"""Is it known why a fact is what it is, and may its state only change as the table says?"""

from datetime import datetime

import pytest

from glossator.errors import ConflictError, NotFoundError, UsageError
from glossator.model import FACT_STATES, Fact, FactFilter, FactState, Merge, Move, Refuse, Scope, Supersede
from glossator.ports import Store
from glossator.rules.states import TRANSITIONS
from glossator.testing.contract.base import LATER, NOW, Contract, commit, fact, record, texts
from glossator.testing.drafts import CHAT, SAID, SCOPE, admitted, draft, entry, new_fact, passage, ruling, turn

PATHS: dict[FactState, tuple[FactState, ...]] = {
    "active": (),
    "deprioritised": ("deprioritised",),
    "superseded": ("superseded",),
    "archived": ("archived",),
    "invalidated": ("invalidated",),
    "expired": ("expired",),
    "quarantined": ("quarantined",),
    "erased": ("erased",),
}
"""How a new fact comes into each state."""


def moved(
    store: Store, fact_id: int, *states: FactState, scope: Scope = SCOPE, reason: str = "because", now: datetime = LATER
) -> Fact:
    """The fact after it was moved through these states by an operator."""
    for state in states:
        version = fact(store, fact_id, scope=scope).version
        move = Move(fact_id=fact_id, version=version, to_state=state, by="operator", reason=reason)
        (after,) = store.move_facts(scope, [move], now=now)
        assert after == fact(store, fact_id, scope=scope)
    return fact(store, fact_id, scope=scope)


class LedgerContract(Contract):
    """Ledger, and Facts.move_facts."""

    def test_evidence_is_found_from_either_side_in_order(self, store: Store) -> None:
        one, two = record(store, entry("m1", "tea, I like tea"), entry("m2", "I like tea"))
        commit(store, admitted("I like tea", recorded=two))
        first = passage("tea, I like tea", recorded=one, said=SAID)
        merges = [
            Merge(draft=draft("tea", start=start), fact=fact(store, 1), confidence=0.8, reason="again")
            for start in (12, 0)
        ]
        commit(store, ruling(turn(first), *merges))
        links = store.evidence(SCOPE, fact_ids=[1])
        assert [(each.external_id, each.start, each.quote) for each in links] == [
            ("m1", 0, "tea"), ("m1", 12, "tea"), ("m2", 0, "I like tea"),
        ]  # fmt: skip
        assert store.evidence(SCOPE, message_ids=[one.message_id]) == links[:2]
        assert store.evidence(SCOPE, fact_ids=[1], message_ids=[two.message_id]) == links
        assert store.evidence(SCOPE) == ()
        assert fact(store, 1).seen_count == 3

    def test_every_fact_rests_on_something(self, store: Store) -> None:
        # proves: I5, O17
        (message,) = record(store, entry("m1", "I like tea"))
        commit(store, admitted("I like tea", recorded=message), admitted("I like milk", source="explicit"))
        quotes = [store.evidence(SCOPE, fact_ids=[number])[0].quote for number in (1, 2)]
        assert quotes == ["I like tea", "I like milk"]

    def test_the_log_is_read_by_fact_by_message_or_whole(self, store: Store) -> None:
        (message,) = record(store, entry("m1", "I like tea"))
        said = passage("I like tea", recorded=message)
        refused = Refuse(draft=draft("like", start=2), reason="no statement")
        commit(store, admitted("I like tea", recorded=message), ruling(turn(said), refused), admitted("I like milk"))
        log = store.decisions(SCOPE)
        assert [each.decision for each in log] == ["admit", "refuse", "admit"]
        assert [each.decision_id for each in log] == sorted(each.decision_id for each in log)
        assert store.decisions(SCOPE, fact_ids=[1]) == log[:1]
        assert store.decisions(SCOPE, message_ids=[message.message_id]) == log[:2]
        assert store.decisions(SCOPE, fact_ids=[2], message_ids=[message.message_id]) == log
        assert store.decisions(SCOPE, limit=1) == log[:1]

    @pytest.mark.parametrize("start", FACT_STATES)
    @pytest.mark.parametrize("end", FACT_STATES)
    def test_a_state_changes_as_the_table_says_with_a_row_of_the_audit(
        self, store: Store, start: FactState, end: FactState
    ) -> None:
        commit(store, admitted("I like tea"))
        before = moved(store, 1, *PATHS[start])
        if end not in TRANSITIONS[start]:
            with pytest.raises(UsageError):
                moved(store, 1, end)
            assert fact(store, 1) == before
            return
        after = moved(store, 1, end, reason="tidied")
        assert (after.state, after.version, after.updated_at) == (end, before.version + 1, LATER)
        assert after.weight == {"active": 1.0, "deprioritised": 0.2}.get(end, before.weight)
        assert after.reason == ("" if end in ("active", "erased") else "tidied")
        returns = end == "active" and start != "deprioritised"  # which counts as being seen; it was recalled all along
        seen_at = LATER if returns else before.last_seen_at
        assert (after.created_at, after.last_seen_at) == (before.created_at, seen_at)
        assert (after.valid_to is None) == ((end != "superseded" and before.valid_to is None) or end == "active")
        last = store.changes(SCOPE, [1])[-1]
        assert (last.from_state, last.to_state, last.by, last.at, last.reason) == (
            start, end, "operator", LATER, "tidied",
        )  # fmt: skip

    def test_a_move_rests_on_what_was_read(self, store: Store) -> None:
        commit(store, admitted("I like tea"), admitted("I like milk"))
        stale = fact(store, 1).version
        moved(store, 1, "deprioritised")
        moves = [
            Move(fact_id=2, version=1, to_state="archived", by="operator", reason=""),
            Move(fact_id=1, version=stale, to_state="archived", by="operator", reason=""),
        ]
        with pytest.raises(ConflictError):
            store.move_facts(SCOPE, moves, now=LATER)
        assert [fact(store, number).state for number in (1, 2)] == ["deprioritised", "active"]
        with pytest.raises(NotFoundError):
            store.move_facts(SCOPE, [Move(fact_id=9, version=1, to_state="active", by="x", reason="")], now=LATER)
        assert store.move_facts(SCOPE, [], now=LATER) == ()

    def test_what_comes_back_finds_its_place_taken(self, store: Store) -> None:
        commit(store, admitted("Paris", key="home"))
        moved(store, 1, "archived")
        commit(store, admitted("Oslo", key="home"))
        with pytest.raises(ConflictError):
            moved(store, 1, "active")
        assert texts(store) == ["Oslo"]
        moved(store, 2, "archived")
        assert moved(store, 1, "active").state == "active"

    def test_a_superseded_fact_comes_back_only_when_its_successor_is_gone(self, store: Store) -> None:
        # proves: I7
        commit(store, admitted("Paris"))
        new = new_fact(draft("Oslo"))
        decision = Supersede(new=new, olds=(fact(store, 1),), closed_at=NOW, reason="moved")
        commit(store, ruling(turn(passage("Oslo")), decision))
        with pytest.raises(ConflictError):
            moved(store, 1, "active")
        moved(store, 2, "invalidated")
        back = moved(store, 1, "active")
        assert (back.state, back.valid_to, back.superseded_by) == ("active", None, None)
        assert fact(store, 2).parent_id is None

    def test_an_erased_fact_is_a_tombstone(self, store: Store) -> None:
        # proves: K20
        commit(store, admitted("secret tea", key="taste:secret", value="likes", subject="Zoe", source="explicit"))
        before = fact(store, 1)
        after = moved(store, 1, "erased", reason="she asked to drop the secret")
        assert (after.text, after.subject, after.key, after.value, after.content_hash) == ("", "", "", "", "")
        assert (after.state, after.created_at, after.fact_id) == ("erased", before.created_at, 1)
        assert (store.evidence(SCOPE, fact_ids=[1]), store.facts_to_embed([1])) == ((), {})
        (decided,) = store.decisions(SCOPE, fact_ids=[1])
        assert (decided.text, decided.decision, decided.reason) == ("", "admit", "new")
        assert [each.reason for each in store.changes(SCOPE, [1])] == [""]
        assert (store.pending(), store.status().fact_count) == (0, 0)
        # proves: K21
        (again,) = commit(store, admitted("secret tea"))
        assert again.fact_id == 2

    def test_what_a_conversation_is_not_told(self, store: Store) -> None:
        # proves: K22
        one, two = (passage("I like tea", conversation=key) for key in (CHAT.key, "telegram:43:root"))
        commit(store, admitted("I like tea"))
        merge = Merge(draft=draft("I like tea", end=6), fact=fact(store, 1), confidence=0.9, reason="again")
        commit(store, ruling(turn(two), merge))
        inside = Scope(workspace="acme", agent="helper", owner="u1", conversation=CHAT.key)
        other = Scope(workspace="acme", agent="helper", owner="u1", conversation="telegram:43:root")
        assert [each.conversation for each in store.evidence(inside, fact_ids=[1])] == [one.conversation]
        assert (store.evidence(other, fact_ids=[1]), store.facts(other, FactFilter())) == ((), ())
        assert [each.decision for each in store.decisions(inside)] == ["admit"]
        assert [each.decision for each in store.decisions(other)] == ["merge"]
