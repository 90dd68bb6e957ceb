"""Which revisions of prompt files and other texts are kept? The contract of the port Resources."""

from glossator.testing.contract.base import Contract


class ResourcesContract(Contract):
    """The port Resources."""
