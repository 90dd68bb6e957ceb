"""How fast is the SQLite store? Synthetic conversations, ratios in one run; nothing here is asserted.

python bench/bench_store.py --chunks 6000 100000 [--dimension 384] [--folder DIR]
"""

import argparse
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from glossator.model import (
    EMBEDDING_KINDS,
    Ask,
    Batch,
    ChunkDraft,
    Conversation,
    Entry,
    EventTime,
    Filters,
    ForgetTarget,
    Interval,
    MessageDraft,
    SaidTime,
    Scope,
)
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SCOPE = Scope(workspace="bench")
CONVERSATION = Conversation.parse("bench:1")
VOCABULARY = 30_000
SESSION_TURNS = 20
BATCH = 1_000


def turn(number: int, words: list[str]) -> Entry:
    """One message with one chunk."""
    at = NOW + timedelta(minutes=number)
    text = " ".join(words)
    speaker = ("user", "assistant")[number % 2]
    return Entry(
        message=MessageDraft(
            external_id=f"m{number}",
            role="user",
            speaker=speaker,
            content=text,
            said=SaidTime(at=at, offset_minutes=0, precision="second"),
            session=f"s{number // SESSION_TURNS}",
        ),
        chunks=(
            ChunkDraft(
                index=0,
                start=0,
                end=len(text),
                text=text,
                terms=tuple(words),
                speaker_terms=(speaker,),
                event=EventTime(interval=Interval(start=at, end=at, precision="second"), source="session"),
                project="atlas" if number % 50 == 0 else None,
            ),
        ),
    )


def turns(count: int, generator: np.random.Generator) -> Iterator[Entry]:
    """Turns of about 18 words whose frequencies follow Zipf."""
    weights = 1 / np.arange(10, VOCABULARY + 10)
    cumulative = np.cumsum(weights / weights.sum())
    for first in range(0, count, BATCH):
        size = min(BATCH, count - first)
        lengths = generator.integers(6, 30, size)
        words = np.searchsorted(cumulative, generator.random(int(lengths.sum())))
        parts = np.split(words, np.cumsum(lengths)[:-1])
        for offset, part in enumerate(parts):
            yield turn(first + offset, [f"w{word}" for word in part])


def median_ms(call: Callable[[], object], *, repeat: int) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds."""
    taken = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        taken.append((time.perf_counter() - start) * 1e3)
    return float(np.median(taken)), float(np.percentile(taken, 95))


def rss_mb() -> float:
    """Resident memory now, in MB."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def fill(store: SqliteStore, count: int, dimension: int, generator: np.random.Generator) -> None:
    """Turns, then a vector for each."""
    start = time.perf_counter()
    batch: list[Entry] = []
    for entry in turns(count, generator):
        batch.append(entry)
        if len(batch) == BATCH:
            store.append(Batch(scope=SCOPE, conversation=CONVERSATION, entries=tuple(batch)), now=NOW)
            batch = []
    if batch:
        store.append(Batch(scope=SCOPE, conversation=CONVERSATION, entries=tuple(batch)), now=NOW)
    taken = time.perf_counter() - start
    print(f"  append in batches of {BATCH}: {count / taken:,.0f} turns/s")
    start = time.perf_counter()
    while rows := store.claim(now=NOW + timedelta(days=9999), lease_s=9, limit=4096, kinds=EMBEDDING_KINDS):
        ids = [row.chunk_ids[0] for row in rows]
        vectors = generator.standard_normal((len(ids), dimension), dtype=np.float32)
        store.put_vectors("bench", dict(zip(ids, vectors, strict=True)), texts=dict.fromkeys(ids, ""))
        store.settle(rows)
    print(f"  claim, put, settle vectors: {count / (time.perf_counter() - start):,.0f} vectors/s")


def measure_one_append(store: SqliteStore, folder: Path, count: int) -> None:
    """One acknowledged turn against bare inserts of the same rows and one commit, both flushed to disk."""
    generator = np.random.default_rng(1)
    numbers = iter(range(count, count + 10_000))

    def ours() -> None:
        words = [f"w{word}" for word in generator.integers(0, VOCABULARY, 18)]
        store.append(Batch(scope=SCOPE, conversation=CONVERSATION, entries=(turn(next(numbers), words),)), now=NOW)

    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, external TEXT UNIQUE, content TEXT)")
    bare.execute("CREATE TABLE chunks (id INTEGER PRIMARY KEY, message INTEGER, content TEXT)")
    bare.execute("CREATE VIRTUAL TABLE words USING fts5 (body)")
    bare.execute("CREATE TABLE work (id INTEGER PRIMARY KEY, chunk INTEGER)")

    def theirs() -> None:
        text = " ".join(f"w{word}" for word in generator.integers(0, VOCABULARY, 18))
        bare.execute("BEGIN IMMEDIATE")
        number = bare.execute("INSERT INTO messages (external, content) VALUES (?, ?)", (text, text)).lastrowid
        bare.execute("INSERT INTO chunks (message, content) VALUES (?, ?)", (number, text))
        bare.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (number, text))
        bare.execute("INSERT INTO work (chunk) VALUES (?)", (number,))
        bare.execute("COMMIT")

    for label in ("synchronous FULL", "synchronous NORMAL"):
        if label.endswith("NORMAL"):
            bare.execute("PRAGMA synchronous = NORMAL")
            with store._connections.exclusive() as writer:
                writer.execute("PRAGMA synchronous = NORMAL")
        bare_ms, _ = median_ms(theirs, repeat=200)
        ours_ms, ours_p95 = median_ms(ours, repeat=200)
        print(f"  one turn, {label}: {ours_ms:.2f} ms (p95 {ours_p95:.2f}), {ours_ms / bare_ms:.1f} x bare inserts")
    bare.close()


def measure_survey(store: SqliteStore, path: Path, dimension: int) -> None:
    """Searches with six terms and a vector, first and warm, against a bare FTS5 query and a bare product."""
    generator = np.random.default_rng(2)

    def ask(terms: int = 6, **filters: str) -> Ask:
        words = tuple(f"w{int(word)}" for word in np.exp(generator.uniform(2, np.log(VOCABULARY), terms)))
        vector = generator.standard_normal(dimension, dtype=np.float32)
        return Ask(scope=SCOPE, filters=Filters(**filters), terms=words, vector=vector, model="bench")  # type: ignore[arg-type]

    before = rss_mb()
    start = time.perf_counter()
    pool = store.survey(ask())
    taken_s, taken_mb = time.perf_counter() - start, rss_mb() - before
    print(f"  first survey (loads the scope): {taken_s:.2f} s, {taken_mb:,.0f} MB resident")
    repeat = 60
    cpu = time.process_time()
    warm, warm_p95 = median_ms(lambda: store.survey(ask()), repeat=repeat)
    cpu_ms = (time.process_time() - cpu) / repeat * 1e3
    words, _ = median_ms(lambda: store.survey(replace(ask(), vector=None)), repeat=repeat)
    project, _ = median_ms(lambda: store.survey(ask(project="atlas")), repeat=repeat)
    bare = sqlite3.connect(path)
    query = "SELECT rowid FROM messages_fts WHERE messages_fts MATCH ? ORDER BY rank LIMIT 100"
    fts, _ = median_ms(
        lambda: bare.execute(query, (" OR ".join(f'"1s{term}"' for term in ask().terms),)).fetchall(), repeat=repeat
    )
    bare.close()
    print(f"  survey p50 {warm:.1f} ms, p95 {warm_p95:.1f} ms ({warm / fts:.1f} x a bare FTS5 query of {fts:.1f} ms)")
    print(f"    processor time {cpu_ms:.1f} ms each (what is left of p50 on a quiet machine)")
    print(f"    words only {words:.1f} ms, in one project {project:.1f} ms, pool of {len(pool)} rows")

    number = iter(range(10_000_000, 10_010_000))

    def after_write() -> None:
        store.append(
            Batch(scope=SCOPE, conversation=CONVERSATION, entries=(turn(next(number), ["w1", "w2"]),)), now=NOW
        )
        start = time.perf_counter()
        store.survey(ask())
        taken.append((time.perf_counter() - start) * 1e3)

    taken: list[float] = []
    for _ in range(20):
        after_write()
    print(f"    right after a write {float(np.median(taken)):.1f} ms")


def measure_erase(store: SqliteStore) -> None:
    """Forgetting one message: the file is written anew."""
    target = ForgetTarget(scope=SCOPE, message_ids=("m7",))
    start = time.perf_counter()
    store.erase(target, confirm=store.preview(target).token, now=NOW)
    print(f"  erase one message: {time.perf_counter() - start:.2f} s")


def main() -> None:
    """Print the figures for each size asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--chunks", type=int, nargs="+", default=[6_000, 100_000])
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    for count in arguments.chunks:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
            path = Path(name) / "bench.db"
            store = SqliteStore(path, options=Options())
            print(f"{count:,} chunks of {arguments.dimension} dimensions")
            fill(store, count, arguments.dimension, np.random.default_rng(0))
            print(f"  file {path.stat().st_size / 1e6:,.0f} MB")
            measure_survey(store, path, arguments.dimension)
            measure_one_append(store, Path(name), count)
            measure_erase(store)
            store.close()


if __name__ == "__main__":
    main()
