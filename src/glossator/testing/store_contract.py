"""Is it a store? The public contract: every method of the ports, every ruling, over any store.

    class TestMyStore(StoreContract):
        def open_store(self, folder: Path) -> Store:
            return MyStore(folder / "my.db")

        def open_reference(self) -> Store:
            return MemoryStore()

Needs pytest and hypothesis.
"""

from glossator.testing.contract.access import AccessContract
from glossator.testing.contract.erasing import ErasingContract
from glossator.testing.contract.erasures import ErasuresContract
from glossator.testing.contract.fact_reading import FactReadingContract
from glossator.testing.contract.facts import FactsContract
from glossator.testing.contract.history import HistoryContract
from glossator.testing.contract.index import IndexContract
from glossator.testing.contract.isolation import FactIsolationContract, IsolationContract
from glossator.testing.contract.jobs import JobsContract
from glossator.testing.contract.journal import JournalContract
from glossator.testing.contract.ledger import LedgerContract
from glossator.testing.contract.marks import MarksContract
from glossator.testing.contract.monitor import MonitorContract
from glossator.testing.contract.outline import OutlineContract
from glossator.testing.contract.queue import QueueContract
from glossator.testing.contract.replies import RepliesContract
from glossator.testing.contract.resources import ResourcesContract
from glossator.testing.contract.reviews import ReviewsContract
from glossator.testing.contract.steps import StepsContract
from glossator.testing.contract.upkeep import UpkeepContract
from glossator.testing.contract.windows import WindowsContract
from glossator.testing.contract.work import WorkContract


class StoreContract(
    JournalContract,
    IndexContract,
    WorkContract,
    FactsContract,
    FactReadingContract,
    LedgerContract,
    QueueContract,
    ReviewsContract,
    WindowsContract,
    MarksContract,
    MonitorContract,
    ResourcesContract,
    JobsContract,
    OutlineContract,
    AccessContract,
    RepliesContract,
    ErasuresContract,
    StepsContract,
    UpkeepContract,
    ErasingContract,
    IsolationContract,
    FactIsolationContract,
    HistoryContract,
):
    """All parts."""
