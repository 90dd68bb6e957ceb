"""Which of our errors is an error of SQLite?"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from glossator.errors import (
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    UsageError,
)

KINDS: dict[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_BUSY: (StoreLockedError, "another process holds the write lock"),
    sqlite3.SQLITE_LOCKED: (StoreLockedError, "another connection holds the write lock"),
    sqlite3.SQLITE_READONLY: (StoreReadOnlyError, "the file cannot be written"),
    sqlite3.SQLITE_CANTOPEN: (StoreReadOnlyError, "the file or its folder cannot be opened for writing"),
    sqlite3.SQLITE_PERM: (StoreReadOnlyError, "the file may not be opened"),
    sqlite3.SQLITE_CORRUPT: (StoreCorruptError, "the file is damaged; restore a backup or run the doctor"),
    sqlite3.SQLITE_NOTADB: (StoreCorruptError, "the file is no SQLite database"),
    sqlite3.SQLITE_FULL: (StoreFullError, "no room left on the disk"),
    sqlite3.SQLITE_IOERR_SHMSIZE: (StoreFullError, "no room left on the disk"),  # not even for the log's index
}
PRIMARY_CODE = 0xFF
"""The low byte of an extended result code is the primary one."""


def store_error(error: sqlite3.Error) -> StoreError:
    """The StoreError that says what this SQLite error means for the operator."""
    code = getattr(error, "sqlite_errorcode", None)
    kind, words = StoreError, ""
    if code is not None:
        kind, words = KINDS.get(code) or KINDS.get(code & PRIMARY_CODE, (StoreError, ""))
    return kind(f"{words}: {error}" if words else str(error))


@contextmanager
def mapped() -> Iterator[None]:
    """Raise errors of SQLite as ours; a text that is no UTF-8 is the caller's."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise UsageError("text", "holds a lone surrogate", remedy="see rules/canonical.py") from error
    except sqlite3.Error as error:
        raise store_error(error) from error
