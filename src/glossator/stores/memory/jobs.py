"""Which scheduled jobs are there, and what did their runs come to? The reference model of the port Jobs."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from glossator.errors import ConflictError, NotFoundError
from glossator.model import JobRun, ListedJob, RunStatus, ScheduledJob, Scope
from glossator.model.job import session_of_run
from glossator.stores.matching import is_trusted
from glossator.stores.memory.upkeep import MemoryUpkeep


@dataclass(slots=True)
class _Shelf:
    jobs: dict[tuple[Scope, str], ScheduledJob] = field(default_factory=dict)
    runs: list[JobRun] = field(default_factory=list)


class MemoryJobs(MemoryUpkeep):
    """The port Jobs in memory."""

    _kept_jobs: _Shelf | None = None

    @property
    def _shelf(self) -> _Shelf:
        assert self._state is not None  # raises once the store is closed
        if self._kept_jobs is None:
            self._kept_jobs = _Shelf()
        return self._kept_jobs

    def put_job(self, scope: Scope, job: ScheduledJob, *, now: datetime) -> ScheduledJob:  # noqa: ARG002
        """Keep the job."""
        self._shelf.jobs[scope.whole, job.job_id] = job
        return job

    def jobs(self, scope: Scope) -> tuple[ListedJob, ...]:
        """The jobs that the scope covers, in order of their ids."""
        mine = [
            job for (owner, _), job in self._shelf.jobs.items() if owner == scope.whole and _sees(scope, job.job_id)
        ]
        return tuple(self._listed(scope, job) for job in sorted(mine, key=lambda job: job.job_id))

    def _listed(self, scope: Scope, job: ScheduledJob) -> ListedJob:
        runs = self.job_runs(scope, job_ids=(job.job_id,), limit=len(self._shelf.runs))
        if not runs:
            return ListedJob(job=job)
        return ListedJob(job=job, run_count=len(runs), last_run_at=runs[0].started_at, last_status=runs[0].status)

    def begin_run(
        self, scope: Scope, job_id: str, *, next_run_at: datetime | None, due_at: datetime | None, now: datetime
    ) -> JobRun:
        """Plan the next run and add a run that began now."""
        job = self._shelf.jobs.get((scope.whole, job_id))
        if job is None or not _sees(scope, job_id):
            raise NotFoundError("job_id", f"{job_id!r} is no job of this scope")
        run = JobRun(
            run_id=len(self._shelf.runs) + 1, scope=replace(scope.whole, job=job_id), job_id=job_id,
            session=session_of_run(job_id, now), started_at=now,
        )  # fmt: skip
        if not job.enabled:
            raise ConflictError("job_id", f"{job_id!r} is switched off")
        if due_at is not None and due_at != job.next_run_at:
            raise ConflictError("due_at", f"{job_id!r} is no longer due then")
        if any((each.scope, each.session) == (run.scope, run.session) for each in self._shelf.runs):
            raise ConflictError("job_id", f"a run of {job_id!r} began in this second")
        self._shelf.jobs[scope.whole, job_id] = replace(job, next_run_at=next_run_at)
        self._shelf.runs.append(run)
        return run

    def finish_run(
        self, run: JobRun, *, status: RunStatus, final_text: str, error: str, delivered: bool, now: datetime
    ) -> JobRun:
        """Keep how the run ended."""
        for place, each in enumerate(self._shelf.runs):
            if (each.run_id, each.scope) == (run.run_id, run.scope):
                if each.status != "running":
                    raise ConflictError("run", f"{each.session} has ended before")
                ended = replace(
                    each, status=status, final_text=final_text, error=error, delivered=delivered, finished_at=now
                )
                self._shelf.runs[place] = ended
                return ended
        raise NotFoundError("run", f"{run.session} is no run of this scope")

    def job_runs(self, scope: Scope, *, job_ids: Sequence[str] = (), limit: int = 100) -> tuple[JobRun, ...]:
        """Runs that the scope covers, the latest first."""
        found = [
            run
            for run in reversed(self._shelf.runs if is_trusted(scope) else ())
            if run.scope.whole == scope.whole and _sees(scope, run.job_id) and (not job_ids or run.job_id in job_ids)
        ]
        return tuple(found[: max(limit, 0)])


def _sees(scope: Scope, job_id: str) -> bool:
    return scope.job in (None, job_id)
