"""The same verbs for asyncio: the engine is written once, and each verb runs in a bounded pool of threads."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

from glossator.facade import AgentRun, Memory
from glossator.model import Scope

P = ParamSpec("P")
R = TypeVar("R")

READERS_MAX = 8
SLOW_MAX = 2


class AsyncMemory:
    """`Memory` for asyncio: every verb has the same arguments and returns an awaitable of the same result.

    Reads share one pool, slow work (drain, doctor, backup, forget) another, so that neither waits for the other and
    the event loop never waits at all.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._reads = ThreadPoolExecutor(READERS_MAX, thread_name_prefix="glossator-read")
        self._slow = ThreadPoolExecutor(SLOW_MAX, thread_name_prefix="glossator-slow")
        self.record = _in(self._reads, memory.record)
        self.remember_document = _in(self._reads, memory.remember_document)
        self.recall = _in(self._reads, memory.recall)
        self.messages = _in(self._reads, memory.messages)
        self.status = _in(self._reads, memory.status)
        self.waiting = _in(self._reads, memory.waiting)
        self.remember = _in(self._reads, memory.remember)
        self.facts = _in(self._reads, memory.facts)
        self.history = _in(self._reads, memory.history)
        self.explain = _in(self._reads, memory.explain)
        self.learned = _in(self._reads, memory.learned)
        self.forget_facts = _in(self._reads, memory.forget_facts)
        self.restore_fact = _in(self._reads, memory.restore_fact)
        self.check_contradictions = _in(self._reads, memory.check_contradictions)
        self.note = _in(self._reads, memory.note)
        self.search_facts = _in(self._reads, memory.search_facts)
        self.durable_facts = _in(self._reads, memory.durable_facts)
        self.prefetch = _in(self._reads, memory.prefetch)
        self.before_truncation = _in(self._reads, memory.before_truncation)
        self.end_session = _in(self._reads, memory.end_session)
        self.record_steps = _in(self._reads, memory.record_steps)
        self.steps = _in(self._reads, memory.steps)
        self.search_reasoning_steps_lexical = _in(self._reads, memory.search_reasoning_steps_lexical)
        self.drop_steps = _in(self._reads, memory.drop_steps)
        self.forget = _in(self._slow, memory.forget)
        self.drain = _in(self._slow, memory.drain)
        self.warm = _in(self._slow, memory.warm)
        self.doctor = _in(self._slow, memory.doctor)
        self.backup = _in(self._slow, memory.backup)

    def run(self, *, scope: Scope, conversation: str, run_id: str | None = None) -> "AsyncAgentRun":
        """As `Memory.run`; the hooks are awaited."""
        return AsyncAgentRun(self._memory.run(scope=scope, conversation=conversation, run_id=run_id), self._reads)

    def metrics(self) -> Mapping[str, float]:
        """As `Memory.metrics`: a copy of numbers in memory, at once."""
        return self._memory.metrics()

    def metrics_text(self) -> str:
        """As `Memory.metrics_text`, at once."""
        return self._memory.metrics_text()

    async def close(self) -> None:
        """Finish what runs, stop the worker and release the store."""
        await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        self._reads.shutdown()
        self._slow.shutdown()
        self._memory.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncAgentRun:
    """The hooks of one run for asyncio: as `AgentRun`, awaited. They never fail a turn and never block the loop."""

    def __init__(self, run: AgentRun, pool: ThreadPoolExecutor) -> None:
        self._run = run
        self.run_id = run.run_id
        self.durable_facts = _in(pool, run.durable_facts)
        self.prefetch = _in(pool, run.prefetch)
        self.record = _in(pool, run.record)
        self.before_truncation = _in(pool, run.before_truncation)
        self.finish = _in(pool, run.finish)

    @property
    def failures(self) -> tuple[str, ...]:
        """What failed in this run so far."""
        return self._run.failures


def _in(pool: ThreadPoolExecutor, verb: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    @wraps(verb)
    async def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.get_running_loop().run_in_executor(pool, partial(verb, *args, **kwargs))

    return run
