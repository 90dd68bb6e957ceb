"""A revision is there whole or not at all: when the store fails, when a process is killed, when many write at once."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from tests.conftest import ANA

from glossator import Options, StoreError
from glossator.facade import Memory
from glossator.model import Revision, text_sha256
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OPTIONS = Options(worker=False, embedder="none")
SOURCE = Path(__file__).resolve().parents[2] / "src"

STEPS: tuple[Callable[[Memory], object], ...] = (
    lambda memory: memory.write_resource("rules", "one", scope=ANA),
    lambda memory: memory.write_resource("rules", "two", scope=ANA, expected_sha256=text_sha256("one")),
    lambda memory: memory.write_resource("soul", "Ava", scope=ANA),
    lambda memory: memory.rollback_resource("rules", 1, scope=ANA),
)


def memory_over(store: SqliteStore | FaultyStore) -> Memory:
    clock = FakeClock(NOW)
    return Memory(
        store,
        clock=clock,
        ids=CountingIds(),
        options=OPTIONS,
        embedder=None,
        draw=lambda: 0.5,
        monotonic_s=lambda: clock.now().timestamp(),
    )


def kept(path: Path) -> tuple[tuple[Revision, ...], ...]:
    store = SqliteStore(path, options=OPTIONS)
    memory = memory_over(store)
    lines = tuple(memory.resource_history(kind, scope=ANA, limit=1000)[::-1] for kind in ("rules", "soul"))
    memory.close()
    return lines


def check_whole(lines: tuple[tuple[Revision, ...], ...]) -> None:
    for line in lines:
        assert [each.number for each in line] == list(range(1, len(line) + 1))
        assert [each.parent for each in line] == [None, *range(1, len(line))][: len(line)]
        assert all(each.sha256 == text_sha256(each.content) for each in line)
        assert all(each.content == line[each.target - 1].content for each in line if each.target)


@pytest.mark.parametrize("when", ["before", "after"])
def test_whichever_call_fails_doing_it_again_gives_the_same_history(
    tmp_path: Path, when: Literal["before", "after"]
) -> None:
    # proves: F55, D24
    # given the history of an undisturbed run
    undisturbed = tmp_path / "undisturbed.db"
    memory = memory_over(SqliteStore(undisturbed, options=OPTIONS))
    for step in STEPS:
        step(memory)
    memory.close()
    expected = kept(undisturbed)
    failed: list[str] = []
    for fail_at in count(1):
        # when each call of the store fails in turn, and the step is then done again as it was
        path = tmp_path / f"{fail_at}.db"
        store = FaultyStore(SqliteStore(path, options=OPTIONS), fail_at=fail_at, when=when)
        memory = memory_over(store)
        for step in STEPS:
            try:
                step(memory)
            except StoreError:
                check_whole(kept(path))
                step(memory)
        memory.close()
        # then nothing is lost, and nothing is there twice
        assert kept(path) == expected
        if store.failed_in is None:
            break
        failed.append(store.failed_in)
    assert {"commit_revision", "revision", "revisions"} <= set(failed)
    assert [each.content for each in expected[0]] == ["one", "two", "one"]


WRITER = """
import sys
from pathlib import Path
from glossator import ConflictError, Memory, Options, Scope

memory = Memory.open(Path(sys.argv[1]), options=Options(embedder="none", worker=False))
ana = Scope(workspace="acme", agent="helper", owner="ana")
refused = 0
for number in range(int(sys.argv[3])):
    while True:
        found = memory.resource_history("rules", scope=ana, limit=1)
        words = (found[0].content if found else "") + f"- {sys.argv[2]}.{number}\\n"
        try:
            memory.write_resource("rules", words, scope=ana, expected_sha256=found[0].sha256 if found else "")
        except ConflictError:
            refused += 1
            continue
        print("kept", f"{sys.argv[2]}.{number}", flush=True)
        break
memory.close()
print("refused", refused)
"""


def started(path: Path, *arguments: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", WRITER, str(path), *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_of_processes_that_edit_one_text_at_once_none_loses_an_entry(tmp_path: Path) -> None:
    # proves: D24, K27
    # given three processes that read, add a line and write what they have read with it, again when refused
    path = tmp_path / "memory.db"
    writers = [started(path, name, 10) for name in "abc"]
    outputs = [writer.communicate(timeout=60)[0] for writer in writers]
    # then all lines are in, each revision adds one to the text that its writer had read
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    rules, _ = kept(path)
    check_whole((rules,))
    expected = sorted(f"- {name}.{number}" for name in "abc" for number in range(10))
    assert sorted(rules[-1].content.splitlines()) == expected
    assert [len(each.content.splitlines()) for each in rules] == list(range(1, 31))
    assert all("refused" in output for output in outputs)


def test_a_process_that_is_killed_while_it_writes_leaves_whole_revisions(tmp_path: Path) -> None:
    # proves: F55
    path = tmp_path / "memory.db"
    writer = started(path, "a", 100_000)
    assert writer.stdout is not None
    acknowledged = [writer.stdout.readline().split()[1] for _ in range(20)]
    writer.send_signal(signal.SIGKILL)
    rest = writer.communicate(timeout=60)[0]
    acknowledged += [line.split()[1] for line in rest.splitlines() if line.startswith("kept ") and line.count(".")]
    rules, _ = kept(path)
    check_whole((rules,))
    said = rules[-1].content.splitlines()
    assert {f"- {each}" for each in acknowledged} <= set(said)
    assert len(rules) == len(said) <= len(acknowledged) + 1
