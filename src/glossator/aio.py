"""The same verbs for asyncio: the engine is written once, and each verb runs in a bounded pool of threads."""

from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial, wraps
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from glossator.facade import AgentRun, Memory
from glossator.model import Scope
from glossator.options import Options
from glossator.warm import EmbedderState

P = ParamSpec("P")
R = TypeVar("R")

READERS_MAX = 8
SLOW_MAX = 2
WRITES_MAX = 16
"""The store commits one at a time; those that wait meanwhile are committed together."""
LOOKS_MAX = 4
"""A look takes a millisecond and never waits for a model."""


def _quickly(verb: Callable[Concatenate[Memory, P], R]) -> "Callable[Concatenate[AsyncMemory, P], Awaitable[R]]":
    """The verb in the pool of reads."""

    @wraps(verb)
    async def run(self: "AsyncMemory", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await _awaited(self._reads, partial(verb, self._memory, *args, **kwargs))

    return run


def _slowly(verb: Callable[Concatenate[Memory, P], R]) -> "Callable[Concatenate[AsyncMemory, P], Awaitable[R]]":
    """The verb in the pool of slow work: whatever may wait for a model, the disk or other work."""

    @wraps(verb)
    async def run(self: "AsyncMemory", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await _awaited(self._slow, partial(verb, self._memory, *args, **kwargs))

    return run


def _briefly(verb: Callable[Concatenate[Memory, P], R]) -> "Callable[Concatenate[AsyncMemory, P], Awaitable[R]]":
    """The verb in the pool of short looks, which no recall that waits for a model can fill."""

    @wraps(verb)
    async def run(self: "AsyncMemory", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await _awaited(self._looks, partial(verb, self._memory, *args, **kwargs))

    return run


def _in_turn(verb: Callable[Concatenate[Memory, P], R]) -> "Callable[Concatenate[AsyncMemory, P], Awaitable[R]]":
    """The verb in the pool of writes, which never stand behind the questions that were asked before them."""

    @wraps(verb)
    async def run(self: "AsyncMemory", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await _awaited(self._writes, partial(verb, self._memory, *args, **kwargs))

    return run


async def _awaited(pool: ThreadPoolExecutor, call: Callable[[], R]) -> R:
    run = copy_context().run  # so that a span or a request's id around the call is known in its thread too
    import asyncio  # here, since with its sockets it takes a tenth of the time in which a memory opens

    return await asyncio.get_running_loop().run_in_executor(pool, run, call)


class AsyncMemory:
    """`Memory` for asyncio: every verb has the same arguments and returns an awaitable of the same result.

    Reads share one pool, what is recorded another, slow work (drain, doctor, backup, forget) a third, so that none
    waits for the others and the event loop never waits at all.
    """

    def __init__(self, memory: Memory, *, readers_max: int = READERS_MAX, slow_max: int = SLOW_MAX) -> None:
        self._memory = memory
        self._reads = ThreadPoolExecutor(readers_max, thread_name_prefix="glossator-read")
        self._slow = ThreadPoolExecutor(slow_max, thread_name_prefix="glossator-slow")
        self._writes = ThreadPoolExecutor(WRITES_MAX, thread_name_prefix="glossator-write")
        self._looks = ThreadPoolExecutor(LOOKS_MAX, thread_name_prefix="glossator-look")

    record = _in_turn(Memory.record)
    remember_document = _quickly(Memory.remember_document)
    recall = _quickly(Memory.recall)
    messages = _quickly(Memory.messages)
    status = _briefly(Memory.status)
    waiting = _quickly(Memory.waiting)
    remember = _quickly(Memory.remember)
    facts = _quickly(Memory.facts)
    history = _quickly(Memory.history)
    explain = _quickly(Memory.explain)
    learned = _quickly(Memory.learned)
    forget_facts = _quickly(Memory.forget_facts)
    restore_fact = _quickly(Memory.restore_fact)
    check_contradictions = _quickly(Memory.check_contradictions)
    prompt_files = _quickly(Memory.prompt_files)
    load_prompt_files = _quickly(Memory.load_prompt_files)
    rebuild_prompt_files = _slowly(Memory.rebuild_prompt_files)
    note = _quickly(Memory.note)
    search_facts = _quickly(Memory.search_facts)
    durable_facts = _quickly(Memory.durable_facts)
    prefetch = _quickly(Memory.prefetch)
    context = _quickly(Memory.context)
    conversation = _quickly(Memory.conversation)
    fact = _quickly(Memory.fact)
    before_truncation = _quickly(Memory.before_truncation)
    end_session = _quickly(Memory.end_session)
    window = _quickly(Memory.window)
    measured = _quickly(Memory.measured)
    clear_window = _quickly(Memory.clear_window)
    preflight = _slowly(Memory.preflight)
    after_delivery = _slowly(Memory.after_delivery)
    compact = _slowly(Memory.compact)
    command = _slowly(Memory.command)
    review = _slowly(Memory.review)
    record_steps = _quickly(Memory.record_steps)
    steps = _quickly(Memory.steps)
    search_reasoning_steps_lexical = _quickly(Memory.search_reasoning_steps_lexical)
    drop_steps = _quickly(Memory.drop_steps)
    resources = _quickly(Memory.resources)
    resource_history = _quickly(Memory.resource_history)
    resource = _quickly(Memory.resource)
    resource_diff = _quickly(Memory.resource_diff)
    write_resource = _quickly(Memory.write_resource)
    rollback_resource = _quickly(Memory.rollback_resource)
    add_job = _quickly(Memory.add_job)
    jobs = _quickly(Memory.jobs)
    begin_job_run = _quickly(Memory.begin_job_run)
    finish_job_run = _quickly(Memory.finish_job_run)
    job_runs = _quickly(Memory.job_runs)
    memory_sources = _quickly(Memory.memory_sources)
    record_voice = _quickly(Memory.record_voice)
    claims_without_receipt = _quickly(Memory.claims_without_receipt)
    archive_facts = _quickly(Memory.archive_facts)
    deprioritise_facts = _quickly(Memory.deprioritise_facts)
    reinstate_facts = _quickly(Memory.reinstate_facts)
    expire_due = _quickly(Memory.expire_due)
    relearn = _quickly(Memory.relearn)
    receipts = _quickly(Memory.receipts)
    receipt_key = _quickly(Memory.receipt_key)
    conversations = _quickly(Memory.conversations)
    scopes = _quickly(Memory.scopes)
    open_work = _quickly(Memory.open_work)
    review_states = _quickly(Memory.review_states)
    add_key = _quickly(Memory.add_key)
    keys = _briefly(Memory.keys)
    rotate_key = _quickly(Memory.rotate_key)
    revoke_key = _quickly(Memory.revoke_key)
    key_of = _briefly(Memory.key_of)
    begin_reply = _in_turn(Memory.begin_reply)
    keep_reply = _in_turn(Memory.keep_reply)
    drop_reply = _in_turn(Memory.drop_reply)
    forget = _slowly(Memory.forget)
    drain = _slowly(Memory.drain)
    warm = _slowly(Memory.warm)
    doctor = _slowly(Memory.doctor)
    backup = _slowly(Memory.backup)

    def run(self, *, scope: Scope, conversation: str, run_id: str | None = None) -> "AsyncAgentRun":
        """As `Memory.run`; the hooks are awaited."""
        return AsyncAgentRun(
            self._memory.run(scope=scope, conversation=conversation, run_id=run_id), self._reads, slow=self._slow
        )

    def metrics(self) -> Mapping[str, float]:
        """As `Memory.metrics`: a copy of numbers in memory, at once."""
        return self._memory.metrics()

    def metrics_text(self) -> str:
        """As `Memory.metrics_text`, at once: it counts rows, so that a server calls it in a thread (`metrics_page`)."""
        return self._memory.metrics_text()

    @property
    def options(self) -> Options:
        """As `Memory.options`."""
        return self._memory.options

    @property
    def blocking(self) -> Memory:
        """The same memory for a thread: its verbs wait."""
        return self._memory

    async def embeds(self) -> EmbedderState:
        """How far the embedder is, told at once; asking begins the loading, and again where it has failed."""
        return await _awaited(self._looks, lambda: self._memory.embedder_state)

    async def close(self) -> None:
        """Finish what runs, stop the worker and release the store."""
        import asyncio

        await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        self._reads.shutdown()
        self._writes.shutdown()
        self._slow.shutdown()
        self._looks.shutdown()
        self._memory.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncAgentRun:
    """The hooks of one run for asyncio: as `AgentRun`, awaited. They never fail a turn and never block the loop."""

    def __init__(self, run: AgentRun, pool: ThreadPoolExecutor, *, slow: ThreadPoolExecutor) -> None:
        self._run = run
        self.run_id = run.run_id
        self.durable_facts = _in(pool, run.durable_facts)
        self.prefetch = _in(pool, run.prefetch)
        self.context = _in(pool, run.context)
        self.prompt_files = _in(pool, run.prompt_files)
        self.window = _in(pool, run.window)
        self.switch = _in(pool, run.switch)
        self.record = _in(pool, run.record)
        self.before_truncation = _in(pool, run.before_truncation)
        self.preflight = _in(slow, run.preflight)
        self.after_delivery = _in(slow, run.after_delivery)
        self.finish = _in(pool, run.finish)

    @property
    def failures(self) -> tuple[str, ...]:
        """What failed in this run so far."""
        return self._run.failures


def _in(pool: ThreadPoolExecutor, verb: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    @wraps(verb)
    async def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return await _awaited(pool, partial(verb, *args, **kwargs))

    return run
