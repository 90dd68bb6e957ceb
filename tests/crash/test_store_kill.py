"""Is what was acknowledged still there after kill -9, and is nothing there by half?"""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.testing.contract.base import NOW, survey
from glossator.testing.drafts import SCOPE

SOURCE = Path(__file__).resolve().parents[2] / "src"
BATCH = 5

WRITER = """
import sys
from pathlib import Path
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.testing.contract.base import record
from glossator.testing.drafts import entry

store = SqliteStore(Path(sys.argv[1]), options=Options())
for number in range(100_000):
    record(store, *(entry(f"{number}-{part}", f"turn {number} tea " * 20) for part in range(int(sys.argv[2]))))
    print(number, flush=True)
"""


QUEUER = """
import sys
from pathlib import Path
from glossator.model import QueuedTurn
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.testing.contract.base import NOW
from glossator.testing.drafts import passage, turn

store = SqliteStore(Path(sys.argv[1]), options=Options())
for number in range(100_000):
    queued = QueuedTurn(kind="pre_compress", turn=turn(passage(f"span {number} " * 50), source="pre_compress"))
    assert store.push(queued, capacity=10**6, now=NOW)
    print(number, flush=True)
"""


def test_kill_9_loses_no_queued_turn(tmp_path: Path) -> None:
    # proves: O32
    path = tmp_path / "memory.db"
    process = subprocess.Popen(
        [sys.executable, "-c", QUEUER, str(path)], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(SOURCE)}
    )
    assert process.stdout is not None
    for _ in range(20):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split()
    process.wait()
    acknowledged = int(rest[-1]) + 1 if rest else 20
    store = SqliteStore(path, options=Options())
    rows = store.claim(("pre_compress",), now=NOW, lease_s=60, limit=10**6)
    assert len(rows) >= acknowledged
    assert len(store.turns(rows)) == len(rows)
    store.close()


@pytest.mark.parametrize("seed", range(3))
def test_kill_9_in_mid_append_loses_nothing_acknowledged_and_leaves_no_half_batch(tmp_path: Path, seed: int) -> None:
    # given a process that appends batches and says when each was acknowledged
    path = tmp_path / "memory.db"
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(BATCH)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    assert process.stdout is not None
    for _ in range(random.Random(seed).randrange(5, 25)):
        process.stdout.readline()
    # when it is killed at some moment
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read()
    process.wait()
    acknowledged = int(rest.split()[-1]) + 1 if rest.split() else 1
    # then every acknowledged message is there, batches are whole, and the store is in order
    store = SqliteStore(path, options=Options())
    messages = store.messages(SCOPE, limit=10**6)
    counts: dict[str, int] = {}
    for message in messages:
        number = message.external_id.partition("-")[0]
        counts[number] = counts.get(number, 0) + 1
    assert {str(number) for number in range(acknowledged)} <= set(counts)
    assert set(counts.values()) == {BATCH}
    assert len(survey(store, "tea").postings["tea"]) == len(messages) == store.pending()
    assert all(finding.ok for finding in store.examine(model="", repair=False, now=NOW) if finding.check != "backlog")
    store.close()
