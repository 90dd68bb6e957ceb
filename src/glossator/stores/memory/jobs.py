"""Which scheduled jobs and memory sources are there? The reference model of the port Jobs."""

from glossator.stores.memory.upkeep import MemoryUpkeep


class MemoryJobs(MemoryUpkeep):
    """The port Jobs in memory."""
