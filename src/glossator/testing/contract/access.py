"""Who comes in with which secret? The contract of the port Keys, and of what it shares with Replies."""

from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.errors import ConflictError, GlossatorError, NotFoundError
from glossator.model import ApiKey, ForgetTarget, KeptReply
from glossator.model.access import LAST_USED_S
from glossator.ports import Store
from glossator.testing.contract.base import NASTY, NOW, Contract, record
from glossator.testing.contract.replies import ANSWER, begin
from glossator.testing.drafts import SCOPE, entry

WANTED = ApiKey(
    key_id="", name="web", workspace="acme", agent="helper", owner="u1", trust="guest", tier="INTERN", created_at=NOW
)


def digest(secret: str) -> bytes:
    """As a secret is kept."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def add(store: Store, said: str = "s1", name: str = "web", *, workspace: str = "acme") -> ApiKey:
    """A key that this secret opens."""
    return store.add_key(replace(WANTED, name=name, workspace=workspace), digest(said))


def opened(store: Store, secret: str, *, seconds: float = 0) -> str | None:
    """The id of the key that the secret opens, so many seconds after NOW."""
    key = store.key_of(digest(secret), now=NOW + timedelta(seconds=seconds))
    return None if key is None else key.key_id


class AccessContract(Contract):
    """The ports Keys and Replies."""

    def test_a_key_is_kept_as_it_was_asked_for(self, store: Store) -> None:
        first, second = add(store), add(store, "s2", "bot", workspace="other")
        assert first == replace(WANTED, key_id="k1")
        bare = ApiKey(key_id="", name="n", workspace="acme", created_at=NOW, expires_at=NOW + timedelta(seconds=9))
        third = store.add_key(bare, digest("s3"))
        assert third == replace(bare, key_id="k3")
        assert store.keys() == (first, second, third)
        assert store.keys(workspace="acme") == (first, third)
        assert store.keys(workspace="acm_") == ()

    def test_a_secret_opens_its_own_key_and_no_other_does(self, store: Store) -> None:
        add(store)
        add(store, "s2", "bot")
        assert (opened(store, "s1"), opened(store, "s2")) == ("k1", "k2")
        assert [opened(store, each) for each in ("", "S1", "s1 ", "s%", *NASTY)] == [None] * (4 + len(NASTY))

    def test_a_name_is_one_live_key_of_its_workspace(self, store: Store) -> None:
        add(store)
        with pytest.raises(ConflictError, match="web"):
            add(store, "s2")
        assert opened(store, "s2") is None
        add(store, "s3", workspace="other")
        store.revoke_key(1, now=NOW)
        assert add(store, "s4").key_id == "k3"

    def test_a_key_that_has_expired_opens_nothing_and_leaves_its_name(self, store: Store) -> None:
        ends = NOW + timedelta(seconds=60)
        store.add_key(replace(WANTED, expires_at=ends), digest("s1"))
        assert (opened(store, "s1", seconds=59.9), opened(store, "s1", seconds=60)) == ("k1", None)
        with pytest.raises(ConflictError, match="expired"):
            store.rotate_key(1, digest("s2"), grace_s=0, now=ends)
        store.add_key(replace(WANTED, created_at=ends), digest("s3"))
        assert opened(store, "s3", seconds=60) == "k2"

    def test_after_rotation_the_new_secret_opens_and_the_old_one_for_its_grace(self, store: Store) -> None:
        key = add(store)
        assert store.rotate_key(1, digest("s2"), grace_s=60, now=NOW) == key
        assert [opened(store, "s1", seconds=at) for at in (0, 59, 60)] == ["k1", "k1", None]
        # a second rotation never makes the first secret's time longer
        store.rotate_key(1, digest("s3"), grace_s=3600, now=NOW + timedelta(seconds=30))
        assert [opened(store, "s1", seconds=at) for at in (30, 60)] == ["k1", None]
        assert [opened(store, "s2", seconds=at) for at in (60, 3629, 3630)] == ["k1", "k1", None]
        store.rotate_key(1, digest("s4"), grace_s=0, now=NOW + timedelta(seconds=40))
        assert [opened(store, each, seconds=40) for each in ("s1", "s2", "s3", "s4")] == [None, None, None, "k1"]

    def test_revoking_is_at_once_for_all_secrets_and_final(self, store: Store) -> None:
        add(store)
        store.rotate_key(1, digest("s2"), grace_s=60, now=NOW)
        revoked = store.revoke_key(1, now=NOW)
        assert revoked.revoked_at == NOW
        assert (opened(store, "s1"), opened(store, "s2")) == (None, None)
        assert store.revoke_key(1, now=NOW + timedelta(seconds=9)) == revoked
        assert store.keys() == (revoked,)
        with pytest.raises(ConflictError, match="revoked"):
            store.rotate_key(1, digest("s3"), grace_s=0, now=NOW)

    def test_a_key_that_is_not_there_is_said_to_be_missing(self, store: Store) -> None:
        add(store)
        for number in (0, 2, -1):
            with pytest.raises(NotFoundError):
                store.revoke_key(number, now=NOW)
            with pytest.raises(NotFoundError):
                store.rotate_key(number, digest("s2"), grace_s=0, now=NOW)

    def test_when_a_key_was_used_is_told_to_the_minute(self, store: Store) -> None:
        add(store)
        for seconds in (0, 1, LAST_USED_S - 1):
            opened(store, "s1", seconds=seconds)
            assert store.keys()[0].last_used_at == NOW
        opened(store, "s1", seconds=LAST_USED_S)
        assert store.keys()[0].last_used_at == NOW + timedelta(seconds=LAST_USED_S)
        opened(store, "s1", seconds=-3600)  # by a clock that was put back
        assert store.keys()[0].last_used_at == NOW - timedelta(hours=1)

    def test_forgetting_touches_no_key(self, store: Store) -> None:
        key = add(store)
        record(store, entry("m1", "tea"))
        target = ForgetTarget(scope=SCOPE, everything=True)
        store.erase(target, confirm=store.preview(target).token, now=NOW)
        assert store.keys() == (key,)
        assert opened(store, "s1") == "k1"

    @pytest.mark.parametrize("text", [text[:300] for text in NASTY], ids=range(len(NASTY)))
    def test_any_names_and_answers_come_back_as_they_were(self, store: Store, text: str) -> None:
        key = store.add_key(replace(WANTED, name=text, workspace=text, agent=text, owner=text), digest(text))
        assert store.keys(workspace=text) == (key,)
        assert opened(store, text) == "k1"
        reply = KeptReply(status=200, body=text, headers={text: text})
        assert store.begin_reply(text, text, text, now=NOW) is None
        store.keep_reply(text, text, reply)
        assert store.begin_reply(text, text, text, now=NOW) == reply

    def test_keys_and_answers_are_there_when_the_store_is_opened_again(self, tmp_path: Path) -> None:
        if not self.durable:
            pytest.skip("keeps nothing")
        store = self.open_store(tmp_path)
        add(store)
        begin(store)
        store.keep_reply("k1", "r1", ANSWER)
        store.close()
        store = self.open_store(tmp_path)
        assert (opened(store, "s1"), begin(store)) == ("k1", ANSWER)
        store.close()

    def test_any_history_is_that_of_the_reference(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        @settings(max_examples=25, deadline=None)
        @given(st.lists(st.tuples(_acts, st.integers(1, 3), st.integers(0, 3), st.integers(0, 90)), max_size=14))
        def same(history: list[tuple[str, int, int, int]]) -> None:
            stores = (self.open_store(tmp_path_factory.mktemp("keys")), self.open_reference())
            now = NOW
            for place, (act, number, choice, seconds) in enumerate(history):
                now += timedelta(seconds=seconds)
                seen = [_played(store, act, number, choice, place, now) for store in stores]
                assert seen[0] == seen[1]
            for store in stores:
                store.close()

        same()


_acts = st.sampled_from(("add", "add", "rotate", "revoke", "open", "begin", "begin", "keep", "drop", "forget"))


def _played(store: Store, act: str, number: int, choice: int, place: int, now: datetime) -> object:
    """What one call gives or raises, and all keys afterwards."""
    caller, key = f"k{number}", f"r{choice % 2}"
    result: object = None
    try:
        if act == "add":
            ends = None if choice else now + timedelta(seconds=60)
            wanted = replace(WANTED, name=f"n{number}", created_at=now, expires_at=ends)
            result = store.add_key(wanted, digest(f"s{place}"))
        elif act == "rotate":
            result = store.rotate_key(number, digest(f"s{place}"), grace_s=choice * 30, now=now)
        elif act == "revoke":
            result = store.revoke_key(number, now=now)
        elif act == "open":
            result = [store.key_of(digest(f"s{each}"), now=now) for each in range(place)]
        elif act == "begin":
            result = store.begin_reply(caller, key, f"f{choice}", now=now)
        elif act == "keep":
            store.keep_reply(caller, key, replace(ANSWER, status=200 + place))
        elif act == "drop":
            store.drop_reply(caller, key)
        else:
            record(store, entry(f"m{place}", "tea"))
            target = ForgetTarget(scope=SCOPE, message_ids=(f"m{place}",))
            store.erase(target, confirm=store.preview(target).token, now=now)
    except GlossatorError as error:
        result = type(error).__name__, str(error)
    return result, store.keys()
