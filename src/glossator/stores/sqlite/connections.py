"""Who may write, who reads? One write connection behind a lock, one read connection per thread."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakSet

from glossator.errors import StoreError, StoreTooNewError
from glossator.stores.sqlite.faults import mapped

READ_ENDING_S = 5.0
"""How long closing waits for a read that another thread is in the middle of; after that the reader closes it."""


class Connection(sqlite3.Connection):
    """A SQLite connection that can be referred to weakly: a thread that ends takes its own with it.

    Whoever uses a reader holds `in_use`: closing a connection under a running statement ends the process.
    """

    in_use: threading.Lock

    log_is_held = False
    """True while readers keep a log that holds erased bytes: it is to be given back as soon as they have finished."""


def open_connection(path: Path, *, busy_timeout_s: float) -> Connection:
    """A connection in autocommit mode with our settings; the file is made if missing.

    synchronous is FULL: in WAL mode NORMAL keeps an acknowledged commit through kill -9 but not through power loss.
    """
    connection = sqlite3.connect(
        path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False, factory=Connection
    )
    connection.in_use = threading.Lock()
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA journal_size_limit = 67108864")  # what a large write left of the log is given back
        connection.execute("PRAGMA cache_size = -16384")  # KiB; the system's file cache does the rest
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def give_back_log(connection: Connection) -> bool:
    """Empty the log into the file; False, without waiting, where somebody still reads from it: tried again later."""
    (waits_ms,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(waits_ms)}")
    connection.log_is_held = bool(busy)
    return not busy


def schema_of(connection: sqlite3.Connection) -> int:
    """The number of the last migration that the file has seen."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


class Connections:
    """The connections of one store. Every error of SQLite leaves as a StoreError."""

    def __init__(self, path: Path, *, busy_timeout_s: float) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._lock = threading.Lock()
        self._local = threading.local()
        self._readers: WeakSet[Connection] = WeakSet()
        self._readers_lock = threading.Lock()
        self._closed = False
        self._process_id = os.getpid()
        with mapped():
            self._writer = open_connection(path, busy_timeout_s=busy_timeout_s)
            self._schema_version = schema_of(self._writer)

    @contextmanager
    def writing(self, *, flushed: bool = True) -> Iterator[Connection]:
        """One write transaction: committed at the end, rolled back when anything raises.

        Not `flushed`, the commit is in the log but not yet on the disk: it outlives the process, also kill -9, and may
        be lost when the power fails before the next flushed one. That is enough for what a worker does: with its
        vectors and facts the settled rows are lost too, so that it is done again.
        """
        self.check_process()
        with self._lock, mapped():
            self._check_open()
            if not flushed:
                self._writer.execute("PRAGMA synchronous = NORMAL")
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                self._check_schema()
                yield self._writer
                self._writer.execute("COMMIT")
                if self._writer.log_is_held:
                    give_back_log(self._writer)
            finally:
                if self._writer.in_transaction:  # something was raised before COMMIT or by it
                    self._writer.execute("ROLLBACK")
                if not flushed:
                    self._writer.execute("PRAGMA synchronous = FULL")

    def _check_schema(self) -> None:
        """What this version does not know of it would leave behind: words that are to be erased, for one."""
        version = schema_of(self._writer)
        if version != self._schema_version:
            raise StoreTooNewError(
                f"the file was brought from schema {self._schema_version} to {version} while this process had it open; "
                "nothing was written: upgrade the package here too, and start the process again"
            )

    def write_if_free(self, statement: str, asked: tuple[object, ...]) -> bool:
        """One change that may be left out: made where nobody else writes at this moment, else False, at once."""
        self.check_process()
        if not self._lock.acquire(blocking=False):
            return False
        try:
            with mapped():
                self._check_open()
                self._writer.execute("PRAGMA busy_timeout = 0")
                self._writer.execute("PRAGMA synchronous = NORMAL")
                try:
                    self._writer.execute(statement, asked)
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                        raise
                    return False
                finally:
                    self._writer.execute("PRAGMA synchronous = FULL")
                    self._writer.execute(f"PRAGMA busy_timeout = {round(self._busy_timeout_s * 1000)}")
        finally:
            self._lock.release()
        return True

    @contextmanager
    def exclusive(self) -> Iterator[Connection]:
        """The write connection outside any transaction, for checkpoints."""
        self.check_process()
        with self._lock, mapped():
            self._check_open()
            yield self._writer

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One read transaction: everything in it sees the same state of the store."""
        with mapped():
            connection = self._reader()
            with connection.in_use:
                try:
                    self._check_open()
                    connection.execute("BEGIN")
                    yield connection
                finally:
                    if self._closed:
                        connection.close()
                    elif connection.in_transaction:
                        connection.execute("COMMIT")

    def close(self) -> None:
        """Close all connections; calls that follow raise StoreError. A process that was forked has none to close."""
        if os.getpid() != self._process_id:
            return
        with self._lock, mapped():
            if self._closed:
                return
            self._closed = True
            with self._readers_lock:
                readers = list(self._readers)
            for reader in readers:
                if reader.in_use.acquire(timeout=READ_ENDING_S):
                    reader.close()
                    reader.in_use.release()
            self._writer.close()

    def _reader(self) -> Connection:
        self.check_process()
        self._check_open()
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = open_connection(self._path, busy_timeout_s=self._busy_timeout_s)
            connection.execute("PRAGMA query_only = ON")
            with self._readers_lock:
                self._readers.add(connection)
            self._local.connection = connection
        return connection

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")

    def check_process(self) -> None:
        """A fork copies the lock as it happens to be, and SQLite's connections must not be carried across one."""
        if os.getpid() != self._process_id:
            raise StoreError(
                f"the memory was opened by process {self._process_id}, and this is process {os.getpid()}; open it "
                "again after the fork"
            )
