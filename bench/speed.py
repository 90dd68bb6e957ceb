"""How fast is it, as ratios to bare SQLite and to the embedding itself, all taken in one run on this machine?

    python bench/speed.py record            one acknowledged turn against a bare insert and commit of the same rows
    python bench/speed.py recall [--turns]  recall against a bare FTS5 query plus one query embedding
    python bench/speed.py start             import, open, first keyword recall, each in a new process
    python bench/speed.py again             the file's size after recording the same 1,000 turns 50 times

The talk is made up: words drawn from a Zipf distribution, as many per turn as LoCoMo has. Vectors of large stores are
random (their values do not change the time); questions are embedded by the real default model.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from glossator import Memory, Options, Scope
from glossator.model import EmbeddingText, Encoded, EncodedQuestion
from glossator.providers.minilm import MiniLM
from glossator.rules.tokens import query_terms

SCOPE = Scope(workspace="bench", owner="speed")
ENDINGS = "nd rt lk st mp ck ll sh ng pt ne te ke le re me ve de".split()
WORDS = [first + middle + last for first in "bcdfghjklmnprstvw" for middle in "aeiou" for last in ENDINGS]
WEIGHTS = [1 / (rank + 5) for rank in range(len(WORDS))]
TURN_WORDS, SESSION_TURNS, PIECES = 24, 20, 13


def turn_texts(count: int, seed: int = 0) -> Iterator[str]:
    """Made-up turns."""
    draw = random.Random(seed)
    for number in range(count):
        words = draw.choices(WORDS, WEIGHTS, k=TURN_WORDS)
        yield " ".join(words).capitalize() + f" {number}."


class RandomVectors:
    """The default model for questions, random vectors and signs (13 pieces, as LoCoMo has) for everything else."""

    name = "minilm-l6-int8"
    dimension = 384

    def __init__(self) -> None:
        self.inner = MiniLM()
        self._draw = np.random.default_rng(0)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Random rows."""
        rows = self._draw.standard_normal((len(texts), self.dimension), np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)

    def encode(self, texts: Sequence[EmbeddingText]) -> Encoded:
        """Random rows and signs."""
        signs = self._draw.integers(0, 256, (len(texts), PIECES, self.dimension // 8), np.uint8)
        return Encoded(vectors=self.embed([each.text for each in texts]), signs=tuple(signs))

    def encode_question(self, text: str) -> EncodedQuestion:
        """The real model's."""
        return self.inner.encode_question(text)


def timed(call: Callable[[], object], count: int) -> list[float]:
    """Milliseconds of each of `count` calls."""
    taken = []
    for _ in range(count):
        begun = time.perf_counter()
        call()
        taken.append((time.perf_counter() - begun) * 1000)
    return taken


def spread(taken: list[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    ordered = sorted(taken)
    return {"p50": round(statistics.median(ordered), 3), "p95": round(ordered[int(len(ordered) * 0.95)], 3)}


def record() -> dict[str, object]:
    """One acknowledged turn against a bare insert and commit of the same rows, turn about."""
    with tempfile.TemporaryDirectory() as folder:
        texts = list(turn_texts(600))
        bare = sqlite3.connect(Path(folder) / "bare.db", isolation_level=None)
        bare.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE messages(id INTEGER PRIMARY KEY, who TEXT, "
            "at TEXT, content TEXT); CREATE TABLE chunks(id INTEGER PRIMARY KEY, message INTEGER, text TEXT);"
            "CREATE VIRTUAL TABLE words USING fts5(body); CREATE TABLE work(id INTEGER PRIMARY KEY, chunk INTEGER);"
        )

        def plain(text: str) -> None:
            bare.execute("BEGIN IMMEDIATE")
            row = bare.execute("INSERT INTO messages(who, at, content) VALUES ('user', 'now', ?)", (text,)).lastrowid
            bare.execute("INSERT INTO chunks(message, text) VALUES (?, ?)", (row, text))
            bare.execute("INSERT INTO words(rowid, body) VALUES (?, ?)", (row, text))
            bare.execute("INSERT INTO work(chunk) VALUES (?)", (row,))
            bare.execute("COMMIT")

        times: dict[bool, list[float]] = {}
        for behind in (False, True):
            path = Path(folder) / f"{behind}.db"
            with Memory.open(path, options=Options(embedder="none", worker=behind)) as memory:
                times[behind], theirs = [], []
                for text in texts:
                    theirs += timed(lambda text=text: plain(text), 1)  # type: ignore[misc]
                    message = [{"role": "user", "content": text}]
                    times[behind] += timed(
                        lambda memory=memory, message=message: memory.record(message, scope=SCOPE, conversation="c"),
                        1,  # type: ignore[misc]
                    )
            if not behind:
                bare_ms = theirs
        bare.close()
    alone, worked = (statistics.median(times[behind][100:]) for behind in (False, True))
    ratio = statistics.median(times[False][100:]) / statistics.median(bare_ms[100:])
    return {
        "record_ms": spread(times[False][100:]),
        "bare_ms": spread(bare_ms[100:]),
        "ratio": round(ratio, 2),
        "with_extraction_behind": round(worked / alone * ratio, 2),
        "to_reach": 3,
    }


def recall(turns: int, questions: int = 60) -> dict[str, object]:
    """Recall over `turns` turns of one owner, beside a bare FTS5 query and the embedding of the same question."""
    with tempfile.TemporaryDirectory() as folder:
        path, embedder = Path(folder) / "memory.db", RandomVectors()
        bare = sqlite3.connect(":memory:")
        bare.execute("CREATE VIRTUAL TABLE words USING fts5(body)")
        texts = list(turn_texts(turns))
        bare.executemany("INSERT INTO words(body) VALUES (?)", ((text,) for text in texts))
        begun = time.perf_counter()
        options = Options(worker=False, work_batch_count=2000, message_bytes_max=10_000)
        with Memory.open(path, options=options, embedder=embedder) as memory:
            at = {"at": "2024-01-01T00:00"}
            for first in range(0, turns, SESSION_TURNS):
                part = [
                    {"content": text, "id": str(first + place), **at}
                    for place, text in enumerate(texts[first : first + SESSION_TURNS])
                ]
                memory.record(part, scope=SCOPE, conversation="c", session=str(first))
            memory.drain()
            filled_s = time.perf_counter() - begun
            asked = list(turn_texts(questions, seed=1))
            asked = [f"When did the {' '.join(text.split()[:6])} happen?" for text in asked]
            memory.recall(asked[0], scope=SCOPE)
            return _measured(memory, bare, embedder, asked, turns) | {"filled_s": round(filled_s, 1)}


def _measured(
    memory: Memory, bare: sqlite3.Connection, embedder: RandomVectors, asked: list[str], turns: int
) -> dict[str, object]:
    ours, fts, embed = [], [], []
    statement = "SELECT rowid, bm25(words) FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10"
    for question in asked:
        match = " OR ".join(f'"{term}"' for term in query_terms(question))
        fts += timed(lambda match=match: bare.execute(statement, (match,)).fetchall(), 1)  # type: ignore[misc]
        embed += timed(lambda question=question: embedder.inner.embed([question]), 1)  # type: ignore[misc]
        ours += timed(lambda question=question: memory.recall(question, scope=SCOPE), 1)  # type: ignore[misc]
    outside = statistics.median(ours) - statistics.median(embed)
    return {
        "turns": turns,
        "recall_ms": spread(ours),
        "fts5_ms": spread(fts),
        "embedding_ms": spread(embed),
        "outside_embedding_ms": round(outside, 2),
        "ratio": round(statistics.median(ours) / (statistics.median(fts) + statistics.median(embed)), 2),
        "rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def start() -> dict[str, object]:
    """Import, and open with a first keyword recall, each in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with Memory.open(path, options=Options(embedder="none")) as memory:
            for place, text in enumerate(turn_texts(1000)):
                memory.record([{"content": text, "id": str(place)}], scope=SCOPE, conversation="c")
        imported = "import time; t=time.perf_counter(); import glossator; print((time.perf_counter()-t)*1000)"
        opened = (
            "import time; t=time.perf_counter(); from glossator import Memory, Scope\n"
            f"m = Memory.open({str(path)!r}); s = Scope(workspace='bench', owner='speed')\n"
            "assert m.recall('band', scope=s).hits is not None; print((time.perf_counter()-t)*1000); m.close()"
        )
        return {
            "import_ms": _processes(imported),
            "import_to_reach": 150,
            "open_and_first_recall_ms": _processes(opened),
            "open_to_reach": 500,
        }


def _processes(code: str, count: int = 7) -> dict[str, float]:
    return spread(
        [
            float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
            for _ in range(count)
        ]
    )


def again() -> dict[str, object]:
    """File size after the first and after the fiftieth recording of the same 1,000 turns."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        sizes = []
        messages = [{"content": text, "id": str(place)} for place, text in enumerate(turn_texts(1000))]
        with Memory.open(path, options=Options(embedder="none")) as memory:
            for _ in range(50):
                memory.record(messages, scope=SCOPE, conversation="c")
                memory.drain()  # of the first time: what is done behind it is written once, too
                sizes.append(memory.status().file_bytes)
    return {"first_bytes": sizes[0], "last_bytes": sizes[-1], "flat": sizes[-1] <= sizes[0] * 1.05}


def main() -> None:
    """Run what was named and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "recall", "start", "again"])
    parser.add_argument("--turns", type=int, default=6000)
    chosen = parser.parse_args()
    found = (
        recall(chosen.turns)
        if chosen.what == "recall"
        else {"record": record, "start": start, "again": again}[chosen.what]()
    )
    print(json.dumps({"what": chosen.what, **found}, indent=1))


if __name__ == "__main__":
    main()
