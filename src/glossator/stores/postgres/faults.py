"""Which of our errors is an error of PostgreSQL?"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import psycopg_pool

from glossator.errors import (
    GlossatorError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    UsageError,
)

KINDS: dict[str, tuple[type[StoreError], str]] = {
    "25006": (StoreReadOnlyError, "the server or the session is read-only"),
    "42501": (StoreReadOnlyError, "the role may not do that"),
    "53100": (StoreFullError, "no room left on the server's disk"),
    "55P03": (StoreLockedError, "another session holds the lock"),
    "40001": (StoreLockedError, "another session wrote at the same time"),
    "40P01": (StoreLockedError, "two sessions waited for each other"),
    "3F000": (StoreCorruptError, "the schema is gone"),
    "42P01": (StoreCorruptError, "a table of the store is gone"),
    "42703": (StoreCorruptError, "a column of the store is gone"),
    "XX001": (StoreCorruptError, "the data are damaged; restore a backup"),
    "XX002": (StoreCorruptError, "an index is damaged; run REINDEX"),
}
"""By SQLSTATE."""

PASSING_CLASSES = {"08", "53", "57"}
"""Classes of SQLSTATE that may be gone at the next call: connection lost, resources short, operator intervened."""

TOO_LARGE_CLASS = "54"
"""A value is beyond what PostgreSQL can keep, for example a run id that does not fit an index row."""


def our_error(error: psycopg.Error) -> GlossatorError:
    """The error that says what this one of psycopg means, and who has to act."""
    if isinstance(error, psycopg_pool.PoolClosed):
        return StoreError("the store is closed")
    if isinstance(error, psycopg_pool.PoolTimeout):
        return StoreError(f"no connection to the server within the busy time-out: {error}", retryable=True)
    state = error.sqlstate or ""
    if isinstance(error, psycopg.DataError) or state.startswith(TOO_LARGE_CLASS):
        return UsageError("value", f"PostgreSQL cannot keep it: {error}", remedy="see rules/canonical.py")
    if state in KINDS:
        kind, words = KINDS[state]
        return kind(f"{words}: {error}")
    unreachable = isinstance(error, psycopg.OperationalError) and not state
    passing = unreachable or state[:2] in PASSING_CLASSES
    return StoreError(f"the server cannot be reached: {error}" if unreachable else str(error), retryable=passing)


@contextmanager
def mapped() -> Iterator[None]:
    """Raise errors of psycopg as ours; a text that is no UTF-8 is the caller's."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise UsageError("text", "holds a lone surrogate", remedy="see rules/canonical.py") from error
    except psycopg.Error as error:
        raise our_error(error) from error
