"""What is kept of what was erased: tombstones, receipts, the list of backups?"""

from glossator.stores.memory.upkeep import MemoryUpkeep


class MemoryErasures(MemoryUpkeep):
    """The port Erasures in memory."""
