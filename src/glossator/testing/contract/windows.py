"""Which messages of a conversation are still sent to the model? The contract of the port Windows."""

from glossator.testing.contract.base import Contract


class WindowsContract(Contract):
    """The port Windows."""
