"""Which scheduled jobs are there, and what did their runs come to? The port Jobs over one file."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from glossator.errors import ConflictError, NotFoundError
from glossator.model import JobRun, ListedJob, RunStatus, ScheduledJob, Scope
from glossator.model.job import session_of_run
from glossator.stores.matching import is_trusted
from glossator.stores.sqlite.base import SqliteBase
from glossator.stores.sqlite.journal import ROWS_MAX, found_or_added
from glossator.stores.sqlite.rows import (
    Row,
    fact_parameters,
    instant,
    instant_or_none,
    micros,
    micros_or_none,
    to_json,
)
from glossator.stores.sqlite.statements import SQL

BEGUN = "ask for the jobs that are due again: another runner may have it"


class SqliteJobs(SqliteBase):
    """The port Jobs."""

    def put_job(self, scope: Scope, job: ScheduledJob, *, now: datetime) -> ScheduledJob:
        """Keep the job and its memory source; see ports.Jobs."""
        owner = (scope.workspace, scope.agent, scope.owner)
        with self._connections.writing() as connection:
            asked = {
                "scope_id": found_or_added(connection, "scope_row", owner, "add_scope", owner),
                "job_id": job.job_id,
                "source_id": job.source_id,
                "name": job.name,
                "description": job.description,
                "schedule": job.schedule,
                "next_run_at": micros_or_none(job.next_run_at),
                "enabled": job.enabled,
                "now": micros(now),
            }
            connection.execute(SQL["put_source"], asked)
            connection.execute(SQL["put_job"], asked)
        return job

    def jobs(self, scope: Scope) -> tuple[ListedJob, ...]:
        """The jobs that the scope covers, in order of their ids."""
        with self._connections.reading() as connection:
            return tuple(_listed(row) for row in connection.execute(SQL["jobs"], _parameters(scope)))

    def begin_run(
        self, scope: Scope, job_id: str, *, next_run_at: datetime | None, due_at: datetime | None, now: datetime
    ) -> JobRun:
        """Plan the next run and add a run that began now; see ports.Jobs."""
        with self._connections.writing() as connection:
            rows = [row for row in connection.execute(SQL["jobs"], _parameters(scope)) if row[1] == job_id]
            if not rows:
                raise NotFoundError("job_id", f"{job_id!r} is no job of this scope", remedy="`jobs` lists them")
            session = session_of_run(job_id, now)
            asked = {
                "job_row": rows[0][0],
                "session": session,
                "next_run_at": micros_or_none(next_run_at),
                "now": micros(now),
            }
            begun = connection.execute(SQL["is_job_run"], asked).fetchone() is not None
            check_begin(_listed(rows[0]).job, due_at=due_at, begun=begun)
            connection.execute(SQL["plan_job"], asked)
            run_id = connection.execute(SQL["add_job_run"], asked).lastrowid
            assert run_id is not None
        return JobRun(run_id=run_id, scope=replace(scope.whole, job=job_id), job_id=job_id, session=session,
                      started_at=now)  # fmt: skip

    def finish_run(
        self, run: JobRun, *, status: RunStatus, final_text: str, error: str, delivered: bool, now: datetime
    ) -> JobRun:
        """Keep how the run ended; see ports.Jobs."""
        with self._connections.writing() as connection:
            found = _runs(connection, run.scope, run_id=run.run_id)
            if not found:
                raise NotFoundError("run", f"{run.session} is no run of this scope", remedy="begin one")
            check_finish(found[0])
            asked = {
                "run_id": run.run_id, "status": status, "final_text": final_text, "error": error,
                "delivered": delivered, "now": micros(now),
            }  # fmt: skip
            connection.execute(SQL["finish_job_run"], asked)
            return _runs(connection, run.scope, run_id=run.run_id)[0]

    def job_runs(self, scope: Scope, *, job_ids: Sequence[str] = (), limit: int = 100) -> tuple[JobRun, ...]:
        """Runs that the scope covers, the latest first; none for whoever is not trusted."""
        if not is_trusted(scope):
            return ()
        with self._connections.reading() as connection:
            return _runs(connection, scope, job_ids=job_ids, limit=limit)


def check_begin(job: ScheduledJob, *, due_at: datetime | None, begun: bool) -> None:
    """Raises ConflictError where no run of the job may begin now."""
    if not job.enabled:
        raise ConflictError("job_id", f"{job.job_id!r} is switched off", remedy="add it again with enabled=True")
    if due_at is not None and due_at != job.next_run_at:
        raise ConflictError("due_at", f"{job.job_id!r} is no longer due then", remedy=BEGUN)
    if begun:
        raise ConflictError("job_id", f"a run of {job.job_id!r} began in this second", remedy=BEGUN)


def check_finish(run: JobRun) -> None:
    """Raises ConflictError for a run that has ended."""
    if run.status != "running":
        raise ConflictError("run", f"{run.session} has ended before, {run.status}", remedy="begin another")


def _parameters(scope: Scope) -> dict[str, str | None]:
    return fact_parameters(scope) | {"job": scope.job}


def _runs(
    connection: sqlite3.Connection, scope: Scope, *, job_ids: Sequence[str] = (), run_id: int | None = None,
    limit: int = 1,
) -> tuple[JobRun, ...]:  # fmt: skip
    asked = {
        "job_ids": to_json(list(job_ids)) if job_ids else None,
        "run_id": run_id,
        "limit": min(max(limit, 0), ROWS_MAX),
        **_parameters(scope),
    }
    return tuple(_run_of(row, scope) for row in connection.execute(SQL["job_runs"], asked))


def _listed(row: Row) -> ListedJob:
    """A row of `jobs`."""
    job = ScheduledJob(
        job_id=row[1],
        name=row[2],
        description=row[3],
        schedule=row[4],
        next_run_at=instant_or_none(row[5]),
        enabled=bool(row[6]),
    )
    return ListedJob(job=job, run_count=row[7], last_run_at=instant_or_none(row[8]), last_status=row[9])


def _run_of(row: Row, scope: Scope) -> JobRun:
    """A row of `job_runs`."""
    return JobRun(
        run_id=row[0],
        scope=replace(scope.whole, job=row[1]),
        job_id=row[1],
        session=row[2],
        started_at=instant(row[3]),
        status=row[4],
        finished_at=instant_or_none(row[5]),
        final_text=row[6],
        error=row[7],
        delivered=bool(row[8]),
    )
