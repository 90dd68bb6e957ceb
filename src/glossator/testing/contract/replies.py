"""What is a request answered the second time, and what is left of an answer? The contract of the port Replies."""

from dataclasses import replace
from datetime import timedelta

import pytest

from glossator.errors import ConflictError
from glossator.model import FactState, ForgetTarget, KeptReply, Move
from glossator.model.access import CLAIM_S, REPLY_KEPT_S
from glossator.ports import Store
from glossator.testing.contract.base import NOW, Contract, commit, fact, record
from glossator.testing.drafts import SCOPE, admitted, entry

ANSWER = KeptReply(status=201, body='{"said": "the cellar key is blue"}', headers={"ETag": '"1"', "X-Ü": "é"})


def begin(store: Store, key: str = "r1", *, caller: str = "k1", fingerprint: str = "f", s: float = 0) -> object:
    """What `begin_reply` gives, or the argument that a conflict names; `s` seconds after NOW."""
    try:
        return store.begin_reply(caller, key, fingerprint, now=NOW + timedelta(seconds=s))
    except ConflictError as error:
        return error.argument


def forget(store: Store) -> None:
    """Say something and forget it."""
    record(store, entry("gone", "the cellar key is blue"))
    target = ForgetTarget(scope=SCOPE, message_ids=("gone",))
    store.erase(target, confirm=store.preview(target).token, now=NOW)


class RepliesContract(Contract):
    """The port Replies."""

    def test_a_request_is_answered_once(self, store: Store) -> None:
        assert begin(store) is None
        assert begin(store) == "key"  # somebody is at it
        store.keep_reply("k1", "r1", ANSWER)
        assert begin(store) == begin(store, s=REPLY_KEPT_S - 1) == ANSWER
        store.keep_reply("k1", "r1", KeptReply(status=500))
        store.drop_reply("k1", "r1")
        assert begin(store) == ANSWER  # the first answer stays

    def test_a_key_with_another_request_is_refused(self, store: Store) -> None:
        begin(store)
        assert begin(store, fingerprint="g") == "fingerprint"
        store.keep_reply("k1", "r1", ANSWER)
        assert begin(store, fingerprint="g", s=CLAIM_S) == "fingerprint"
        assert begin(store) == ANSWER

    def test_callers_share_no_keys(self, store: Store) -> None:
        # proves: I4
        for caller, key in (("k1", "r1"), ("k1r", "1"), ("", "k1r1"), ("k1\0", "r1"), ("k1", "\0r1"), ("k2", "r1")):
            assert begin(store, key, caller=caller) is None
            store.keep_reply(caller, key, replace(ANSWER, body=repr((caller, key))))
        answer = begin(store, "r1", caller="k2")
        assert isinstance(answer, KeptReply)
        assert answer.body == repr(("k2", "r1"))

    def test_an_attempt_that_died_may_be_made_again_after_a_minute(self, store: Store) -> None:
        begin(store)
        assert begin(store, s=CLAIM_S - 1) == "key"
        assert begin(store, s=CLAIM_S) is None
        assert begin(store, s=CLAIM_S + 1) == "key"
        assert begin(store, s=-3600) is None  # a claim of a clock that was put back holds nobody off
        store.drop_reply("k1", "r1")
        assert begin(store, s=CLAIM_S + 2) is None

    def test_a_claim_that_is_gone_keeps_no_answer(self, store: Store) -> None:
        store.keep_reply("k1", "r1", ANSWER)
        begin(store)
        store.drop_reply("k1", "r1")
        store.keep_reply("k1", "r1", ANSWER)
        assert begin(store) is None

    def test_after_a_day_an_answer_is_gone(self, store: Store) -> None:
        begin(store)
        store.keep_reply("k1", "r1", ANSWER)
        assert begin(store, fingerprint="g", s=REPLY_KEPT_S) is None
        store.keep_reply("k1", "r1", KeptReply(status=204))
        assert begin(store, fingerprint="g", s=REPLY_KEPT_S) == KeptReply(status=204)

    def test_what_is_too_large_is_kept_as_done(self, store: Store) -> None:
        begin(store)
        store.keep_reply("k1", "r1", KeptReply(status=200, not_kept="too_large"))
        assert begin(store) == KeptReply(status=200, not_kept="too_large")

    def test_forgetting_takes_the_words_of_every_answer(self, store: Store) -> None:
        # proves: K20
        begin(store)
        store.keep_reply("k1", "r1", ANSWER)
        begin(store, "r2")
        store.keep_reply("k1", "r2", KeptReply(status=200, not_kept="too_large"))
        begin(store, "r3")  # still on its way
        forget(store)
        store.keep_reply("k1", "r3", ANSWER)
        for key, status in (("r1", 201), ("r2", 200), ("r3", 201)):
            assert begin(store, key, fingerprint="any: it went too") == KeptReply(status=status, not_kept="erased")
        # what is answered afterwards is kept again
        begin(store, "r4")
        store.keep_reply("k1", "r4", ANSWER)
        assert begin(store, "r4") == ANSWER

    def test_an_attempt_that_died_before_a_forgetting_starts_clean(self, store: Store) -> None:
        begin(store)
        forget(store)
        assert begin(store, fingerprint="g") == "key"
        assert begin(store, fingerprint="g", s=CLAIM_S) is None
        store.keep_reply("k1", "r1", ANSWER)
        assert begin(store, fingerprint="g", s=CLAIM_S) == ANSWER

    @pytest.mark.parametrize(("state", "is_gone"), [("erased", True), ("invalidated", True), ("archived", False)])
    def test_forgetting_a_fact_takes_them_too(self, store: Store, state: FactState, is_gone: bool) -> None:
        # proves: K20
        commit(store, admitted("the cellar key is blue"))
        begin(store)
        store.keep_reply("k1", "r1", ANSWER)
        version = fact(store, 1).version
        store.move_facts(SCOPE, [Move(fact_id=1, version=version, to_state=state, by="owner", reason="r")], now=NOW)
        assert begin(store) == (KeptReply(status=201, not_kept="erased") if is_gone else ANSWER)

    def test_a_forgetting_that_is_refused_takes_nothing(self, store: Store) -> None:
        begin(store)
        store.keep_reply("k1", "r1", ANSWER)
        record(store, entry("m1", "tea"))
        with pytest.raises(ConflictError):
            store.erase(ForgetTarget(scope=SCOPE, everything=True), confirm="stale", now=NOW)
        assert begin(store) == ANSWER
