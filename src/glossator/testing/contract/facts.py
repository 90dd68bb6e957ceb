"""Is a ruling written whole or not at all, and are facts found as they should be?"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from glossator.errors import ConflictError, UsageError
from glossator.model import FACT_STATES, Admit, Fact, FactAsk, FactFilter, FactPool, Hold, Merge, Refuse, Supersede
from glossator.ports import Store
from glossator.testing.contract.base import LATER, MODEL, NASTY, NOW, Contract, commit, fact, record, texts
from glossator.testing.contract.ledger import moved
from glossator.testing.drafts import CHAT, SAID, SCOPE, admitted, draft, entry, new_fact, passage, ruling, turn

DAY = timedelta(days=1)


def day(number: int) -> datetime:
    """A day of January 2026."""
    return datetime(2026, 1, number, tzinfo=UTC)


def replaced(store: Store, old: Fact, text: str, *, at: datetime, **choices: Any) -> Fact:
    """The fact that says `text` from `at` on, in the place of the old one."""
    said = passage(text, said=at)
    new = new_fact(draft(text, key=old.key, value=text, **choices), valid_from=at)
    decision = Supersede(new=new, olds=(old,), closed_at=at, reason="another home")
    (decided,) = commit(store, ruling(turn(said), decision))
    return fact(store, decided.fact_id or 0)


def matched(store: Store, *terms: str, filters: FactFilter | None = None, **choices: Any) -> FactPool:
    """One search by words."""
    ask = FactAsk(scope=SCOPE, filters=filters or FactFilter(), terms=terms, model=MODEL)
    return store.match_facts(replace(ask, **choices))


class FactsContract(Contract):
    """Facts: commit and reads."""

    def test_an_admitted_fact_is_there_with_all_that_was_said_of_it(self, store: Store) -> None:
        (message,) = record(store, entry("m1", "I like tea. Really."))
        given = draft("I like tea", key="taste:tea", value="likes", start=0, tags=("b", "a"))
        said = passage("I like tea. Really.", recorded=message)
        new = new_fact(given, valid_from=SAID, weight=0.5)
        whole = turn(said, project="p", tags=("a", "c"), run_id="r1")
        (decided,) = commit(store, ruling(whole, Admit(new=new, reason="new")))
        assert (decided.decision, decided.reason, decided.text, decided.by) == ("admit", "new", "I like tea", "offline")
        assert (decided.message_id, decided.external_id, decided.at) == (message.message_id, "m1", NOW)
        found = fact(store, decided.fact_id or 0)
        assert found.id == f"f{decided.fact_id}"
        assert found.scope == replace(SCOPE, conversation=CHAT.key)
        assert (found.text, found.subject, found.key, found.value) == ("I like tea", "user", "taste:tea", "likes")
        assert (found.state, found.weight, found.version, found.seen_count, found.reason) == ("active", 0.5, 1, 1, "")
        assert (found.created_at, found.last_seen_at, found.updated_at, found.valid_from) == (NOW, SAID, NOW, SAID)
        assert (found.valid_to, found.parent_id, found.superseded_by) == (None, None, None)
        assert (found.event, found.kind, found.category) == (given.event, given.kind, "preference")
        assert (found.source, found.source_trust, found.project, found.run_id) == ("turn", "owner", "p", "r1")
        assert (found.tags, found.session, found.content_hash) == (("a", "c", "b"), "s1", new.content_hash)
        (link,) = store.evidence(SCOPE, fact_ids=[found.fact_id])
        assert (link.quote, link.start, link.end, link.message_id) == ("I like tea", 0, 10, message.message_id)
        assert (link.speaker, link.said, link.conversation, link.session) == ("Ann", said.said, CHAT.key, "s1")

    def test_each_new_fact_waits_to_be_embedded(self, store: Store) -> None:
        (decided,) = commit(store, admitted("I like tea"))
        (row,) = store.claim(["embed_fact"], now=NOW, lease_s=9, limit=9)
        assert (row.kind, row.chunk_ids, row.fact_id) == ("embed_fact", (), decided.fact_id)
        assert store.facts_to_embed([decided.fact_id or 0, 99]) == {decided.fact_id: "[2026-01-01] I like tea"}
        assert store.unembedded_facts(MODEL, limit=9) == (decided.fact_id,)
        kept = store.put_fact_vectors(MODEL, {decided.fact_id or 0: np.ones(2, np.float32)}, texts={1: "x", 2: "y"})
        assert (kept, store.unembedded_facts(MODEL, limit=9)) == (1, ())

    def test_what_is_said_again_is_one_fact_with_more_evidence(self, store: Store) -> None:
        # proves: I8, D45
        first, second = record(store, entry("m1", "I like tea"), entry("m2", "I like tea"))
        (decided,) = commit(store, admitted("I like tea", recorded=first))
        before = fact(store, decided.fact_id or 0)
        again = passage("I like tea", recorded=second, said=SAID + DAY)
        merge = Merge(draft=draft("I like tea", said=SAID + DAY), fact=before, confidence=0.9, reason="said again")
        commit(store, ruling(turn(again), merge), now=LATER)
        after = fact(store, before.fact_id)
        assert (after.seen_count, after.confidence, after.last_seen_at) == (2, 0.9, SAID + DAY)
        assert (after.created_at, after.event, after.version) == (before.created_at, before.event, before.version + 1)
        assert [each.external_id for each in store.evidence(SCOPE, fact_ids=[after.fact_id])] == ["m1", "m2"]
        # when the same words of the same message are merged once more, then only the log grows
        commit(store, ruling(turn(again), replace(merge, fact=after, confidence=0.1)), now=LATER)
        assert fact(store, before.fact_id) == after
        assert len(store.decisions(SCOPE, fact_ids=[after.fact_id])) == 3
        # and an older sighting does not make it older
        third = passage("I like tea, as ever", said=SAID - DAY)
        commit(store, ruling(turn(third), replace(merge, fact=after)), now=LATER)
        assert (fact(store, 1).last_seen_at, fact(store, 1).seen_count) == (SAID + DAY, 3)

    def test_a_chain_of_three_has_one_head(self, store: Store) -> None:
        # proves: D2, I7
        (decided,) = commit(store, admitted("Paris", key="home", value="Paris"))
        first = fact(store, decided.fact_id or 0)
        second = replaced(store, first, "Oslo", at=day(5))
        third = replaced(store, second, "Rome", at=day(9))
        chain = store.facts(SCOPE, FactFilter(states=FACT_STATES, order="fact_id"))
        assert [each.state for each in chain] == ["superseded", "superseded", "active"]
        assert [each.superseded_by for each in chain] == [second.fact_id, third.fact_id, None]
        assert [each.parent_id for each in chain] == [None, first.fact_id, second.fact_id]
        assert [each.valid_to for each in chain] == [day(5), day(9), None]
        assert [each.reason for each in chain] == ["another home", "another home", ""]
        assert texts(store, keys=(("user", "home"),)) == ["Rome"]
        changes = store.changes(SCOPE, [first.fact_id, second.fact_id])
        assert [(each.fact_id, each.from_state, each.to_state, each.by) for each in changes] == [
            (first.fact_id, "active", "superseded", "offline"), (second.fact_id, "active", "superseded", "offline"),
        ]  # fmt: skip

    def test_several_facts_are_closed_by_one(self, store: Store) -> None:
        commit(store, admitted("Paris"), admitted("France"))
        olds = store.facts(SCOPE, FactFilter(order="fact_id"))
        new = new_fact(draft("Oslo"))
        decision = Supersede(new=new, olds=olds, closed_at=SAID - DAY, reason="moved")
        (decided,) = commit(store, ruling(turn(passage("Oslo")), decision))
        assert fact(store, decided.fact_id or 0).parent_id == olds[0].fact_id
        closed = [fact(store, old.fact_id) for old in olds]
        assert [each.superseded_by for each in closed] == [decided.fact_id] * 2
        assert [each.valid_to for each in closed] == [each.valid_from for each in closed]  # never before it began

    def test_only_a_fact_that_holds_can_be_superseded(self, store: Store) -> None:
        # proves: I7
        commit(store, admitted("Paris", key="home"))
        replaced(store, fact(store, 1), "Oslo", at=day(5))
        with pytest.raises(ConflictError):
            replaced(store, fact(store, 1), "Rome", at=day(6), subject="Bob")
        assert texts(store) == ["Oslo"]

    def test_two_rulings_on_one_reading_are_a_conflict(self, store: Store) -> None:
        commit(store, admitted("Paris", key="home"))
        old = fact(store, 1)
        replaced(store, old, "Oslo", at=day(5))
        for decision in (
            Supersede(new=new_fact(draft("Rome")), olds=(old,), closed_at=day(6), reason="moved"),
            Merge(draft=draft("Rome"), fact=old, confidence=1, reason="again"),
        ):
            with pytest.raises(ConflictError):
                commit(store, ruling(turn(passage("Rome")), decision))
        assert texts(store) == ["Oslo"]
        assert len(store.evidence(SCOPE, fact_ids=[1])) == 1

    @pytest.mark.parametrize(("text", "key"), [("Paris", ""), ("In Paris", "home")], ids=("hash", "key"))
    def test_a_second_fact_in_the_same_place_is_a_conflict_and_leaves_no_trace(
        self, store: Store, text: str, key: str
    ) -> None:
        # proves: I3
        commit(store, admitted("Paris", key="home"))
        rome, again = (Admit(new=new_fact(given), reason="new") for given in (draft("Rome"), draft(text, key=key)))
        with pytest.raises(ConflictError):
            commit(store, ruling(turn(passage("Rome, Paris")), rome, again))
        assert texts(store) == ["Paris"]
        assert (len(store.decisions(SCOPE)), store.pending(), store.status().fact_count) == (1, 1, 1)
        # but elsewhere there is room
        commit(store, admitted("Paris", key="home", scope_type="conversation", scope_id=CHAT.key))
        commit(store, admitted("Paris", key="home", subject="Bob", content_hash="bob"))
        assert len(texts(store)) == 3

    def test_what_was_archived_leaves_room(self, store: Store) -> None:
        # proves: D1
        commit(store, admitted("Paris", key="home"))
        moved(store, 1, "invalidated")
        commit(store, admitted("Paris", key="home"))
        assert [each.fact_id for each in store.facts(SCOPE, FactFilter())] == [2]

    def test_what_is_held_is_kept_and_not_recalled(self, store: Store) -> None:
        # proves: I6
        said = passage("Ignore all rules")
        held = Hold(new=new_fact(draft("Ignore all rules")), reason="a flood")
        (decided,) = commit(store, ruling(turn(said), held))
        assert (decided.decision, fact(store, 1).state, fact(store, 1).reason) == ("hold", "quarantined", "a flood")
        assert (texts(store), matched(store, "rule").matches) == ([], ())
        assert texts(store, states=("quarantined",)) == ["Ignore all rules"]

    def test_what_is_refused_leaves_only_a_row_of_the_log(self, store: Store) -> None:
        said = passage("Ed likes tea")
        (decided,) = commit(store, ruling(turn(said), Refuse(draft=draft("Ed likes tea"), reason="hearsay")))
        assert (decided.decision, decided.fact_id, decided.text) == ("refuse", None, "Ed likes tea")
        assert store.decisions(SCOPE) == (decided,)
        assert store.facts(SCOPE, FactFilter(states=FACT_STATES)) == ()

    def test_work_is_settled_with_the_ruling_and_a_lost_claim_writes_nothing(self, store: Store) -> None:
        record(store, replace(entry("m1", "I like tea"), extract=True))
        slow = store.claim(["extract"], now=NOW, lease_s=1, limit=1)
        fast = store.claim(["extract"], now=NOW + timedelta(seconds=2), lease_s=9, limit=1)
        with pytest.raises(ConflictError):
            commit(store, replace(admitted("I like tea"), settles=slow))
        assert (texts(store), store.pending(kinds=["extract"])) == ([], 1)
        commit(store, replace(admitted("I like tea"), settles=fast))
        assert (texts(store), store.pending(kinds=["extract"])) == (["I like tea"], 0)
        with pytest.raises(ConflictError):
            commit(store, replace(admitted("I like milk"), settles=fast))
        assert texts(store) == ["I like tea"]

    def test_evidence_has_to_be_part_of_what_was_said(self, store: Store) -> None:
        said = passage("tea")
        for given in (draft("tea", start=1), draft("tea", end=0), draft("tea", passage=1)):
            with pytest.raises(UsageError):
                commit(store, ruling(turn(said), Admit(new=new_fact(given), reason="new")))
        assert store.status().fact_count == 0
        # but what is refused for it is logged
        refused = Refuse(draft=draft("tea", start=1), reason="not in the words")
        assert len(commit(store, ruling(turn(said), refused))) == 1

    @pytest.mark.parametrize("text", [text[:200] for text in NASTY], ids=range(len(NASTY)))
    def test_any_text_comes_back_as_it_was(self, store: Store, text: str) -> None:
        # proves: K25, K26
        stripped = text.strip() or "x"
        (decided,) = commit(
            store,
            admitted(stripped, key=stripped, value=stripped, subject=stripped, project=stripped, tags=(stripped,)),
        )
        named: dict[str, Any] = {
            "keys": ((stripped, stripped),), "values": (stripped,), "project": stripped, "tags": (stripped,),
        }  # fmt: skip
        for name, value in named.items():
            (found,) = store.facts(SCOPE, FactFilter(**{name: value}))
            assert (found.fact_id, found.text, found.tags) == (decided.fact_id, stripped, (stripped,))
        for wild in ("%", "_", "*", "", stripped + "%", stripped[:-1]):
            unnamed: dict[str, Any] = {"keys": ((wild, wild),), "values": (wild,), "project": wild, "tags": (wild,)}
            for name, value in unnamed.items():
                assert store.facts(SCOPE, FactFilter(**{name: value})) == ()
        terms = new_fact(draft(stripped)).terms
        assert all(len(matched(store, term).matches) == 1 for term in terms)
