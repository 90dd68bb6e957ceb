"""The store fails at every call in turn: what was acknowledged stays, and doing it again mends the rest."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from tests.conftest import ANA

from glossator import ConflictError, NotFoundError, Options, StoreError
from glossator.facade import Memory
from glossator.model import FACT_STATES, FactPreview
from glossator.providers.hashing import HashingEmbedder
from glossator.retain.offline import OfflineExtractor
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OPTIONS = Options(worker=False, work_batch_count=2)
FIRST = [{"content": f"tea number {number}", "id": f"a{number}", "at": "2023-05-20T10:00"} for number in range(3)]
SECOND = [{"content": "I live in Leeds and I play chess.", "id": "b0", "at": "2023-05-21T10:00"}]
THIRD = [{"content": "I live in Oslo.", "id": "c0", "at": "2023-06-21T10:00"}]

Step = Callable[[Memory], None]


def forget_one(memory: Memory) -> None:
    preview = memory.forget(scope=ANA, message_ids=["a1"])
    memory.forget(scope=ANA, message_ids=["a1"], confirm=preview.token)


def forget_a_fact(memory: Memory) -> None:
    fact = next((each for each in memory.facts(scope=ANA) if "chess" in each.text), None)
    if fact is None:
        raise NotFoundError("fact", "is gone already")
    preview = memory.forget_facts(scope=ANA, fact_ids=[fact.id])
    assert isinstance(preview, FactPreview)
    memory.forget_facts(scope=ANA, fact_ids=[fact.id], confirm=preview.token)


STEPS: tuple[Step, ...] = (
    lambda memory: memory.record(FIRST, scope=ANA, conversation="c") and None,
    lambda memory: memory.record(SECOND, scope=ANA, conversation="c") and None,
    lambda memory: memory.drain(),
    lambda memory: memory.record(THIRD, scope=ANA, conversation="c") and None,
    lambda memory: memory.before_truncation("I like jazz. " * 9, scope=ANA, window_tokens=9) and None,
    lambda memory: memory.drain(),
    forget_one,
    forget_a_fact,
)


def memory_over(store: SqliteStore | FaultyStore, clock: FakeClock) -> Memory:
    return Memory(
        store,
        clock=clock,
        ids=CountingIds(),
        options=OPTIONS,
        embedder=HashingEmbedder(),
        extractor=OfflineExtractor(),
        draw=lambda: 0.5,
        monotonic_s=lambda: clock.now().timestamp(),
    )


def dump(path: Path) -> tuple[object, ...]:
    store = SqliteStore(path, options=OPTIONS)
    memory = memory_over(store, FakeClock(NOW))
    memory.warm(30)
    messages = [(each.external_id, each.content, each.session) for each in memory.messages(scope=ANA)]
    hits = [(hit.text, round(hit.score, 5)) for hit in memory.recall("tea in Leeds", scope=ANA, now=NOW).hits]
    status = memory.status()
    facts = sorted(
        (fact.text, fact.state, fact.seen_count, fact.superseded_by is not None, len(told.evidence))
        for fact in memory.facts(scope=ANA, states=FACT_STATES)
        for told in [memory.explain(fact.id, scope=ANA)]
    )
    findings = [(each.check, each.ok) for each in memory.doctor()]
    memory.close()
    return (
        messages,
        hits,
        facts,
        (status.message_count, status.chunk_count, status.vector_count, status.pending_count),
        findings,
    )


def play(path: Path, fail_at: int, when: Literal["before", "after"]) -> bool:
    """Run the steps with one failing call, then replay all on a store that works; False once no call failed."""
    clock = FakeClock(NOW)
    faulty = FaultyStore(SqliteStore(path, options=OPTIONS), fail_at=fail_at, when=when)
    memory = memory_over(faulty, clock)
    for step in STEPS:
        try:
            step(memory)
        except StoreError:
            break
    memory.close() if faulty.failed_in != "close" else SqliteStore(path, options=OPTIONS).close()
    clock.advance(seconds=OPTIONS.work_lease_s + 1)
    again = memory_over(SqliteStore(path, options=OPTIONS), clock)
    for step in STEPS:
        try:
            step(again)
        except (NotFoundError, ConflictError):
            assert step in (forget_one, forget_a_fact)
    again.close()
    return faulty.failed_in is not None


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_failure_at_any_call_of_the_store_is_mended_by_doing_it_again(
    tmp_path: Path, when: Literal["before", "after"]
) -> None:
    play(tmp_path / "undisturbed.db", 10_000, "before")
    wanted = dump(tmp_path / "undisturbed.db")
    played = 0
    for fail_at in count(1):
        path = tmp_path / f"{fail_at}.db"
        failed = play(path, fail_at, when)
        assert dump(path) == wanted, f"call {fail_at} failed {when} its effect"
        if not failed:
            break
        played += 1
    assert played > 8


def test_what_was_acknowledged_before_a_failure_is_there(tmp_path: Path) -> None:
    store = FaultyStore(SqliteStore(tmp_path / "m.db", options=OPTIONS), fail_at=2)
    memory = memory_over(store, FakeClock(NOW))
    receipt = memory.record(FIRST, scope=ANA, conversation="c")
    with pytest.raises(StoreError):
        memory.record(SECOND, scope=ANA, conversation="c")
    kept = {each.external_id for each in memory.messages(scope=ANA)}
    assert kept == set(receipt.message_ids)
    memory.close()
