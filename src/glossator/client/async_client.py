"""The verbs of Memory over HTTP for asyncio, one typed line per verb, each awaited."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx2

from glossator.client import reaching
from glossator.client.batches import Batches, IngestProgress, Line, Lines, placed
from glossator.client.exchange import Came, Exchange, Pause, done, from_the_start, is_ready, page_of
from glossator.client.requests import Asked, given_to, paged_verb
from glossator.errors import StoreError, UsageError
from glossator.facade import Memory
from glossator.model import Scope
from glossator.ports import Ids
from glossator.providers.language.pace import Pace

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def _sent(verb: Callable[Concatenate[Memory, P], R]) -> "Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, R]]":
    """The verb, asked of the server."""

    @wraps(verb)
    async def send(self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = await self._carried_out(done(verb, given_to(verb, args, kwargs), self._terms))
        return result

    return send


class AsyncClient:
    """`Client` for asyncio: the same arguments, and every verb is awaited. For one event loop."""

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        timeout_s: float = reaching.TIMEOUT_S,
        retries: int = reaching.RETRIES,
        connections_max: int = reaching.CONNECTIONS_MAX,
        ids: Ids | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._server = reaching.server_at(url, key=key, timeout_s=timeout_s, connections_max=connections_max)
        self._terms = reaching.terms_of(retries=retries, ids=ids, pace=pace)
        self._http = httpx2.AsyncClient(
            headers=self._server.headers,
            timeout=self._server.timeout,
            limits=self._server.limits,
            trust_env=not self._server.here,
            verify=self._server.verify,
        )

    def __repr__(self) -> str:
        return f"AsyncClient({self._server.url!r})"

    record = _sent(Memory.record)
    remember_document = _sent(Memory.remember_document)
    record_voice = _sent(Memory.record_voice)
    recall = _sent(Memory.recall)
    conversation = _sent(Memory.conversation)
    forget = _sent(Memory.forget)
    messages = _sent(Memory.messages)
    conversations = _sent(Memory.conversations)
    remember = _sent(Memory.remember)
    fact = _sent(Memory.fact)
    history = _sent(Memory.history)
    explain = _sent(Memory.explain)
    restore_fact = _sent(Memory.restore_fact)
    search_facts = _sent(Memory.search_facts)
    archive_facts = _sent(Memory.archive_facts)
    deprioritise_facts = _sent(Memory.deprioritise_facts)
    reinstate_facts = _sent(Memory.reinstate_facts)
    forget_facts = _sent(Memory.forget_facts)
    expire_due = _sent(Memory.expire_due)
    check_contradictions = _sent(Memory.check_contradictions)
    durable_facts = _sent(Memory.durable_facts)
    prefetch = _sent(Memory.prefetch)
    note = _sent(Memory.note)
    learned = _sent(Memory.learned)
    relearn = _sent(Memory.relearn)
    waiting = _sent(Memory.waiting)
    claims_without_receipt = _sent(Memory.claims_without_receipt)
    receipts = _sent(Memory.receipts)
    receipt_key = _sent(Memory.receipt_key)
    facts = _sent(Memory.facts)
    context = _sent(Memory.context)
    prompt_files = _sent(Memory.prompt_files)
    rebuild_prompt_files = _sent(Memory.rebuild_prompt_files)
    load_prompt_files = _sent(Memory.load_prompt_files)
    resources = _sent(Memory.resources)
    resource_history = _sent(Memory.resource_history)
    resource_diff = _sent(Memory.resource_diff)
    rollback_resource = _sent(Memory.rollback_resource)
    resource = _sent(Memory.resource)
    write_resource = _sent(Memory.write_resource)
    window = _sent(Memory.window)
    measured = _sent(Memory.measured)
    preflight = _sent(Memory.preflight)
    after_delivery = _sent(Memory.after_delivery)
    compact = _sent(Memory.compact)
    clear_window = _sent(Memory.clear_window)
    command = _sent(Memory.command)
    before_truncation = _sent(Memory.before_truncation)
    end_session = _sent(Memory.end_session)
    record_steps = _sent(Memory.record_steps)
    steps = _sent(Memory.steps)
    search_reasoning_steps_lexical = _sent(Memory.search_reasoning_steps_lexical)
    drop_steps = _sent(Memory.drop_steps)
    review = _sent(Memory.review)
    review_states = _sent(Memory.review_states)
    open_work = _sent(Memory.open_work)
    add_job = _sent(Memory.add_job)
    jobs = _sent(Memory.jobs)
    begin_job_run = _sent(Memory.begin_job_run)
    finish_job_run = _sent(Memory.finish_job_run)
    job_runs = _sent(Memory.job_runs)
    memory_sources = _sent(Memory.memory_sources)
    scopes = _sent(Memory.scopes)
    status = _sent(Memory.status)

    async def each(
        self, verb: Callable[P, Awaitable[tuple[T, ...]]], *args: P.args, **kwargs: P.kwargs
    ) -> AsyncIterator[T]:
        """As `Client.each`: `async for fact in client.each(client.facts, scope=scope)`."""
        of_memory = paged_verb(verb)
        given: Any = from_the_start(of_memory, given_to(of_memory, args, kwargs))
        while given is not None:
            items, given = await self._carried_out(page_of(of_memory, given, self._terms))
            for item in items:
                yield item

    async def ingest(
        self,
        messages: Lines | AsyncIterable[Line],
        *,
        scope: Scope,
        conversation: str,
        session: str | None = None,
        progress: Callable[[IngestProgress], None] | None = None,
    ) -> IngestProgress:
        """As `Client.ingest`; the messages may come from an asynchronous iterator too."""
        batches, so_far = Batches(), IngestProgress()

        async def recorded(batch: Sequence[Mapping[str, object]]) -> IngestProgress:
            try:
                receipt = await self.record(batch, scope=scope, conversation=conversation, session=session)
            except UsageError as error:
                raise placed(error, before_count=so_far.message_count) from error
            reached = so_far.after(receipt)
            if progress is not None:
                progress(reached)
            return reached

        async for message in _each_of(messages):
            if batch := batches.add(message):
                so_far = await recorded(batch)
        if batch := batches.rest():
            so_far = await recorded(batch)
        return so_far

    async def ready(self) -> bool:
        """As `Client.ready`."""
        return bool(await self._carried_out(is_ready()))

    async def close(self) -> None:
        """Close the connections; the server and its memory go on."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _carried_out(self, exchange: Exchange) -> Any:
        """The exchange's result: what it yields is sent or waited for, and it is told what came."""
        came: Came | None = None
        while True:
            try:
                step = exchange.send(came)
            except StopIteration as end:
                return end.value
            came = None
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
            else:
                came = await self._answer(step)

    async def _answer(self, asked: Asked) -> Came:
        if self._http.is_closed:
            raise StoreError("the client is closed; make another one")
        try:
            return reaching.came(await self._http.send(self._server.request(self._http, asked)))
        except reaching.BROKEN as error:
            return self._server.unanswered(error)


async def _each_of(messages: Lines | AsyncIterable[Line]) -> AsyncIterator[Line]:
    if isinstance(messages, AsyncIterable):
        async for message in messages:
            yield message
    else:
        for message in messages:
            yield message
