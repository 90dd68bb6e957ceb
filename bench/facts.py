"""How quick are the fact paths? Tier 1 at 10,000 facts, the pre-truncation queue, recall with and without facts.

    python bench/facts.py [--facts 10000] [--rounds 400]

Each figure stands beside a bare statement of SQLite on the same file in the same run.
"""

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from glossator import Memory, Options, Scope
from glossator.model import SELF, Admit, Draft, EventTime, Interval, Passage, Ruling, SaidTime, Turn
from glossator.retain.placing import placed

SCOPE = Scope(workspace="bench", owner="ana")
START = datetime(2026, 1, 1, tzinfo=UTC)
BATCH = 500
WINDOW = 1_000
THINGS = "tea jazz chess rain maps bread snow cats dogs boats hills songs paint stone clocks lamps roses coins".split()


def main() -> None:
    """Fill a store and time its calls."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=400)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="glossator-bench-") as folder:
        path = Path(folder) / "memory.db"
        with Memory.open(path, options=Options(embedder="hashing", worker=False)) as memory:
            memory.warm()
            fill(memory, chosen.facts)
            print(f"{chosen.facts:,} facts, {chosen.rounds} rounds, milliseconds: p50, p99")
            tier_one(memory, path, chosen.rounds)
            enqueue(memory, path, chosen.rounds)
            recall(memory, path, chosen.rounds // 4)


def fill(memory: Memory, count: int) -> None:
    """Admit facts of many keys, a second apart."""
    store = memory._store
    for first in range(0, count, BATCH):
        said = SaidTime(at=START + timedelta(seconds=first), offset_minutes=0, precision="second")
        event = EventTime(interval=Interval(start=said.at, end=said.at, precision="second"), source="session")
        texts = [
            f"Person{n} likes {THINGS[n % len(THINGS)]} and {THINGS[n * 7 % len(THINGS)]} number {n}."
            for n in range(first, min(first + BATCH, count))
        ]
        whole = "\n".join(texts)
        passage = Passage(text=whole, role="user", speaker=SELF, said=said, conversation="chat:1:root")
        turn = Turn(scope=SCOPE, passages=(passage,), source="import")
        decisions = []
        at = 0
        for text in texts:
            draft = Draft(
                text=text, category="context", kind=None, subject=text.split()[0], key="", value="", passage=0,
                start=at, end=at + len(text), event=event,
            )  # fmt: skip
            decisions.append(Admit(new=placed(draft, turn), reason="new"))
            at += len(text) + 1
        store.commit(Ruling(turn=turn, by="bench", decisions=tuple(decisions)), now=said.at)
    memory.drain()


def tier_one(memory: Memory, path: Path, rounds: int) -> None:
    """Durable facts beside the bare indexed query."""
    told("durable_facts(limit=5)", lambda: memory.durable_facts(scope=SCOPE), rounds)
    connection = sqlite3.connect(path)
    bare = (
        "SELECT * FROM memories WHERE scope_ref = (SELECT min(scope_id) FROM scopes) AND state = 'active' "
        "ORDER BY last_seen_at DESC, id DESC LIMIT 20"
    )
    column = [row[1] for row in connection.execute("PRAGMA table_info(memories)")]
    reference = next(name for name in ("scope_ref", "owner_scope", "scope_row") if name in column)
    told("  bare query", lambda: connection.execute(bare.replace("scope_ref", reference)).fetchall(), rounds)
    connection.close()


def enqueue(memory: Memory, path: Path, rounds: int) -> None:
    """The pre-truncation queue beside a bare durable insert of the same size."""
    prompt = "The weather report goes on and on about clouds. " * 100
    memory.queue.capacity = 10 * rounds
    told(
        "before_truncation, 4.8 KB", lambda: memory.before_truncation(prompt, scope=SCOPE, window_tokens=WINDOW), rounds
    )
    bare = path.with_name("bare.db")
    connection = sqlite3.connect(bare, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE queue (id INTEGER PRIMARY KEY, payload TEXT)")
    told(
        "  bare durable insert", lambda: connection.execute("INSERT INTO queue (payload) VALUES (?)", (prompt,)), rounds
    )
    connection.close()


def recall(memory: Memory, path: Path, rounds: int) -> None:
    """The same question with and without facts, over 2,000 turns."""
    for first in range(0, 2_000, 100):
        messages = [
            {
                "content": f"We spoke of {THINGS[n % len(THINGS)]} on day {n}.",
                "at": START + timedelta(hours=n),
                "role": "tool",
            }
            for n in range(first, first + 100)
        ]
        memory.record(messages, scope=SCOPE, conversation="chat:1")
    while memory._store.pending(kinds=("embed",)):
        memory._worker.step()
    question = "Who likes jazz and bread?"
    told("recall with facts", lambda: memory.recall(question, scope=SCOPE), rounds)
    with Memory.open(path, options=Options(embedder="hashing", worker=False, facts_join="off")) as plain:
        plain.warm()
        told("  recall without facts", lambda: plain.recall(question, scope=SCOPE), rounds)


def told(name: str, call: Callable[[], object], rounds: int) -> None:
    """Time a call and print its figures."""
    for _ in range(5):
        call()
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        call()
        times.append((time.perf_counter() - begun) * 1000)
    times.sort()
    print(f"{name:32} {statistics.median(times):8.3f} {times[int(len(times) * 0.99)]:8.3f}")


if __name__ == "__main__":
    main()
