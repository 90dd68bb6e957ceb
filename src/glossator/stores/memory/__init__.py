"""The reference store: obviously right, in memory only."""

from glossator.stores.memory.store import MemoryStore

__all__ = ["MemoryStore"]
