"""The store in one SQLite file: the default, for one machine, several threads and several processes."""

from glossator.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
