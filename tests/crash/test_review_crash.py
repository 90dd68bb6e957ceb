"""A review is disturbed at every call, killed half way, and run by two processes: nothing is lost or doubled."""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from tests.conftest import ANA

from glossator import Options, StoreError
from glossator.facade import Memory
from glossator.model import FACT_STATES, Prompt
from glossator.ports import Store
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds
from glossator.testing.scripted import ScriptedModel

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OPTIONS = Options(embedder="none", worker=False, capture_mode="review", review_max_messages=2)
HERE = replace(ANA, conversation="telegram:42:root")
SOURCE = Path(__file__).resolve().parents[2] / "src"
SAID = ["I live in Oslo.", "I want to run a marathon.", "I live in Bergen now.", "I ran the marathon. I like tea."]


def answer(prompt: Prompt) -> str:
    """What a model would do with these four messages: add, replace and archive by the rows that it is shown."""
    lines = [json.loads(line) for line in prompt.text.splitlines() if line.startswith(('{"message"', '{"id"'))]
    said = {line["text"] for line in lines if "text" in line}
    rows = {line["value"]: line["id"] for line in lines if "value" in line}
    operations: list[dict[str, str]] = []
    if SAID[0] in said:
        operations.append({"op": "add", "target": "user", "category": "identity", "value": "The user lives in Oslo"})
        goal = "The user wants to run a marathon"
        operations.append({"op": "add", "target": "user", "category": "goal", "value": goal})
    if SAID[2] in said:
        home = next((number for words, number in rows.items() if "lives in Oslo" in words), None)
        value = "The user lives in Bergen"
        operations.append({"op": "replace", "id": home or "f0", "value": value})
        goal = next((number for words, number in rows.items() if "marathon" in words), "f0")
        operations.append({"op": "archive", "id": goal, "reason": "ran the marathon"})
        operations.append({"op": "add", "target": "user", "category": "preference", "value": "The user likes tea"})
    return json.dumps(operations) if operations else "Nothing to save."


def memory_over(store: Store, clock: FakeClock) -> Memory:
    return Memory(
        store, clock=clock, ids=CountingIds(), options=OPTIONS, embedder=None,
        language_model=ScriptedModel([answer] * 9), draw=lambda: 0.5, monotonic_s=lambda: clock.now().timestamp(),
    )  # fmt: skip


def said_to(path: Path) -> None:
    memory = memory_over(SqliteStore(path, options=OPTIONS), FakeClock(NOW))
    memory.record([{"content": text} for text in SAID], scope=ANA, conversation="telegram:42")
    memory.close()


def dump(path: Path) -> tuple[object, ...]:
    """The rows, with evidence and audit, and where the review stands."""
    store = SqliteStore(path, options=OPTIONS)
    memory = memory_over(store, FakeClock(NOW))
    facts = sorted(
        (
            fact.text, fact.state, fact.seen_count, fact.superseded_by is not None,
            len(told.evidence), [(each.to_state, each.by) for each in told.changes],
        )
        for fact in memory.facts(scope=ANA, states=FACT_STATES)
        for told in [memory.explain(fact.id, scope=ANA)]
    )  # fmt: skip
    state = store.review_state(HERE)
    memory.close()
    assert state is not None
    return facts, state.cursor, state.status, state.failure_count, state.lease_until


def disturbed(begun: Path, path: Path, fail_at: int, when: Literal["before", "after"]) -> bool:
    """Review a copy with one failing call, then again on a store that works; False once no call failed."""
    shutil.copyfile(begun, path)
    clock = FakeClock(NOW)
    faulty = FaultyStore(SqliteStore(path, options=OPTIONS), fail_at=fail_at, when=when)
    memory = memory_over(faulty, clock)
    with suppress(StoreError):
        memory.review(scope=ANA, now=True)
    memory.close()
    cursor_is_sound(path, memory)
    clock.advance(seconds=301)
    again = memory_over(SqliteStore(path, options=OPTIONS), clock)
    again.review(scope=ANA, now=True)
    again.close()
    return faulty.failed_in is not None


def cursor_is_sound(path: Path, memory: Memory) -> None:
    """What lies behind the cursor has led to what it had to lead to."""
    facts, cursor, *_ = dump(path)
    states = {(text, state) for text, state, *_ in facts}  # type: ignore[attr-defined]
    message_id = cursor.message_id  # type: ignore[attr-defined]
    assert message_id in (0, 2, 4)
    if message_id >= 2:
        assert "The user wants to run a marathon" in {text for text, _ in states}
    if message_id == 4:
        assert ("The user lives in Bergen", "active") in states
        assert ("The user wants to run a marathon", "archived") in states
        assert ("The user likes tea", "active") in states


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_failure_at_any_call_of_a_review_is_mended_by_the_next(
    tmp_path: Path, when: Literal["before", "after"]
) -> None:
    # proves: I9, F32
    begun = tmp_path / "begun.db"
    said_to(begun)
    disturbed(begun, tmp_path / "undisturbed.db", 10_000, "before")
    wanted = dump(tmp_path / "undisturbed.db")
    assert [row[:2] for row in wanted[0]] == [  # type: ignore[attr-defined]
        ("The user likes tea", "active"),
        ("The user lives in Bergen", "active"),
        ("The user lives in Oslo", "superseded"),
        ("The user wants to run a marathon", "archived"),
    ]
    played = 0
    for fail_at in count(1):
        path = tmp_path / f"{fail_at}.db"
        failed = disturbed(begun, path, fail_at, when)
        assert dump(path) == wanted, f"call {fail_at} failed {when} its effect"
        if not failed:
            break
        played += 1
    assert played > 20


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.crash import test_review_crash as here
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock

class Dying:
    def __init__(self, store, at):
        self.store, self.left = store, at
    def __getattr__(self, name):
        def call(*args, **kwargs):
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return getattr(self.store, name)(*args, **kwargs)
        return call

store = Dying(SqliteStore(Path(sys.argv[1]), options=here.OPTIONS), int(sys.argv[2]))
here.memory_over(store, FakeClock(here.NOW)).review(scope=here.ANA, now=True)
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{SOURCE}:{SOURCE.parent}", "OPENBLAS_NUM_THREADS": "1"}


@pytest.mark.parametrize("calls", [6, 14, 22, 30])
def test_a_review_that_is_killed_is_done_by_another_once_its_lease_is_over(tmp_path: Path, calls: int) -> None:
    # proves: F26, I9
    said_to(tmp_path / "wanted.db")
    whole = memory_over(SqliteStore(tmp_path / "wanted.db", options=OPTIONS), FakeClock(NOW))
    whole.review(scope=ANA, now=True)
    whole.close()
    path = tmp_path / "memory.db"
    said_to(path)
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(path), str(calls)], env=environment(), check=False, timeout=60
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL
    clock = FakeClock(NOW)
    memory = memory_over(SqliteStore(path, options=OPTIONS), clock)
    clock.advance(seconds=299)
    held = memory.review(scope=ANA, now=True)
    assert [each.skip_reason for each in held] in (["concurrent_run"], [""])
    clock.advance(seconds=1)
    memory.review(scope=ANA, now=True)
    memory.close()
    assert dump(path) == dump(tmp_path / "wanted.db")


HOLDING = """
import sys
from pathlib import Path
from tests.crash import test_review_crash as here
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock
from glossator.testing.scripted import ScriptedModel

def held(prompt):
    print("asked", flush=True)
    sys.stdin.readline()
    return here.answer(prompt)

memory = here.memory_over(SqliteStore(Path(sys.argv[1]), options=here.OPTIONS), FakeClock(here.NOW))
memory._reviewer._model = ScriptedModel([held, here.answer])
(result,) = memory.review(scope=here.ANA, now=True)
print(result.status, result.added, flush=True)
memory.close()
"""


def test_of_two_processes_one_reviews_and_the_other_is_told_so(tmp_path: Path) -> None:
    # proves: F26
    path = tmp_path / "memory.db"
    said_to(path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(path)], env=environment(), text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "asked\n"
        memory = memory_over(SqliteStore(path, options=OPTIONS), FakeClock(NOW))
        assert [each.skip_reason for each in memory.review(scope=ANA)] == ["concurrent_run"]
        other.stdin.write("go on\n")
        other.stdin.flush()
        assert other.stdout.readline() == "ok 3\n"
        assert other.wait(30) == 0
    assert memory.review(scope=ANA, now=True) == ()
    assert len(memory.facts(scope=ANA)) == 2
    memory.close()
