"""What is asked of the index, the pool it answers with, and the hits that a caller sees."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from glossator.model.fact import Fact
from glossator.model.message import NAMESPACES, Namespace, Role
from glossator.model.scope import Scope
from glossator.model.time import EventTime, Interval, SaidTime, TimeExpression


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Hard conditions: what fails one is never a candidate.

    `since` and `until` bound the event time, `said_since` and `said_until` the time it was said, all half-open
    `[since, until)`. `as_of` keeps only what had been said by then. A row matches `tags` if it has all of them.
    """

    project: str | None = None
    tags: tuple[str, ...] = ()
    namespaces: tuple[Namespace, ...] = NAMESPACES
    since: datetime | None = None
    until: datetime | None = None
    said_since: datetime | None = None
    said_until: datetime | None = None
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One index search: index terms, a query vector of the named model, or both, within scope and filters.

    `candidates_max` bounds how many chunks a large store has to bring (with their neighbours); a store that can
    score its whole scope at once may bring all.
    """

    scope: Scope
    filters: Filters
    terms: tuple[str, ...]
    vector: NDArray[np.float32] | None = None
    model: str = ""
    candidates_max: int = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """What an index search brings: n chunks as columns, sorted by (session, position, index).

    It holds every chunk that matches a term, the nearest by vector, and their neighbours in the session; a small
    scope is brought whole. All arrays have length n unless said otherwise.

    chunk_id int64; message int64 (message_id); namespace int8 (place in NAMESPACES); session int32 (dense, rising,
    chunks of one session adjacent; sessions are in order of first message); position int32 (of the message in its
    session, from 0); speaker int32 (place in `speakers`); role int8 (place in ROLES); said_at, event_start,
    event_end float64 (epoch seconds; nan: open); own_date bool (the words themselves name a time); length int32
    (index terms in the chunk); marks uint16 (ChunkDraft.marks); weight float32.

    `postings` maps each asked term to the rows (int32, rising) whose text has it. `similarity` float32: cosine with
    the query vector, nan where a chunk has no vector yet; None if no
    vector was asked. `vectors` float32 (n, d), rows of zeros where missing; None likewise.
    `chunk_count`, `term_counts`, `length_mean` describe the whole filtered scope, also where the pool is a part.
    """

    chunk_id: NDArray[np.int64]
    message: NDArray[np.int64]
    namespace: NDArray[np.int8]
    session: NDArray[np.int32]
    position: NDArray[np.int32]
    speaker: NDArray[np.int32]
    role: NDArray[np.int8]
    said_at: NDArray[np.float64]
    event_start: NDArray[np.float64]
    event_end: NDArray[np.float64]
    own_date: NDArray[np.bool_]
    length: NDArray[np.int32]
    marks: NDArray[np.uint16]
    weight: NDArray[np.float32]
    speakers: tuple[str, ...]
    postings: Mapping[str, NDArray[np.int32]]
    similarity: NDArray[np.float32] | None
    vectors: NDArray[np.float32] | None
    chunk_count: int
    term_counts: Mapping[str, int]
    length_mean: float

    def __len__(self) -> int:
        return len(self.chunk_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question as the recall stages see it."""

    text: str
    terms: tuple[str, ...]
    names: tuple[str, ...]
    phrases: tuple[str, ...]
    times: tuple[TimeExpression, ...]
    asks_when: bool
    nostalgic: bool
    now: datetime
    named: tuple[int, ...] = ()
    """Places in `Pool.speakers` of the speakers that the question names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Why a hit was found and where it stands: the lanes that brought it, and every signal's value."""

    lanes: tuple[str, ...]
    matched_terms: tuple[str, ...]
    signals: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A recalled piece: its verbatim text, who said it when, and what time it speaks of.

    `score` is how likely it is beside the best candidate of the same answer, 0 to 1; across answers it says nothing.
    """

    chunk_id: int
    text: str
    score: float
    namespace: Namespace
    message_ids: tuple[str, ...]
    conversation: str
    session: str
    speaker: str
    role: Role
    said: SaidTime
    event: EventTime
    project: str | None
    tags: tuple[str, ...]
    source_id: str | None = None
    """The external id of what a derived hit was taken from; None for verbatim text."""
    fact_id: int | None = None
    """The number of the fact that this hit is, where no verbatim piece stands for it; `chunk_id` is 0 then."""
    facts: tuple[Fact, ...] = ()
    """The facts that rest on these words, superseded ones too."""
    start: int = 0
    """Where the piece begins in its message, in characters."""
    trace: Trace | None = None

    @property
    def superseded(self) -> bool:
        """True if there are facts in these words and none of them holds any more."""
        return bool(self.facts) and all(fact.state == "superseded" for fact in self.facts)

    @property
    def said_at(self) -> datetime:
        """When it was said, in UTC."""
        return self.said.at


@dataclass(frozen=True, slots=True, kw_only=True)
class Degradation:
    """A part that was missing from an answer, and why."""

    part: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Hits, best first. `degraded` is empty when every part worked. `asked_time` is the time the question names."""

    hits: tuple[Hit, ...]
    degraded: tuple[Degradation, ...] = ()
    filters: Filters = field(default_factory=Filters)
    asked_time: Interval | None = None

    def text(self, *, tokens: int = 2000) -> str:
        """The hits as a block for a prompt, at most `tokens` long (estimated as UTF-8 bytes / 4, rounded up).

        Best hits are taken first until the budget is full; what is shown is laid out by session and time, with dates,
        zones and speakers. A hit that would not fit whole is cut at a grapheme or left out.
        """
        from glossator.model.rendering import render_hits

        return render_hits(self.hits, tokens=tokens)
