"""What would a reviewer without a model do: which drafts are new, which take a row's place, and which rows are over?

The same operations as those of a model, and checked in the same way. The drafts come from an extractor that has read
the packed messages; goals that are met and plans whose date is over are
found by rules that prefer silence. The tables are English.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache

from glossator.model import (
    AddOperation,
    ArchiveOperation,
    Draft,
    Packed,
    ReplaceOperation,
    ReviewOperation,
    ReviewReply,
    ReviewRow,
)
from glossator.rules.canonical import normalised
from glossator.rules.patterns import late
from glossator.rules.support import telling_terms
from glossator.rules.tokens import fold, index_terms
from glossator.rules.trust import TRUSTED
from glossator.upkeep.review.grounds import Sentence, said_in
from glossator.upkeep.review.reply import REASON_CHARACTERS_MAX
from glossator.upkeep.review.rivals import Known, Outdated, met, names_of_owner, of_draft
from glossator.upkeep.review.rows import BUCKETS_OF, TARGETS

NAME = "offline"
MET_MIN = 0.6
"""Share of a goal's telling words that the sentence which says it is reached must have."""
DAY = timedelta(days=1)
"""What is wished for "recently" or today has no date of its own."""

_DONE = late(
    r"\b(?:finally|finish\w*|complet\w+|achiev\w+|reached|accomplish\w+|passed|graduat\w+|made it|did it|succeeded"
    r"|done with|managed to|got my|at last|hit my (?:goal|target)|came true)\b"
)
_GIVEN_UP = late(
    r"\b(?:(?:gave|given|giving) up|no longer (?:want|plan)\w*|(?:not|n['’]t) (?:want|plan|aim)\w* to\b.*\bany ?more"
    r"|dropped the (?:idea|plan|goal)|abandon\w+|cancel+ed)\b"
)
_NOT_YET = late(
    r"\?|\b(?:if|when|once|before|until|will|would|going to|want\w*|hop\w+|plan\w*|aim\w*|wish\w*|try\w*|almost|nearly"
    r"|yet|not|never|again|n['’]t|could|should|must|need|someday|next)\b|n['’]t\b|['’]ll\b"
)
_WORD = late(r"[\p{L}\p{M}'’-]+")


def offline_review(
    drafts: Sequence[Draft], rows: Sequence[ReviewRow], packed: Packed, *, now: datetime
) -> ReviewReply:  # fmt: skip
    """The operations that the drafts and the messages ask for: what is there already asks for none.

    `drafts` come from an extractor that read `passage_of` each of these messages.
    """
    own = names_of_owner(packed)
    active = [row for row in rows if row.state == "active"]
    operations: dict[object, ReviewOperation] = {}
    for draft in drafts:
        if draft.category in BUCKETS_OF and (operation := _operation(draft, active, packed, own)) is not None:
            operations[_what(operation, draft)] = operation
    for archived in (*met_goals(active, packed), *past_plans(active, now)):
        operations.setdefault(("row", archived.fact_id), archived)
    return ReviewReply(operations=tuple(operations.values()), nothing_to_save=not operations)


def met_goals(rows: Sequence[ReviewRow], packed: Packed) -> Iterator[ArchiveOperation]:
    """The goals that the owner says to have reached or given up."""
    goals = [(row, _aim(row)) for row in rows if row.category == "goal" and row.polarity == "positive"]
    if not goals:
        return
    sentences = [each for each in said_in(packed).sentences if not each.suspicious]
    for row, aim in goals:
        for sentence in sentences:
            if row.source_trust in TRUSTED and sentence.message.trust not in TRUSTED:
                continue
            how = _how_it_ended(aim, sentence)
            if how and row.value != sentence.text:
                yield ArchiveOperation(fact_id=row.fact_id, reason=f"{how}: {sentence.text}"[:REASON_CHARACTERS_MAX])
                break


def past_plans(rows: Sequence[ReviewRow], now: datetime) -> Iterator[ArchiveOperation]:
    """The goals and plans whose own date lay ahead when they were said, and is over now.

    Where "on Friday" was said again, it means another Friday: the plan is over as long after that as it was at first.
    """
    for row in rows:
        begins, ends, first = row.event.interval.start, row.event.interval.end, row.first_said
        if row.category not in ("goal", "context") or row.event.source != "own" or ends is None or first is None:
            continue
        lay_ahead = ends - first > DAY if row.category == "goal" else begins is not None and begins > first
        if lay_ahead and (row.last_said or first) + (ends - first) <= now:
            yield ArchiveOperation(fact_id=row.fact_id, reason=f"its time is over: {row.event.words}".strip(": "))


def _operation(draft: Draft, rows: Sequence[ReviewRow], packed: Packed, own: frozenset[str]) -> ReviewOperation | None:
    message_id = packed.messages[draft.passage].message_id
    if draft.denies:
        return _correction(draft, rows, message_id)
    match met(of_draft(draft, own=own), rows, own=own):
        case Known():
            return None
        case Outdated(row=row):
            return ReplaceOperation(
                fact_id=row.fact_id, value=_flat(draft.text), message_id=message_id, draft=draft
            )  # fmt: skip
        case None:
            return AddOperation(
                target=TARGETS[BUCKETS_OF[draft.category]], category=draft.category, value=_flat(draft.text),
                message_id=message_id, draft=draft,
            )  # fmt: skip


def _correction(draft: Draft, rows: Sequence[ReviewRow], message_id: int) -> ReviewOperation | None:
    """ "Anja, not Ana": the row that says Ana says Anja from now on; without such a row there is nothing to correct."""
    denied = fold(draft.denies)
    for row in rows:
        at = row.value.casefold().find(draft.denies.casefold())
        if draft.value and at >= 0 and denied in f" {normalised(fold(row.value))} ".split():
            value = row.value[:at] + _as_said(draft) + row.value[at + len(draft.denies) :]
            return ReplaceOperation(fact_id=row.fact_id, value=_flat(value), message_id=message_id)
    return None


def _as_said(draft: Draft) -> str:
    """The value in the letters that it was said in."""
    at = draft.text.casefold().find(draft.value.casefold())
    return draft.value if at < 0 else draft.text[at : at + len(draft.value)]


def _what(operation: ReviewOperation, draft: Draft) -> object:
    """Of two operations about the same the later one holds."""
    match operation:
        case AddOperation(value=value):
            return ("key", normalised(draft.subject), draft.key) if draft.key else ("words", normalised(value))
        case ReplaceOperation(fact_id=fact_id) | ArchiveOperation(fact_id=fact_id):
            return ("row", fact_id)


def _aim(row: ReviewRow) -> str:
    """What is to be reached: the words of its key ("goal:run the berlin marathon") or of its value."""
    return fold(row.key.partition(":")[2] or row.value)


@cache
def _filling() -> frozenset[str]:
    return frozenset(index_terms("user want to plan goal is aim hope year this my our the"))


def _how_it_ended(aim: str, sentence: Sentence) -> str:
    """ "reached" or "given up" where the sentence says so of the aim, else ""."""
    told = telling_terms(aim) - _filling()
    if not told or len(told & sentence.terms) < MET_MIN * len(told):
        return ""
    low = fold(sentence.text)
    if _GIVEN_UP.search(low):
        return "given up"
    if _NOT_YET.search(low):
        return ""
    says_so = len(told) > 1 and _DONE.search(low) is not None
    return "reached" if says_so or _is_done(aim, low) else ""


def _is_done(aim: str, low: str) -> bool:
    """Does the sentence tell the aim's own verb as past: "run the marathon", "I ran the marathon"?"""
    from glossator.rules.statements.english_verbs import read_form  # tables that not every process needs

    verbs = {verb for word in _WORD.findall(aim)[:2] for verb, form in read_form(word) if form == "base"}
    words = _WORD.findall(low)
    return any(verb in verbs and form == "past" for word in words for verb, form in read_form(word)) and bool(
        {"i", "we", "i've", "i’ve", "we've"} & set(words)
    )


def _flat(text: str) -> str:
    return " ".join(text.split())
