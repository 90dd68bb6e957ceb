"""How is a consistent copy made while others read and write? SQLite's backup to a side file, then one rename."""

import errno
import os
import sqlite3
import tempfile
from contextlib import closing
from glob import escape
from pathlib import Path

from glossator.errors import StoreFullError, StoreReadOnlyError, UsageError


def copy_database(source: sqlite3.Connection, path: Path, *, replace: bool) -> None:
    """A copy of the database at `path`, whole or not at all, flushed to disk.

    Raises UsageError if `path` exists and `replace` is False, or if its folder is missing.
    """
    if path.exists() and not replace:
        raise UsageError("path", f"{path} exists and is not overwritten", remedy="name a new file")
    if not path.parent.is_dir():
        raise UsageError("path", f"the folder {path.parent} does not exist", remedy="create it or name another")
    try:
        _copy_by_side_file(source, path, replace=replace)
    except OSError as error:
        kind = StoreFullError if error.errno == errno.ENOSPC else StoreReadOnlyError
        raise kind(f"{path} cannot be written: {error}") from error


def remove_half_copies(path: Path) -> None:
    """Remove what processes that were killed left of copies to `path`. The caller knows that none is being made."""
    for part in path.parent.glob(f".{escape(path.name)}.*.part*"):
        part.unlink(missing_ok=True)


def _copy_by_side_file(source: sqlite3.Connection, path: Path, *, replace: bool) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(descriptor)
    part = Path(name)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        _publish(part, path, replace=replace)
    finally:
        part.unlink(missing_ok=True)


def _publish(part: Path, path: Path, *, replace: bool) -> None:
    """Give the finished copy its name; a link refuses where a rename would overwrite."""
    if replace:
        part.replace(path)
    else:
        try:
            os.link(part, path)
        except FileExistsError as error:
            raise UsageError("path", f"{path} exists and is not overwritten", remedy="name a new file") from error
        except OSError:  # a file system without links
            part.replace(path)
    if os.name == "posix":  # the new name has to be on disk too; elsewhere a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
