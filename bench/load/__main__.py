"""Seed a file, put a server before it, let the clients act; then the same on a copy with the bare library; compare.

python -m bench.load --clients 50 --seconds 60 --data .../locomo5_dev.json --json figures.json
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.load.crowd import Plan
from bench.load.figures import Tally, figures_of, lost_and_doubled, table
from bench.load.talk import WORKSPACE, conversation_of, scope_of, seeds_of, talks_of

from glossator import Memory, Options
from glossator.client import Client

STARTED_WITHIN_S = 60.0
LEAD_S = 4.0
"""From the start of the clients' processes to their first deed: as long as all of them take to import and to open."""
SOURCES = Path(__file__).parents[2]


def seeded(path: Path, arguments: argparse.Namespace) -> str:
    """Every client has said something before, and all of it is embedded. The key that the server knows them by."""
    talks = talks_of(arguments.data)
    with Memory.open(path, options=Options(embedder=arguments.embedder)) as memory:
        for number in range(arguments.clients):
            messages = seeds_of(number, talks[number % len(talks)], arguments.seeded)
            if messages:
                memory.record(messages, scope=scope_of(number), conversation=conversation_of(number))
        memory.drain()
        return memory.add_key("load", workspace=WORKSPACE).secret


@contextmanager
def served(path: Path, arguments: argparse.Namespace) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A real `glossator serve` over the file, and its address."""
    environment = {**os.environ, "GLOSSATOR_DB": str(path), "GLOSSATOR_EMBEDDER": arguments.embedder}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, (SOURCES / "src", SOURCES, *sys.path)))
    command = [
        sys.executable,
        "-m",
        "glossator.surfaces.cli",
        "serve",
        "--port",
        str(arguments.port),
        "--rate",
        "1000000",
    ]
    log = path.with_suffix(".log")
    with log.open("wb") as told:
        process = subprocess.Popen(command, env=environment, stdout=told, stderr=told)
    url = f"http://127.0.0.1:{arguments.port}"
    try:
        with Client(url, retries=0) as client:
            deadline = time.monotonic() + STARTED_WITHIN_S
            while not client.ready():
                if process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"the server did not start: {log.read_text(errors='replace')}")
                time.sleep(0.1)
        yield url, process
    finally:
        process.terminate()
        process.wait(30)


def acted(plan: Plan, folder: Path, *, processes: int) -> Tally:
    """What all clients of a side met, in so many processes."""
    begin, end = plan.clients
    step = -(-(end - begin) // processes)
    plan = replace(plan, begin_at=time.time() + LEAD_S)
    side = "http" if plan.url else "library"
    running: list[tuple[subprocess.Popen[bytes], Path]] = []
    for number, first in enumerate(range(begin, end, step)):
        tally = folder / f"{side}-{number}.tally.json"
        part = replace(plan, clients=(first, min(first + step, end)), tally=str(tally))
        written = part.written(folder / f"{side}-{number}.plan.json")
        running.append((subprocess.Popen([sys.executable, "-m", "bench.load.crowd", str(written)], cwd=SOURCES), tally))
    whole = Tally()
    for process, tally in running:
        if process.wait() != 0:
            raise SystemExit(f"the clients of {side} failed with exit code {process.returncode}")
        whole.add(Tally(**json.loads(tally.read_text(encoding="utf-8"))))
    return whole


def checked(path: Path, arguments: argparse.Namespace, tally: Tally) -> dict[str, Any]:
    """What the store has of what was acknowledged, read through the library, and how much work is open."""
    with Memory.open(path, options=Options(embedder=arguments.embedder, worker=False)) as memory:
        status = memory.status()
        stored: list[tuple[str, str]] = []
        for number in range(arguments.clients):
            after_id = 0
            while page := memory.messages(scope=scope_of(number), after_id=after_id, limit=10_000):
                stored += [(message.external_id, message.content) for message in page]
                after_id = page[-1].message_id
        lost, doubled = lost_and_doubled(tally.acknowledged, stored)
    return {
        "acknowledged": len(tally.acknowledged),
        "stored": len(stored),
        "unasked": len(stored) - len(tally.acknowledged) - arguments.clients * arguments.seeded,
        "lost": lost,
        "doubled": doubled,
        "to_embed": status.pending_count,
        "failed": status.failed_count,
    }


def measured(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Both sides, one after the other, each on its own copy of the seeded file."""
    served_file, bare_file = folder / "served.db", folder / "bare.db"
    key = seeded(served_file, arguments)
    shutil.copyfile(served_file, bare_file)
    plan = Plan(
        url="", key=None, path=str(bare_file), embedder=arguments.embedder,
        data=str(arguments.data) if arguments.data else None, clients=(0, arguments.clients),
        seconds=arguments.seconds, begin_at=0.0, record_share=arguments.record_share,
        seeded_count=arguments.seeded, tally="",
    )  # fmt: skip
    with served(served_file, arguments) as (url, process):
        before_s = cpu_seconds(process.pid)
        over_http = acted(replace(plan, url=url, key=key), folder, processes=arguments.processes)
        over_http.cpu_s = cpu_seconds(process.pid) - before_s
    sides = {"http": figures_of(over_http) | checked(served_file, arguments, over_http)}
    if not arguments.only_http:
        bare = acted(plan, folder, processes=1)
        sides["library"] = figures_of(bare) | checked(bare_file, arguments, bare)
    return sides


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used, on Linux; nan elsewhere."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return math.nan
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def faults_of(sides: Mapping[str, Any]) -> list[str]:
    """What must not be: errors, lost writes, doubled or unasked messages."""
    return [
        f"{side}: {name}: {figures[name]}"
        for side, figures in sides.items()
        for name in ("errors", "strange", "lost", "doubled", "unasked", "failed")
        if figures[name]
    ]


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--processes", type=int, default=2, help="processes of the clients over HTTP")
    parser.add_argument("--record-share", type=float, default=0.3, help="the rest is recall")
    parser.add_argument("--seeded", type=int, default=100, help="messages of each client from before")
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument("--data", type=Path, help="a LoCoMo file; made-up talk without it")
    parser.add_argument("--port", type=int, default=8399)
    parser.add_argument("--only-http", action="store_true", help="leave the bare library out")
    parser.add_argument("--json", type=Path, help="write all figures here")
    return parser.parse_args()


def main() -> None:
    """Measure, print, and end with 1 where something is lost, doubled or wrong."""
    arguments = parsed()
    with tempfile.TemporaryDirectory(prefix="glossator-load-") as folder:
        sides = measured(arguments, Path(folder))
    told = {re.sub("_", " ", name): str(each) for name, each in vars(arguments).items() if name != "json"}
    sys.stdout.write(f"{told}\nload average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n\n{table(sides)}\n\n")
    for side, figures in sides.items():
        sys.stdout.write(f"{side}: {figures['acknowledged']} acknowledged, {figures['to_embed']} still to embed\n")
    if arguments.json:
        arguments.json.write_text(json.dumps({"arguments": told, "sides": sides}, indent=1), encoding="utf-8")
    faults = faults_of(sides)
    sys.stdout.write("\n".join(faults) + "\n" if faults else "no error, no lost write, no duplicate\n")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
