"""Which revisions of prompt files and other texts are kept? The reference model of the port Resources."""

from glossator.stores.memory.upkeep import MemoryUpkeep


class MemoryResources(MemoryUpkeep):
    """The port Resources in memory."""
