"""What is kept of what was erased: tombstones, receipts, the list of backups? The contract of the port Erasures."""

from glossator.testing.contract.base import Contract


class ErasuresContract(Contract):
    """The port Erasures."""
