"""How do writers that wait share one flush to the disk? Whoever's turn it is writes what the others brought meanwhile.

A commit that is flushed takes 5 to 50 ms on a busy machine, the rows of a message half of one: fifty clients that
recorded one after the other waited a second for each other. None is answered before its own rows are flushed. What
fails together is tried alone, so that nobody is told of another's fault.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from glossator.model import Batch, Recorded
from glossator.stores.sqlite import journal
from glossator.stores.sqlite.connections import Connections

ENTRIES_MAX = 400
"""Together some 40 ms of writing: as long as the flush that is saved."""


@dataclass(slots=True, eq=False, kw_only=True)
class _Brought:
    """A batch that waits, and from its commit on what became of it."""

    batch: Batch
    now: datetime
    recorded: tuple[Recorded, ...] | None = None


class Appends:
    """The batches that are to be written to one store."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._turn = threading.Lock()
        self._brought: list[_Brought] = []
        self._brought_lock = threading.Lock()

    def append(self, batch: Batch, *, now: datetime) -> tuple[Recorded, ...]:
        """Write the batch, whole or not at all; it is on the disk on return."""
        self._connections.check_process()  # in a forked process nobody gives these locks back
        own = _Brought(batch=batch, now=now)
        with self._brought_lock:
            self._brought.append(own)
        try:
            with self._turn:
                if own.recorded is None:
                    own.recorded = self._written(own)
        finally:
            with self._brought_lock:
                self._brought = [each for each in self._brought if each is not own]
        return own.recorded

    def _written(self, own: _Brought) -> tuple[Recorded, ...]:
        group: Sequence[_Brought] = (own,)
        try:
            with self._connections.writing() as connection:
                group = self._together_with(own)
                recorded = [journal.append(connection, each.batch, now=each.now) for each in group]
        except Exception:
            if len(group) == 1:
                raise
            with self._connections.writing() as connection:
                return journal.append(connection, own.batch, now=own.now)
        for each, result in zip(group, recorded, strict=True):
            each.recorded = result
        return recorded[0]

    def _together_with(self, own: _Brought) -> Sequence[_Brought]:
        """The batch and as many of those that wait as fit into one commit, in the order in which they came."""
        group, count = [own], len(own.batch.entries)
        with self._brought_lock:
            waiting = [each for each in self._brought if each is not own and each.recorded is None]
        for each in waiting:
            count += len(each.batch.entries)
            if count > ENTRIES_MAX:
                break
            group.append(each)
        return group
