"""What is extraction measured on, and what is measured? Labelled turns, gold points, and facts as they were stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from glossator.evaluate.values import TurnData

__all__ = [
    "ANY",
    "GoldPoint",
    "GoldSession",
    "LabelledFact",
    "LabelledTurn",
    "Person",
    "Points",
    "StoredFact",
    "WrittenSpan",
]

ANY = "any"
"""A label that leaves the polarity, or the side of the subject, open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSpan:
    """The interval that a label gives a dated statement; an open end is None."""

    start: datetime | None
    end: datetime | None
    precision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledFact:
    """What an extractor should take out of a turn.

    Every entry of `must` is a list of alternatives of which one has to be in the fact's words, none of `must_not` may
    be. `categories` and `kinds` are those that a reader may reasonably give. An `optional` fact is right when it is
    found and no loss when it is not.
    """

    must: tuple[tuple[str, ...], ...]
    must_not: tuple[str, ...]
    categories: tuple[str, ...]
    kinds: tuple[str | None, ...]
    polarity: str
    subject: str
    quote: str
    event: WrittenSpan | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTurn:
    """One message with the facts that are in it. `sort` begins with "negative:" where it is there to lead astray."""

    id: str
    half: str
    sort: str
    role: str
    speaker: str
    said: datetime
    text: str
    before: str | None
    facts: tuple[LabelledFact, ...]

    @property
    def negative(self) -> bool:
        """Whether nothing has to be found in it."""
        return self.sort.startswith("negative:")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFact:
    """A fact as the memory gave it back, or a sentence that the naive baseline takes for one."""

    text: str
    value: str = ""
    category: str = ""
    kind: str | None = None
    polarity: str = "positive"
    subject: str = "user"
    session: str | None = None
    current: bool = True
    event_source: str = ""
    event_start: datetime | None = None
    event_end: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldPoint:
    """A memory point of a published benchmark.

    `group` is its type, `origin` where it comes from. A `trap` is a false statement that should not be stored; it has
    the true one in `reference`. `updates` are the points that it replaces, where it is an update.
    """

    text: str
    group: str
    origin: str
    trap: bool = False
    reference: str = ""
    updates: tuple[str, ...] = ()
    update: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSession:
    """A session with the memory points that are to be taken from it."""

    name: str
    said_at: datetime
    turns: tuple[TurnData, ...]
    points: tuple[GoldPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """All sessions of one person, in time order; `names` are the person's own, which say nothing in a comparison."""

    id: str
    names: tuple[str, ...]
    sessions: tuple[GoldSession, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """A benchmark of memory points that has been read."""

    name: str
    source: str
    people: tuple[Person, ...]
    mended: Mapping[str, int] = field(default_factory=dict)
    protocol: tuple[str, ...] = ()
