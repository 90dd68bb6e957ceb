"""How is the reference store doing? The reference model of the port Monitor."""

from datetime import datetime, timedelta

from glossator.model import DECISIONS, WORK_KINDS, OpenWork, Vitals
from glossator.model.vitals import DECIDED_LATELY_S, LATELY_S
from glossator.stores.memory.reviews import MemoryReviews


class MemoryMonitor(MemoryReviews):
    """The port Monitor in memory."""

    def vitals(self, *, now: datetime) -> Vitals:
        """Counts."""
        counts, state = self.status(), self._state
        recorded = [each.recorded_at for each in state.messages]
        since, hour = now - timedelta(seconds=LATELY_S), now - timedelta(seconds=DECIDED_LATELY_S)
        decided = [each.decided.decision for each in state.decisions if each.decided.at > hour]
        backlog = []
        for kind in WORK_KINDS:
            rows = [row for row in state.work if row.kind == kind]
            waiting = [row.created_at for row in rows if not row.failed]
            backlog.append(
                OpenWork(
                    kind=kind,
                    pending_count=len(waiting),
                    failed_count=len(rows) - len(waiting),
                    oldest_created_at=min(waiting, default=None),
                )
            )
        return Vitals(
            message_count=counts.message_count,
            chunk_count=counts.chunk_count,
            vector_count=counts.vector_count,
            fact_count=counts.fact_count,
            recorded_lately_count=sum(1 for each in recorded if each > since),
            decided_lately={name: decided.count(name) for name in DECISIONS},
            backlog=tuple(backlog),
            file_bytes=0,
            log_bytes=0,
            reviewed_at=max((each.completed_at for each in self._reviews.values() if each.completed_at), default=None),
        )
