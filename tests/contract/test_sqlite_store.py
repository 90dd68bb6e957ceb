"""Is the SQLite store a store? Over a real file."""

from pathlib import Path

from glossator.options import Options
from glossator.ports import Store
from glossator.stores.memory import MemoryStore
from glossator.stores.sqlite import SqliteStore
from glossator.testing.store_contract import StoreContract


class TestSqliteStore(StoreContract):
    # proves: A50
    def open_store(self, folder: Path) -> Store:
        return SqliteStore(folder / "memory.db", options=Options())

    def open_reference(self) -> Store:
        return MemoryStore()
