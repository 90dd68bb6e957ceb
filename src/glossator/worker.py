"""Who does what `record` left to do? Claim work, run it, settle it; retry, back-off and lease live here only."""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from glossator.errors import ConflictError, GlossatorError, ProviderError, StoreError, UsageError
from glossator.model import EMBEDDING_KINDS, EXTRACTION_KINDS, WorkKind, WorkRow
from glossator.options import Options
from glossator.ports import Clock, Embedder, Store
from glossator.retain.corridor import embed_rows
from glossator.retain.learning import Learner
from glossator.retain.modelled.reply import ReplyUnreadableError

logger = logging.getLogger("glossator.worker")

BACK_OFF_FIRST_S = 2.0
BACK_OFF_MAX_S = 300.0
ADOPT_MAX = 10_000_000
IDLE_S = 5.0
"""How often an idle worker looks for rows that another process left; this process wakes its own worker at once."""
PARSE_ATTEMPTS_MAX = 2
"""A reply that cannot be read is asked for once more: at temperature 0 a third try says the same."""
OUTAGE_FACTOR = 12
"""A model that is down comes back by itself: with five minutes between tries, a turn waits for it about eight hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Did:
    """What one step did: rows claimed, vectors kept, decisions committed, and the reason when it failed."""

    row_count: int
    vector_count: int = 0
    decision_count: int = 0
    failure: str = ""


class Worker:
    """Runs work rows of one store. `step` is all there is; `run` repeats it in a thread of the caller's choice."""

    def __init__(
        self, store: Store, embedder: Embedder | None, learner: Learner | None, clock: Clock, options: Options
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._learner = learner
        self._clock = clock
        self._options = options
        self._awake = threading.Event()
        self._adopted = False

    @property
    def kinds(self) -> tuple[WorkKind, ...]:
        """The kinds of work that this worker can do."""
        embeds = EMBEDDING_KINDS if self._embedder is not None else ()
        return embeds + (EXTRACTION_KINDS if self._learner is not None else ())

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

    def step(self) -> Did | None:
        """Claim what is due, do it and settle it, embedding before extraction; None when nothing is due.

        A provider's failure is not raised: the rows come due again later, or are parked as failed after
        `Options.work_attempts_max` tries. StoreError is raised; the lease then brings the rows back.
        """
        now = self._clock.now()
        if self._embedder is not None:
            rows = self._claimed(EMBEDDING_KINDS, self._options.work_batch_count, now)
            if rows:
                return self._embedded(self._embedder, rows, now)
        if self._learner is not None:
            batch = 1 if self._options.extracts_by == "model" else self._options.work_batch_count
            rows = self._claimed(EXTRACTION_KINDS, batch, now)
            if rows:
                return self._learned(self._learner, rows, now)
        return None

    def wake(self) -> None:
        """Tell a running worker that there is something to do."""
        self._awake.set()

    def run(self, stop: threading.Event) -> None:
        """Step until `stop` is set (then `wake` it); sleeps while nothing is due. Logs failures, never dies of them."""
        while not stop.is_set():
            try:
                self.adopt()
                did = self.step()
            except StoreError as error:
                if stop.is_set():
                    return
                logger.warning("work is put off, the store failed: %s", error)
                did = None
            if did is None or did.failure:
                self._awake.wait(IDLE_S)
                self._awake.clear()

    def _claimed(self, kinds: Sequence[WorkKind], limit: int, now: datetime) -> tuple[WorkRow, ...]:
        return self._store.claim(kinds, now=now, lease_s=self._options.work_lease_s, limit=limit)

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
                logger.info("a turn was left to another worker: %s", error)
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
            self._store.fail([row], reason=str(error), retry_at=now + timedelta(seconds=wait_s) if again else None)
        logger.warning("%d work rows are put off: %s", len(rows), error)
