"""The verbs of Memory over HTTP, one typed line per verb: same names, same arguments, same values, same errors."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx2

from glossator.client import reaching
from glossator.client.batches import Batches, IngestProgress, Lines, placed
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


def _sent(verb: Callable[Concatenate[Memory, P], R]) -> "Callable[Concatenate[Client, P], R]":
    """The verb, asked of the server."""

    @wraps(verb)
    def send(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = self._carried_out(done(verb, given_to(verb, args, kwargs), self._terms))
        return result

    return send


class Client:
    """A memory that a server holds (`glossator serve`). Safe to share between threads; close it or use it in a `with`.

    `url` is where the server is, `key` what was given for it. `timeout_s` is how long one answer may take, `retries`
    how often a request is sent again after a broken connection, 429 or 503; every write carries a key of its own, so
    that what is sent twice is done once. `ids` makes those keys, `pace` is the clock of the waits.

    The verbs raise what Memory raises, and StoreError with `retryable=True` where the server cannot be reached.
    """

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
        self._http = httpx2.Client(
            headers=self._server.headers,
            timeout=self._server.timeout,
            limits=self._server.limits,
            trust_env=not self._server.here,
            verify=self._server.verify,
        )

    def __repr__(self) -> str:
        return f"Client({self._server.url!r})"

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

    def each(self, verb: Callable[P, tuple[T, ...]], *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        """All that a verb with pages has, however much: `client.each(client.facts, scope=scope)`.

        `limit` is the size of a page here. Raises UsageError for a verb that has none.
        """
        of_memory = paged_verb(verb)
        given: Any = from_the_start(of_memory, given_to(of_memory, args, kwargs))
        while given is not None:
            items, given = self._carried_out(page_of(of_memory, given, self._terms))
            yield from items

    def ingest(
        self,
        messages: Lines,
        *,
        scope: Scope,
        conversation: str,
        session: str | None = None,
        progress: Callable[[IngestProgress], None] | None = None,
    ) -> IngestProgress:
        """Record as many messages as come, without holding them all: mappings as for `record`, or lines of JSON.

        `progress` is called after every batch. What was acknowledged before an error stays; with ids or times in the
        messages the same may be sent again.
        """
        batches, so_far = Batches(), IngestProgress()

        def recorded(batch: Sequence[Mapping[str, object]]) -> IngestProgress:
            try:
                receipt = self.record(batch, scope=scope, conversation=conversation, session=session)
            except UsageError as error:
                raise placed(error, before_count=so_far.message_count) from error
            reached = so_far.after(receipt)
            if progress is not None:
                progress(reached)
            return reached

        for message in messages:
            if batch := batches.add(message):
                so_far = recorded(batch)
        if batch := batches.rest():
            so_far = recorded(batch)
        return so_far

    def ready(self) -> bool:
        """True if the server takes requests: its store and its embedder are there. Tried once, False if it is away."""
        return bool(self._carried_out(is_ready()))

    def close(self) -> None:
        """Close the connections; the server and its memory go on."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _carried_out(self, exchange: Exchange) -> Any:
        """The exchange's result: what it yields is sent or waited for, and it is told what came."""
        came: Came | None = None
        while True:
            try:
                step = exchange.send(came)
            except StopIteration as end:
                return end.value
            came = None
            if isinstance(step, Pause):
                self._terms.pace.wait(threading.Event(), step.seconds)
            else:
                came = self._answer(step)

    def _answer(self, asked: Asked) -> Came:
        if self._http.is_closed:
            raise StoreError("the client is closed; make another one")
        try:
            return reaching.came(self._http.send(self._server.request(self._http, asked)))
        except reaching.BROKEN as error:
            return self._server.unanswered(error)
