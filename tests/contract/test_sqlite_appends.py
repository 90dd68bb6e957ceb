"""Writers that wait are committed together: each is told of its own, and one that fails harms none of the others."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from glossator.errors import UsageError
from glossator.model import Batch, Recorded
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.stores.sqlite.connections import Connections
from glossator.testing.drafts import SAID, SCOPE, batch, entry

HALF_A_CHARACTER = "\ud800"
WRITERS = 6


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "memory.db", options=Options())
    yield store
    store.close()


def test_writers_that_wait_share_a_commit_and_each_is_told_of_its_own(store: SqliteStore) -> None:
    batches = [batch(entry(f"m{at}", f"Boat {at} is blue."), entry(f"n{at}", "And fast.")) for at in range(WRITERS)]
    commits: list[str] = []

    futures = at_once(store, batches, commits)

    told = [future.result() for future in futures]
    assert [[each.external_id for each in recorded] for recorded in told] == [
        [f"m{at}", f"n{at}"] for at in range(WRITERS)
    ]
    assert {each.outcome for recorded in told for each in recorded} == {"stored"}
    assert len({each.message_id for recorded in told for each in recorded}) == 2 * WRITERS
    assert len(store.messages(SCOPE)) == 2 * WRITERS
    assert len(commits) <= 2  # of whoever came first, and of all the others


def test_the_same_message_of_two_writers_is_kept_once(store: SqliteStore) -> None:
    futures = at_once(store, [batch(entry("m1", "The boat is blue."))] * WRITERS, [])

    outcomes = sorted(future.result()[0].outcome for future in futures)
    assert outcomes == ["duplicate"] * (WRITERS - 1) + ["stored"]
    assert len(store.messages(SCOPE)) == 1


def test_a_batch_that_cannot_be_written_fails_alone(store: SqliteStore) -> None:
    batches = [batch(entry(f"m{at}", f"Boat {at} is blue.")) for at in range(WRITERS)]
    batches.insert(3, batch(entry("good", "Whole."), entry("bad", HALF_A_CHARACTER, chunks=())))

    futures = at_once(store, batches, [])

    with pytest.raises(UsageError):
        futures.pop(3).result()
    assert {future.result()[0].outcome for future in futures} == {"stored"}
    assert {message.external_id for message in store.messages(SCOPE)} == {f"m{at}" for at in range(WRITERS)}


def test_what_failed_is_not_tried_again_by_the_next_writer(store: SqliteStore) -> None:
    with pytest.raises(UsageError):
        store.append(batch(entry("bad", HALF_A_CHARACTER, chunks=())), now=SAID)

    assert store.append(batch(entry("m1", "The boat is blue.")), now=SAID)[0].outcome == "stored"
    assert [message.external_id for message in store.messages(SCOPE)] == ["m1"]


def at_once(store: SqliteStore, batches: Sequence[Batch], commits: list[str]) -> list["Future[tuple[Recorded, ...]]"]:
    """All of them wait before the first is written, in this order; the commits that follow are noted."""
    connections: Connections = store._connections
    with ThreadPoolExecutor(len(batches)) as pool, connections.exclusive() as writer:
        futures = []
        for count, each in enumerate(batches, 1):
            futures.append(pool.submit(store.append, each, now=SAID))
            until(lambda count=count: len(store._appends._brought) == count)  # type: ignore[misc]
        writer.set_trace_callback(lambda statement: commits.append(statement) if statement == "COMMIT" else None)
    return futures


def until(holds: Callable[[], bool]) -> None:
    """Wait for it, at most ten seconds."""
    for _ in range(10_000):
        if holds():
            return
        threading.Event().wait(0.001)
    raise AssertionError("it never came to that")
