"""How much is there at this moment? What is read from the store when somebody asks, not counted on the way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from glossator.meters.table import Meter
from glossator.model import Vitals

GaugeName = Literal[
    "glossator_store_readable",
    "glossator_embedder_ready",
    "glossator_messages",
    "glossator_chunks",
    "glossator_vectors",
    "glossator_facts",
    "glossator_work_open",
    "glossator_work_failed",
    "glossator_work_oldest_seconds",
    "glossator_file_bytes",
    "glossator_last_review_timestamp_seconds",
]

GAUGES: Mapping[GaugeName, Meter] = {
    "glossator_store_readable": Meter(help="1 where the store could be read for this answer, else 0.", gauge=True),
    "glossator_embedder_ready": Meter(help="1 once the embedder is loaded; 0 before, or without one.", gauge=True),
    "glossator_messages": Meter(help="Messages in the journal.", gauge=True),
    "glossator_chunks": Meter(help="Chunks of messages.", gauge=True),
    "glossator_vectors": Meter(help="Vectors of chunks.", gauge=True),
    "glossator_facts": Meter(help="Facts that hold.", gauge=True),
    "glossator_work_open": Meter(help="Rows of work that wait or are being done.", label="kind", gauge=True),
    "glossator_work_failed": Meter(help="Rows of work that were given up.", label="kind", gauge=True),
    "glossator_work_oldest_seconds": Meter(
        help="For how long the oldest open row of work has waited, 0 without one.", label="kind", gauge=True
    ),
    "glossator_file_bytes": Meter(help="Size of the store's file, and of its log.", label="file", gauge=True),
    "glossator_last_review_timestamp_seconds": Meter(
        help="When a review of a conversation last ended, in Unix time; 0 before the first.", gauge=True
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One gauge's value; `label` is "" where it has only one."""

    name: GaugeName
    value: float
    label: str = ""


def readings_of(vitals: Vitals | None, *, now: datetime, embedder_ready: bool) -> Iterator[Reading]:
    """The gauges; without vitals, only that the store could not be read and whether the embedder is there."""
    yield Reading(name="glossator_store_readable", value=vitals is not None)
    yield Reading(name="glossator_embedder_ready", value=embedder_ready)
    if vitals is None:
        return
    yield Reading(name="glossator_messages", value=vitals.message_count)
    yield Reading(name="glossator_chunks", value=vitals.chunk_count)
    yield Reading(name="glossator_vectors", value=vitals.vector_count)
    yield Reading(name="glossator_facts", value=vitals.fact_count)
    for each in vitals.backlog:
        yield Reading(name="glossator_work_open", label=each.kind, value=each.pending_count)
        yield Reading(name="glossator_work_failed", label=each.kind, value=each.failed_count)
        since = each.oldest_created_at
        waited_s = 0.0 if since is None else max((now - since).total_seconds(), 0.0)
        yield Reading(name="glossator_work_oldest_seconds", label=each.kind, value=waited_s)
    yield Reading(name="glossator_file_bytes", label="store", value=vitals.file_bytes)
    yield Reading(name="glossator_file_bytes", label="log", value=vitals.log_bytes)
    reviewed = 0.0 if vitals.reviewed_at is None else vitals.reviewed_at.timestamp()
    yield Reading(name="glossator_last_review_timestamp_seconds", value=reviewed)
