"""What is told of a review, of several passes as one, and to the model of the room that is left?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from glossator.model import Bucket, FileRoom, Packed, ReviewEnd, ReviewResult, ReviewRow, Scope
from glossator.rules.promotion import TOKENS_MAX
from glossator.upkeep.review.packing import BYTES_PER_TOKEN
from glossator.upkeep.review.prompt import VALUE_CHARACTERS_MAX
from glossator.upkeep.review_due import SkipReason

Change = Literal["added", "replaced", "archived"]
MARKS = 16
"""Characters around a value on its line: a dash, the key, a colon."""


def skipped(scope: Scope, reason: SkipReason) -> ReviewResult:
    """The conversation was not reviewed."""
    return ReviewResult(
        conversation=scope.conversation or "", agent=scope.agent, owner=scope.owner, status="skipped",
        skip_reason=reason,
    )  # fmt: skip


def ended(
    scope: Scope,
    status: ReviewEnd,
    packed: Packed | None,
    changes: Mapping[Change, int],
    left_out: Mapping[str, int],
    *,
    more: bool,
    failure: str = "",
) -> ReviewResult:
    """The conversation was reviewed, or failed to be."""
    return ReviewResult(
        conversation=scope.conversation or "", agent=scope.agent, owner=scope.owner, status=status, failure=failure,
        added=changes.get("added", 0), replaced=changes.get("replaced", 0), archived=changes.get("archived", 0),
        skipped=sum(left_out.values()), skipped_ops=dict(sorted(left_out.items())),
        input_messages=0 if packed is None else len(packed.messages),
        input_tokens=0 if packed is None else packed.token_count, more=more,
    )  # fmt: skip


def room_of(bucket: Bucket, rows: Sequence[ReviewRow]) -> FileRoom:
    """How full a prompt file is with these rows, about: each is shown on a line of its own behind a few marks."""
    used = sum(min(len(row.value), VALUE_CHARACTERS_MAX) + MARKS for row in rows if row.bucket == bucket)
    return FileRoom(bucket=bucket, used=used, cap=TOKENS_MAX[bucket] * BYTES_PER_TOKEN)


def joined(first: ReviewResult, then: ReviewResult) -> ReviewResult:
    """Two passes of one conversation as one: counts add up, "ok" wins over "nothing_to_save", a failure over both."""
    if then.status == "skipped":
        return replace(first, more=False)
    status = then.status if then.status == "failed" or first.status == "nothing_to_save" else first.status
    return replace(
        then,
        status=status,
        added=first.added + then.added,
        replaced=first.replaced + then.replaced,
        archived=first.archived + then.archived,
        skipped=first.skipped + then.skipped,
        skipped_ops=dict(sorted((Counter(first.skipped_ops) + Counter(then.skipped_ops)).items())),
        input_messages=first.input_messages + then.input_messages,
        input_tokens=first.input_tokens + then.input_tokens,
    )
