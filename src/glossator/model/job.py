"""What is a scheduled job, where do rows come from, and does what a job says reach anybody?

The runner is the host's: it knows when it is three o'clock and calls the model. What is kept here is which jobs there
are, what each run came to, and that a job's rows stay its own.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from glossator.model.scope import Scope

JOB_CHANNEL = "job"
"""What a job writes lies in a conversation of this channel that is named after the job."""
JOB_WEIGHT = 0.2
"""What a row of a job counts in recall beside what people said: an hourly job writes thousands, and no one of them may
push the owner's own words off the first page. The same as for what was set back by hand (C4)."""
SILENT_MARKER = "[silent]"
"""A final text that begins with it, in any case and after any blanks, is kept and not delivered."""

SourceType = Literal["conversation", "document", "explicit", "job"]
RunStatus = Literal["running", "done", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledJob:
    """A job that the host runs for one owner of one agent.

    `schedule` is the host's own text ("every night at 3", "0 3 * * *"); nothing here reads it. `next_run_at` is when it
    is due, None where no run is planned.
    """

    job_id: str
    name: str
    description: str = ""
    schedule: str = ""
    next_run_at: datetime | None = None
    enabled: bool = True

    @property
    def source_id(self) -> str:
        """The memory source of its rows, for example "job:nightly"."""
        return f"job:{self.job_id}"

    def is_due(self, now: datetime) -> bool:
        """True if it is to be run now."""
        return self.enabled and self.next_run_at is not None and self.next_run_at <= now


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRun:
    """One run of a job. `scope` is what it works under: it sees and writes the job's own rows alone.

    A run that stays "running" was never finished: its host died.
    """

    run_id: int
    scope: Scope
    job_id: str
    session: str
    """`cron_<job>_<time>`: for `record`, so that what was said in one run lies together."""
    started_at: datetime
    status: RunStatus = "running"
    finished_at: datetime | None = None
    final_text: str = ""
    error: str = ""
    delivered: bool = False
    """Whether the host was told to deliver the final text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedJob:
    """A job as a store lists it, with what its runs came to."""

    job: ScheduledJob
    run_count: int = 0
    last_run_at: datetime | None = None
    last_status: RunStatus | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySource:
    """Where facts and notes came from, with how many there are that may be recalled.

    A job is listed as soon as it is added; another source as soon as something was kept of it.
    """

    source_id: str
    source_type: SourceType
    name: str
    description: str = ""
    conversation: str | None = None
    fact_count: int = 0
    note_count: int = 0
    taken_by: tuple[str, ...] = ()
    """How its facts came: "turn", "explicit", "document", "review", ..."""
    projects: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    first_said_at: datetime | None = None
    last_seen_at: datetime | None = None
    run_count: int = 0
    last_run_at: datetime | None = None
    last_status: RunStatus | None = None


def session_of_run(job_id: str, at: datetime) -> str:
    """The session of a run that begins at this time, in UTC: `cron_<job>_<time>`."""
    return f"cron_{job_id}_{at:%Y%m%dT%H%M%SZ}"


def is_delivered(final_text: str) -> bool:
    """True if the text is to reach somebody: it says something, and does not begin with SILENT_MARKER."""
    said = final_text.strip()
    return bool(said) and not said.casefold().startswith(SILENT_MARKER)
