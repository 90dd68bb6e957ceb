"""What is there of a PostgreSQL store? The port Steps; each method opens a transaction and hands it on."""

from collections.abc import Sequence
from datetime import datetime

from glossator.model import Scope, Step, StepMatch
from glossator.options import Options
from glossator.stores.postgres import steps as step_rows
from glossator.stores.postgres.connections import Connections, whole_dsn
from glossator.stores.postgres.migrate import migrate, shipped_migrations

SCHEMA = "glossator"
"""Where the tables lie unless the caller says otherwise; nothing outside it is touched."""


class PostgresSteps:
    """The reasoning steps of runs in a PostgreSQL database (15 or newer), found by their words.

    The first piece of a PostgreSQL store, and so far all of it: it implements ports.Steps alone and Memory.open does
    not take it. Its schema is made and migrated when opened; threads and processes may share it. `dsn` is what libpq
    takes. `StepMatch.score` is the BM25 of the other stores, over counts in the asked scope and run.

    Raises UsageError, StoreTooNewError, StoreCorruptError, StoreReadOnlyError or StoreLockedError when it cannot open,
    and StoreError with `retryable` when the server cannot be reached.
    """

    def __init__(self, dsn: str, *, options: Options, schema: str = SCHEMA) -> None:
        whole = whole_dsn(dsn)
        migrate(whole, schema, shipped_migrations(), busy_timeout_s=options.busy_timeout_s)
        self._connections = Connections(whole, schema=schema, busy_timeout_s=options.busy_timeout_s)

    def put_steps(self, scope: Scope, steps: Sequence[Step], *, now: datetime) -> int:
        """Keep steps by run and number, replacing; see ports.Steps. Raises UsageError for a text with a NUL."""
        with self._connections.writing() as connection:
            return step_rows.put(connection, scope, steps, now=now)

    def steps(self, scope: Scope, run_id: str) -> tuple[Step, ...]:
        """The steps of a run, in order."""
        with self._connections.reading() as connection:
            return step_rows.steps_of(connection, scope, run_id)

    def search_steps(
        self, scope: Scope, terms: Sequence[str], *, run_id: str | None = None, limit: int = 10
    ) -> tuple[StepMatch, ...]:
        """Steps whose thought or observation has any of the terms, best first (BM25)."""
        with self._connections.reading() as connection:
            return step_rows.search(connection, scope, terms, run_id=run_id, limit=limit)

    def drop_steps(self, scope: Scope, run_id: str, numbers: Sequence[int] | None = None) -> int:
        """Delete steps of a run, all where `numbers` is None; returns how many went."""
        with self._connections.writing() as connection:
            return step_rows.drop(connection, scope, run_id, numbers)

    def close(self) -> None:
        """Release everything; later calls raise StoreError."""
        self._connections.close()
