"""Which messages of a conversation are still sent to the model? The reference model of the port Windows."""

from glossator.stores.memory.upkeep import MemoryUpkeep


class MemoryWindows(MemoryUpkeep):
    """The port Windows in memory."""
