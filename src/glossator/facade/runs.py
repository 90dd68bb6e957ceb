"""How does an agent's turn use memory without ever failing because of it? `Memory.run` gives the hooks of one run.

Each hook returns its empty value when the store or a provider fails; the failure is logged, counted and told in
`AgentRun.failures` and in what the hook returns. A wrong argument still raises.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from glossator.context.compose import loaded_files
from glossator.errors import UsageError
from glossator.facade.access import AccessVerbs
from glossator.facade.caching import CacheVerbs
from glossator.facade.checks import checked_scope
from glossator.facade.composing import ContextVerbs
from glossator.facade.jobs import JobVerbs
from glossator.facade.journal import JournalVerbs
from glossator.facade.lifecycle import LifecycleVerbs
from glossator.facade.notes import NoteVerbs
from glossator.facade.outlining import OutlineVerbs
from glossator.facade.prompting import PromptVerbs
from glossator.facade.queueing import QueueVerbs
from glossator.facade.resourcing import ResourceVerbs
from glossator.facade.reviewing import ReviewVerbs
from glossator.facade.stays import STALE, Stay, stale
from glossator.facade.steps import StepVerbs
from glossator.facade.windowing import WindowVerbs
from glossator.model import (
    Category,
    CompactionResult,
    Conversation,
    Degradation,
    FactList,
    PromptFiles,
    PromptWindow,
    Receipt,
    Scope,
)
from glossator.model.context import ContextBlock
from glossator.rules.log_words import content_of, kind_of, place_of

logger = logging.getLogger("glossator.run")
T = TypeVar("T")


class Verbs(
    JournalVerbs,
    CacheVerbs,
    NoteVerbs,
    QueueVerbs,
    StepVerbs,
    ReviewVerbs,
    PromptVerbs,
    WindowVerbs,
    ContextVerbs,
    JobVerbs,
    ResourceVerbs,
    LifecycleVerbs,
    OutlineVerbs,
    AccessVerbs,
):
    """All verbs that raise."""


class AgentRun:
    """The hooks of one run of one agent in one conversation."""

    def __init__(self, memory: Verbs, *, scope: Scope, conversation: str, run_id: str) -> None:
        self._memory = memory
        self._stay = Stay(scope=scope, conversation=conversation)
        self.run_id = run_id
        self._failures: list[str] = []

    @property
    def failures(self) -> tuple[str, ...]:
        """What failed in this run so far, as "hook: reason"."""
        return tuple(self._failures)

    @property
    def _scope(self) -> Scope:
        return self._stay.scope

    @property
    def _conversation(self) -> str:
        return self._stay.conversation

    def switch(self, conversation: str, *, scope: Scope | None = None) -> None:
        """Go on in another conversation, of the same scope unless another is given.

        A `prefetch` or `context` that was begun before and comes later is dropped: its result says "stale" (D40). What
        is being recorded still goes where it was said. Raises UsageError for a wrong argument.
        """
        Conversation.parse(conversation)
        self._stay = self._stay.next(conversation, None if scope is None else checked_scope(scope))

    def durable_facts(self, *, limit: int = 5, categories: Sequence[Category] = ()) -> FactList:
        """As `Memory.durable_facts`; empty with its reason in `degraded` when the store fails."""
        return self._hook(
            "durable_facts",
            lambda: self._memory.durable_facts(scope=self._scope, limit=limit, categories=categories),
            _empty_list,
        )

    def prefetch(self, query: str, *, limit: int = 5) -> FactList:
        """As `Memory.prefetch`, once for each conversation of a run: later calls give the first answer again."""
        stay = self._stay
        with stay.lock:
            if stay.prefetched is None:
                stay.prefetched = self._hook(
                    "prefetch", lambda: self._memory.prefetch(query, scope=stay.scope, limit=limit), _empty_list
                )
        return stay.prefetched if stay is self._stay else FactList(degraded=stale("facts"))

    def context(
        self,
        messages: str | Sequence[Mapping[str, object]],
        *,
        budget: int,
        now: object = None,
        limit: int = 10,
        durable: int = 5,
    ) -> ContextBlock:
        """As `Memory.context`; an empty block with its reason in `degraded` when the store fails."""
        stay = self._stay
        composed = self._hook(
            "context",
            lambda: self._memory.context(
                messages,
                scope=stay.scope,
                budget=budget,
                conversation=stay.conversation,
                now=now,
                limit=limit,
                durable=durable,
            ),
            lambda reason: ContextBlock(degraded=(Degradation(part="context", reason=reason),), skipped="failed"),
        )
        if stay is not self._stay:
            composed = ContextBlock(degraded=stale("context"), skipped=STALE)
        return replace(composed, generation=stay.generation)

    def prompt_files(self) -> PromptFiles:
        """As `Memory.prompt_files`, for this conversation; two empty files when the store fails."""
        return self._hook(
            "prompt_files",
            lambda: self._memory.prompt_files(scope=self._scope, conversation=self._conversation),
            lambda _: loaded_files({}),
        )

    def window(self) -> PromptWindow:
        """As `Memory.window`; nothing but what the caller adds is sent when the store fails."""
        return self._hook(
            "window",
            lambda: self._memory.window(scope=self._scope, conversation=self._conversation),
            lambda _: PromptWindow(messages=(), message_ids=(), checkpoint="", tokens=0),
        )

    def record(self, messages: Sequence[Mapping[str, object]], *, session: str | None = None) -> Receipt:
        """As `Memory.record`; when the store fails, a receipt without messages that says so in `failure`.

        A store that fails is tried three times, `Options.record_retry_delay_s` apart.
        """
        stay = self._stay
        return self._hook(
            "record",
            lambda: self._memory.kept_surely(
                lambda named: self._memory.record(
                    named, scope=stay.scope, conversation=stay.conversation, session=session
                ),
                messages,
            ),
            lambda reason: Receipt(recorded=(), pending=0, failure=reason),
        )

    def preflight(self) -> CompactionResult:
        """As `Memory.preflight`; not compacted, with the reason in `detail`, when the store fails."""
        return self._hook(
            "preflight",
            lambda: self._memory.preflight(scope=self._scope, conversation=self._conversation),
            lambda reason: CompactionResult(reason="failed", detail=reason),
        )

    def after_delivery(self, *, prompt_tokens: int | None = None, window_tokens: int | None = None) -> CompactionResult:
        """As `Memory.after_delivery`; not compacted, with the reason in `detail`, when the store fails."""
        return self._hook(
            "after_delivery",
            lambda: self._memory.after_delivery(
                scope=self._scope,
                conversation=self._conversation,
                prompt_tokens=prompt_tokens,
                window_tokens=window_tokens,
            ),
            lambda reason: CompactionResult(reason="failed", detail=reason),
        )

    def before_truncation(self, prompt: str | Sequence[Mapping[str, object]], *, window_tokens: int) -> bool:
        """As `Memory.before_truncation`; False when the store fails."""
        return self._hook(
            "before_truncation",
            lambda: self._memory.before_truncation(
                prompt,
                scope=self._scope,
                window_tokens=window_tokens,
                conversation=self._conversation,
                run_id=self.run_id,
            ),
            lambda _: False,
        )

    def finish(self, *, request: str, steps: Sequence[Mapping[str, object]] = (), final_answer: str = "") -> bool:
        """Keep the steps, and queue the last extraction over the whole run; False when the store fails."""

        def ended() -> bool:
            if steps:
                self._memory.record_steps(self.run_id, steps, scope=self._scope)
            return self._memory.end_session(
                scope=self._scope,
                request=request,
                steps=steps,
                final_answer=final_answer,
                conversation=self._conversation,
                run_id=self.run_id,
            )

        return self._hook("finish", ended, lambda _: False)

    def _hook(self, name: str, call: Callable[[], T], empty: Callable[[str], T]) -> T:
        try:
            return call()
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 - a hook never fails the turn
            told = (name, kind_of(error), place_of(error))
            logger.error("the hook %s gave its empty result: %s, %s", *told, extra=content_of(error))  # noqa: TRY400
            reason = f"{type(error).__name__}: {error}"
            self._failures.append(f"{name}: {reason}")
            self._memory.hook_failed(name)
            return empty(reason)


def _empty_list(reason: str) -> FactList:
    return FactList(degraded=(Degradation(part="facts", reason=reason),))
