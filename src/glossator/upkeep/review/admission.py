"""Which operations of a review may be done?

Each is checked alone: one that is refused costs no other, and each refusal is counted by its reason. What a row of the
given ones answers already is no new row: the latest statement takes its place.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import assert_never

from glossator.model import (
    SELF,
    AddOperation,
    AllowedAdd,
    AllowedArchive,
    AllowedOperation,
    AllowedReplace,
    ArchiveOperation,
    CheckedOperations,
    Grounds,
    Packed,
    ReplaceOperation,
    ReviewOperation,
    ReviewRow,
    Trust,
)
from glossator.rules.canonical import normalised
from glossator.rules.support import OVERLAP_MIN, counted, telling_terms
from glossator.rules.tokens import index_terms
from glossator.rules.trust import TRUSTED, may_change, stated_category
from glossator.upkeep.review.fitness import unfit
from glossator.upkeep.review.grounds import Said, Sentence, grounds_of, said_in, touching
from glossator.upkeep.review.passing import is_for_now
from glossator.upkeep.review.prompt import VALUE_CHARACTERS_MAX
from glossator.upkeep.review.rivals import (
    Known,
    Outdated,
    Statement,
    met,
    names_of_owner,
    of_draft,
    statement_in,
)
from glossator.upkeep.review.rows import BUCKETS_OF, TARGETS

BY_REASON_MAX = 3
"""Rows of which nobody has said a word that one batch may end, since its reason is what was said: who left the company
has left its colleagues too. A reply that would end more has one reason for everything, and none of them holds."""


@dataclass(slots=True, kw_only=True)
class _Checking:
    """One batch in the making. `changed` are rows that an operation has taken, `values` what has been kept so far.

    `hosted` says that the owner or an operator takes part: then a guest is somebody else than "the user".
    """

    said: Said
    rows: dict[int, ReviewRow]
    own: frozenset[str]
    hosted: bool
    now: datetime
    characters_max: int
    reasons_hold: bool = True
    allowed: list[AllowedOperation] = field(default_factory=list)
    changed: set[int] = field(default_factory=set)
    values: list[str] = field(default_factory=list)

    @property
    def standing(self) -> list[ReviewRow]:
        """The rows that no operation has taken yet."""
        return [row for row in self.rows.values() if row.fact_id not in self.changed]


def checked(
    operations: Sequence[ReviewOperation],
    rows: Sequence[ReviewRow],
    packed: Packed,
    *,
    now: datetime,
    unread: Iterable[str] = (),
    characters_max: int = VALUE_CHARACTERS_MAX,
) -> CheckedOperations:
    """The operations that may be done, in order, and how many were left out for which reason.

    `rows` are those that the reviewer was shown: an id outside of them, or of a row that is not active, is none.
    `unread` are the reasons of ReviewReply.skipped, counted with the others. Never raises.
    """
    checking = _Checking(
        said=said_in(packed),
        rows={row.fact_id: row for row in rows if row.state == "active"},
        own=names_of_owner(packed),
        hosted=any(message.trust in TRUSTED for message in packed.messages),
        now=now,
        characters_max=characters_max,
    )
    checking.reasons_hold = sum(_rests_on_its_reason(each, checking) for each in operations) <= BY_REASON_MAX
    reasons = [*unread, *(reason for operation in operations if (reason := _check(operation, checking)))]
    return CheckedOperations(allowed=tuple(checking.allowed), skipped=counted(reasons))


def _check(operation: ReviewOperation, checking: _Checking) -> str | None:
    """Takes the operation into the batch, or gives the reason why it is left out."""
    match operation:
        case AddOperation():
            return _check_add(operation, checking)
        case ReplaceOperation():
            return _check_replace(operation, checking)
        case ArchiveOperation():
            return _check_archive(operation, checking)
        case _ as never:
            assert_never(never)


def _check_add(operation: AddOperation, checking: _Checking) -> str | None:
    category, value = operation.category, operation.value
    bucket = BUCKETS_OF.get(category)
    if bucket is None or TARGETS[bucket] != operation.target:
        return "wrong_target"
    if (problem := unfit(value, category=category, characters_max=checking.characters_max)) is not None:
        return problem
    grounds = grounds_of(value, checking.said, category=category, named=operation.message_id)
    if not isinstance(grounds, Grounds):
        return grounds
    if bucket == "user_md" and checking.hosted and grounds.trust not in TRUSTED:
        return "other_person"
    if is_for_now(checking.said.text_of(grounds)):
        return "transient"
    draft = operation.draft
    statement = statement_in(value, own=checking.own) if draft is None else of_draft(draft, own=checking.own)
    if _is_repeated(statement, checking):
        return "repeated"
    match met(statement, checking.standing, own=checking.own):
        case Known():
            return "known"
        case Outdated(row=row):
            replacing = ReplaceOperation(
                fact_id=row.fact_id, value=value, message_id=operation.message_id, draft=draft
            )  # fmt: skip
            return _check_replace(replacing, checking)
        case None:
            stated = stated_category(category, trust=grounds.trust, asked_for=False) or category
            target = TARGETS[BUCKETS_OF[stated]]
            kept = replace(operation, target=target, category=stated)
            checking.allowed.append(AllowedAdd(operation=kept, grounds=grounds))
            checking.values.append(value)
            return None


def _check_replace(operation: ReplaceOperation, checking: _Checking) -> str | None:
    row = checking.rows.get(operation.fact_id)
    if row is None:
        return "unknown_row"
    if row.fact_id in checking.changed:
        return "repeated"
    value = operation.value
    if (problem := unfit(value, category=row.category, characters_max=checking.characters_max)) is not None:
        return problem
    if normalised(value) == normalised(row.value):
        return "known"
    grounds = grounds_of(value, checking.said, category=row.category, named=operation.message_id, beside=(row.value,))
    if not isinstance(grounds, Grounds):
        return grounds
    if (reason := _not_for(grounds.trust, row)) is not None:
        return reason
    checking.allowed.append(AllowedReplace(operation=operation, row=row, grounds=grounds))
    checking.changed.add(row.fact_id)
    checking.values.append(value)
    return None


def _check_archive(operation: ArchiveOperation, checking: _Checking) -> str | None:
    row = checking.rows.get(operation.fact_id)
    if row is None:
        return "unknown_row"
    if row.fact_id in checking.changed:
        return "repeated"
    if (reason := _against_archiving(operation, row, checking)) is not None:
        return reason
    checking.allowed.append(AllowedArchive(operation=operation, row=row))
    checking.changed.add(row.fact_id)
    return None


def _against_archiving(operation: ArchiveOperation, row: ReviewRow, checking: _Checking) -> str | None:
    """A row goes when somebody who may change it has spoken of it, when its time is over, or when it is in another.

    Where guests take part, a word that the owner drops by chance is not enough.
    """
    said = _spoken_of(row, checking)
    if checking.reasons_hold:
        said += touching(operation.reason, checking.said, share_min=OVERLAP_MIN)
    against = [_not_for(sentence.message.trust, row) for sentence in said]
    if None in against:
        return None
    may_go = may_change(row.category, trust="owner")
    if may_go and (_is_over(row, checking.now) or _is_contained(row, checking)):
        return None
    return against[0] if against else "no_support"


def _spoken_of(row: ReviewRow, checking: _Checking) -> list[Sentence]:
    has_guests = any(sentence.message.trust not in TRUSTED for sentence in checking.said.sentences)
    return list(touching(row.value, checking.said, share_min=OVERLAP_MIN if has_guests else 0.0))


def _rests_on_its_reason(operation: ReviewOperation, checking: _Checking) -> bool:
    """Would it end a row of which nobody has said a word?"""
    row = checking.rows.get(operation.fact_id) if isinstance(operation, ArchiveOperation) else None
    return row is not None and not _spoken_of(row, checking)


def _not_for(trust: Trust, row: ReviewRow) -> str | None:
    """Why the words of somebody believed so far may not change the row; the row's own category decides (F14)."""
    if not may_change(row.category, trust=trust):
        return "directive_not_by_operator"
    if trust not in TRUSTED and row.source_trust in TRUSTED:
        return "guest_against_owner"
    return None


def _is_over(row: ReviewRow, now: datetime) -> bool:
    """Do the row's own words name a time that has passed? Who somebody was at a time stays true."""
    end = row.event.interval.end
    return row.category in ("goal", "context") and row.event.source == "own" and end is not None and end <= now


def _is_contained(row: ReviewRow, checking: _Checking) -> bool:
    told = telling_terms(row.value) - checking.said.speaking
    return any(told and told <= frozenset(index_terms(value)) for value in checking.values)


def _is_repeated(statement: Statement, checking: _Checking) -> bool:
    """Has the same batch said it already?"""
    told = normalised(statement.text)
    if any(normalised(value) == told for value in checking.values):
        return True
    if not statement.key or statement.subject != SELF:
        return False
    others = (statement_in(value, own=checking.own) for value in checking.values)
    return any((other.key, other.answer) == (statement.key, statement.answer) for other in others)
