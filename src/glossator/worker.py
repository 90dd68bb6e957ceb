"""Who does what `record` left to do? Claim work, run it, settle it; retry, back-off and lease live here only.

Reviews of conversations run beside all other work, since their model may think for a minute; how often each may be
reviewed is said in upkeep/review_due.py.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from glossator.errors import ConflictError, GlossatorError, ProviderError, StoreError, UsageError
from glossator.model import EMBEDDING_KINDS, EXTRACTION_KINDS, Scope, WorkKind, WorkRow
from glossator.options import Options
from glossator.ports import Clock, Embedder, Store, Tracer
from glossator.retain.corridor import embed_rows
from glossator.retain.learning import Learner
from glossator.retain.modelled.reply import ReplyUnreadableError
from glossator.rules.log_words import content_of, kind_of
from glossator.upkeep.lifecycle import expire_due
from glossator.upkeep.reviewer import Reviewer

logger = logging.getLogger("glossator.worker")

BACK_OFF_FIRST_S = 2.0
BACK_OFF_MAX_S = 300.0
ADOPT_MAX = 10_000_000
IDLE_S = 5.0
"""How often an idle worker looks for rows that another process left; this process wakes its own worker at once."""
PARSE_ATTEMPTS_MAX = 2
"""A reply that cannot be read is asked for once more: at temperature 0 a third try says the same."""
SWEEP_S = 60.0
"""How often a worker that reviews asks the store which conversations are due: what other processes recorded, and talk
that has fallen silent."""
REVIEW_ENDING_S = 2.0
"""How long a worker that is told to stop waits for a review; one that still waits for its model is left behind, and its
lease gives it to another."""
TOUCHED_MAX = 1_000
"""Conversations that wait to be looked at; what is left out is found by the next sweep."""
OUTAGE_FACTOR = 12
"""A model that is down comes back by itself: with five minutes between tries, a turn waits for it about eight hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Did:
    """What one step did: rows claimed, vectors kept, decisions committed, and the reason when it failed.

    `row_count` is 0 where it looked at a conversation's review.
    """

    row_count: int
    vector_count: int = 0
    decision_count: int = 0
    failure: str = ""


class Worker:
    """Runs work rows of one store. `step` is all there is; `run` repeats it in a thread of the caller's choice."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        learner: Learner | None,
        clock: Clock,
        options: Options,
        reviewer: Reviewer | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._learner = learner
        self._clock = clock
        self._options = options
        self._reviewer = reviewer
        self._tracer = tracer
        self._touched: dict[Scope, None] = {}
        self._touched_lock = threading.Lock()
        self._swept_at: datetime | None = None
        self._awake, self._review_awake = threading.Event(), threading.Event()
        self._adopted = False

    @property
    def kinds(self) -> tuple[WorkKind, ...]:
        """The kinds of work that this worker can do."""
        embeds = EMBEDDING_KINDS if self._embedder is not None else ()
        return embeds + (EXTRACTION_KINDS if self._learner is not None else ())

    @property
    def has_a_use(self) -> bool:
        """False where there is nothing that this worker could ever do."""
        return bool(self.kinds) or self._reviewer is not None

    def touch(self, conversations: Iterable[Scope]) -> None:
        """Look at the reviews of these conversations when nothing else is to do."""
        if self._reviewer is None:
            return
        with self._touched_lock:
            for each in conversations:
                if len(self._touched) < TOUCHED_MAX:
                    self._touched[each] = None

    def adopt(self) -> int:
        """Enqueue what has no vector of this embedder, once: it is new, or an earlier one was dropped.

        Facts are never taken from old messages this way: extraction is due only for what was recorded with it.
        """
        if self._adopted or self._embedder is None:
            return 0
        chunk_ids = self._store.unembedded(self._embedder.name, limit=ADOPT_MAX)
        fact_ids = self._store.unembedded_facts(self._embedder.name, limit=ADOPT_MAX)
        added = 0
        if chunk_ids or fact_ids:
            added = self._store.enqueue(chunk_ids, now=self._clock.now(), fact_ids=fact_ids)
        self._adopted = True
        return added

    def step(self, *, reviews: bool = True) -> Did | None:
        """Claim what is due, do it and settle it, embedding before extraction; None when nothing is due.

        Then, unless `reviews` is False, one conversation is reviewed if its time has come.

        A provider's failure is not raised: the rows come due again later, or are parked as failed after
        `Options.work_attempts_max` tries. StoreError is raised; the lease then brings the rows back.
        """
        now = self._clock.now()
        if self._embedder is not None:
            rows = self._claimed(EMBEDDING_KINDS, self._options.work_batch_count, now)
            if rows:
                with self._step("embed", len(rows)) as told:
                    return told(self._embedded(self._embedder, rows, now))
        if self._learner is not None:
            batch = 1 if self._options.extracts_by == "model" else self._options.work_batch_count
            rows = self._claimed(EXTRACTION_KINDS, batch, now)
            if rows:
                with self._step("extract", len(rows)) as told:
                    return told(self._learned(self._learner, rows, now))
        return self._reviewed(self._reviewer, now) if reviews and self._reviewer is not None else None

    def expire(self) -> int:
        """Move the facts whose time has passed, of all scopes; how many. `run` does it when nothing else is due."""
        return len(expire_due(self._store, now=self._clock.now()))

    def wake(self) -> None:
        """Tell a running worker that there is something to do."""
        self._awake.set()
        self._review_awake.set()

    def run(self, stop: threading.Event) -> None:
        """Step until `stop` is set (then `wake` it); sleeps while nothing is due. Logs failures, never dies of them."""
        reviews = self._reviews(stop)
        while not stop.is_set():
            try:
                self.adopt()
                did = self.step(reviews=False)
                if did is None:
                    self.expire()
            except StoreError as error:
                if stop.is_set():
                    break
                logger.warning("work is put off, the store failed: %s", kind_of(error), extra=content_of(error))
                did = None
            if did is None or did.failure:
                self._awake.wait(IDLE_S)
                self._awake.clear()
        if reviews is not None:
            self._review_awake.set()
            reviews.join(REVIEW_ENDING_S)

    def _claimed(self, kinds: Sequence[WorkKind], limit: int, now: datetime) -> tuple[WorkRow, ...]:
        return self._store.claim(kinds, now=now, lease_s=self._options.work_lease_s, limit=limit)

    def _reviews(self, stop: threading.Event) -> threading.Thread | None:
        """The thread that reviews, where this worker does."""
        if self._reviewer is None:
            return None
        thread = threading.Thread(
            target=self._review_until, args=(self._reviewer, stop), name="glossator-reviewer", daemon=True
        )
        thread.start()
        return thread

    def _review_until(self, reviewer: Reviewer, stop: threading.Event) -> None:
        while not stop.is_set():
            did: Did | None = None
            try:
                did = self._reviewed(reviewer, self._clock.now())
            except StoreError as error:
                if not stop.is_set():
                    logger.warning("reviews are put off, the store failed: %s", kind_of(error), extra=content_of(error))
            if did is None or did.failure:
                self._review_awake.wait(IDLE_S)
                self._review_awake.clear()

    def _reviewed(self, reviewer: Reviewer, now: datetime) -> Did | None:
        """Look at one conversation that was touched or is due; one whose turns wait for extraction comes later.

        So a review sees what was extracted as current rows.
        """
        if self._swept_at is None or abs((now - self._swept_at).total_seconds()) >= SWEEP_S:
            self.touch(reviewer.due(now, limit=TOUCHED_MAX))
            self._swept_at = now
        with self._touched_lock:
            conversation = next(iter(self._touched), None)
            if conversation is None:
                return None
            del self._touched[conversation]
        if self._learner is not None and self._store.pending(conversation, kinds=EXTRACTION_KINDS):
            self.touch([conversation])
            return None
        with self._step("review", 0) as told:
            return told(Did(row_count=0, failure=reviewer.review(conversation).failure))

    @contextmanager
    def _step(self, name: str, row_count: int) -> Iterator[Callable[[Did], Did]]:
        """A span for one step, told what it did."""
        if self._tracer is None:
            yield lambda did: did
            return
        with self._tracer.span(f"glossator.worker.{name}", {"glossator.rows.count": row_count}) as span:

            def told(did: Did) -> Did:
                span.note("glossator.vectors.count", did.vector_count)
                span.note("glossator.decisions.count", did.decision_count)
                if did.failure:
                    span.failed("_OTHER")  # the reason is a sentence, and may quote
                return did

            yield told

    def _embedded(self, embedder: Embedder, rows: tuple[WorkRow, ...], now: datetime) -> Did:
        try:
            kept = embed_rows(self._store, embedder, rows)
        except ProviderError as error:
            self._put_back(rows, error, now)
            return Did(row_count=len(rows), failure=str(error))
        return Did(row_count=len(rows), vector_count=kept)

    def _learned(self, learner: Learner, rows: tuple[WorkRow, ...], now: datetime) -> Did:
        """Each row is a turn of its own: one that fails is put back, the others go on."""
        open_turns = {each.row.work_id: each for each in self._store.turns(rows)}
        gone = [row for row in rows if row.work_id not in open_turns]
        if gone:
            self._store.settle(gone)
        count, failure = 0, ""
        for open_turn in open_turns.values():
            try:
                count += len(learner.learn(open_turn.turn, open_turn.row))
            except ConflictError as error:  # the lease ran out, and another worker has the row now
                logger.info("a turn was left to another worker: %s", kind_of(error), extra=content_of(error))
                if open_turn.row.attempt >= self._options.work_attempts_max:
                    self._put_back((open_turn.row,), error, now)
            except (ProviderError, UsageError) as error:
                self._put_back((open_turn.row,), error, now)
                failure = str(error)
        return Did(row_count=len(rows), decision_count=count, failure=failure)

    def _put_back(self, rows: tuple[WorkRow, ...], error: GlossatorError, now: datetime) -> None:
        tries = self._options.work_attempts_max
        if isinstance(error, ReplyUnreadableError):
            tries = min(tries, PARSE_ATTEMPTS_MAX)
        elif isinstance(error, ProviderError) and error.retryable and rows[0].kind in EXTRACTION_KINDS:
            tries *= OUTAGE_FACTOR
        for row in rows:
            again = row.attempt < tries
            wait_s = min(BACK_OFF_FIRST_S * 2 ** (row.attempt - 1), BACK_OFF_MAX_S)
            reason = f"{type(error).__name__}: {error}"  # lists of open work tell the class alone
            self._store.fail([row], reason=reason, retry_at=now + timedelta(seconds=wait_s) if again else None)
        logger.warning("%d work rows are put off: %s", len(rows), kind_of(error), extra=content_of(error))
