"""Does a key open what it is for, until it ends, and is a request that comes twice done once?"""

import sqlite3
import threading
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import ANA, NOW, Opener

from glossator import ConflictError, Memory, NotFoundError, Options, UsageError
from glossator.facade import Memory as Bare
from glossator.model import ApiKey, ForgetPreview, KeptReply
from glossator.model.access import CLAIM_S, REPLY_BYTES_MAX, REPLY_KEPT_S
from glossator.providers.random_secrets import RandomSecrets
from glossator.stores.memory import MemoryStore
from glossator.testing.clock import FakeClock
from glossator.testing.ids import CountingIds

CHAT = "telegram:42"
WORDS = "the cellar key is blue"


def files_of(folder: Path) -> bytes:
    """All that lies on the disk."""
    return b"".join(each.read_bytes() for each in sorted(folder.iterdir()) if each.is_file())


def keep(memory: Bare, key: str = "r1", *, body: str = "{}", caller: str = "k1") -> None:
    memory.keep_reply(caller, key, status=200, body=body, headers={"ETag": '"1"'})


# Keys


def test_a_key_comes_with_its_secret_once_and_opens_what_it_is_for(memory: Memory, clock: FakeClock) -> None:
    new = memory.add_key(
        " the  web ", workspace="acme", agent="helper", owner="ana", trust="guest", tier="INTERN",
        expires_at="2026-12-01T00:00:00+00:00",
    )  # fmt: skip
    assert new.key == ApiKey(
        key_id="k1", name="the web", workspace="acme", agent="helper", owner="ana", trust="guest", tier="INTERN",
        created_at=NOW, expires_at=NOW + timedelta(hours=12),
    )  # fmt: skip
    assert new.secret.startswith("gl_")
    assert len(new.secret) == 3 + 43
    assert memory.key_of(new.secret) == new.key
    assert memory.keys() == memory.keys(workspace="acme") == (replace(new.key, last_used_at=NOW),)
    assert memory.keys(workspace="other") == ()
    clock.advance(seconds=12 * 3600)
    assert memory.key_of(new.secret) is None


def test_no_secret_lies_in_the_file_or_its_copy(open_memory: Opener, tmp_path: Path) -> None:
    memory = open_memory()
    secrets = [memory.add_key("web", workspace="acme").secret, memory.rotate_key("k1", grace_s=60).secret]
    for secret in secrets:
        assert memory.key_of(secret) is not None
    memory.backup(tmp_path / "copy.db")
    everything = files_of(tmp_path)
    for secret in secrets:
        assert secret.encode() not in everything
        assert secret[3:].encode() not in everything
        assert sha256(secret.encode()).digest() in everything  # in the copy too: it is one to keep as the file is


def test_two_secrets_are_never_the_same() -> None:
    secrets = {RandomSecrets().new() for _ in range(1000)}
    assert len(secrets) == 1000
    assert {len(each) for each in secrets} == {43}


def test_rotation_takes_the_old_secret_after_its_grace(memory: Memory, clock: FakeClock) -> None:
    old = memory.add_key("web", workspace="acme")
    new = memory.rotate_key("K1", grace_s=60)
    assert new.key.key_id == old.key.key_id
    assert new.secret != old.secret
    assert memory.key_of(old.secret) is not None
    clock.advance(seconds=60)
    assert memory.key_of(old.secret) is None
    assert memory.key_of(new.secret) is not None
    newest = memory.rotate_key("1")
    assert memory.key_of(new.secret) is None
    assert memory.key_of(newest.secret) is not None


def test_revoking_ends_a_key_at_once_in_every_process(open_memory: Opener) -> None:
    memory, other = open_memory(), open_memory()
    new = memory.add_key("web", workspace="acme")
    assert other.key_of(new.secret) is not None
    revoked = memory.revoke_key("k1")
    assert revoked.revoked_at == NOW
    assert other.key_of(new.secret) is memory.key_of(new.secret) is None
    assert memory.revoke_key("k1") == revoked
    with pytest.raises(ConflictError, match="revoked"):
        memory.rotate_key("k1")


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "a\x1b[2J"}, "name"),
        ({"workspace": "w" * 201}, "workspace"),
        ({"owner": "o" * 201}, "owner"),
        ({"agent": "a" * 201}, "agent"),
        ({"trust": "boss"}, "trust"),
        ({"tier": "BOSS"}, "tier"),
        ({"expires_at": "2026-11-30T12:00:00+00:00"}, "expires_at"),
    ],
)
def test_a_wrong_key_is_refused_by_its_part(memory: Memory, arguments: dict[str, str], argument: str) -> None:
    given = {"name": "web", "workspace": "acme", **arguments}
    with pytest.raises(UsageError) as refused:
        memory.add_key(given.pop("name"), **given)  # type: ignore[arg-type]
    assert refused.value.argument == argument
    assert memory.keys() == ()


def test_what_is_no_key_opens_nothing(memory: Memory) -> None:
    new = memory.add_key("web", workspace="acme")
    wrong = ("", "gl_", new.secret[:-1], new.secret + " ", new.secret.upper(), "sk_" + new.secret[3:], "gl_\ud800")
    assert [memory.key_of(each) for each in wrong] == [None] * len(wrong)
    with pytest.raises(NotFoundError, match="k2"):
        memory.revoke_key("k2")
    for no_id in ("web", "k0", "f1", "k-1", "k1 OR 1=1"):
        with pytest.raises(UsageError, match="key_id"):
            memory.rotate_key(no_id)
    for grace_s in (-1, 30 * 86_400 + 1):
        with pytest.raises(UsageError, match="grace_s"):
            memory.rotate_key("k1", grace_s=grace_s)


@settings(max_examples=30, deadline=None)
@given(st.text())
def test_any_text_is_just_a_wrong_secret(text: str) -> None:
    memory = Bare(
        MemoryStore(), clock=FakeClock(NOW), ids=CountingIds(), options=Options(worker=False), embedder=None,
        secrets=CountingIds("secret-"), draw=lambda: 0.0, monotonic_s=lambda: 0.0,
    )  # fmt: skip
    assert memory.add_key("web", workspace="acme").secret == "gl_secret-1"
    assert (memory.key_of(text) is None) or text == "gl_secret-1"


def test_a_memory_without_a_source_of_secrets_makes_no_key() -> None:
    memory = Bare(
        MemoryStore(), clock=FakeClock(NOW), ids=CountingIds(), options=Options(worker=False), embedder=None,
        draw=lambda: 0.0, monotonic_s=lambda: 0.0,
    )  # fmt: skip
    with pytest.raises(UsageError, match="secrets"):
        memory.add_key("web", workspace="acme")


def test_a_key_opens_at_once_while_somebody_writes(memory: Memory, tmp_path: Path) -> None:
    # given another process that holds the write lock
    new = memory.add_key("web", workspace="acme")
    other = sqlite3.connect(tmp_path / "memory.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    opened: list[ApiKey | None] = []
    # when a caller comes with their key
    asking = threading.Thread(target=lambda: opened.append(memory.key_of(new.secret)))
    asking.start()
    asking.join(2.0)
    other.execute("ROLLBACK")
    other.close()
    # then they are let in, and when the key was used is noted the next time
    assert opened == [new.key]
    assert memory.keys()[0].last_used_at is None
    memory.key_of(new.secret)
    assert memory.keys()[0].last_used_at == NOW


def test_forgetting_everything_leaves_the_keys(memory: Memory) -> None:
    new = memory.add_key("web", workspace="acme")
    memory.record([{"content": WORDS}], scope=ANA, conversation=CHAT)
    preview = memory.forget(scope=ANA, everything=True)
    memory.forget(scope=ANA, everything=True, confirm=preview.token)
    assert memory.key_of(new.secret) == new.key


# Replies


def test_a_request_that_comes_twice_is_answered_once(memory: Memory, clock: FakeClock) -> None:
    assert memory.begin_reply("k1", "r1", "f") is None
    with pytest.raises(ConflictError, match="key: is being answered"):
        memory.begin_reply("k1", "r1", "f")
    keep(memory, body='{"id": "m1"}')
    assert memory.begin_reply("k1", "r1", "f") == KeptReply(status=200, body='{"id": "m1"}', headers={"ETag": '"1"'})
    with pytest.raises(ConflictError, match="fingerprint"):
        memory.begin_reply("k1", "r1", "another")
    assert memory.begin_reply("k2", "r1", "f") is None
    clock.advance(seconds=REPLY_KEPT_S)
    assert memory.begin_reply("k1", "r1", "f") is None


def test_an_attempt_that_failed_or_died_may_be_made_again(memory: Memory, clock: FakeClock) -> None:
    memory.begin_reply("k1", "r1", "f")
    memory.drop_reply("k1", "r1")
    assert memory.begin_reply("k1", "r1", "f") is None
    clock.advance(seconds=CLAIM_S)
    assert memory.begin_reply("k1", "r1", "f") is None


@pytest.mark.parametrize(("size", "is_kept"), [(REPLY_BYTES_MAX - 7, True), (REPLY_BYTES_MAX, False)])
def test_a_large_answer_is_kept_as_done(memory: Memory, size: int, is_kept: bool) -> None:
    memory.begin_reply("k1", "r1", "f")
    keep(memory, body="x" * size)
    told = memory.begin_reply("k1", "r1", "f")
    assert told is not None
    assert (told.not_kept, len(told.body)) == (("", size) if is_kept else ("too_large", 0))


def test_old_answers_go_a_few_at_a_time(memory: Memory, clock: FakeClock, tmp_path: Path) -> None:
    for number in range(150):
        memory.begin_reply("k1", f"r{number}", "f")
    clock.advance(seconds=REPLY_KEPT_S)
    memory.begin_reply("k1", "new", "f")
    connection = sqlite3.connect(tmp_path / "memory.db")
    assert connection.execute("SELECT count(*) FROM replies").fetchone() == (51,)
    connection.close()
    memory.begin_reply("k1", "newer", "f")
    connection = sqlite3.connect(tmp_path / "memory.db")
    assert connection.execute("SELECT count(*) FROM replies").fetchone() == (2,)
    connection.close()


def test_forgetting_leaves_no_word_of_an_answer_in_the_file(open_memory: Opener, tmp_path: Path) -> None:
    # proves: K20
    memory = open_memory()
    memory.record([{"content": f"{WORDS}.", "id": "m1"}], scope=ANA, conversation=CHAT)
    answer = repr(memory.recall("cellar", scope=ANA).hits)
    assert WORDS in answer
    memory.begin_reply("k1", f"about-{WORDS}", "fingerprint-of-the-words")
    keep(memory, f"about-{WORDS}", body=answer)
    memory.begin_reply("k1", "r2", "f")  # an answer that is still being made while the words go
    preview = memory.forget(scope=ANA, everything=True)
    memory.begin_reply("k1", "r3", "f")
    keep(memory, "r3", body=repr(preview))
    # when it is forgotten, and the answer comes after that
    memory.forget(scope=ANA, everything=True, confirm=preview.token)
    keep(memory, "r2", body=answer)
    # then the requests count as done, and nothing of the words lies anywhere
    for key in (f"about-{WORDS}", "r2", "r3"):
        assert memory.begin_reply("k1", key, "any") == KeptReply(status=200, not_kept="erased")
    memory.close()
    everything = files_of(tmp_path)
    for trace in (WORDS, "cellar", "fingerprint-of-the-words"):
        assert trace.encode() not in everything


def test_erasing_a_fact_leaves_no_word_of_an_answer_in_the_file(open_memory: Opener, tmp_path: Path) -> None:
    # proves: K20
    memory = open_memory()
    kept = memory.remember(f"{WORDS}.", scope=ANA)
    assert kept.fact is not None
    memory.begin_reply("k1", "r1", "f")
    keep(memory, body=repr(kept))
    preview = memory.forget_facts(scope=ANA, fact_ids=[kept.fact.id], erase=True)
    memory.forget_facts(scope=ANA, fact_ids=[kept.fact.id], erase=True, confirm=preview.token)  # type: ignore[union-attr]
    assert memory.begin_reply("k1", "r1", "f") == KeptReply(status=200, not_kept="erased")
    memory.close()
    assert b"cellar" not in files_of(tmp_path)


def test_another_owners_forgetting_leaves_words_behind_in_no_answer_either(memory: Memory) -> None:
    # whose words an answer holds is not known: every forgetting takes those of all
    memory.record([{"content": WORDS}], scope=replace(ANA, owner="bob"), conversation=CHAT)
    memory.begin_reply("k1", "r1", "f")
    keep(memory)
    preview = memory.forget(scope=replace(ANA, owner="bob"), everything=True)
    assert isinstance(preview, ForgetPreview)
    assert memory.begin_reply("k1", "r1", "f") == KeptReply(status=200, body="{}", headers={"ETag": '"1"'})
    memory.forget(scope=replace(ANA, owner="bob"), everything=True, confirm=preview.token)
    assert memory.begin_reply("k1", "r1", "f") == KeptReply(status=200, not_kept="erased")


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [({"status": 99}, "status"), ({"headers": {"a": 1}}, "headers"), ({"headers": {"a": "\ud800"}}, "headers")],
)
def test_a_wrong_answer_is_refused(memory: Memory, arguments: dict[str, object], argument: str) -> None:
    given = {"status": 200, "body": "", "headers": {}, **arguments}
    with pytest.raises(UsageError) as refused:
        memory.keep_reply("k1", "r1", **given)  # type: ignore[arg-type]
    assert refused.value.argument == argument
    for caller, key, fingerprint in (("c" * 256, "r", "f"), ("c", "r" * 256, "f"), ("c", "r", "f" * 256)):
        with pytest.raises(UsageError):
            memory.begin_reply(caller, key, fingerprint)
