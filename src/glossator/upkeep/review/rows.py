"""Which of the current facts does a reviewer see, and how?"""

from collections.abc import Mapping, Sequence

from glossator.model import Bucket, Category, Fact, Packed, ReviewRow, ReviewTarget
from glossator.rules.support import telling_terms
from glossator.rules.tokens import index_terms

ROWS_MAX = 80
"""The prompt files hold 43 rows; the others are there so that what does not fit into a file can still be corrected."""
BUCKETS_OF: Mapping[Category, Bucket] = {
    "identity": "user_md",
    "preference": "user_md",
    "interest": "user_md",
    "goal": "user_md",
    "context": "memory_md",
    "directive": "memory_md",
}
"""F16. What is not here is in no prompt file."""
TARGETS: Mapping[Bucket, ReviewTarget] = {"user_md": "user", "memory_md": "memory"}


def review_row(fact: Fact) -> ReviewRow | None:
    """The fact as a row; None for notes, summaries and what belongs to a job: no prompt file shows them."""
    bucket = BUCKETS_OF.get(fact.category)
    if bucket is None or fact.scope_type == "job":
        return None
    return ReviewRow(
        fact_id=fact.fact_id,
        bucket=bucket,
        scope_type=fact.scope_type,
        scope_id=fact.scope_id,
        category=fact.category,
        key=fact.key,
        value=fact.text,
        answer=fact.value,
        subject=fact.subject,
        polarity=fact.polarity,
        event=fact.event,
        state=fact.state,
        source_trust=fact.source_trust,
        first_said=fact.valid_from,
        last_said=fact.last_seen_at,
    )


def shown_rows(rows: Sequence[ReviewRow], packed: Packed, *, rows_max: int = ROWS_MAX) -> tuple[ReviewRow, ...]:
    """The active rows that the messages may touch, and as many of the others as there is room for, in the given order.

    Hand in the latest first.
    """
    active = [row for row in rows if row.state == "active"]
    if len(active) <= rows_max:
        return tuple(active)
    said = frozenset(term for message in packed.messages for term in index_terms(message.text))
    touched = {row.fact_id: len(telling_terms(row.value) & said) for row in active}
    chosen = sorted(active, key=lambda row: -touched[row.fact_id])[:rows_max]
    kept = {row.fact_id for row in chosen}
    return tuple(row for row in active if row.fact_id in kept)
