"""Do facts keep their promises when processes race, stop half way or are killed?"""

import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from glossator.errors import ConflictError
from glossator.model import FACT_STATES, FactFilter
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.testing.contract.base import NOW, commit, record, texts
from glossator.testing.contract.fact_history import check_invariants
from glossator.testing.contract.facts import matched
from glossator.testing.contract.ledger import moved
from glossator.testing.drafts import SCOPE, admitted, entry

SOURCE = Path(__file__).resolve().parents[2] / "src"
FACTS, PROCESSES = 40, 4

RACER = """
import sys
from pathlib import Path
from glossator.errors import ConflictError
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.testing.contract.base import commit
from glossator.testing.drafts import admitted

store = SqliteStore(Path(sys.argv[1]), options=Options())
won = 0
for number in range(int(sys.argv[2])):
    try:
        commit(store, admitted(f"I like tea {number}"))
        won += 1
    except ConflictError:
        pass
store.close()
print(won)
"""

KILLED = """
import sys
from pathlib import Path
from dataclasses import replace
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.testing.contract.base import NOW, commit
from glossator.testing.drafts import admitted

store = SqliteStore(Path(sys.argv[1]), options=Options())
for number in range(10_000):
    rows = store.claim(["extract"], now=NOW, lease_s=60, limit=1)
    if not rows:
        break
    commit(store, replace(admitted(f"I like tea {rows[0].work_id} " + "very much " * 50), settles=rows))
    print(number, flush=True)
"""


def run(script: str, *arguments: object) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)


def test_processes_that_say_the_same_at_once_leave_one_active_fact_each(tmp_path: Path) -> None:
    # proves: A43
    path = tmp_path / "memory.db"
    processes = [run(RACER, path, FACTS) for _ in range(PROCESSES)]
    won = [int(process.communicate(timeout=120)[0]) for process in processes]
    assert sum(won) == FACTS
    store = SqliteStore(path, options=Options())
    assert sorted(texts(store, limit=1000)) == sorted(f"I like tea {number}" for number in range(FACTS))
    assert len(store.decisions(SCOPE)) == len(store.facts(SCOPE, FactFilter(states=FACT_STATES))) == FACTS
    check_invariants(store, SCOPE, {})
    store.close()


def test_threads_that_say_the_same_at_once_leave_one_active_fact(tmp_path: Path) -> None:
    # proves: A43
    store = SqliteStore(tmp_path / "memory.db", options=Options())
    gate = threading.Barrier(6)
    outcomes: list[str] = []

    def say() -> None:
        gate.wait()
        try:
            commit(store, admitted("I like tea", key="taste:tea"))
            outcomes.append("stored")
        except ConflictError:
            outcomes.append("conflict")
        assert len(matched(store, "tea").matches) == 1

    threads = [threading.Thread(target=say) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(outcomes) == ["conflict"] * 5 + ["stored"]
    assert texts(store) == ["I like tea"]
    store.close()


@pytest.mark.parametrize("acknowledged", [3, 11])
def test_kill_9_leaves_each_turn_either_waiting_or_learned_from(tmp_path: Path, acknowledged: int) -> None:
    # given a process that learns from one message after the other
    path, count = tmp_path / "memory.db", 60
    store = SqliteStore(path, options=Options())
    record(store, *(replace(entry(f"m{number}", "I like tea"), extract=True) for number in range(count)))
    store.close()
    process = run(KILLED, path)
    assert process.stdout is not None
    for _ in range(acknowledged):
        process.stdout.readline()
    # when it is killed at some moment
    process.send_signal(signal.SIGKILL)
    acknowledged += len(process.stdout.read().split())
    process.wait()
    # then what was acknowledged is there, and a turn waits exactly if no fact came of it
    store = SqliteStore(path, options=Options())
    facts = store.facts(SCOPE, FactFilter(limit=1000))
    assert len(facts) >= acknowledged
    assert len(facts) + store.pending(kinds=["extract"]) == count
    assert len(store.evidence(SCOPE, fact_ids=[fact.fact_id for fact in facts])) == len(facts)
    assert len(matched(store, "tea", candidates_max=1000).matches) == len(facts)
    findings = store.examine(model="", repair=False, now=NOW)
    assert all(finding.ok for finding in findings if finding.check != "backlog")
    # and the turn that was in hand comes back when its lease ends
    rows = store.claim(["extract"], now=NOW + timedelta(seconds=61), lease_s=60, limit=count)
    assert len(rows) == count - len(facts)
    store.close()


def test_what_another_process_commits_is_seen_at_the_next_search(tmp_path: Path) -> None:
    here, there = (SqliteStore(tmp_path / "memory.db", options=Options()) for _ in range(2))
    for number in range(3):
        commit(here, admitted(f"I like tea {number}"))
        assert len(matched(here, "tea").matches) == len(matched(there, "tea").matches) == number + 1
    old = there.facts(SCOPE, FactFilter(order="fact_id"))[0]
    moved(there, old.fact_id, "archived")
    assert [match.fact.fact_id for match in matched(here, "tea").matches] == [2, 3]
    moved(there, 2, "erased")
    assert [match.fact.fact_id for match in matched(here, "tea").matches] == [3]
    for each in (here, there):
        each.close()
