"""What does every verb stand on? One store, the providers it was given, and the worker behind them."""

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from glossator.bounded import SafeExtractor
from glossator.errors import NotDrainedError, ProviderError, StoreError, UsageError
from glossator.facade.checks import reading_scope
from glossator.facade.offline import Rules
from glossator.facade.prompt_folder import PromptFolder
from glossator.facade.queue import ExtractionQueue
from glossator.facade.review_writing import ReviewWriter
from glossator.facade.waiting_room import WaitingRoom
from glossator.meters import Meters, readings_of
from glossator.model import EXTRACTION_KINDS, FACT_STATES, Decided, Fact, FactFilter, Finding, Remembered, Scope, Status
from glossator.options import Options
from glossator.ports import (
    Clock,
    Embedder,
    Extractor,
    Files,
    Ids,
    LanguageModel,
    Ranker,
    Redactor,
    Reranker,
    Secrets,
    Signer,
    Store,
    Tracer,
)
from glossator.recall import corridor as recalling
from glossator.retain.breaker import Breaker
from glossator.retain.judging import Watch
from glossator.retain.learning import Learner
from glossator.retain.recent import RecentHashes
from glossator.retain.redaction import NOTE, Cleaner
from glossator.retain.tripwire import Tripwire
from glossator.rules.canonical import storable
from glossator.rules.instants import read_instant, zone_named
from glossator.upkeep.reviewer import Reviewer
from glossator.warm import warmed
from glossator.worker import Worker

DRAIN_POLL_S = 0.05


class Core:
    """The engine room of a Memory: what is opened, closed, drained, counted and examined."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        options: Options,
        embedder: Embedder | None,
        ranker: Ranker | None = None,
        ranker_missing: str = "none was given",
        reranker: Reranker | None = None,
        extractor: Extractor | None = None,
        language_model: LanguageModel | None = None,
        redactor: Redactor | None = None,
        files: Files | None = None,
        signer: Signer | None = None,
        secrets: Secrets | None = None,
        tracer: Tracer | None = None,
        room: WaitingRoom | None = None,
        draw: Callable[[], float],
        monotonic_s: Callable[[], float],
    ) -> None:
        self._meters = Meters()
        self._tracer = tracer
        self._monotonic_s = monotonic_s
        self._prompt_folder = PromptFolder(store, files, clock=clock, ids=ids, meters=self._meters, options=options)
        store = self._prompt_folder.watched(store)
        self._store = store
        self._clock = clock
        self._ids = ids
        self._options = options
        self._zone = zone_named(options.zone)
        self._embedder = warmed(embedder) if embedder is not None else None
        self._ranker = ranker
        self._ranker_missing = ranker_missing
        self._reranker = reranker
        self._language_model = language_model
        self._signer = signer
        self._secrets = secrets
        self._room = room
        self._queue = ExtractionQueue(store, clock, self._meters, capacity=options.turn_fact_queue_maxsize)
        self._cleaner = Cleaner(secrets=options.redact_secrets, personal=redactor)
        self._learner = self._learner_of(extractor, draw, monotonic_s)
        learns = self._learner if extractor is not None else None
        self._rules = extractor if options.extracts_by != "model" else None
        self._reviewer = self._reviewer_of()
        reviews = self._reviewer if options.reviews else None
        self._worker = Worker(store, self._embedder, learns, clock, options, reviews, tracer)
        self._process_id = os.getpid()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._thread_lock = threading.Lock()

    def drain(self, timeout_s: float | None = None) -> None:
        """Return once everything acknowledged has been embedded, facts have been taken from it, and all is settled.

        Helps with the work itself. Raises NotDrainedError with the backlog, or ProviderError when a model fails.
        """
        started, waited_s = self._clock.now(), 0.0
        self._worker.adopt()
        kinds = self._worker.kinds
        while self._store.pending(kinds=kinds):
            did = self._worker.step(reviews=False)
            if did is not None and did.failure:
                raise ProviderError(f"cannot drain: {did.failure}", retryable=True)
            passed_s = max(waited_s, (self._clock.now() - started).total_seconds())  # a clock may stand still
            if timeout_s is not None and passed_s > timeout_s:
                raise NotDrainedError(
                    f"{self._store.pending(kinds=kinds)} work rows are still open after {timeout_s} s"
                )
            if did is None:
                self._stop.wait(DRAIN_POLL_S)
                waited_s += DRAIN_POLL_S

    def warm(self, timeout_s: float | None = None) -> bool:
        """Wait until the embedder is loaded; False when it could not be within the time or at all."""
        return self._embedder is not None and self._embedder.warm(timeout_s)

    def work(self, stop: threading.Event) -> None:
        """Do open work in this thread until `stop` is set: what `glossator worker` runs."""
        if not self._worker.has_a_use:
            raise UsageError("options.embedder", 'is "none", there is nothing to do', remedy="choose an embedder")
        threading.Thread(target=self._wake_when, args=(stop,), name="glossator-stop", daemon=True).start()
        self._worker.run(stop)

    def _wake_when(self, stop: threading.Event) -> None:
        """Whoever sets `stop` need not wait until an idle worker looks."""
        stop.wait()
        self._worker.wake()

    def status(self, scope: Scope | None = None) -> Status:
        """Counts of the store, or of what one scope sees."""
        return self._store.status(None if scope is None else reading_scope(scope))

    def waiting(self, scope: Scope | None = None) -> int:
        """How many turns wait for extraction, in the store or in one scope."""
        return self._store.pending(None if scope is None else reading_scope(scope), kinds=EXTRACTION_KINDS)

    def doctor(self, *, repair: bool = False) -> tuple[Finding, ...]:
        """Check integrity, drift between rows, keyword index and vectors, and the backlog; `repair` mends it."""
        return self._store.examine(model=self._model_name(), repair=repair, now=self._clock.now())

    @property
    def options(self) -> Options:
        """The choices that the memory was opened with."""
        return self._options

    @property
    def queue(self) -> ExtractionQueue:
        """The one queue of turns that wait for extraction."""
        return self._queue

    def hook_failed(self, hook: str) -> None:
        """Count a failure that a turn's hook, or an agent's tool, has swallowed and told."""
        self._meters.counted("glossator_hook_failure_total", hook=hook)

    def metrics(self) -> Mapping[str, float]:
        """A copy of all counters, by their Prometheus names."""
        return self._meters.snapshot()

    def metrics_text(self) -> str:
        """What Prometheus scrapes: the counters, how long verbs took, and what the store holds and waits for now.

        Where the store cannot be read, `glossator_store_readable` is 0 and its gauges are left out.
        """
        now = self._clock.now()
        try:
            vitals = self._store.vitals(now=now)
        except StoreError:
            vitals = None
        ready = self._embedder is not None and self._embedder.is_ready
        return self._meters.exposition(readings_of(vitals, now=now, embedder_ready=ready))

    def backup(self, path: str | Path) -> None:
        """Write a consistent copy to `path`, which must not exist yet."""
        self._store.backup(Path(path))

    def close(self) -> None:
        """Stop the worker and release the store. Open work stays for the next time.

        In a process that was forked it does nothing: the threads are not there, and the file is its parent's.
        """
        if os.getpid() != self._process_id:
            return
        self._stop.set()
        if self._thread is not None:
            self._worker.wake()
            self._thread.join()
        if self._embedder is not None:
            self._embedder.close()
        self._prompt_folder.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Load the embedder and take up open work, all behind the caller's back."""
        if self._embedder is not None:
            self._embedder.start_warming()
        self._prompt_folder.start()
        self._wake_worker()

    def _wake_worker(self, conversation: Scope | None = None) -> None:
        """Have the worker look for work, and at the review of the conversation where something was said."""
        if conversation is not None:
            self._worker.touch([conversation])
        if not self._worker.has_a_use or not self._options.worker or self._stop.is_set():
            return
        with self._thread_lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._worker.run, args=(self._stop,), name="glossator-worker", daemon=True
                )
                self._thread.start()
        self._worker.wake()

    def _remembered(self, scope: Scope, decided: Decided) -> Remembered:
        """The decision with the fact as it is now."""
        found: tuple[Fact, ...] = ()
        if decided.fact_id is not None:
            found = self._store.facts(scope, FactFilter(states=FACT_STATES, fact_ids=(decided.fact_id,)))
        return Remembered(decided=decided, fact=found[0] if found else None)

    def _cleaned(self, text: str) -> str:
        """The text without secrets, counted, and without what cannot be stored."""
        cleaned, notes = self._cleaner.text(storable(text))
        self._count_redactions(notes)
        return cleaned

    def _count_redactions(self, notes: Iterable[str]) -> None:
        count = sum(note.startswith(NOTE) for note in notes)
        if count:
            self._meters.counted("glossator_redactions_total", by=count)

    def _learner_of(
        self, extractor: Extractor | None, draw: Callable[[], float], monotonic_s: Callable[[], float]
    ) -> Learner:
        """The learner, also where nothing is extracted: what is remembered explicitly is admitted the same way."""
        options = self._options
        watch = Watch(
            breaker=Breaker(threshold=options.turn_fact_cb_threshold, cooldown_s=options.turn_fact_cb_cooldown_s),
            recent=RecentHashes(),
            tripwire=Tripwire(),
        )
        return Learner(
            self._store, extractor, self._clock, options, self._meters, watch,
            uses_model=options.extracts_by == "model", draw=draw, monotonic_s=monotonic_s,
        )  # fmt: skip

    def _reviewer_of(self) -> Reviewer:
        """The reviewer, also where none runs by itself: it may be asked for."""
        writer = ReviewWriter(self._store, self._store, self._learner, self._clock)
        extractor = self._rules or Rules()
        return Reviewer(
            self._store, self._clock, self._options, self._meters, model=self._language_model,
            extractor=SafeExtractor(extractor), writer=writer, changed=self._after_review,
        )  # fmt: skip

    def _after_review(self, scope: Scope) -> None:
        """What a review has changed stands in the prompt files before the review ends."""
        self._prompt_folder.changed(scope, at_once=True)

    def _providers(self) -> recalling.Providers:
        ready = self._embedder is not None and self._embedder.ready
        missing = "switched off" if self._embedder is None else self._embedder.state
        return recalling.Providers(
            embedder=self._embedder if ready else None,
            embedder_missing=missing,
            ranker=self._ranker,
            ranker_missing=self._ranker_missing,
            reranker=self._reranker,
        )

    def _model_name(self) -> str:
        return self._embedder.name if self._embedder is not None else ""

    def _moment(self, value: object, argument: str) -> datetime | None:
        return None if value is None else read_instant(value, argument=argument, zone=self._zone)
