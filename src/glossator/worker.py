"""Who does what `record` left to do? Claim work, run it, settle it; retry, back-off and lease live here only."""

import logging
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta

from glossator.errors import ProviderError, StoreError
from glossator.model import WorkRow
from glossator.options import Options
from glossator.ports import Clock, Embedder, Store
from glossator.retain.corridor import embed_rows

logger = logging.getLogger("glossator.worker")

BACK_OFF_FIRST_S = 2.0
BACK_OFF_MAX_S = 300.0
ADOPT_MAX = 10_000_000
IDLE_S = 5.0
"""How often an idle worker looks for rows that another process left; this process wakes its own worker at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Did:
    """What one step did: rows claimed, vectors kept, and the reason when it failed."""

    row_count: int
    vector_count: int
    failure: str = ""


class Worker:
    """Runs work rows of one store. `step` is all there is; `run` repeats it in a thread of the caller's choice."""

    def __init__(self, store: Store, embedder: Embedder, clock: Clock, options: Options) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._options = options
        self._awake = threading.Event()
        self._adopted = False

    def adopt(self) -> int:
        """Enqueue the chunks that have no vector of this embedder, once: it is new, or an earlier one was dropped."""
        if self._adopted:
            return 0
        missing = self._store.unembedded(self._embedder.name, limit=ADOPT_MAX)
        added = self._store.enqueue(missing, now=self._clock.now()) if missing else 0
        self._adopted = True
        return added

    def step(self) -> Did | None:
        """Claim what is due, embed it and settle it; None when nothing is due.

        A provider's failure is not raised: the rows come due again later, or are parked as failed after
        `Options.work_attempts_max` tries. StoreError is raised; the lease then brings the rows back.
        """
        now = self._clock.now()
        rows = self._store.claim(now=now, lease_s=self._options.work_lease_s, limit=self._options.work_batch_count)
        if not rows:
            return None
        try:
            kept = embed_rows(self._store, self._embedder, rows)
        except ProviderError as error:
            self._put_back(rows, error, now)
            return Did(row_count=len(rows), vector_count=0, failure=str(error))
        return Did(row_count=len(rows), vector_count=kept)

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

    def _put_back(self, rows: tuple[WorkRow, ...], error: ProviderError, now: datetime) -> None:
        for row in rows:
            again = row.attempt < self._options.work_attempts_max
            wait_s = min(BACK_OFF_FIRST_S * 2 ** (row.attempt - 1), BACK_OFF_MAX_S)
            self._store.fail([row], reason=str(error), retry_at=now + timedelta(seconds=wait_s) if again else None)
        logger.warning("embedding failed, %d work rows are put off: %s", len(rows), error)
