"""What happens where the disk is full? On a small file system of its own, where this machine lets us have one."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conftest import ANA

from glossator import Memory, Options, StoreFullError
from glossator.stores.sqlite import SqliteStore, store
from glossator.stores.sqlite.migrate import Migration, shipped_migrations

OPERATOR_OPTIONS = {"embedder": "hashing", "worker": False, "work_lease_s": 0.0}
PAGE = 4096


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """An empty file system of 3 MB."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(tmp_path)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield tmp_path
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=False)


def filled(disk: Path, *, pages: int) -> None:
    """Leave only so many pages free."""
    ballast = disk / "ballast"
    ballast.unlink(missing_ok=True)
    state = os.statvfs(disk)
    ballast.write_bytes(b"x" * (max(state.f_bavail - pages, 0) * state.f_frsize))


def opened(disk: Path) -> Memory:
    options = Options(prompt_folder=str(disk / "prompts"), **OPERATOR_OPTIONS)  # type: ignore[arg-type]
    return Memory.open(disk / "memory.db", options=options)


@pytest.mark.parametrize("pages", [0, 4, 12, 40])
def test_a_full_disk_is_told_and_everything_goes_on_when_there_is_room(disk: Path, pages: int) -> None:
    memory = opened(disk)
    memory.remember("I live in Paris.", scope=ANA, category="identity")
    kept = ["first"]
    memory.record([{"content": "I like tea.", "id": "first"}], scope=ANA, conversation="telegram:1")
    filled(disk, pages=pages)
    # when each verb that writes is asked until it finds no room
    for number in range(100):
        try:
            memory.record(
                [{"content": f"Tea {number}. {'x ' * 800}", "id": f"m{number}"}], scope=ANA, conversation="telegram:1"
            )
        except StoreFullError:
            break
        kept.append(f"m{number}")
    else:
        raise AssertionError("it never became full")
    for call in writing_calls(memory, disk):
        try:
            call()
        except StoreFullError:
            continue  # and nothing else, for a small write may still find room
    run = memory.run(scope=ANA, conversation="telegram:1")
    assert "StoreFullError" in run.record([{"content": "x " * 60_000}]).failure
    assert {each.external_id for each in memory.messages(scope=ANA)} == set(kept)  # reading goes on
    assert not list(disk.glob(".copy*"))
    assert not (disk / "copy").exists()
    # then there is room again: nothing is lost, nothing is half, and the files follow
    (disk / "ballast").unlink()
    memory.record([{"content": "After.", "id": "after"}], scope=ANA, conversation="telegram:1")
    memory.drain(30)
    memory.backup(disk / "copy")
    assert {each.external_id for each in memory.messages(scope=ANA)} == {*kept, "after"}
    assert all(finding.ok for finding in memory.doctor())
    files, loaded = memory.prompt_files(scope=ANA), memory.load_prompt_files(scope=ANA)
    assert (files.user_md, files.memory_md) == (loaded.user_md, loaded.memory_md)
    memory.close()


def writing_calls(memory: Memory, disk: Path) -> tuple[Callable[[], object], ...]:
    return (
        lambda: memory.remember("My dog is Rex.", scope=ANA, category="identity"),
        lambda: memory.review(scope=ANA, now=True),
        lambda: memory.rebuild_prompt_files(scope=ANA),
        lambda: memory._worker.step(),
        lambda: memory.write_resource("rules", "Be kind. " * 20_000, scope=ANA),
        lambda: memory.backup(disk / "copy"),
        lambda: memory.clear_window(scope=ANA, conversation="telegram:1"),
    )


def test_a_migration_that_finds_no_room_leaves_the_old_file(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(disk) as memory:
        memory.record([{"content": "I like tea."}], scope=ANA, conversation="telegram:1")
    newest = shipped_migrations()[-1].number
    larger = Migration(
        number=newest + 1,
        name="larger",
        script=f"CREATE TABLE room AS SELECT randomblob(400000) AS taken;\nPRAGMA user_version = {newest + 1};\n",
    )
    monkeypatch.setattr(store, "shipped_migrations", lambda: (*shipped_migrations(), larger))
    before = (disk / "memory.db").read_bytes()
    for pages in (0, len(before) // PAGE + 8):  # no room for the copy that is made first, and room for it alone
        filled(disk, pages=pages)
        with pytest.raises(StoreFullError):
            SqliteStore(disk / "memory.db", options=Options())
        assert (disk / "memory.db").read_bytes() == before
    (disk / "ballast").unlink()
    monkeypatch.undo()
    with opened(disk) as memory:
        assert [each.content for each in memory.messages(scope=ANA)] == ["I like tea."]
        assert all(finding.ok for finding in memory.doctor() if finding.check != "backlog")


def test_a_new_memory_on_a_full_disk_says_so(disk: Path) -> None:
    filled(disk, pages=0)
    with pytest.raises(StoreFullError):
        opened(disk)
    (disk / "ballast").unlink()
    opened(disk).close()
