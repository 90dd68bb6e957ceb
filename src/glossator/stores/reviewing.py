"""May a review end like this? The checks that every store makes."""

from glossator.errors import ConflictError, UsageError
from glossator.model import ReviewCursor, ReviewEnd

LEASES_MAX = 2
"""A lease that ends later than so many leases from now was given by a clock that has been put back since."""


def claim_lost() -> ConflictError:
    """The claim was taken over, or is over."""
    return ConflictError("claim", "the review is no longer held", remedy="leave it to who has claimed it since")


def checked_end(status: ReviewEnd, cursor: ReviewCursor | None, held: ReviewCursor) -> None:
    """Raises UsageError unless the cursor fits the status and the cursor that is held."""
    if (status == "failed") != (cursor is None):
        raise UsageError("cursor", f"does not go with {status!r}", remedy="give one unless the review failed")
    if cursor is not None and (cursor.message_id, cursor.offset) < (held.message_id, held.offset):
        raise UsageError("cursor", "goes back", remedy="start from the claim's own cursor")
