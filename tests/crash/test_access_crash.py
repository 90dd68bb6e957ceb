"""A key opens or it does not, an answer is there or not: when the store fails, and when a process is killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest
from tests.conftest import NOW

from glossator import Options, StoreError, UsageError
from glossator.facade import Memory
from glossator.model import KeptReply
from glossator.model.access import CLAIM_S
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds

SOURCE = Path(__file__).resolve().parents[2] / "src"
OPTIONS = Options(worker=False, embedder="none")
STEPS: tuple[Callable[[Memory], object], ...] = (
    lambda memory: memory.add_key("web", workspace="acme"),
    lambda memory: memory.rotate_key("k1", grace_s=60),
    lambda memory: memory.key_of("gl_s1"),
    lambda memory: memory.begin_reply("k1", "r1", "f"),
    lambda memory: memory.keep_reply("k1", "r1", status=201, body="{}", headers={}),
    lambda memory: memory.revoke_key("k1"),
)
KILLED = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from glossator.model import ApiKey, KeptReply
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore

now = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
store = SqliteStore(Path(sys.argv[1]), options=Options())
for number in range(100_000):
    secret = number.to_bytes(32, "big")
    key = ApiKey(key_id="", name=f"n{number}", workspace="acme", created_at=now)
    store.add_key(key, secret)
    store.begin_reply("k1", f"r{number}", "f", now=now)
    store.keep_reply("k1", f"r{number}", KeptReply(status=200, body="x" * 5000))
    print(number, flush=True)
"""


def memory_over(store: SqliteStore | FaultyStore) -> Memory:
    return Memory(
        store,
        clock=FakeClock(NOW), ids=CountingIds(), options=OPTIONS, embedder=None, secrets=CountingIds("s"),
        draw=lambda: 0.0, monotonic_s=lambda: 0.0,
    )  # fmt: skip


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("fail_at", range(1, len(STEPS) + 1))
def test_what_fails_may_be_done_again(tmp_path: Path, fail_at: int, when: Literal["before", "after"]) -> None:
    # given a store that fails once, and a caller who tries again
    store = FaultyStore(SqliteStore(tmp_path / "memory.db", options=OPTIONS), fail_at=fail_at, when=when)
    memory = memory_over(store)
    for step in STEPS:
        try:
            step(memory)
        except StoreError:
            try:
                step(memory)
            except UsageError:  # it was done the first time: the name is taken, the claim is held
                assert when == "after"
    memory.close()
    # then there is one key, which opens nothing any more, and one answer
    memory = memory_over(SqliteStore(tmp_path / "memory.db", options=OPTIONS))
    (key,) = memory.keys()
    assert (key.key_id, key.revoked_at) == ("k1", NOW)
    assert [memory.key_of(f"gl_s{number}") for number in range(1, 5)] == [None] * 4
    assert memory.begin_reply("k1", "r1", "f") == KeptReply(status=201, body="{}")
    memory.close()


def test_kill_9_leaves_no_key_without_its_secret_and_no_half_answer(tmp_path: Path) -> None:
    # given a process that makes keys and answers requests, and is killed at some moment
    path = tmp_path / "memory.db"
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(SOURCE)}
    )
    assert process.stdout is not None
    for _ in range(20):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split()
    process.wait()
    acknowledged = int(rest[-1]) + 1 if rest else 20
    # then every key opens with its secret, and every request that was answered is answered the same
    store = SqliteStore(path, options=OPTIONS)
    keys = store.keys()
    assert len(keys) >= acknowledged
    for number, key in enumerate(keys):
        opened = store.key_of(number.to_bytes(32, "big"), now=NOW)
        assert opened is not None
        assert opened.key_id == key.key_id
    answers = [store.begin_reply("k1", f"r{number}", "f", now=NOW) for number in range(acknowledged)]
    assert answers == [KeptReply(status=200, body="x" * 5000)] * acknowledged
    # and the one that was not may be made again after a minute
    later = NOW + timedelta(seconds=CLAIM_S)
    assert store.begin_reply("k1", f"r{len(keys)}", "f", now=later) is None
    store.close()
