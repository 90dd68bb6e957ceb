"""What is a statement, before anybody has said who may believe it?"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from glossator.model import Category, Kind, Polarity

SubjectKind = Literal["self", "we", "own", "person", "name", "thing", "pronoun", "you"]
Tense = Literal[
    "present", "progressive", "past", "perfect", "perfect_progressive", "future", "ended", "modal", "can", "must",
]  # fmt: skip


class Word(NamedTuple):
    """A word of a clause in lower case, with its place in the clause; "don't" is two words, "do" and "n't".

    A tuple, since reading a text makes very many of them.
    """

    low: str
    begin: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Who or what a clause speaks of. `noun` is the lower-case noun behind "my", "our" or "the", else ""."""

    kind: SubjectKind
    words: str
    noun: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The verb with all that bends it. `negation_count` counts "not", "never" and the like; `stop` is where it ends.

    `ended` says that it held once and holds no more ("no longer", "used to", "any more").
    """

    verb: str
    tense: Tense
    negation_count: int
    adverbs: frozenset[str]
    ended: bool
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause taken apart: subject, verb group, and the rest in lower case and as it was written.

    `is_informal` says that the writer uses no capitals, so that a name need not have one.
    """

    subject: Subject
    group: Group
    rest: str
    rest_written: str
    is_informal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementKey:
    """Which question a statement answers, and how. See Draft for what the fields mean."""

    subject: str
    key: str
    value: str
    polarity: Polarity
    category: Category
    kind: Kind | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a clause states. `subject` is None where it is the speaker. `rank` is 0 for the most durable.

    `is_event` says that it tells what happened once: it is worth keeping only with its time.
    """

    subject: str | None
    key: str
    value: str
    polarity: Polarity
    category: Category
    kind: Kind | None
    rank: int
    is_event: bool = False
