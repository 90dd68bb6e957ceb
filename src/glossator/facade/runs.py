"""How does an agent's turn use memory without ever failing because of it? `Memory.run` gives the hooks of one run.

Each hook returns its empty value when the store or a provider fails; the failure is logged, counted and told in
`AgentRun.failures` and in what the hook returns. A wrong argument still raises.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from glossator.errors import UsageError
from glossator.facade.caching import CacheVerbs
from glossator.facade.composing import ContextVerbs
from glossator.facade.facts import FactVerbs
from glossator.facade.jobs import JobVerbs
from glossator.facade.journal import JournalVerbs
from glossator.facade.lifecycle import LifecycleVerbs
from glossator.facade.notes import NoteVerbs
from glossator.facade.prompting import PromptVerbs
from glossator.facade.queueing import QueueVerbs
from glossator.facade.recalling import RecallVerbs
from glossator.facade.resourcing import ResourceVerbs
from glossator.facade.reviewing import ReviewVerbs
from glossator.facade.steps import StepVerbs
from glossator.facade.windowing import WindowVerbs
from glossator.model import Category, Degradation, FactList, Receipt, Scope

logger = logging.getLogger("glossator.run")
T = TypeVar("T")


class Verbs(
    JournalVerbs,
    RecallVerbs,
    FactVerbs,
    NoteVerbs,
    QueueVerbs,
    StepVerbs,
    ReviewVerbs,
    PromptVerbs,
    WindowVerbs,
    ContextVerbs,
    JobVerbs,
    ResourceVerbs,
    CacheVerbs,
    LifecycleVerbs,
):
    """All verbs that raise."""


class AgentRun:
    """The hooks of one run of one agent in one conversation."""

    def __init__(self, memory: Verbs, *, scope: Scope, conversation: str, run_id: str) -> None:
        self._memory = memory
        self._scope = scope
        self._conversation = conversation
        self.run_id = run_id
        self._prefetched: FactList | None = None
        self._lock = threading.Lock()
        self._failures: list[str] = []

    @property
    def failures(self) -> tuple[str, ...]:
        """What failed in this run so far, as "hook: reason"."""
        return tuple(self._failures)

    def durable_facts(self, *, limit: int = 5, categories: Sequence[Category] = ()) -> FactList:
        """As `Memory.durable_facts`; empty with its reason in `degraded` when the store fails."""
        return self._hook(
            "durable_facts",
            lambda: self._memory.durable_facts(scope=self._scope, limit=limit, categories=categories),
            _empty_list,
        )

    def prefetch(self, query: str, *, limit: int = 5) -> FactList:
        """As `Memory.prefetch`, once a run: later calls give the first answer again."""
        with self._lock:
            if self._prefetched is None:
                self._prefetched = self._hook(
                    "prefetch", lambda: self._memory.prefetch(query, scope=self._scope, limit=limit), _empty_list
                )
            return self._prefetched

    def record(self, messages: Sequence[Mapping[str, object]], *, session: str | None = None) -> Receipt:
        """As `Memory.record`; when the store fails, a receipt without messages that says so in `failure`."""
        return self._hook(
            "record",
            lambda: self._memory.record(messages, scope=self._scope, conversation=self._conversation, session=session),
            lambda reason: Receipt(recorded=(), pending=0, failure=reason),
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
        except Exception as error:
            logger.exception("the hook %s gave its empty result", name)
            reason = f"{type(error).__name__}: {error}"
            self._failures.append(f"{name}: {reason}")
            self._memory.hook_failed(name)
            return empty(reason)


def _empty_list(reason: str) -> FactList:
    return FactList(degraded=(Degradation(part="facts", reason=reason),))
