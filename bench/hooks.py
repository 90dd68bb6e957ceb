"""How long does a hook of a coding agent take, with the interpreter's start? `python bench/hooks.py` on an idle machine

Each event is run as a process of its own, on a memory with a thousand messages. Wall time and time of the processor,
in milliseconds; the first three runs of each are not counted.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from glossator import Memory, Options, Scope
from glossator.surfaces.hooks.event import EVENT_KINDS

MESSAGES = 1_000
WARM_UP = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=31)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "memory.db"
        fill(db)
        print(f"{'event':20} {'wall p50':>9} {'wall p95':>9} {'cpu p50':>9}")
        for kind in EVENT_KINDS:
            timed = [once(kind, db) for _ in range(WARM_UP + runs)][WARM_UP:]
            walls, cpus = sorted(each[0] for each in timed), sorted(each[1] for each in timed)
            median, late = len(walls) // 2, int(len(walls) * 0.95)
            print(f"{kind:20} {walls[median]:9.0f} {walls[late]:9.0f} {cpus[median]:9.0f}")


def fill(db: Path) -> None:
    with Memory.open(db, options=Options(embedder="none", worker=False)) as memory:
        talk = [
            {"role": "assistant" if at % 2 else "user", "content": f"Module {at} parses the invoices of customer {at}."}
            for at in range(MESSAGES)
        ]
        memory.record(talk, scope=Scope(workspace="default"), conversation="claude-code:old")


def once(kind: str, db: Path) -> tuple[float, float]:
    """Milliseconds of one hook: wall, processor."""
    event = {"session_id": "new", "cwd": "/home/ana/shop", "prompt": "Which module parses the invoices of customer 17?"}
    event |= {"last_assistant_message": "Module 17.", "tool_name": "Bash", "tool_response": "ok"}
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "glossator.surfaces.start", "hook", kind],
        input=json.dumps(event).encode(),
        env={**os.environ, "GLOSSATOR_DB": str(db)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall * 1_000, cpu * 1_000


if __name__ == "__main__":
    main()
