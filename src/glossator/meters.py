"""What has been counted since the memory was opened? Every failure, drop, merge, refusal and breaker, for operators.

The counters are plain numbers. prometheus-client is only loaded when its registry or its text is asked for, since its
import costs more than opening a memory (about 50 ms).
"""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from glossator.errors import UsageError

if TYPE_CHECKING:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
    from prometheus_client.registry import CollectorRegistry

MeterName = Literal[
    "glossator_turn_fact_extraction_failure_total",
    "glossator_turn_fact_queue_dropped_total",
    "glossator_turn_fact_decisions_total",
    "glossator_turn_fact_refused_total",
    "glossator_turn_fact_lost_total",
    "glossator_turn_fact_skipped_total",
    "glossator_turn_fact_thrash_skip_total",
    "glossator_breaker_state",
    "glossator_hook_failure_total",
    "glossator_record_retry_total",
    "glossator_context_flagged_total",
    "glossator_tokens_total",
    "glossator_redactions_total",
    "glossator_permission_denied_total",
    "glossator_job_runs_total",
    "glossator_claims_without_receipt_total",
    "glossator_compactions_total",
    "glossator_revisions_total",
    "glossator_prompt_files_written_total",
    "glossator_prompt_files_failure_total",
    "glossator_prompt_rows_left_out_total",
    "glossator_review_total",
    "glossator_review_skipped_total",
    "glossator_review_operations_total",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """One thing that is counted. `label` tells its series apart, "" where there is one; `known` are there at once."""

    help: str
    label: str = ""
    known: tuple[str, ...] = ()
    gauge: bool = False


METERS: Mapping[MeterName, Meter] = {
    "glossator_turn_fact_extraction_failure_total": Meter(
        help="Extractions that failed.", label="kind", known=("timeout", "llm_error", "parse_error")
    ),
    "glossator_turn_fact_queue_dropped_total": Meter(help="Spans that found no room in the queue."),
    "glossator_turn_fact_decisions_total": Meter(
        help="Decisions about drafts.", label="decision", known=("admit", "merge", "supersede", "hold", "refuse")
    ),
    "glossator_turn_fact_refused_total": Meter(help="Drafts that were refused.", label="reason"),
    "glossator_turn_fact_lost_total": Meter(help="Parts of replies that could not be read.", label="reason"),
    "glossator_turn_fact_skipped_total": Meter(help="Turns that no extractor was asked about.", label="reason"),
    "glossator_turn_fact_thrash_skip_total": Meter(help="Drafts dealt with in the last five minutes."),
    "glossator_breaker_state": Meter(help="0 closed, 1 half open, 2 open.", label="model", gauge=True),
    "glossator_hook_failure_total": Meter(help="Hooks that gave their empty result.", label="hook"),
    "glossator_record_retry_total": Meter(help="Attempts of a turn's hook to record again after the store failed."),
    "glossator_context_flagged_total": Meter(
        help="Recalled pieces that read like an instruction and were shown as a quotation."
    ),
    "glossator_tokens_total": Meter(help="Tokens of language models.", label="direction", known=("in", "out")),
    "glossator_compactions_total": Meter(help="Attempts to compact a conversation.", label="reason"),
    "glossator_redactions_total": Meter(help="Secrets replaced before they were stored or sent."),
    "glossator_permission_denied_total": Meter(help="Changes that were not allowed.", label="action"),
    "glossator_job_runs_total": Meter(help="Runs of scheduled jobs.", label="status", known=("done", "failed")),
    "glossator_claims_without_receipt_total": Meter(help="Answers that claimed to have kept what nothing kept."),
    "glossator_prompt_files_written_total": Meter(
        help="Prompt files that were written.", label="file", known=("user_md", "memory_md")
    ),
    "glossator_prompt_files_failure_total": Meter(help="Prompt files that could not be brought up to date."),
    "glossator_prompt_rows_left_out_total": Meter(
        help="Facts that a rendered or loaded prompt file left out.",
        label="reason",
        known=("cap", "budget", "suspect", "repeated"),
    ),
    "glossator_revisions_total": Meter(help="Revisions of prompt texts that were written.", label="source"),
    "glossator_review_total": Meter(
        help="Reviews of conversations.", label="status", known=("ok", "nothing_to_save", "failed")
    ),
    "glossator_review_skipped_total": Meter(
        help="Reviews that were not due, or not possible.",
        label="reason",
        known=("disabled", "under_interval", "in_failure_backoff", "no_new_messages", "concurrent_run"),
    ),
    "glossator_review_operations_total": Meter(
        help="What reviews changed and left out.", label="operation", known=("added", "replaced", "archived", "skipped")
    ),
}


class Meters:
    """The counters of one memory. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[tuple[MeterName, str], float] = {}
        for name, meter in METERS.items():
            for label in meter.known if meter.label else ("",):
                self._values[name, label] = 0.0

    def counted(self, name: MeterName, by: float = 1, **labels: str) -> None:
        """Add to a counter, for example `counted("glossator_turn_fact_refused_total", reason="no_support")`.

        A label's value is a short word from a fixed choice, never something that was said. Raises UsageError for an
        unknown name or label, and for a negative number.
        """
        key = self._key(name, labels, gauge=False)
        if by < 0:
            raise UsageError("by", "is negative", remedy="a counter only rises")
        with self._lock:
            self._values[key] = self._values.get(key, 0.0) + by

    def shows(self, name: MeterName, value: float, **labels: str) -> None:
        """Set a gauge. Raises UsageError for an unknown name or label."""
        key = self._key(name, labels, gauge=True)
        with self._lock:
            self._values[key] = float(value)

    def snapshot(self) -> Mapping[str, float]:
        """A copy, by name and label as Prometheus writes them: `glossator_tokens_total{direction="in"}`."""
        with self._lock:
            values = dict(self._values)
        return {_series(name, label): value for (name, label), value in sorted(values.items())}

    def registry(self) -> "CollectorRegistry":
        """A registry of prometheus-client that reads these counters whenever it is scraped."""
        from prometheus_client.registry import CollectorRegistry

        registry = CollectorRegistry()
        registry.register(self)
        return registry

    def exposition(self) -> str:
        """The text that Prometheus scrapes."""
        from prometheus_client.exposition import generate_latest

        return generate_latest(self.registry()).decode("utf-8")

    def collect(self) -> "Iterator[CounterMetricFamily | GaugeMetricFamily]":
        """What a registry of prometheus-client asks for."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        with self._lock:
            values = sorted(self._values.items())
        for name, meter in METERS.items():
            family = GaugeMetricFamily if meter.gauge else CounterMetricFamily
            found = family(name, meter.help, labels=[meter.label] if meter.label else [])
            for (of, label), value in values:
                if of == name:
                    found.add_metric([label] if meter.label else [], value)
            yield found

    def _key(self, name: MeterName, labels: Mapping[str, str], *, gauge: bool) -> tuple[MeterName, str]:
        meter = METERS.get(name)
        if meter is None or meter.gauge != gauge:
            raise UsageError("name", f"{name!r} is unknown", remedy=f"choose from {sorted(METERS)}")
        wanted = {meter.label} if meter.label else set()
        if set(labels) != wanted:
            raise UsageError("labels", f"{sorted(labels)} do not fit {name}", remedy=f"pass {sorted(wanted)}")
        return name, labels.get(meter.label, "")


def _series(name: MeterName, label: str) -> str:
    if not METERS[name].label:
        return name
    escaped = label.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")
    return f'{name}{{{METERS[name].label}="{escaped}"}}'
