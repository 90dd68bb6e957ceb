"""Can several processes share one file?"""

import os
import subprocess
import sys
from pathlib import Path

from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.testing.contract.base import NOW, survey
from glossator.testing.drafts import SCOPE

SOURCE = Path(__file__).resolve().parents[2] / "src"
PROCESSES, WRITES = 8, 100

WRITER = """
import sys
from pathlib import Path
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.testing.contract.base import record
from glossator.testing.drafts import entry

store = SqliteStore(Path(sys.argv[1]), options=Options())
for number in range(int(sys.argv[3])):
    (recorded,) = record(store, entry(f"{sys.argv[2]}-{number}", "tea", session=sys.argv[2]))
    assert recorded.outcome == "stored"
store.close()
"""


def test_eight_processes_write_a_hundred_messages_each_while_another_reads(tmp_path: Path) -> None:
    # proves: K27
    # given eight processes that all open a file which is not there yet
    path = tmp_path / "memory.db"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"}
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(number), str(WRITES)], env=environment)
        for number in range(PROCESSES)
    ]
    # when this process searches and lists until they are done
    reader = SqliteStore(path, options=Options())
    seen = [0]
    while any(process.poll() is None for process in processes):
        pool = survey(reader, "tea")
        assert len(pool.postings["tea"]) == len(pool)
        seen.append(len(pool))
    # then nobody met an error, all rows are there, and the file is whole
    assert [process.returncode for process in processes] == [0] * PROCESSES
    assert seen == sorted(seen)
    assert reader.status().message_count == PROCESSES * WRITES
    assert len(reader.messages(SCOPE, limit=10_000)) == PROCESSES * WRITES
    assert len(survey(reader, "tea")) == PROCESSES * WRITES
    findings = reader.examine(model="", repair=False, now=NOW)
    assert all(finding.ok for finding in findings if finding.check != "backlog")
    reader.close()
