"""How is a memory doing? Numbers for operators, read at one moment; no text and no names."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from glossator.model.decision import DecisionName
from glossator.model.outline import OpenWork

LATELY_S = 60.0
"""What was recorded "lately" in Vitals: within the last minute."""
DECIDED_LATELY_S = 3_600.0
"""Decisions are rarer: within the last hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """What there is, what waits, and what has happened lately, in all scopes."""

    message_count: int
    chunk_count: int
    vector_count: int
    """Vectors of chunks."""
    fact_count: int
    """Facts that hold."""
    recorded_lately_count: int
    """Messages recorded within the last minute; more than 10,000 are told as 10,000."""
    decided_lately: Mapping[DecisionName, int]
    """Decisions about drafts within the last hour, of the last 10,000."""
    backlog: tuple[OpenWork, ...]
    """One for each kind of work, also where none is open; without the reasons of failures."""
    file_bytes: int
    log_bytes: int
    """The write-ahead log beside the file."""
    reviewed_at: datetime | None
    """When a review last ended."""

    @property
    def pending_count(self) -> int:
        """Rows of work that are open, of all kinds."""
        return sum(each.pending_count for each in self.backlog)

    @property
    def failed_count(self) -> int:
        """Rows of work that have failed for good, of all kinds."""
        return sum(each.failed_count for each in self.backlog)
