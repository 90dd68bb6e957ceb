"""What does it cost that a memory is watched? record and recall: bare, with meters, with spans that go nowhere, sent.

    python bench/watch_cost.py [calls]

The four run in turn, call by call, so that whatever else the machine does meets all of them. "bare" is the verb with
its check of arguments and nothing else. Printed are medians: milliseconds on the clock and of the thread's own time.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from glossator import Memory, Options, Scope
from glossator.providers.tracing import OpenTelemetryTracer

SCOPE = Scope(workspace="w", agent="a", owner="o")
WARM = 300
"""Messages before the measuring begins."""
Timed = tuple[list[float], list[float]]


def main(calls: int) -> None:
    """Measure and print."""
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(InMemorySpanExporter()))
    tracers = {"bare": None, "meters": None, "spans, nowhere": OpenTelemetryTracer()}
    tracers["spans, sent"] = OpenTelemetryTracer(provider)
    with tempfile.TemporaryDirectory() as folder:
        memories = {
            name: Memory.open(
                Path(folder) / f"{place}.db", options=Options(embedder="hashing", worker=False), tracer=tracer
            )
            for place, (name, tracer) in enumerate(tracers.items())
        }
        for memory in memories.values():
            memory.warm(30)
            for each in range(WARM):
                record(memory, each)
            memory.drain()
        for verb, call in (("record", record), ("recall", recall)):
            took = measured(memories, call, calls)
            for name, (wall, own) in took.items():
                print(f"{verb:8} {name:16} {statistics.median(wall):7.3f} ms  own {statistics.median(own):7.3f} ms")
        for memory in memories.values():
            memory.close()


def measured(memories: dict[str, Memory], call: Callable[..., None], calls: int) -> dict[str, Timed]:
    """Milliseconds of each call of each memory, in turn."""
    took: dict[str, Timed] = {name: ([], []) for name in memories}
    for each in range(calls):
        for name, memory in memories.items():
            wall, own = time.perf_counter(), time.thread_time()
            call(memory, WARM + each, bare=name == "bare")
            took[name][0].append((time.perf_counter() - wall) * 1000)
            took[name][1].append((time.thread_time() - own) * 1000)
    return took


def record(memory: Memory, number: int, *, bare: bool = False) -> None:
    """One message."""
    message = [{"role": "user", "content": f"I live in town number {number} and like tea {number % 7}."}]
    verb = Memory.record.__wrapped__ if bare else Memory.record  # type: ignore[attr-defined]
    verb(memory, message, scope=SCOPE, conversation="x:1")


def recall(memory: Memory, number: int, *, bare: bool = False) -> None:
    """One question."""
    verb = Memory.recall.__wrapped__ if bare else Memory.recall  # type: ignore[attr-defined]
    verb(memory, f"where is town {number}?", scope=SCOPE)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
