"""How does a file get the schema that this version needs? Numbered SQL files, a backup first, each in one transaction.

A migration that is killed half way is rolled back by SQLite when the file is next opened; the runner then goes on
from there. `PRAGMA user_version` is the number of the last migration that the file has seen.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from glossator.errors import StoreCorruptError, StoreLockedError, StoreReadOnlyError, StoreTooNewError, UsageError
from glossator.stores.sqlite.backup import copy_database, remove_half_copies
from glossator.stores.sqlite.connections import open_connection
from glossator.stores.sqlite.faults import mapped

APPLICATION_ID = 0x474C5353
"""'GLSS', in the file's header: tells a store from any other SQLite database."""

RETRY_S = 0.01
FILE_MODE = 0o600
"""What was said to an agent is for the account that runs it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One numbered step; `script` sets `PRAGMA user_version` to its number itself."""

    number: int
    name: str
    script: str


def shipped_migrations() -> tuple[Migration, ...]:
    """The migrations of this version, in order."""
    folder = files("glossator.stores.sqlite") / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple(
        Migration(number=int(name[:4]), name=name[5:-4], script=(folder / name).read_text("utf-8")) for name in names
    )


def statements_of(script: str) -> Iterator[str]:
    """The statements of a script one by one: `executescript` would commit before it starts."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if line.partition("--")[0].rstrip().endswith(";") and sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if any(line.partition("--")[0].strip() for line in statement.splitlines()):
        raise ValueError(f"unfinished statement: {statement[:80]!r}")


def migrate(path: Path, migrations: tuple[Migration, ...], *, busy_timeout_s: float) -> int:
    """Bring the file to the newest schema, making it if missing; returns the schema version.

    Raises UsageError for a path that cannot be a file, StoreTooNewError, StoreCorruptError, StoreReadOnlyError and
    StoreLockedError. Before an existing file is changed, a copy lies beside it as `<file>.before-000N.backup`.
    """
    _check_path(path)
    _make_private(path)
    with mapped():
        connection = open_connection(path, busy_timeout_s=busy_timeout_s)
        try:
            version = _version(connection, path)
            newest = migrations[-1].number
            if version > newest:
                raise StoreTooNewError(
                    f"{path} has schema {version}, this version of Glossator knows up to {newest}: upgrade the package;"
                    " a downgrade is refused because it would lose what the newer version wrote"
                )
            _use_wal(connection, busy_timeout_s=busy_timeout_s)
            if 0 < version < newest:
                _copy_first(connection, path, migrations, busy_timeout_s=busy_timeout_s)
            for migration in migrations:
                if migration.number > version:
                    _apply(connection, migration)
            return newest
        finally:
            connection.close()


def _check_path(path: Path) -> None:
    if str(path) == ":memory:":
        raise UsageError("path", "':memory:' is no file", remedy="name one; in a temporary folder it is gone as well")
    if not path.parent.is_dir():
        raise UsageError("path", f"the folder {path.parent} does not exist", remedy="create it or name another")
    if path.is_dir():
        raise UsageError("path", f"{path} is a folder", remedy="name a file")
    effective = os.access in os.supports_effective_ids
    writable = [path.parent] + ([path] if path.exists() else [])
    for each in writable:
        if not os.access(each, os.W_OK, effective_ids=effective):
            raise StoreReadOnlyError(f"{each} cannot be written")


def _make_private(path: Path) -> None:
    """A new file is for the account that made it alone; SQLite gives the log beside it the same mode."""
    if not path.exists():  # else its owner may have opened it to others
        with suppress(OSError):  # SQLite says what is wrong
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, FILE_MODE))


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The file's schema version; 0 if it is new. Raises StoreCorruptError if it is something else."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (table_count,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application_id == APPLICATION_ID:
        return int(version)
    if application_id or version or table_count:
        raise StoreCorruptError(f"{path} is a SQLite database, but no Glossator store")
    return 0


def _use_wal(connection: sqlite3.Connection, *, busy_timeout_s: float) -> None:
    """Switch to WAL. SQLite does not wait for a lock here, so several processes that make one file have to retry."""
    deadline = time.monotonic() + busy_timeout_s
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            mode = "busy"
        if mode == "wal":
            return
        if time.monotonic() > deadline:
            raise StoreLockedError("another process holds the file while it is being opened")
        time.sleep(RETRY_S)


def _copy_first(
    connection: sqlite3.Connection, path: Path, migrations: tuple[Migration, ...], *, busy_timeout_s: float
) -> None:
    """Copy the file as it was before the migrations that it still needs, unless another process was faster.

    The copy is made under the lock of a writer: nobody migrates while it is made, so that what an earlier start left
    half copied belongs to a process that was killed. It holds everything that was said, and no `forget` finds it.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        numbers = [each.number for each in migrations if each.number > version]
        for number in numbers[:1]:
            backup = path.with_name(f"{path.name}.before-{number:04d}.backup")
            remove_half_copies(backup)
            with closing(open_connection(path, busy_timeout_s=busy_timeout_s)) as reader:  # who writes cannot copy
                copy_database(reader, backup, replace=True)
    finally:
        connection.execute("ROLLBACK")


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    """Run one migration in one transaction, unless another process was faster.

    References are checked at its end, not row by row: a table whose rules change is written anew and takes the old
    one's place.
    """
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version < migration.number:
            for statement in statements_of(migration.script):
                connection.execute(statement)
            broken = connection.execute("PRAGMA foreign_key_check").fetchone()
            if broken is not None:
                raise StoreCorruptError(f"migration {migration.number} left a row of {broken[0]} without {broken[2]}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:  # something was raised before COMMIT or by it
            connection.execute("ROLLBACK")
        connection.execute("PRAGMA foreign_keys = ON")
