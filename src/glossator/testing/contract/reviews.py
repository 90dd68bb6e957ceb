"""How far has the background reviewer read each conversation? The contract of the port Reviews."""

from glossator.testing.contract.base import Contract


class ReviewsContract(Contract):
    """The port Reviews."""
