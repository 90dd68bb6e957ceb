"""What is a benchmark made of? Frozen values that every dataset's published format is read into."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

__all__ = ["AnswerRule", "Dataset", "GoldAnswer", "Haystack", "Question", "SessionData", "TurnData"]

AnswerRule = Literal["plain", "temporal", "update", "preference", "abstention", "choice"]
"""How an answer is judged; see answering/prompts.py."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnData:
    """One message of a benchmark. `id` is unique within its haystack; `at` is aware, in UTC."""

    id: str
    role: str
    speaker: str
    text: str
    at: datetime
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionData:
    """A session with its turns in order. `name` is unique within its haystack."""

    name: str
    said_at: datetime
    turns: tuple[TurnData, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Haystack:
    """All that one owner has said: the sessions, in the order in which they are recorded."""

    id: str
    sessions: tuple[SessionData, ...]

    @property
    def turn_count(self) -> int:
        """How many turns all its sessions have."""
        return sum(len(session.turns) for session in self.sessions)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldAnswer:
    """What a dataset holds to be the answer, and by which rule an answer is compared with it.

    `text` is the answer, for "preference" the rubric, for "abstention" why there is none ("" where the dataset does not
    say). `choices` maps letters to answers, `right_choice` is the letter of the right one; only for "choice".
    `trap` is the false answer that a swapped premise invites. `published` is the answer as published, where an audit
    corrected it; None for all others.
    """

    text: str
    rule: AnswerRule
    choices: Mapping[str, str] = field(default_factory=dict)
    right_choice: str = ""
    trap: str = ""
    published: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its evidence: the ids of the turns and the names of the sessions that answer it.

    `sessions_before` is how many sessions of the haystack have been recorded when it is asked. `gold_turns` may be
    empty where a dataset labels sessions only. `published_*` are the labels as published, mended in form alone, where
    an audit corrected them; None: the dataset has one set of labels. `newest_session` is the evidence session that
    was said last, for questions about something that changed; None for all others. `answer` is None where the dataset
    gives none.
    """

    id: str
    text: str
    category: str
    haystack_id: str
    now: datetime
    sessions_before: int
    gold_turns: tuple[str, ...]
    gold_sessions: tuple[str, ...]
    published_turns: tuple[str, ...] | None = None
    published_sessions: tuple[str, ...] | None = None
    newest_session: str | None = None
    answer: GoldAnswer | None = None

    @property
    def scored(self) -> bool:
        """Whether retrieval can be scored; without evidence a question can only be answered."""
        return bool(self.gold_turns or self.gold_sessions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A benchmark that has been read. `questions` are those to score, grouped by haystack, in the order asked.

    `question_count` counts all that the file holds, `skipped` why some are not scored, `mended` what was put right or
    left out while reading, `protocol` how the labels are to be understood.
    """

    name: str
    source: str
    haystacks: tuple[Haystack, ...]
    questions: tuple[Question, ...]
    question_count: int
    skipped: Mapping[str, int] = field(default_factory=dict)
    mended: Mapping[str, int] = field(default_factory=dict)
    protocol: tuple[str, ...] = ()
