"""The way of a review: due - claim - pack - ask - admit - write - finish. The reviewer's only room that calls ports.

A claim always ends: with the cursor behind all that was read, or as failed with the cursor where it was. A process that
dies on the way leaves its claim until the lease ends; what it wrote is found there by the next review, and not written
again.
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol, assert_never

from glossator.errors import ConflictError, ProviderError, StoreError, UsageError
from glossator.meters import Meters
from glossator.model import (
    BUCKETS,
    AllowedAdd,
    AllowedArchive,
    AllowedOperation,
    AllowedReplace,
    Fact,
    FactFilter,
    Message,
    Move,
    Packed,
    ReviewClaim,
    ReviewCursor,
    ReviewEnd,
    ReviewReply,
    ReviewResult,
    ReviewRow,
    ReviewState,
    Scope,
    Turn,
)
from glossator.options import Options
from glossator.ports import Clock, Extractor, LanguageModel, Store
from glossator.rules.instants import zone_named
from glossator.rules.log_words import content_of, kind_of
from glossator.rules.trust import may_learn
from glossator.upkeep.review.admission import checked
from glossator.upkeep.review.offline import offline_review
from glossator.upkeep.review.packing import pack, passage_of
from glossator.upkeep.review.prompt import review_prompt
from glossator.upkeep.review.reply import read_review
from glossator.upkeep.review.rows import review_row, shown_rows
from glossator.upkeep.review_due import Pacing, SkipReason, skip_reason
from glossator.upkeep.review_results import Change, ended, joined, room_of, skipped

logger = logging.getLogger("glossator.worker.review")
"""Below the worker's, so that `glossator worker` shows it."""

REVIEWER = "memory_reviewer"
"""Who a review's facts and changes are by."""
PASSES_MAX = 50
"""Reviews of one conversation that one forced call makes: 2,000 messages; the next call goes on."""
DUE_MAX = 50_000
"""Conversations that one sweep looks through: half a second at most."""
FACTS_MAX = 1_000
"""Facts that are looked at for rows, the latest seen first; the prompt files hold 43 of them."""


class Writer(Protocol):
    """What keeps facts; each method returns "" where a row was written, else the short reason why none was."""

    def add(self, turn: Turn, added: AllowedAdd) -> str:
        """Keep a statement."""
        ...

    def replace(self, turn: Turn, replaced: AllowedReplace) -> str:
        """Give a row other words."""
        ...


@dataclass(slots=True, kw_only=True)
class Pass:
    """What one claim has led to so far."""

    cursor: ReviewCursor
    status: ReviewEnd = "nothing_to_save"
    packed: Packed | None = None
    more: bool = False
    changes: Counter[Change] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)


class Reviewer:
    """Reviews conversations. One per Memory; safe to share between threads.

    `changed` is told the scope whose facts a review has changed, before the review ends.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        options: Options,
        meters: Meters,
        *,
        model: LanguageModel | None,
        extractor: Extractor,
        writer: Writer,
        changed: Callable[[Scope], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._options = options
        self._meters = meters
        self._model = model
        self._extractor = extractor
        self._writer = writer
        self._changed = changed
        self._pacing = Pacing(
            interval_hours=options.review_interval_hours, backoff_ms=options.review_failure_backoff_ms
        )
        routes = 1 if options.language_model_fallback == "none" else 2
        self._lease_s = max(options.review_failure_backoff_ms / 1000, routes * options.review_timeout_s)

    def due(self, now: datetime, *, limit: int) -> tuple[Scope, ...]:
        """Conversations whose interval is over and that have something new, whoever they belong to.

        Those of agents that may not learn are never reviewed, and stand in nobody's way.
        """
        pause = timedelta(hours=self._options.review_interval_hours)
        if not pause:
            return ()
        found = self._store.unreviewed(None, reviewed_before=now - pause, or_after=now + pause, limit=DUE_MAX)
        return tuple(each for each in found if self._learns(each.agent))[:limit]

    def review(self, scope: Scope, *, forced: bool = False) -> ReviewResult:
        """Review the conversation of the scope once, if it is due; `forced` heeds neither interval nor back-off.

        What fails is told in the result and in the review's state. Raises StoreError where not even that can be kept.
        """
        now = self._clock.now()
        state = self._store.review_state(scope)
        reason = self._skip_reason(state, now, forced=forced)
        if reason is None and state is not None:
            claim = self._store.claim_review(state, now=now, lease_s=self._lease_s)
            if claim is not None:
                return self._held(claim)
            reason = "concurrent_run"
        self._meters.counted("glossator_review_skipped_total", reason=reason or "no_new_messages")
        return skipped(scope, reason or "no_new_messages")

    def review_all(self, scope: Scope) -> ReviewResult:
        """Review the conversation now, in as many passes as it takes, at most PASSES_MAX; their results as one."""
        total = self.review(scope, forced=True)
        for _ in range(PASSES_MAX - 1):
            if not total.more or total.status == "failed":
                break
            total = joined(total, self.review(scope, forced=True))
        return total

    def _skip_reason(self, state: ReviewState | None, now: datetime, *, forced: bool) -> SkipReason | None:
        """Why the conversation is not reviewed now, in the order in which it is asked."""
        if state is None:
            return "no_new_messages"
        if self._options.capture_mode == "off" or not self._learns(state.scope.agent):
            return "disabled"
        reason = skip_reason(state, now=now, pacing=self._pacing, forced=forced)
        if reason is None and not self._store.messages_to_review(state.scope, after=state.cursor, limit=1):
            return "no_new_messages"
        return reason

    def _learns(self, agent: str) -> bool:
        return may_learn(self._options.tiers, agent)

    def _open_words(self, message: Message) -> Message:
        """The message as it may be read: one of an agent that was not to learn from it has no words here."""
        agent = message.scope.agent
        return message if may_learn(self._options.tiers, agent, at_most=message.tier) else replace(message, content="")

    def _held(self, claim: ReviewClaim) -> ReviewResult:
        done = Pass(cursor=claim.cursor)
        try:
            self._run(claim, done)
            self._store.finish_review(claim, status=done.status, cursor=done.cursor, now=self._clock.now())
        except ConflictError:
            logger.info("a review was left to another process, which has claimed it since")
            self._meters.counted("glossator_review_skipped_total", reason="concurrent_run")
            self._count(done)
            return skipped(claim.scope, "concurrent_run")
        except (ProviderError, StoreError) as error:
            return self._failed(claim, done, error)
        self._meters.counted("glossator_review_total", status=done.status)
        self._count(done)
        return ended(claim.scope, done.status, done.packed, done.changes, done.skipped, more=done.more)

    def _failed(self, claim: ReviewClaim, done: Pass, error: ProviderError | StoreError) -> ReviewResult:
        """The cursor stays; what was written stays too, and the next review finds it."""
        logger.warning("a review failed: %s", kind_of(error), extra=content_of(error))
        try:
            self._store.finish_review(claim, status="failed", cursor=None, now=self._clock.now())
        except ConflictError:  # it had ended, or somebody else has it
            logger.info("a review that failed was no longer held")
        self._meters.counted("glossator_review_total", status="failed")
        self._count(done)
        return ended(
            claim.scope, "failed", done.packed, done.changes, done.skipped, more=True, failure=str(error)
        )  # fmt: skip

    def _count(self, done: Pass) -> None:
        for change, count in done.changes.items():
            self._meters.counted("glossator_review_operations_total", by=count, operation=change)
        self._meters.counted("glossator_review_operations_total", by=done.skipped.total(), operation="skipped")

    def _run(self, claim: ReviewClaim, done: Pass) -> None:
        """Read, ask, write. `done` holds what was written also where this raises."""
        scope, now = claim.scope, self._clock.now()
        self._read(scope, done)
        packed = done.packed
        if packed is None or not packed.messages:
            return
        facts = self._facts(scope)
        rows = [row for fact in facts.values() if (row := review_row(fact)) is not None]
        turn = _turn(scope, packed)
        reply = self._reply(turn, packed, shown_rows(rows, packed), now)
        done.status = "nothing_to_save" if reply.nothing_to_save else "ok"
        fit = checked(reply.operations, shown_rows(rows, packed), packed, now=now, unread=reply.skipped)
        done.skipped.update(fit.skipped)
        for operation in fit.allowed:
            self._write(turn, operation, facts, done)
        if done.changes:
            self._changed(scope.whole)

    def _read(self, scope: Scope, done: Pass) -> None:
        """What is read in this pass; messages of which nothing is their speaker's own are passed over."""
        wanted = self._options.review_max_messages
        while True:
            found = self._store.messages_to_review(scope, after=done.cursor, limit=wanted + 1)
            found = tuple(self._open_words(each) for each in found)
            packed = pack(
                found, cursor=done.cursor, messages_max=wanted, tokens_max=self._options.review_input_token_budget
            )
            full = len(found) > wanted
            done.packed, done.cursor, done.more = packed, packed.cursor, packed.left or full
            if packed.messages or not full:
                return

    def _facts(self, scope: Scope) -> dict[int, Fact]:
        """The facts that may be rows: what holds now, but for other conversations' own and what no prompt may show."""
        asked = FactFilter(states=("active",), sensitivities=self._options.prompt_sensitivities, limit=FACTS_MAX)
        found = self._store.facts(scope.whole, asked)
        own = (fact for fact in found if fact.scope_type != "conversation" or fact.scope_id == scope.conversation)
        return {fact.fact_id: fact for fact in own}

    def _reply(self, turn: Turn, packed: Packed, rows: Sequence[ReviewRow], now: datetime) -> ReviewReply:
        """What the model answers, else what the rules read. Raises ProviderError."""
        if self._model is None:
            limit = self._options.turn_fact_max_per_turn * len(turn.passages)
            return offline_review(self._extractor.extract(turn, limit=limit).drafts, rows, packed, now=now)
        local = now.astimezone(zone_named(self._options.zone))
        rooms = [room_of(bucket, rows) for bucket in BUCKETS]
        prompt = review_prompt(packed, rows, rooms=rooms, now=local, timeout_s=self._options.review_timeout_s)
        completion = self._model.complete(prompt)
        self._meters.counted("glossator_tokens_total", by=completion.tokens_in, direction="in")
        self._meters.counted("glossator_tokens_total", by=completion.tokens_out, direction="out")
        return read_review(completion.text, model=self._model.name, cut=completion.cut)

    def _write(self, turn: Turn, operation: AllowedOperation, facts: dict[int, Fact], done: Pass) -> None:
        """One operation, in a transaction of its own: what cannot be done is counted, and the others go on."""
        change: Change
        try:
            match operation:
                case AllowedAdd():
                    change, reason = "added", self._writer.add(turn, operation)
                case AllowedReplace():
                    change, reason = "replaced", self._writer.replace(turn, operation)
                case AllowedArchive():
                    change, reason = "archived", self._archive(turn.scope, operation, facts)
                case _ as never:
                    assert_never(never)
        except UsageError as error:  # the row or the message has gone meanwhile
            logger.info("an operation of a review was left out: %s", kind_of(error), extra=content_of(error))
            done.skipped["changed_meanwhile"] += 1
            return
        if reason:
            done.skipped[reason] += 1
        else:
            done.changes[change] += 1

    def _archive(self, scope: Scope, archived: AllowedArchive, facts: dict[int, Fact]) -> str:
        """Only as it was read: a row that has changed since may say something else now."""
        fact = facts[archived.row.fact_id]
        reason = archived.operation.reason or "no longer holds"
        move = Move(fact_id=fact.fact_id, version=fact.version, to_state="archived", by=REVIEWER, reason=reason)
        self._store.move_facts(scope, [move], now=self._clock.now())
        return ""


def _turn(scope: Scope, packed: Packed) -> Turn:
    """What was read, as every other turn: facts rest on its passages."""
    passages = tuple(replace(passage_of(each), conversation=scope.conversation) for each in packed.messages)
    return Turn(scope=scope.whole, passages=passages, source="review")
