"""Does anybody ever see what is not theirs, on any path?"""

import numpy as np
import pytest

from glossator.errors import ConflictError, NotFoundError
from glossator.model import (
    FACT_STATES,
    Conversation,
    FactAsk,
    FactFilter,
    ForgetTarget,
    Merge,
    Move,
    Recorded,
    Scope,
    Supersede,
)
from glossator.ports import Store
from glossator.testing.contract.base import MODEL, NOW, Contract, commit, embed, found, record, survey
from glossator.testing.drafts import CHAT, SAID, SCOPE, admitted, draft, entry, new_fact, passage, ruling, turn

U1 = SCOPE
U2 = Scope(workspace="acme", agent="helper", owner="u2")
U3 = Scope(workspace="acme", agent="helper", owner="u3")
OUTSIDERS = (
    U3,
    Scope(workspace="acme", agent="other", owner="u1"),
    Scope(workspace="other", agent="helper", owner="u1"),
    Scope(workspace="acme"),
    Scope(workspace="acme", agent="helper", owner="u1", conversation="telegram:99:root"),
    Scope(workspace="ACME", agent="helper", owner="u1"),
    Scope(workspace="acm%", agent="helper", owner="u_"),
)


class IsolationContract(Contract):
    """Scopes, on every read path."""

    @pytest.fixture
    def shared(self, store: Store) -> Store:
        """The same sentence, said to the same agent by two owners."""
        for scope in (U1, U2):
            (recorded,) = record(store, entry("m1", "my code is tea", project="p", tags=("t",)), scope=scope)
            embed(store, {recorded.chunk_ids[0]: [1, 0]})
        return store

    @pytest.mark.parametrize(("scope", "count"), [(U1, 1), (U2, 1), *((each, 0) for each in OUTSIDERS)], ids=str)
    def test_the_same_sentence_of_two_owners_is_seen_once_by_each_and_by_nobody_else(
        self, shared: Store, scope: Scope, count: int
    ) -> None:
        # proves: K22
        vector = np.array([1, 0], np.float32)
        pool = survey(shared, "tea", scope=scope, vector=vector)
        assert (len(pool), pool.chunk_count, pool.term_counts["tea"]) == (count, count, count)
        assert len(pool.postings["tea"]) == count
        assert len(survey(shared, scope=scope, vector=vector, project="p", tags=("t",))) == count
        assert pool.speakers == ("ann",) * count
        assert len(shared.messages(scope)) == count
        assert len(shared.messages(scope, session="s1")) == count
        assert (shared.message(scope, "m1") is not None) == bool(count)
        assert (shared.message(scope, "m1", conversation=CHAT.key) is not None) == bool(count)
        assert len(shared.chunks(scope, range(1, 9))) == count
        assert shared.pending(scope) == count
        status = shared.status(scope)
        assert (status.message_count, status.chunk_count, status.vector_count) == (count, count, count)

    @pytest.mark.parametrize("scope", OUTSIDERS, ids=str)
    def test_nobody_can_forget_what_is_not_theirs(self, shared: Store, scope: Scope) -> None:
        # proves: K22
        for target in (
            ForgetTarget(scope=scope, everything=True),
            ForgetTarget(scope=scope, message_ids=("m1",)),
            ForgetTarget(scope=scope, conversation=CHAT.key),
        ):
            with pytest.raises(NotFoundError):
                shared.preview(target)

    def test_forgetting_everything_of_one_leaves_the_other(self, shared: Store) -> None:
        target = ForgetTarget(scope=U1, everything=True)
        shared.erase(target, confirm=shared.preview(target).token, now=shared.messages(U2)[0].said.at)
        assert (found(shared, "tea", scope=U1), found(shared, "tea", scope=U2)) == ([], ["m1"])

    def test_a_scope_with_a_conversation_sees_only_that(self, store: Store) -> None:
        record(store, entry("m1", "tea"), entry("m2", "tea", speaker="Bob"))
        record(store, entry("m3", "tea", speaker="Cid"), conversation=Conversation.parse("telegram:43"))
        inside = Scope(workspace="acme", agent="helper", owner="u1", conversation="telegram:43:root")
        assert found(store, "tea") == ["m1", "m2", "m3"]
        assert found(store, "tea", scope=inside) == ["m3"]
        assert survey(store, scope=inside).speakers == ("cid",)
        assert [message.external_id for message in store.messages(inside)] == ["m3"]
        assert store.message(inside, "m1") is None
        assert store.message(inside, "m3", conversation=CHAT.key) is None
        assert (store.pending(inside), store.status(inside).message_count) == (1, 1)
        preview = store.preview(ForgetTarget(scope=inside, everything=True))
        assert preview.message_count == 1

    def test_scopes_that_join_to_the_same_string_are_kept_apart(self, store: Store) -> None:
        record(store, entry("m1", "tea"), scope=Scope(workspace="a", agent="bc", owner="d"))
        assert found(store, "tea", scope=Scope(workspace="ab", agent="c", owner="d")) == []
        assert found(store, "tea", scope=Scope(workspace="a", agent="b", owner="cd")) == []


class FactIsolationContract(Contract):
    """Scopes, on every path to facts."""

    @pytest.fixture
    def told(self, store: Store) -> Store:
        """The same statement of two owners, with evidence, a log, an audit, vectors and a fact that was archived."""
        for scope in (U1, U2):
            (recorded,) = record(store, entry("m1", "my code is tea"), scope=scope)
            commit(store, admitted("my code is tea", recorded=recorded, scope=scope, key="code", project="p"))
            commit(store, admitted("old code", scope=scope, tags=("t",)))
        for number in (2, 4):
            owner = U1 if number == 2 else U2
            move = Move(fact_id=number, version=1, to_state="archived", by="operator", reason="old")
            store.move_facts(owner, [move], now=NOW)
        ones = dict.fromkeys(range(1, 5), np.ones(2, np.float32))
        store.put_fact_vectors(MODEL, ones, texts=dict.fromkeys(ones, "x"))
        return store

    @pytest.mark.parametrize(("scope", "count"), [(U1, 1), (U2, 1), *((each, 0) for each in OUTSIDERS)], ids=str)
    def test_a_statement_of_two_owners_is_seen_once_by_each_and_by_nobody_else(
        self, told: Store, scope: Scope, count: int
    ) -> None:
        # proves: K22
        digest = new_fact(draft("my code is tea")).content_hash
        for conditions in (
            {}, {"hashes": (digest,)}, {"keys": (("user", "code"),)}, {"project": "p"}, {"states": ("archived",)},
            {"fact_ids": (1, 3)}, {"order": "fact_id"}, {"values": ("",)}, {"tags": ("t",), "states": FACT_STATES},
            {"as_of": SAID}, {"sensitivities": ("public", "internal")}, {"categories": ("preference",)},
            {"states": FACT_STATES, "fact_ids": (2, 4)},
        ):  # fmt: skip
            asked = FactFilter(**conditions)
            facts = told.facts(scope, asked)
            assert len(facts) == count, conditions
            assert all(scope.covers(each.scope) for each in facts)
            ask = FactAsk(scope=scope, filters=asked, terms=("tea", "code"), vector=np.ones(2, np.float32), model=MODEL)
            pool = told.match_facts(ask)
            assert (len(pool.matches), pool.fact_count) == (count, count), conditions
            assert max(pool.term_counts.values()) <= count
        ids = range(1, 9)
        assert len(told.evidence(scope, fact_ids=ids)) == 2 * count
        assert len(told.evidence(scope, message_ids=ids)) == count
        assert len(told.decisions(scope)) == len(told.decisions(scope, fact_ids=ids)) == 2 * count
        assert len(told.changes(scope, ids)) == count
        assert told.status(scope).fact_count == count
        assert len(told.learning(scope, ids)) == count
        assert told.pending(scope, kinds=["embed_fact"]) == 2 * count

    @pytest.mark.parametrize("scope", OUTSIDERS, ids=str)
    def test_nobody_can_change_or_rest_on_what_is_not_theirs(self, told: Store, scope: Scope) -> None:
        # proves: K22
        theirs = told.facts(U1, FactFilter())[0]
        move = Move(fact_id=theirs.fact_id, version=theirs.version, to_state="erased", by="x", reason="")
        with pytest.raises(NotFoundError):
            told.move_facts(scope, [move], now=NOW)
        if scope.whole == U1:
            return
        said = passage("tea")
        merge = Merge(draft=draft("tea"), fact=theirs, confidence=1, reason="again")
        closing = Supersede(new=new_fact(draft("tea")), olds=(theirs,), closed_at=NOW, reason="x")
        foreign = admitted("tea", recorded=Recorded(external_id="m1", message_id=1, outcome="stored"), scope=scope)
        for bad in (ruling(turn(said, scope=scope), merge), ruling(turn(said, scope=scope), closing), foreign):
            with pytest.raises(ConflictError):
                commit(told, bad)
        assert told.facts(U1, FactFilter())[0] == theirs
