"""The way from a long conversation to a short one: plan - summarise - judge - replace - keep. It calls the ports.

A failure on the way leaves the conversation as it was, is logged with its reason, and says so (D21). What leaves the
window stays in the journal; the facts in it are taken by the work that `record` wrote, or by the review, as ever.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from glossator.context.checkpoint_prompt import Summary, Unusable, checkpoint_prompt, portioned, read_summary
from glossator.context.compact import NoPlan, Plan, grown, planned, refusal
from glossator.context.sent import COVERED, covered
from glossator.errors import ConflictError, GlossatorError, ProviderError, ProviderTimeoutError
from glossator.meters import Meters
from glossator.model import (
    WINDOW_TOKENS_UNKNOWN,
    CompactionAttempt,
    CompactionOutcome,
    CompactionReason,
    CompactionResult,
    MessageDraft,
    Prompt,
    RevisionDraft,
    Scope,
    Window,
    WindowChange,
    WindowRecord,
)
from glossator.options import Options
from glossator.ports import Clock, Ids, LanguageModel, Store
from glossator.rules.instants import said_at_moment
from glossator.rules.log_words import CONTENT, content_of, kind_of

logger = logging.getLogger("glossator.compaction")

CHECKPOINT_SESSION = "checkpoints"
"""A session of their own, so that no message has a checkpoint for its neighbour."""
CHECKPOINT_SPEAKER = "checkpoint"
STALE_MAX = 3
"""A model takes seconds, and people go on writing; three times in between they do not."""
NOTICE = "Older messages of this conversation were summed up to make room. They stay in memory."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    """Why there is no checkpoint: a word for the log, and the sentence."""

    outcome: CompactionOutcome
    reason: str
    detail: str


class Compactor:
    """Compacts the conversations of one store. `clean` takes secrets out of a text."""

    def __init__(
        self,
        store: Store,
        model: LanguageModel | None,
        options: Options,
        meters: Meters,
        *,
        clock: Clock,
        ids: Ids,
        zone: tzinfo,
        clean: Callable[[str], str],
    ) -> None:
        self._store = store
        self._model = model
        self._options = options
        self._meters = meters
        self._clock = clock
        self._ids = ids
        self._zone = zone
        self._clean = clean

    def compact_if_due(self, scope: Scope, conversation: str, *, trigger: str, notice: str = "") -> CompactionResult:
        """Compact where the last measure says that it is time. `notice` is told where it was done."""
        now = self._clock.now()
        record = self._record(scope, conversation)
        refused = refusal(record, self._options, has_model=self._model is not None, now=now)
        if refused is not None:
            return self._counted(CompactionResult(reason=refused))
        result = self.compact(scope, conversation, record=record, trigger=trigger)
        return replace(result, notice=notice) if result.compacted else result

    def compact(
        self, scope: Scope, conversation: str, *, trigger: str, record: WindowRecord | None = None,
        window_tokens: int | None = None,
    ) -> CompactionResult:  # fmt: skip
        """Compact now, whatever was measured. `window_tokens` overrides the model's window that was measured with."""
        if self._model is None:
            return self._counted(CompactionResult(reason="no_model"))
        measure = (record or self._record(scope, conversation)).measure
        size = window_tokens or (measure.window_tokens if measure else WINDOW_TOKENS_UNKNOWN)
        seen = self._store.window(scope, conversation)
        plan = planned(seen, budget_tokens=int(size * self._options.compaction_budget))
        match plan:
            case NoPlan(reason=reason, before_tokens=before):
                return self._counted(CompactionResult(reason=reason, before_tokens=before, after_tokens=before))
            case Plan():
                made = self._summarised(self._model, plan, window_tokens=size)
                if isinstance(made, _Failure):
                    return self._failed(scope, conversation, plan, made)
                return self._replaced(scope, seen, plan, made.text, trigger=trigger)

    def _summarised(self, model: LanguageModel, plan: Plan, *, window_tokens: int) -> Summary | _Failure:
        """The checkpoint over the plan's older messages; portion by portion where they are more than one prompt."""
        made = Summary(text=plan.checkpoint.content if plan.checkpoint else "")
        for lines in portioned(plan.summed, window_tokens=window_tokens, summary_tokens=plan.summary_tokens):
            prompt = checkpoint_prompt(
                made.text, lines, summary_tokens=plan.summary_tokens, window_tokens=window_tokens,
                effort=self._options.compaction_reasoning_effort, timeout_s=self._options.compaction_timeout_s,
            )  # fmt: skip
            try:
                read = self._asked(model, prompt, summary_tokens=plan.summary_tokens)
            except ProviderError as error:
                reason = "timeout" if isinstance(error, ProviderTimeoutError) else "provider"
                return _Failure(outcome="failed", reason=reason, detail=str(error))
            if isinstance(read, Unusable):
                detail = f"the reply of {model.name} is no summary: {read.reason}"
                return _Failure(outcome="failed", reason=read.reason, detail=detail)
            made = read
        if plan.is_weak(made.text):
            detail = f"{plan.before_tokens} tokens would have become {plan.after_tokens(made.text)}"
            return _Failure(outcome="weak", reason="weak", detail=detail)
        return made

    def _asked(self, model: LanguageModel, prompt: Prompt, *, summary_tokens: int) -> Summary | Unusable:
        """The reply as a checkpoint, without secrets. Raises ProviderError."""
        reply = model.complete(prompt)
        self._meters.counted("glossator_tokens_total", by=reply.tokens_in, direction="in")
        self._meters.counted("glossator_tokens_total", by=reply.tokens_out, direction="out")
        read = read_summary(reply, summary_tokens=summary_tokens)
        return Summary(text=self._clean(read.text)) if isinstance(read, Summary) else read

    def _replaced(self, scope: Scope, seen: Window, plan: Plan | None, text: str, *, trigger: str) -> CompactionResult:
        """The window replaced, also where messages were added behind it meanwhile."""
        for _ in range(STALE_MAX):
            if plan is None or plan.is_weak(text):
                break
            now = self._clock.now()
            message_ids = (*covered(plan.checkpoint), *(each.message_id for each in plan.summed))
            change = self._change(seen, plan, text, message_ids, now)
            try:
                self._store.replace_window(scope, change, now=now)
            except ConflictError:
                seen = self._store.window(scope, seen.conversation)
                plan = grown(plan, seen)
                continue
            detail = self._kept(scope, seen.conversation, text, message_ids, trigger=trigger, now=now)
            after = plan.after_tokens(text)
            return self._counted(
                CompactionResult(
                    reason="compacted", before_tokens=plan.before_tokens, after_tokens=after, detail=detail
                )
            )
        detail = "the conversation changed while it was summed up"
        return self._counted(CompactionResult(reason="stale", detail=detail))

    def _change(self, seen: Window, plan: Plan, text: str, message_ids: tuple[int, ...], now: datetime) -> WindowChange:
        leaving = [each.message_id for each in plan.summed]
        leaving += [plan.checkpoint.message_id] if plan.checkpoint else []
        draft = MessageDraft(
            external_id=f"checkpoint-{self._ids.new()}",
            role="system",
            speaker=CHECKPOINT_SPEAKER,
            content=text,
            said=said_at_moment(now.astimezone(self._zone), given=False),
            session=CHECKPOINT_SESSION,
            kind="checkpoint_summary",
            metadata={COVERED: list(message_ids)},
            trust="unknown",
        )
        attempt = CompactionAttempt(
            at=now, outcome="compacted", before_tokens=plan.before_tokens, after_tokens=plan.after_tokens(text)
        )
        return WindowChange(
            conversation=seen.conversation, last_id=seen.last_id, compacted=tuple(leaving), checkpoint=draft,
            attempt=attempt,
        )  # fmt: skip

    def _kept(
        self, scope: Scope, conversation: str, text: str, message_ids: tuple[int, ...], *, trigger: str, now: datetime
    ) -> str:
        """Keep the checkpoint as a revision; why it could not be, or ""."""
        draft = RevisionDraft(
            kind="checkpoint", content=text, source="compaction", trigger=trigger, message_ids=message_ids,
            conversation=conversation,
        )  # fmt: skip
        try:
            self._store.commit_revision(scope.whole, draft, now=now)
        except GlossatorError as error:  # the conversation goes on without its copy
            told = kind_of(error)
            logger.warning("the revision of a checkpoint was not kept: %s", told, extra=content_of(error))
            self._meters.counted("glossator_compactions_total", reason="revision_not_kept")
            return f"the checkpoint's revision was not kept: {error}"
        return ""

    def _failed(self, scope: Scope, conversation: str, plan: Plan, failure: _Failure) -> CompactionResult:
        logger.warning("a conversation was not compacted: %s", failure.reason, extra={CONTENT: failure.detail})
        attempt = CompactionAttempt(
            at=self._clock.now(), outcome=failure.outcome, reason=failure.reason, before_tokens=plan.before_tokens,
            after_tokens=plan.before_tokens,
        )  # fmt: skip
        self._store.log_compaction(scope, conversation, attempt)
        reason: CompactionReason = "weak" if failure.outcome == "weak" else "failed"
        before = plan.before_tokens
        return self._counted(
            CompactionResult(reason=reason, before_tokens=before, after_tokens=before, detail=failure.detail)
        )

    def _record(self, scope: Scope, conversation: str) -> WindowRecord:
        """With all the attempts of an hour: at most one a second fails, and most wait for the back-off."""
        limit = self._options.compaction_hourly_max + int(timedelta(hours=1).total_seconds())
        return self._store.window_record(scope, conversation, limit=limit)

    def _counted(self, result: CompactionResult) -> CompactionResult:
        self._meters.counted("glossator_compactions_total", reason=result.reason)
        return result
