"""Is the reference store a store?"""

from pathlib import Path

from glossator.ports import Store
from glossator.stores.memory import MemoryStore
from glossator.testing.store_contract import StoreContract


class TestMemoryStore(StoreContract):
    durable = False
    history_count = 5

    def open_store(self, folder: Path) -> Store:
        return MemoryStore()

    def open_reference(self) -> Store:
        return MemoryStore()
