"""Is it a store? The public contract: every method of the four ports, every ruling, over any store.

    class TestMyStore(StoreContract):
        def open_store(self, folder: Path) -> Store:
            return MyStore(folder / "my.db")

        def open_reference(self) -> Store:
            return MemoryStore()

Needs pytest and hypothesis.
"""

from glossator.testing.contract.history import HistoryContract
from glossator.testing.contract.index import IndexContract
from glossator.testing.contract.isolation import IsolationContract
from glossator.testing.contract.journal import JournalContract
from glossator.testing.contract.upkeep import UpkeepContract
from glossator.testing.contract.work import WorkContract


class StoreContract(JournalContract, IndexContract, WorkContract, UpkeepContract, IsolationContract, HistoryContract):
    """All parts."""
