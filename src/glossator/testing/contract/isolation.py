"""Does anybody ever see what is not theirs, on any path?"""

import numpy as np
import pytest

from glossator.errors import NotFoundError
from glossator.model import Conversation, ForgetTarget, Scope
from glossator.ports import Store
from glossator.testing.contract.base import Contract, embed, found, record, survey
from glossator.testing.drafts import CHAT, SCOPE, entry

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
