"""What is answered from memory is never older than the store, whichever thread or process wrote to it."""

import logging
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import ANA, NOW, Opener

from glossator import Memory, NotFoundError, Options, Scope, StoreError, UsageError, facade
from glossator.facade.caching import RECORD_ATTEMPTS
from glossator.model import WindowChange
from glossator.stores.memory import MemoryStore
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock
from glossator.testing.ids import CountingIds
from glossator.upkeep.read_through import ReadThrough


class Counted:
    """Hands every call on to a store and counts it; fails as often as it is told to, before or after its effect."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.calls: Counter[str] = Counter()
        self.failures = 0
        self.after = False
        self.error: Callable[[], Exception] = lambda: StoreError("the disk is busy")

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)

        def counted(*given: object, **named: object) -> object:
            self.calls[name] += 1
            if name == "append" and self.failures:
                self.failures -= 1
                if self.after:
                    call(*given, **named)
                raise self.error()
            return call(*given, **named)

        return counted


@pytest.fixture(params=["memory", "sqlite"])
def counted(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[facade.Memory, Counted]]:
    store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "memory.db", options=Options())
    seen = Counted(store)
    memory = facade.Memory(
        seen, clock=FakeClock(NOW), ids=CountingIds(), embedder=None,
        options=Options(worker=False, record_retry_delay_s=0.0), draw=lambda: 0.5, monotonic_s=lambda: 0.0,
    )  # fmt: skip
    yield memory, seen
    memory.close()


def say(memory: facade.Memory, *texts: str, chat: str = "chat:1", scope: Scope = ANA) -> None:
    memory.record([{"content": text} for text in texts], scope=scope, conversation=chat)


def heard(memory: facade.Memory, chat: str = "chat:1", scope: Scope = ANA, **choices: Any) -> list[str]:
    return [each.content for each in memory.conversation(scope=scope, conversation=chat, **choices)]


def test_a_conversation_is_read_once_while_nothing_changes(counted: tuple[facade.Memory, Counted]) -> None:
    # proves: F3
    memory, store = counted
    say(memory, "one", "two")
    assert [heard(memory) for _ in range(5)] == [["one", "two"]] * 5
    assert store.calls["window"] == 1
    assert store.calls["messages"] == 0


def test_what_is_recorded_is_heard_at_once(counted: tuple[facade.Memory, Counted]) -> None:
    # proves: F3
    memory, _ = counted
    for number in range(5):
        say(memory, str(number))
        assert heard(memory) == [str(each) for each in range(number + 1)]
    assert heard(memory, "chat:2") == []
    assert heard(memory, scope=Scope(workspace="acme", agent="helper", owner="ben")) == []
    assert heard(memory, limit=2) == ["3", "4"]


def test_what_is_forgotten_or_has_left_the_window_is_heard_no_more(counted: tuple[facade.Memory, Counted]) -> None:
    # proves: F3
    memory, store = counted
    say(memory, "one", "two", "three")
    first, second, _ = memory.conversation(scope=ANA, conversation="chat:1")
    target = memory.forget(scope=ANA, message_ids=[first.external_id], conversation="chat:1")
    memory.forget(scope=ANA, message_ids=[first.external_id], conversation="chat:1", confirm=target.token)
    assert heard(memory) == ["two", "three"]
    key = second.conversation.key
    change = WindowChange(
        conversation=key, last_id=store.window(ANA, key).last_id, cleared=(second.message_id,)
    )  # fmt: skip
    store.replace_window(ANA, change, now=NOW)
    assert heard(memory) == ["three"]


@pytest.mark.parametrize(("bound", "limit", "expected"), [
    (0, None, ["1", "2", "3", "4"]), (3, None, ["2", "3", "4"]), (3, 9, ["2", "3", "4"]), (3, 1, ["4"]),
])  # fmt: skip
def test_the_history_has_no_bound_by_default_and_keeps_the_newest_with_one(
    open_memory: Opener, bound: int, limit: int | None, expected: list[str]
) -> None:
    # proves: F3
    memory = open_memory(max_conversation_history=bound)
    say(memory, "1", "2", "3", "4")
    assert heard(memory, limit=limit) == expected


@pytest.mark.parametrize("wrong", [-1, 1.5, "many", None, float("inf")])
def test_a_wrong_bound_is_refused_by_name(wrong: Any) -> None:
    # proves: F3
    with pytest.raises(UsageError, match="max_conversation_history"):
        Options(max_conversation_history=wrong)
    assert Options().max_conversation_history == 0


def test_wrong_arguments_are_named(memory: Memory) -> None:
    for wrong in (0, -1, True, 1.5):
        with pytest.raises(UsageError, match="limit"):
            memory.conversation(scope=ANA, conversation="chat:1", limit=wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="conversation"):
        memory.conversation(scope=ANA, conversation="")


@pytest.mark.parametrize("after", [False, True])
def test_a_store_that_fails_twice_and_then_works_keeps_the_turn_once(
    counted: tuple[facade.Memory, Counted], after: bool
) -> None:
    # proves: F3
    memory, store = counted
    store.failures, store.after = RECORD_ATTEMPTS - 1, after
    run = memory.run(scope=ANA, conversation="chat:1")
    receipt = run.record([{"content": "one"}, {"content": "one", "at": "2026-03-01"}])
    assert (len(receipt.recorded), receipt.failure, run.failures) == (2, "", ())
    assert heard(memory) == ["one", "one"]
    assert store.calls["append"] == RECORD_ATTEMPTS
    assert memory.metrics()["glossator_record_retry_total"] == 2


def test_a_store_that_fails_three_times_is_logged_and_the_turn_goes_on(
    counted: tuple[facade.Memory, Counted], caplog: pytest.LogCaptureFixture
) -> None:
    # proves: F3, A5
    memory, store = counted
    store.failures = RECORD_ATTEMPTS
    run = memory.run(scope=ANA, conversation="chat:1")
    with caplog.at_level(logging.WARNING):
        receipt = run.record([{"content": "one"}])
    assert receipt.recorded == ()
    assert "the disk is busy" in receipt.failure
    assert store.calls["append"] == RECORD_ATTEMPTS
    assert [each.levelname for each in caplog.records] == ["WARNING", "WARNING", "ERROR"]
    assert memory.metrics()['glossator_hook_failure_total{hook="record"}'] == 1
    assert run.record([{"content": "two"}]).failure == ""
    assert heard(memory) == ["two"]


def test_only_a_failing_store_is_tried_again(counted: tuple[facade.Memory, Counted]) -> None:
    # proves: F3
    memory, store = counted
    run = memory.run(scope=ANA, conversation="chat:1")
    store.failures, store.error = 1, lambda: RuntimeError("a bug")
    assert run.record([{"content": "one"}]).failure
    assert store.calls["append"] == 1
    with pytest.raises(UsageError, match="messages"):
        run.record("one")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"messages\[0\]"):
        run.record(["one"])  # type: ignore[list-item]


def test_the_second_read_of_a_fact_asks_for_no_row(counted: tuple[facade.Memory, Counted]) -> None:
    # proves: F4
    memory, store = counted
    kept = memory.remember("I like tea.", scope=ANA).fact
    assert kept is not None
    assert memory.fact(kept.id, scope=ANA) == kept
    store.calls.clear()
    assert [memory.fact(number, scope=ANA) for number in (kept.id, kept.fact_id, str(kept.fact_id))] == [kept] * 3
    assert dict(store.calls) == {"scope_mark": 3}


def test_every_change_to_a_fact_is_seen_by_the_next_read(counted: tuple[facade.Memory, Counted]) -> None:
    # proves: F4
    memory, _ = counted
    kept = memory.remember("I live in Paris.", scope=ANA).fact
    assert kept is not None
    assert memory.fact(kept.id, scope=ANA).state == "active"
    memory.remember("I live in Oslo.", scope=ANA)
    assert memory.fact(kept.id, scope=ANA).state == "superseded"
    memory.remember("I like tea.", scope=ANA)
    tea = next(fact for fact in memory.facts(scope=ANA) if "tea" in fact.text)
    assert memory.fact(tea.id, scope=ANA).state == "active"
    token = memory.forget_facts(scope=ANA, fact_ids=[tea.id]).token  # type: ignore[union-attr]
    memory.forget_facts(scope=ANA, fact_ids=[tea.id], confirm=token)
    assert memory.fact(tea.id, scope=ANA).state == "invalidated"
    memory.restore_fact(tea.id, scope=replace(ANA, trust="operator"))
    assert memory.fact(tea.id, scope=ANA).state == "active"


@pytest.mark.parametrize("other", [
    Scope(workspace="acme", agent="helper", owner="ana_"),
    Scope(workspace="acme2", agent="helper", owner="ana"),
    Scope(workspace="acme", agent="helper", owner="ana", job="nightly"),
])  # fmt: skip
def test_a_kept_row_is_not_given_to_another_scope(counted: tuple[facade.Memory, Counted], other: Scope) -> None:
    # proves: I4, K22
    memory, _ = counted
    kept = memory.remember("I like tea.", scope=ANA).fact
    say(memory, "one")
    assert kept is not None
    memory.fact(kept.id, scope=ANA)
    heard(memory)
    for _ in range(2):
        with pytest.raises(NotFoundError):
            memory.fact(kept.id, scope=other)
        assert heard(memory, scope=other) == []


def test_another_process_is_heard_at_once(tmp_path: Path) -> None:
    # proves: F3, F4
    path = tmp_path / "memory.db"
    options = Options(embedder="none", worker=False)
    with Memory.open(path, options=options) as memory:
        say(memory, "one")
        kept = memory.remember("I live in Paris.", scope=ANA).fact
        assert kept is not None
        assert heard(memory) == ["one"]
        assert memory.fact(kept.id, scope=ANA).state == "active"
        script = f"""
from glossator import Memory, Options, Scope
ana = Scope(workspace="acme", agent="helper", owner="ana")
with Memory.open({str(path)!r}, options=Options(embedder="none", worker=False)) as memory:
    memory.record([{{"content": "two"}}], scope=ana, conversation="chat:1")
    memory.remember("I live in Oslo.", scope=ana)
"""
        subprocess.run([sys.executable, "-c", script], check=True, timeout=120)
        assert heard(memory) == ["one", "two"]
        assert memory.fact(kept.id, scope=ANA).state == "superseded"


def test_many_threads_hear_what_they_have_just_said(tmp_path: Path) -> None:
    # proves: F3
    with Memory.open(tmp_path / "memory.db", options=Options(embedder="none", worker=False)) as memory:
        missed: list[str] = []

        def talk(name: str) -> None:
            for number in range(8):
                text = f"{name} {number}"
                say(memory, text)
                if text not in heard(memory):
                    missed.append(text)

        threads = [threading.Thread(target=talk, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert missed == []
        assert len(heard(memory)) == 32


@settings(max_examples=200)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=30), st.integers(1, 3))
def test_nothing_kept_is_ever_older_than_its_source(steps: list[tuple[str, bool]], count_max: int) -> None:
    # proves: F4
    source = dict.fromkeys("abc", 0)
    kept: ReadThrough[str, int] = ReadThrough(count_max=count_max)
    for key, writes in steps:
        if writes:
            source[key] += 1
        assert kept.get(key, mark=lambda: str(source), load=lambda key=key: source[key]) == source[key]  # type: ignore[misc]
        assert len(kept) <= count_max


def test_a_value_read_before_a_write_ended_is_read_again() -> None:
    # proves: F4
    state = {"mark": 1, "value": "old"}
    kept: ReadThrough[str, str] = ReadThrough(count_max=1)

    def load() -> str:
        value = str(state["value"])
        state.update(mark=2, value="new")
        return value

    assert kept.get("a", mark=lambda: str(state["mark"]), load=load) == "old"
    assert kept.get("a", mark=lambda: str(state["mark"]), load=lambda: str(state["value"])) == "new"
