"""How many messages a second can threads record, and how long does each wait?

`python bench/writers.py [THREADS] [SECONDS]`. Each thread records one message at a time, answered after its flush.
Without an embedder, facts or a worker.
"""

import sys
import tempfile
import threading
import time
from pathlib import Path

from glossator import Memory, Options, Scope


def measured(threads: int, seconds: float) -> list[float]:
    """How long each record took, in seconds, in order of length."""
    took: list[float] = []
    options = Options(embedder="none", capture_mode="off", worker=False)
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "memory.db", options=options) as memory:
        end = time.perf_counter() + seconds

        def write(number: int) -> None:
            scope = Scope(workspace="bench", owner=f"owner-{number}")
            while (began := time.perf_counter()) < end:
                memory.record([{"content": f"I keep boat {len(took)} in Bergen."}], scope=scope, conversation="c")
                took.append(time.perf_counter() - began)

        writers = [threading.Thread(target=write, args=(number,)) for number in range(threads)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
    return sorted(took)


if __name__ == "__main__":
    threads = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
    took = measured(threads, seconds)
    p50, p95 = (took[int(len(took) * share)] * 1000 for share in (0.5, 0.95))
    print(f"{threads} threads: {len(took) / seconds:.0f} messages/s, p50 {p50:.2f} ms, p95 {p95:.2f} ms")
