"""What may a process do with a memory that was opened before it was forked?"""

import os
import threading
from pathlib import Path

import pytest
from tests.conftest import ANA

from glossator import Memory, Options, StoreError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


def test_a_forked_process_is_told_so_and_ends_while_its_parent_goes_on(tmp_path: Path) -> None:
    # given a memory that a thread is just writing to, so that the lock is held for ever in the child
    memory = Memory.open(tmp_path / "memory.db", options=Options(embedder="none", worker=False))
    memory.record([{"content": "I live in Paris."}], scope=ANA, conversation="telegram:1")
    held, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        with memory._store._connections.writing():  # type: ignore[attr-defined]
            held.set()
            go_on.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(30)
    # when the process forks, and the child uses, closes and leaves
    child = os.fork()
    if child == 0:
        os._exit(used_in_a_child(memory))
    go_on.set()
    thread.join()
    # then the child was told at each call, and the parent's file is as it was
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    memory.record([{"content": "I like tea."}], scope=ANA, conversation="telegram:1")
    assert len(memory.messages(scope=ANA)) == 2
    assert all(finding.ok for finding in memory.doctor() if finding.check != "backlog")
    memory.close()


def used_in_a_child(memory: Memory) -> int:
    """0 where all calls said what is the matter."""
    calls = (
        lambda: memory.record([{"content": "No."}], scope=ANA, conversation="telegram:1"),
        lambda: memory.messages(scope=ANA),
        lambda: memory.drain(),
    )
    for call in calls:
        try:
            call()
        except StoreError as error:
            if "open it again after the fork" in str(error):
                continue
        return 1
    memory.close()
    return 0
