"""Which row does a statement repeat, and which one does it replace?

The latest statement holds (F30): another answer to the same question takes the old one's row, so that a move leaves one
city. The same subject alone is no conflict.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from glossator.model import SELF, Draft, Packed, Polarity, ReviewRow
from glossator.rules.canonical import normalised
from glossator.rules.related import answers_otherwise
from glossator.rules.similar import likeness, says_another_number, says_the_opposite, says_the_same
from glossator.rules.trust import TRUSTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement as it is held against rows; `key` is "" where its words do not tell which question it answers."""

    text: str
    subject: str = SELF
    key: str = ""
    answer: str = ""
    polarity: Polarity = "positive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The row says it already."""

    row: ReviewRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """The row says what held before."""

    row: ReviewRow


def met(statement: Statement, rows: Sequence[ReviewRow], *, own: frozenset[str]) -> Known | Outdated | None:
    """What the statement does to one of the active rows, the first that it touches; None where it is new.

    `own` are the names that mean the owner, normalised: "user" and the name by which they speak.
    """
    told = normalised(statement.text)
    about = [row for row in rows if _same_subject(row.subject, statement.subject, own)]
    same = next((row for row in about if normalised(row.value) == told), None)
    if same is not None:
        return Known(row=same)
    rivals = [row for row in about if statement.key and _answers_the_same(statement, row)]
    agreeing = next((row for row in rivals if row.key == statement.key and _agrees(statement, row)), None)
    if agreeing is not None:
        return Known(row=agreeing) if _adds_nothing(statement, agreeing) else Outdated(row=agreeing)
    if rivals:
        return Outdated(row=rivals[0])
    return _in_other_words(statement, about)


def statement_in(value: str, *, own: frozenset[str]) -> Statement:
    """What a sentence such as "The user lives in Oslo" or "Lives in Oslo" states, as far as the tables can say.

    Where it is about the owner, by whatever name, its subject is SELF.
    """
    from glossator.rules.statements import statement_key  # tables that not every process needs

    name = next((name for name in sorted(own) if name != SELF and value.casefold().startswith(f"{name} ")), SELF)
    for sentence in (value, f"The user {value[:1].lower()}{value[1:]}"):
        found = statement_key(sentence, subject=name)
        if found is not None:
            subject = SELF if normalised(found.subject) in own else found.subject
            return Statement(text=value, subject=subject, key=found.key, answer=found.value, polarity=found.polarity)
    return Statement(text=value)


def of_draft(draft: Draft, *, own: frozenset[str] = frozenset()) -> Statement:
    """The statement that an extractor drafted; about SELF where its subject is one of the names in `own`."""
    subject = SELF if normalised(draft.subject or SELF) in own else draft.subject
    return Statement(text=draft.text, subject=subject, key=draft.key, answer=draft.value, polarity=draft.polarity)


def names_of_owner(packed: Packed) -> frozenset[str]:
    """The names that mean the owner, normalised: those of trusted speakers, else that of the only one there is."""
    speakers = {message.speaker for message in packed.messages if message.trust in TRUSTED}
    if not speakers:
        everybody = {message.speaker for message in packed.messages}
        speakers = everybody if len(everybody) == 1 else set()
    return frozenset({SELF, *(normalised(speaker) for speaker in speakers)})


def _same_subject(one: str, other: str, own: frozenset[str]) -> bool:
    mine, theirs = normalised(one or SELF), normalised(other or SELF)
    return mine == theirs or (mine in own and theirs in own)


def _answers_the_same(statement: Statement, row: ReviewRow) -> bool:
    return row.key == statement.key or answers_otherwise(
        statement.key, statement.answer, statement.text, row.key, row.answer, row.value
    )


def _agrees(statement: Statement, row: ReviewRow) -> bool:
    return normalised(row.answer) == normalised(statement.answer) and row.polarity == statement.polarity


def _adds_nothing(statement: Statement, row: ReviewRow) -> bool:
    mine, theirs = likeness(statement.text), likeness(row.value)
    return ":" in statement.key or mine.terms <= theirs.terms or says_the_same(mine, theirs)


def _in_other_words(statement: Statement, rows: Sequence[ReviewRow]) -> Known | Outdated | None:
    """Nothing has the same words or answers the same question by its key."""
    mine = likeness(statement.text)
    for row, theirs in ((row, likeness(row.value)) for row in rows):
        keys_differ = bool(row.key and statement.key and row.key != statement.key)
        if says_the_opposite(mine, theirs) or (says_another_number(mine, theirs) and not keys_differ):
            return Outdated(row=row)
        if says_the_same(mine, theirs) and row.polarity == statement.polarity and not keys_differ:
            return Known(row=row)
    return None
