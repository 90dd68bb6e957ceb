"""How far has the background reviewer read each conversation? The reference model of the port Reviews."""

from glossator.stores.memory.upkeep import MemoryUpkeep


class MemoryReviews(MemoryUpkeep):
    """The port Reviews in memory."""
