"""What of a conversation is summed up, and what stays? Arithmetic over a window; nothing is asked and nothing stored.

The system messages at the beginning stay, then comes the checkpoint, then a contiguous newest tail (D15). What is
between the beginning and the tail goes into the checkpoint, the older checkpoint with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from glossator.context.sent import checkpoint_wire, sent, sent_parts, split_leading, tokens_of, wire_of
from glossator.model import CompactionReason, Message, Window, WindowRecord
from glossator.options import Options

TAIL_SHARE = 0.5
"""Of the budget for the newest messages: the rest is for the checkpoint, and for what is said next."""
SUMMARY_PART = 4
"""The checkpoint may have the budget divided by this ..."""
SUMMARY_TOKENS_MIN = 64
"""... and so many tokens at least; in fewer nothing can be told."""
SAVING_MIN = 0.1
"""A compaction that saves less than a tenth is not worth a model's call, and comes again at once."""
HOUR = timedelta(hours=1)
ROUNDING = 1e-6
"""0.85 times a window is not always the number that it is on paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a compaction would do. Tokens are estimates; with a checkpoint of `summary_tokens` the result is within
    `budget_tokens`."""

    leading: tuple[Message, ...]
    summed: tuple[Message, ...]
    tail: tuple[Message, ...]
    checkpoint: Message | None
    summary_tokens: int
    budget_tokens: int
    before_tokens: int

    def after_tokens(self, checkpoint: str) -> int:
        """About how many tokens the window has with this checkpoint."""
        return tokens_of(sent_parts(self.leading, checkpoint, self.tail))

    def is_weak(self, checkpoint: str) -> bool:
        """True where the result is over the budget or saves too little."""
        after = self.after_tokens(checkpoint)
        return after > self.budget_tokens or after > self.before_tokens * (1 - SAVING_MIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoPlan:
    """Why nothing can be summed up."""

    reason: Literal["nothing_to_compact", "does_not_fit"]
    before_tokens: int


def refusal(record: WindowRecord, options: Options, *, has_model: bool, now: datetime) -> CompactionReason | None:
    """Why no compaction is due by itself, the cheapest reasons first; None where one is due.

    Nothing here lasts: a failure counts for its back-off, what was compacted for an hour, and a clock that was put
    back makes neither longer (D22).
    """
    if not options.compaction_enabled:
        return "disabled"
    if not has_model:
        return "no_model"
    if record.measure is None or record.measure.peak_tokens < 1:
        return "no_measurement"
    if record.measure.peak_tokens < options.compaction_threshold * record.measure.window_tokens - ROUNDING:
        return "under_threshold"
    backoff = timedelta(seconds=options.compaction_failure_backoff_s)
    newest = record.attempts[0] if record.attempts else None
    if newest is not None and newest.outcome != "compacted" and _within(newest.at, now, backoff):
        return "failure_backoff"
    within = [each for each in record.attempts if each.outcome != "failed" and _within(each.at, now, HOUR)]
    return "frequency_limit" if len(within) >= options.compaction_hourly_max else None


def planned(window: Window, *, budget_tokens: int) -> Plan | NoPlan:
    """What to sum up so that the window is within the budget. A tool's result stays with the call that it answers."""
    leading, rest = split_leading(window)
    before = sent(window).tokens
    groups = _grouped(rest)
    frame = tokens_of([checkpoint_wire("")])
    wanted = max(budget_tokens // SUMMARY_PART, SUMMARY_TOKENS_MIN)
    free = budget_tokens - tokens_of([wire_of(each) for each in leading]) - frame
    kept = _newest(groups, room=min(int(budget_tokens * TAIL_SHARE), free - wanted))
    while kept > 1 and _sent_tokens(leading, groups[-kept:]) + frame + wanted > budget_tokens:
        kept -= 1  # stubs for results that are missing made it longer
    tail, older = _joined(groups[len(groups) - kept :]), _joined(groups[: len(groups) - kept])
    going = tokens_of([wire_of(each) for each in older])
    going += tokens_of([checkpoint_wire(window.checkpoint.content)]) if window.checkpoint and older else 0
    if not older or going <= before * SAVING_MIN:
        return NoPlan(reason="nothing_to_compact", before_tokens=before)
    room = budget_tokens - frame - tokens_of(sent_parts(leading, "", tail))
    if room < SUMMARY_TOKENS_MIN:
        return NoPlan(reason="does_not_fit", before_tokens=before)
    return Plan(
        leading=leading, summed=older, tail=tail, checkpoint=window.checkpoint, summary_tokens=min(wanted, room),
        budget_tokens=budget_tokens, before_tokens=before,
    )  # fmt: skip


def grown(plan: Plan, window: Window) -> Plan | None:
    """The plan for a window to which messages were added meanwhile; None where what it rests on is no longer there."""
    leading, rest = split_leading(window)
    older = len(plan.summed)
    same = (leading, rest[:older], window.checkpoint) == (plan.leading, plan.summed, plan.checkpoint)
    if not same or rest[older : older + len(plan.tail)] != plan.tail:
        return None
    return Plan(
        leading=leading, summed=plan.summed, tail=rest[older:], checkpoint=plan.checkpoint,
        summary_tokens=plan.summary_tokens, budget_tokens=plan.budget_tokens, before_tokens=sent(window).tokens,
    )  # fmt: skip


def _within(at: datetime, now: datetime, span: timedelta) -> bool:
    return timedelta(0) <= now - at < span


def _grouped(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """Each message with the tools' messages that follow it: what may not be cut apart."""
    groups: list[tuple[Message, ...]] = []
    for message in messages:
        if message.role == "tool" and groups:
            groups[-1] += (message,)
        else:
            groups.append((message,))
    return groups


def _newest(groups: Sequence[tuple[Message, ...]], *, room: int) -> int:
    """How many of the newest groups stand in the room without a gap; the last one always."""
    count, total = 0, 0
    for group in reversed(groups):
        total += tokens_of([wire_of(each) for each in group])
        if count and total > room:
            break
        count += 1
    return count


def _sent_tokens(leading: Sequence[Message], groups: Sequence[tuple[Message, ...]]) -> int:
    return tokens_of(sent_parts(leading, "", _joined(groups)))


def _joined(groups: Sequence[tuple[Message, ...]]) -> tuple[Message, ...]:
    return tuple(message for group in groups for message in group)
