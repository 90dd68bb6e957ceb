"""Which scheduled jobs are there, and what did their runs come to?"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from glossator.model import JobRun, ListedJob, RunStatus, ScheduledJob, Scope


class Jobs(Protocol):
    """Jobs of one owner of one agent with their memory sources. A scope with a `job` sees that job alone."""

    def put_job(self, scope: Scope, job: ScheduledJob, *, now: datetime) -> ScheduledJob:
        """Keep the job and the memory source that it needs, both or neither; the same id again replaces what it said.

        Its runs stay.
        """
        ...

    def jobs(self, scope: Scope) -> tuple[ListedJob, ...]:
        """The jobs that the scope covers, in order of their ids."""
        ...

    def begin_run(
        self, scope: Scope, job_id: str, *, next_run_at: datetime | None, due_at: datetime | None, now: datetime
    ) -> JobRun:
        """Plan the next run and add a run that began now, in one transaction.

        Raises NotFoundError for a job that the scope does not cover, ConflictError for one that is switched off, whose
        `next_run_at` is no longer `due_at` (where that is given), or of which a run began in this same second.
        """
        ...

    def finish_run(
        self, run: JobRun, *, status: RunStatus, final_text: str, error: str, delivered: bool, now: datetime
    ) -> JobRun:
        """Keep how the run ended. Raises NotFoundError for a run that is not there, ConflictError for an ended one."""
        ...

    def job_runs(self, scope: Scope, *, job_ids: Sequence[str] = (), limit: int = 100) -> tuple[JobRun, ...]:
        """Runs that the scope covers, the latest first; of these jobs only, where some are named."""
        ...
