"""What is kept of what was erased: tombstones, receipts, the list of backups?"""

from typing import Protocol


class Erasures(Protocol):
    """What is kept of what was erased: tombstones, receipts, the list of backups?"""
