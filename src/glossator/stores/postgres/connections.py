"""Who may write, who reads? A pool of connections; each piece of work takes one for the length of a transaction."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import IsolationLevel
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool

from glossator.errors import UsageError
from glossator.stores.postgres.faults import mapped
from glossator.stores.postgres.statements import SQL

CONNECT_TIMEOUT_S = 10
"""A server that does not answer by then is down; the DSN may say otherwise."""
CONNECTIONS_MAX = 4
"""Few: a server has about a hundred for all its clients, and one piece of work here takes milliseconds."""


def whole_dsn(dsn: str) -> str:
    """The DSN with our defaults for what it leaves open. Raises UsageError where it is none."""
    try:
        given = conninfo_to_dict(dsn)
    except (psycopg.ProgrammingError, UnicodeEncodeError) as error:
        raise UsageError("dsn", "is no DSN of PostgreSQL", remedy='for example "postgresql://host/database"') from error
    given.setdefault("connect_timeout", CONNECT_TIMEOUT_S)
    given.setdefault("application_name", "glossator")
    return make_conninfo(**{**given, "client_encoding": "UTF8"})  # type: ignore[arg-type]  # their own dict, their names


def settle_in(connection: psycopg.Connection, *, schema: str, busy_timeout_s: float) -> None:
    """Make the schema the only one that names are looked up in, and wait no longer for locks than asked."""
    connection.execute(SQL["settings"], {"schema": schema, "lock_ms": f"{max(1, round(busy_timeout_s * 1000))}"})


class Connections:
    """The connections of one store. Every error of psycopg leaves as a GlossatorError."""

    def __init__(self, dsn: str, *, schema: str, busy_timeout_s: float) -> None:
        self._pool = ConnectionPool(
            dsn,
            kwargs={"autocommit": True},
            min_size=1,
            max_size=CONNECTIONS_MAX,
            timeout=busy_timeout_s,
            check=ConnectionPool.check_connection,  # one that the server has dropped since is replaced unseen
            configure=lambda connection: settle_in(connection, schema=schema, busy_timeout_s=busy_timeout_s),
            open=False,
        )
        with mapped():
            self._pool.open()

    @contextmanager
    def writing(self) -> Iterator[psycopg.Connection]:
        """One write transaction: committed at the end, rolled back when anything raises."""
        with mapped(), self._pool.connection() as connection:
            connection.isolation_level, connection.read_only = IsolationLevel.READ_COMMITTED, None
            with connection.transaction():
                yield connection

    @contextmanager
    def reading(self) -> Iterator[psycopg.Connection]:
        """One read transaction: everything in it sees the same state of the store."""
        with mapped(), self._pool.connection() as connection:
            connection.isolation_level, connection.read_only = IsolationLevel.REPEATABLE_READ, True
            with connection.transaction():
                yield connection

    def close(self) -> None:
        """Close all connections; calls that follow raise StoreError."""
        self._pool.close()
