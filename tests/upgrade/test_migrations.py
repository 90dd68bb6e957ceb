"""Does an old file become a new one, also when the power goes off half way?"""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from glossator import Memory, Scope
from glossator.errors import StoreTooNewError
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.stores.sqlite import migrate as migrating
from glossator.stores.sqlite.migrate import APPLICATION_ID, Migration, migrate, shipped_migrations, statements_of
from glossator.testing.contract.base import found, record
from glossator.testing.drafts import SCOPE, entry

SOURCE = Path(__file__).resolve().parents[2] / "src"

NEWEST = shipped_migrations()[-1].number
NEXT = Migration(
    number=NEWEST + 1,
    name="next",
    script=f"ALTER TABLE chunks ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';\nPRAGMA user_version = {NEWEST + 1};\n",
)
LAST = Migration(
    number=NEWEST + 2,
    name="last",
    script=(
        "CREATE TABLE moods (name TEXT);\n"
        f"INSERT INTO moods SELECT DISTINCT mood FROM chunks;\nPRAGMA user_version = {NEWEST + 2};\n"
    ),
)
KILLED = """
import os, signal, sys
from pathlib import Path
from glossator.stores.sqlite import migrate as runner
from glossator.stores.sqlite.migrate import Migration, shipped_migrations

def dying(script, original=runner.statements_of):
    for number, statement in enumerate(original(script)):
        if "moods" in script and number == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        yield statement

runner.statements_of = dying
later = tuple(Migration(number=int(n), name=name, script=script) for n, name, script in eval(sys.argv[2]))
runner.migrate(Path(sys.argv[1]), shipped_migrations() + later, busy_timeout_s=5)
"""

DIES_COPYING = """
from glossator.stores.sqlite import backup

def copying(part, path, *, replace):
    os.kill(os.getpid(), signal.SIGKILL)

backup._publish = copying
"""


def version_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(version)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file of the schema that is shipped, with a message in it."""
    path = tmp_path / "memory.db"
    store = SqliteStore(path, options=Options())
    record(store, entry("m1", "tea"))
    store.close()
    return path


def test_killed_in_the_second_of_two_migrations_a_restart_completes(old: Path) -> None:
    # proves: K35
    # given a process that dies by SIGKILL inside the second of two migrations, after the first is done
    later = repr([(each.number, each.name, each.script) for each in (NEXT, LAST)])
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    killed = subprocess.run([sys.executable, "-c", KILLED, str(old), later], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    # then the first is there, nothing of the second, and a copy from before both
    assert version_of(old) == NEXT.number
    backup = old.with_name(f"memory.db.before-{NEXT.number:04d}.backup")
    assert version_of(backup) == NEWEST
    # when it is started again
    assert migrate(old, (*shipped_migrations(), NEXT, LAST), busy_timeout_s=5) == LAST.number
    # then it is complete, nothing is lost, and the copy still opens
    connection = sqlite3.connect(old)
    assert connection.execute("SELECT name FROM moods").fetchall() == [("calm",)]
    assert connection.execute("SELECT content FROM messages").fetchall() == [("tea",)]
    connection.close()
    assert version_of(old.with_name(f"memory.db.before-{LAST.number:04d}.backup")) == NEXT.number
    store = SqliteStore(backup, options=Options())
    assert found(store, "tea") == ["m1"]
    store.close()


def test_killed_while_the_copy_is_made_nothing_of_the_half_copy_stays(old: Path) -> None:
    # given a process that died while it copied a file with a name that means something to a search for names
    strange = old.rename(old.with_name("[a-z]*.db"))
    killed = KILLED.replace("runner.statements_of = dying", DIES_COPYING)
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    later = repr([(NEXT.number, NEXT.name, NEXT.script)])
    done = subprocess.run([sys.executable, "-c", killed, str(strange), later], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    assert [each.suffix for each in old.parent.iterdir() if each.name.startswith(".")] == [".part"]
    # when it is started again
    assert migrate(strange, (*shipped_migrations(), NEXT), busy_timeout_s=5) == NEXT.number
    # then there is the file and one whole copy: what is forgotten later lies nowhere else
    copy = f"{strange.name}.before-{NEXT.number:04d}.backup"
    assert sorted(each.name for each in old.parent.iterdir()) == sorted([strange.name, copy])
    assert version_of(strange.with_name(copy)) == NEWEST


def test_a_start_that_comes_too_late_to_migrate_leaves_the_copy_from_before(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a start that read the old version, and another that migrates before it goes on
    migrations = (*shipped_migrations(), NEXT)

    def slow(connection: sqlite3.Connection, *, busy_timeout_s: float, original: Any = migrating._use_wal) -> None:
        original(connection, busy_timeout_s=busy_timeout_s)
        monkeypatch.setattr(migrating, "_use_wal", original)
        migrate(old, migrations, busy_timeout_s=busy_timeout_s)

    monkeypatch.setattr(migrating, "_use_wal", slow)
    assert migrate(old, migrations, busy_timeout_s=5) == NEXT.number
    # then the copy is still that of the old file
    assert version_of(old.with_name(f"memory.db.before-{NEXT.number:04d}.backup")) == NEWEST


def test_a_second_start_changes_nothing(old: Path) -> None:
    # proves: O26
    migrations = (*shipped_migrations(), NEXT)
    migrate(old, migrations, busy_timeout_s=5)
    before = old.read_bytes()
    names = sorted(each.name for each in old.parent.iterdir())
    assert migrate(old, migrations, busy_timeout_s=5) == NEXT.number
    assert (old.read_bytes(), sorted(each.name for each in old.parent.iterdir())) == (before, names)
    connection = sqlite3.connect(old)
    assert connection.execute("SELECT mood FROM chunks").fetchall() == [("calm",)]
    connection.close()


def test_a_file_of_a_newer_version_is_refused_in_words_and_left_alone(old: Path) -> None:
    # proves: K35
    migrate(old, (*shipped_migrations(), NEXT), busy_timeout_s=5)
    before = old.read_bytes()
    with pytest.raises(StoreTooNewError, match=rf"schema {NEXT.number}.*downgrade is refused"):
        SqliteStore(old, options=Options())
    assert old.read_bytes() == before


def test_a_migration_that_fails_leaves_the_file_as_it_was(old: Path) -> None:
    broken = Migration(number=NEWEST + 1, name="broken", script="CREATE TABLE a (b);\nSELECT nonsense FROM nowhere;\n")
    with pytest.raises(Exception, match="nowhere"):
        migrate(old, (*shipped_migrations(), broken), busy_timeout_s=5)
    store = SqliteStore(old, options=Options())
    assert [message.external_id for message in store.messages(SCOPE)] == ["m1"]
    store.close()


def test_a_new_file_gets_no_backup(tmp_path: Path) -> None:
    migrate(tmp_path / "memory.db", (*shipped_migrations(), NEXT), busy_timeout_s=5)
    assert [each.name for each in tmp_path.glob("*.backup")] == []


def test_a_file_that_was_made_but_never_filled_is_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.touch()
    SqliteStore(path, options=Options()).close()
    assert version_of(path) == shipped_migrations()[-1].number


def test_each_shipped_migration_is_numbered_in_turn_and_says_so_itself(tmp_path: Path) -> None:
    migrations = shipped_migrations()
    assert [each.number for each in migrations] == list(range(1, len(migrations) + 1))
    for each in migrations:
        assert f"PRAGMA user_version = {each.number};" in each.script
        assert f"VALUES ({each.number}, '{each.name}')" in each.script
    assert f"PRAGMA application_id = {APPLICATION_ID};" in migrations[0].script


def test_a_script_is_taken_apart_at_the_ends_of_its_statements() -> None:
    script = "-- why\nCREATE TRIGGER t AFTER INSERT ON a BEGIN\n  SELECT 1;\n  SELECT ';';\nEND;\nSELECT 2; -- end\n"
    assert [each.count("SELECT") for each in statements_of(script)] == [2, 1]
    with pytest.raises(ValueError, match="unfinished"):
        list(statements_of("SELECT 1"))


def test_a_process_that_has_the_file_open_while_it_is_upgraded_writes_nothing_more(old: Path) -> None:
    with Memory.open(old, options=Options(embedder="none", worker=False)) as memory:
        migrate(old, (*shipped_migrations(), NEXT), busy_timeout_s=5)
        assert memory.status().message_count == 1
        with pytest.raises(StoreTooNewError, match="start the process again"):
            memory.record([{"content": "new"}], scope=Scope(workspace="w"), conversation="chat:1")
        assert memory.status().message_count == 1
