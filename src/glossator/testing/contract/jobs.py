"""Which scheduled jobs and memory sources are there? The contract of the port Jobs."""

from glossator.testing.contract.base import Contract


class JobsContract(Contract):
    """The port Jobs."""
