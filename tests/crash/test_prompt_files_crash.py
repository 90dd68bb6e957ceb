"""Prompt files when a process is killed, when the store fails at any call, and when two processes write them."""

import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from tests.conftest import ANA, NOW

from glossator import Memory, Options, StoreError, facade
from glossator.ports import Files, Store
from glossator.providers.files import FolderFiles
from glossator.retain.offline import OfflineExtractor
from glossator.stores.sqlite import SqliteStore
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.files import MemoryFiles
from glossator.testing.ids import CountingIds

USER = "workspace=acme/helper/owner=ana/USER.md"

KILLED = """
import sys
from glossator import Memory, Options, Scope
from glossator.ports import Files, Store
from glossator.providers.files import FolderFiles
from glossator.testing.files import Stop

ana = Scope(workspace="acme", agent="helper", owner="ana")
stop = Stop("kill")
stop.stopping = False
files = FolderFiles(sys.argv[2], before_replacing=lambda name: stop(name) if name.endswith(".md") else None)
memory = Memory.open(sys.argv[1], options=Options(embedder="none", worker=False), files=files)
memory.remember("I live in Paris.", scope=ana, category="identity", at="2026-01-01")
stop.stopping = True
memory.remember("I live in Oslo.", scope=ana, category="identity", at="2026-02-01")
print("not reached")
"""

FORGETTING = """
import sys
from glossator import Memory, Options, Scope
from glossator.providers.files import FolderFiles
from glossator.testing.files import Stop

ana = Scope(workspace="acme", agent="helper", owner="ana")
stop = Stop("kill")
stop.stopping = False
memory = Memory.open(
    sys.argv[1],
    options=Options(embedder="none", worker=False),
    files=FolderFiles(sys.argv[2], before_replacing=lambda name: stop(name) if name.endswith(".md") else None),
)
memory.remember("I live in Paris.", scope=ana, category="identity", at="2026-01-01")
preview = memory.forget_facts(scope=ana, containing="Paris", erase=True)
stop.stopping = True
memory.forget_facts(scope=ana, containing="Paris", erase=True, confirm=preview.token)
print("not reached")
"""

ADDING = """
import os, signal, sys, threading
from glossator import Memory, Options, Scope
from glossator.facade import prompt_folder

prompt_folder.SPACING_S = 60.0  # the files would follow only then
ana = Scope(workspace="acme", agent="helper", owner="ana")
options = Options(embedder="none", prompt_folder=sys.argv[2], capture_mode="off")
memory = Memory.open(sys.argv[1], options=options)
memory.remember("I live in Paris.", scope=ana, category="identity")
with memory._prompt_folder._refreshing:
    memory.remember("My dog is Rex.", scope=ana, category="identity")
    os.kill(os.getpid(), signal.SIGKILL)
"""

WRITER = """
import sys
from glossator import Memory, Options, Scope

ana = Scope(workspace="acme", agent="helper", owner="ana")
options = Options(embedder="none", worker=sys.argv[4] == "behind", prompt_folder=sys.argv[2])
with Memory.open(sys.argv[1], options=options) as memory:
    for number in range(15):
        memory.remember(f"{sys.argv[3]} was here {number}.", scope=ana, category="identity")
"""


def test_a_kill_between_the_new_text_and_its_place_leaves_the_old_file(tmp_path: Path) -> None:
    # proves: F32, I10
    database, folder = tmp_path / "memory.db", tmp_path / "prompts"
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(database), str(folder)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (killed.returncode, killed.stdout) == (-9, ""), killed.stderr
    files = FolderFiles(folder)
    old = files.read(USER)
    assert old is not None
    assert "Paris" in old
    assert "Oslo" not in old
    assert [name for name in files.names() if "/." not in name] == [USER]
    with Memory.open(database, options=Options(embedder="none", worker=False), files=files) as memory:
        memory.rebuild_prompt_files(scope=ANA)
        text = files.read(USER)
        assert text == memory.prompt_files(scope=ANA).user_md
        assert "Oslo" in text
    assert [path.name for path in (folder / USER).parent.iterdir()] == ["USER.md"]  # nothing is left of the first try


def memory_over(store: Store, files: Files | None) -> facade.Memory:
    return facade.Memory(
        store, clock=FakeClock(NOW), ids=CountingIds(), embedder=None, extractor=OfflineExtractor(), files=files,
        options=Options(embedder="none", worker=False), draw=lambda: 0.5, monotonic_s=lambda: 0.0,
    )  # fmt: skip


def tried(memory: facade.Memory) -> None:
    for _ in range(2):
        try:
            memory.remember("I live in Oslo.", scope=ANA, category="identity")
            memory.drain()
        except StoreError:
            continue


def test_what_was_forgotten_when_the_process_was_killed_is_gone_when_it_is_opened_again(tmp_path: Path) -> None:
    # proves: K20, K21, I10
    database, folder = tmp_path / "memory.db", tmp_path / "prompts"
    killed = subprocess.run(
        [sys.executable, "-c", FORGETTING, str(database), str(folder)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (killed.returncode, killed.stdout) == (-9, ""), killed.stderr
    files = FolderFiles(folder)
    assert "Paris" in (files.read(USER) or "")  # forgotten in the store, and still in the file
    with Memory.open(database, options=Options(embedder="none", worker=False, prompt_folder=str(folder))):
        assert files.read(USER) == ""
        assert files.names() == (USER,)
    assert [path.name for path in (folder / USER).parent.iterdir()] == ["USER.md"]


def test_what_was_learned_when_the_process_was_killed_is_in_the_files_when_it_is_opened_again(tmp_path: Path) -> None:
    # proves: F32
    database, folder = tmp_path / "memory.db", tmp_path / "prompts"
    killed = subprocess.run([sys.executable, "-c", ADDING, str(database), str(folder)], timeout=60, check=False)
    assert killed.returncode == -9
    files = FolderFiles(folder)
    with Memory.open(database, options=Options(embedder="none", worker=False), files=files) as memory:
        assert "Rex" in (files.read(USER) or "")
        assert files.read(USER) == memory.prompt_files(scope=ANA).user_md
    assert files.names() == (USER,)  # the note has gone


@pytest.mark.parametrize("when", ["before", "after"])
def test_wherever_the_store_fails_the_files_catch_up(tmp_path: Path, when: Literal["before", "after"]) -> None:
    # proves: I10, F32, I1
    for fail_at in count(1):
        files = MemoryFiles()
        store = SqliteStore(tmp_path / f"{when}{fail_at}.db", options=Options())
        faulty = FaultyStore(store, fail_at=fail_at, when=when)
        memory = memory_over(faulty, files)
        tried(memory)
        seen = memory_over(store, None)
        assert files.texts.get(USER) == seen.prompt_files(scope=ANA).user_md
        assert "Oslo" in files.texts[USER]
        (revision,) = seen.resource_history("user_md", scope=ANA)
        assert revision.content == files.texts[USER]
        memory.close()
        if faulty.failed_in is None:
            assert fail_at > 5
            break


@pytest.mark.parametrize("way", ["behind", "at once"])
def test_two_processes_leave_what_the_rows_say(tmp_path: Path, way: str) -> None:
    # proves: I10, D24
    database, folder = tmp_path / "memory.db", tmp_path / "prompts"
    Memory.open(database, options=Options(embedder="none", worker=False)).close()
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(database), str(folder), name, way])
        for name in ("Ana", "Ben")
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    files = FolderFiles(folder)
    with Memory.open(database, options=Options(embedder="none", worker=False), files=files) as memory:
        assert files.read(USER) == memory.prompt_files(scope=ANA).user_md
        assert memory.resource("user_md", scope=ANA).content == files.read(USER)
    assert [path.name for path in (folder / USER).parent.iterdir()] == ["USER.md"]
