"""What does `glossator top` show at one moment? Numbers from a look at the file, or from a server's /metrics."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from glossator.meters import quantile_s
from glossator.model import Vitals
from glossator.surfaces.watch.scrape import Scrape, labels_of

BREAKERS = {0: "closed", 1: "half open", 2: "open"}
FAILURES: Mapping[str, str] = {
    "glossator_turn_fact_extraction_failure_total": "extractions",
    "glossator_hook_failure_total": "hooks",
    "glossator_record_retry_total": "records tried again",
    "glossator_prompt_files_failure_total": "prompt files",
    "glossator_turn_fact_queue_dropped_total": "spans dropped",
}
"""Counters of failures, and what is said of them; shown where they are above zero."""
ROUTES_MAX = 6
"""The busiest routes that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """The open work of one kind."""

    kind: str
    open_count: int
    failed_count: int
    oldest_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """How long something took: half of all calls at most p50, nineteen of twenty at most p95."""

    name: str
    count: int
    p50_s: float
    p95_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One moment. What is None, or empty, is not known from where it was looked."""

    at: datetime
    source: str
    """The file's path, or the server's address."""
    message_count: int
    fact_count: int
    chunk_count: int
    vector_count: int
    recorded_per_minute: float | None
    queues: tuple[Queue, ...]
    decided: Mapping[str, int]
    decided_when: str
    """"in the last hour" for a file, "since its start" for a server."""
    file_bytes: int
    log_bytes: int
    reviewed_s: float | None
    """Seconds since a review last ended."""
    embedder_ready: bool | None = None
    failures: Mapping[str, int] = field(default_factory=dict)
    breakers: Mapping[str, str] = field(default_factory=dict)
    verbs: tuple[Latency, ...] = ()
    routes: tuple[Latency, ...] = ()
    in_flight: int | None = None
    requests_per_s: float | None = None
    rejected: Mapping[str, int] = field(default_factory=dict)
    timed_when: str = ""
    """When the latencies were: "in the last minute", or "since its start"."""


def picture_of_file(vitals: Vitals, *, path: str, now: datetime) -> Picture:
    """What a look at the file shows."""
    return Picture(
        at=now,
        source=path,
        message_count=vitals.message_count,
        fact_count=vitals.fact_count,
        chunk_count=vitals.chunk_count,
        vector_count=vitals.vector_count,
        recorded_per_minute=float(vitals.recorded_lately_count),
        queues=tuple(
            Queue(
                kind=each.kind,
                open_count=each.pending_count,
                failed_count=each.failed_count,
                oldest_s=_passed(each.oldest_created_at, now),
            )
            for each in vitals.backlog
        ),
        decided=dict(vitals.decided_lately.items()),
        decided_when="in the last hour",
        file_bytes=vitals.file_bytes,
        log_bytes=vitals.log_bytes,
        reviewed_s=_passed(vitals.reviewed_at, now),
    )


def picture_of_server(scrape: Scrape, before: Scrape | None, *, url: str) -> Picture:
    """What a server tells; rates and latencies since `before`, an earlier answer of it, where there is one."""
    before = before if before is not None and before.is_of_the_same_run(scrape) else None
    reviewed = scrape.value("glossator_last_review_timestamp_seconds")
    kinds = labels_of(scrape, "glossator_work_open", "kind")
    passed_s = 0.0 if before is None else (scrape.at - before.at).total_seconds()
    recorded = scrape.value("glossator_messages") - (before.value("glossator_messages") if before else 0.0)
    asked = scrape.total("glossator_http_requests_total")
    asked_before = before.total("glossator_http_requests_total") if before else 0.0
    turned_away = _counts(scrape, "glossator_http_rejected_total", "reason")
    return Picture(
        at=scrape.at,
        source=url,
        message_count=int(scrape.value("glossator_messages")),
        fact_count=int(scrape.value("glossator_facts")),
        chunk_count=int(scrape.value("glossator_chunks")),
        vector_count=int(scrape.value("glossator_vectors")),
        recorded_per_minute=max(recorded, 0.0) * 60 / passed_s if passed_s else None,
        queues=tuple(_queue(scrape, kind) for kind in kinds),
        decided=_counts(scrape, "glossator_turn_fact_decisions_total", "decision"),
        decided_when="since its start",
        file_bytes=int(scrape.value("glossator_file_bytes", file="store")),
        log_bytes=int(scrape.value("glossator_file_bytes", file="log")),
        reviewed_s=max(scrape.at.timestamp() - reviewed, 0.0) if reviewed else None,
        embedder_ready=bool(scrape.value("glossator_embedder_ready")),
        failures={words: int(scrape.total(name)) for name, words in FAILURES.items() if scrape.total(name)},
        breakers={
            model: BREAKERS.get(int(scrape.value("glossator_breaker_state", model=model)), "unknown")
            for model in labels_of(scrape, "glossator_breaker_state", "model")
        },
        verbs=_latencies(scrape, before, "glossator_verb_duration_seconds", "verb"),
        routes=_latencies(scrape, before, "glossator_http_request_duration_seconds", "route")[:ROUTES_MAX],
        in_flight=int(scrape.value("glossator_http_requests_in_flight")),
        requests_per_s=(asked - asked_before) / passed_s if passed_s else None,
        rejected={name: count for name, count in turned_away.items() if count},
        timed_when="in the last minute" if before else "since its start",
    )  # fmt: skip


def _passed(since: datetime | None, now: datetime) -> float | None:
    return None if since is None else max((now - since).total_seconds(), 0.0)


def _queue(scrape: Scrape, kind: str) -> Queue:
    count = int(scrape.value("glossator_work_open", kind=kind))
    return Queue(
        kind=kind,
        open_count=count,
        failed_count=int(scrape.value("glossator_work_failed", kind=kind)),
        oldest_s=scrape.value("glossator_work_oldest_seconds", kind=kind) if count else None,
    )


def _counts(scrape: Scrape, name: str, label: str) -> Mapping[str, int]:
    return {each: int(scrape.value(name, **{label: each})) for each in labels_of(scrape, name, label)}


def _latencies(scrape: Scrape, before: Scrape | None, name: str, label: str) -> tuple[Latency, ...]:
    """The busiest first; those that were not called are left out."""
    found = []
    for each in labels_of(scrape, f"{name}_count", label):
        ends, counts = scrape.buckets(name, **{label: each})
        _, earlier = before.buckets(name, **{label: each}) if before is not None else ((), ())
        if len(earlier) == len(counts):
            counts = tuple(now - then for now, then in zip(counts, earlier, strict=True))
        p50, p95 = quantile_s(ends, counts, 0.5), quantile_s(ends, counts, 0.95)
        if p50 is not None and p95 is not None:
            found.append(Latency(name=each, count=int(counts[-1]), p50_s=round(p50, 6), p95_s=round(p95, 6)))
    return tuple(sorted(found, key=lambda each: (-each.count, each.name)))
