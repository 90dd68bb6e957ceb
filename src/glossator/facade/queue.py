"""How many turns may wait for extraction? The one queue of a memory: bounded, durable, and never blocking."""

import logging

from glossator.meters import Meters
from glossator.model import QueuedTurn
from glossator.options import Options
from glossator.ports import Clock, Queue

logger = logging.getLogger("glossator.queue")


class ExtractionQueue:
    """`Memory.queue`: the same object at every access. What it took is on disk, so that a crash loses nothing."""

    def __init__(self, queue: Queue, clock: Clock, meters: Meters, *, capacity: int) -> None:
        self._queue = queue
        self._clock = clock
        self._meters = meters
        self.capacity = capacity
        """`Options.turn_fact_queue_maxsize` when the memory was opened or `reset` was last called."""

    def push(self, queued: QueuedTurn) -> bool:
        """Keep the turn; False, counted and logged, where `capacity` turns of its kind are waiting."""
        kept = self._queue.push(queued, capacity=self.capacity, now=self._clock.now())
        if not kept:
            self._meters.counted("glossator_turn_fact_queue_dropped_total")
            length = sum(len(passage.text) for passage in queued.turn.passages)
            logger.warning("the queue is full, a %s span of %d characters was dropped", queued.kind, length)
        return kept

    def reset(self, options: Options) -> None:
        """Take the capacity from these options; what waits stays."""
        self.capacity = options.turn_fact_queue_maxsize
