"""What is counted? Each counter and gauge of one memory, with the label that tells its series apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
