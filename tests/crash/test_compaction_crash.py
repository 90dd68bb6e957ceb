"""The store fails at every call of a compaction in turn, or the process is killed: the history is old or new."""

import signal
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest
from tests.conftest import ANA

from glossator import Options, StoreError
from glossator.facade import Memory
from glossator.model import CompactionResult, Message, PromptWindow
from glossator.ports import Store
from glossator.stores.memory import MemoryStore
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds
from glossator.testing.scripted import ScriptedModel

OPTIONS = Options(worker=False, embedder="none")
WHERE: dict[str, Any] = {"scope": ANA, "conversation": "telegram:42"}
SUMMARY = "Ana plans her move to Bergen in May. Two firms were asked, and one quotation is still open."
SAID = [
    {
        "role": ("user", "assistant")[number % 2],
        "content": f"Item {number}. " + "We spoke of boxes. " * 20,
        "id": f"m{number}",
    }
    for number in range(40)
]


def memory_over(store: Store | FaultyStore) -> Memory:
    return Memory(
        store,  # type: ignore[arg-type]
        clock=FakeClock(), ids=CountingIds(), options=OPTIONS, embedder=None,
        language_model=ScriptedModel([SUMMARY] * 9), draw=lambda: 0.5, monotonic_s=lambda: 0.0,
    )  # fmt: skip


def opened(kind: str, path: Path) -> Store:
    return MemoryStore() if kind == "memory" else SqliteStore(path, options=OPTIONS)


def seen(store: Store) -> tuple[PromptWindow, tuple[Message, ...]]:
    memory = memory_over(store)
    return memory.window(**WHERE), memory.messages(scope=ANA)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize("verb", ["preflight", "clear"])
def test_a_failure_at_any_call_leaves_the_old_history_or_the_new_one_and_never_part(
    tmp_path: Path, kind: str, verb: str, when: Literal["before", "after"]
) -> None:
    # proves: D16b, D21
    def ask(memory: Memory) -> CompactionResult | int:
        return memory.preflight(**WHERE) if verb == "preflight" else memory.clear_window(**WHERE)

    failed_in = []
    for fail_at in count(1):
        store = opened(kind, tmp_path / f"{fail_at}.db")
        memory = memory_over(store)
        memory.record(SAID, **WHERE)
        memory.measured(**WHERE, prompt_tokens=7_900, window_tokens=6_000)
        old = seen(store)
        faulty = FaultyStore(store, fail_at=fail_at, when=when)
        raised = False
        try:
            ask(memory_over(faulty))
        except StoreError:
            raised = True
        window, messages = seen(store)
        is_new = (
            window.checkpoint == SUMMARY and 0 < len(window.message_ids) < 40
            if verb == "preflight"
            else not window.messages
        )
        assert is_new or (window, messages) == old, f"call {fail_at} failed {when} its effect"
        assert [(each.message_id, each.content) for each in messages[:40]] == [
            (each.message_id, each.content) for each in old[1]
        ]
        assert sum(each.kind == "checkpoint_summary" for each in messages) == int(is_new and verb == "preflight")
        ask(memory_over(store))
        window, _ = seen(store)
        assert (window.checkpoint == SUMMARY) if verb == "preflight" else not window.messages
        store.close()
        if faulty.failed_in is None:
            break
        failed_in.append(faulty.failed_in)
        assert raised == (faulty.failed_in != "commit_revision"), "a revision that is not kept blocks nothing"
    expected = ["window_record", "window", "replace_window", "commit_revision"] if verb == "preflight" else []
    assert set(expected or ["window", "replace_window"]) == set(failed_in)


def test_a_revision_that_is_not_kept_is_told_and_counted(tmp_path: Path) -> None:
    store = opened("sqlite", tmp_path / "memory.db")
    memory = memory_over(FaultyStore(store, fail_at=6))
    memory.record(SAID, **WHERE)
    memory.measured(**WHERE, prompt_tokens=7_900, window_tokens=6_000)
    result = memory.preflight(**WHERE)
    assert result.compacted
    assert "revision was not kept" in result.detail
    assert memory.metrics()['glossator_compactions_total{reason="revision_not_kept"}'] == 1
    store.close()


SCRIPT = """
import sys
from pathlib import Path
from tests.crash.test_compaction_crash import OPTIONS, WHERE, memory_over
from glossator.stores.sqlite import SqliteStore
from glossator.stores.sqlite import windows
import os, signal

path, place = Path(sys.argv[1]), sys.argv[2]
store = SqliteStore(path, options=OPTIONS)
real = getattr(windows, place)

def killed(*arguments):
    real(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(windows, place, killed)
memory_over(store).preflight(**WHERE)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
@pytest.mark.parametrize("place", ["_leave", "_log"])
def test_a_kill_inside_the_change_leaves_the_old_history(tmp_path: Path, place: str) -> None:
    # proves: D21
    path = tmp_path / "memory.db"
    store = opened("sqlite", path)
    memory = memory_over(store)
    memory.record(SAID, **WHERE)
    memory.measured(**WHERE, prompt_tokens=7_900, window_tokens=6_000)
    old = seen(store)
    store.close()
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(path), place], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    store = opened("sqlite", path)
    assert seen(store) == old
    assert memory_over(store).preflight(**WHERE).compacted
    assert all(finding.ok for finding in store.examine(model="", repair=False, now=FakeClock().now()))
    store.close()
