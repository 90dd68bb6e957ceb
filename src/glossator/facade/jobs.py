"""The verbs of scheduled jobs, memory sources and voice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from glossator.errors import UsageError
from glossator.facade.checks import checked_scope, reading_scope
from glossator.facade.guarding import GuardedVerbs
from glossator.facade.sources import sources_of
from glossator.model import (
    SENSITIVITIES,
    Conversation,
    Fact,
    FactFilter,
    JobRun,
    MemorySource,
    Receipt,
    ScheduledJob,
    Scope,
    Sensitivity,
)
from glossator.model.job import is_delivered
from glossator.retain import corridor as retaining
from glossator.rules.canonical import checked_text

TEXT_CHARACTERS_MAX = 2_000
"""Of a name, a description or a schedule: a line, not a text."""
RUNS_MAX = 1_000
PAGE_FACTS = 1_000
VOICE_CHANNEL = "realtime"
VOICE_METADATA = {"source_type": "realtime"}
NOT_KEPT = "transcripts are not kept: Options.persist_transcripts is False"


class JobVerbs(GuardedVerbs):
    """What runs without anybody speaking, and what is spoken: jobs, where rows come from, voice."""

    def add_job(
        self,
        job_id: str,
        *,
        scope: Scope,
        name: str = "",
        description: str = "",
        schedule: str = "",
        next_run_at: object = None,
        enabled: bool = True,
    ) -> ScheduledJob:
        """Keep a job that the host runs, together with the memory source "job:<id>" of all that it will keep.

        The same id again replaces what was said of it; its runs and rows stay. `schedule` is the host's own text and is
        not read here; `next_run_at` (ISO or datetime) is when it is due. `name` is the id where it is left out. Raises
        UsageError for a blank id and for a scope that is a job's own, PermissionDeniedError for a caller who is neither
        owner nor operator, and for an agent below SUPERVISED.
        """
        owner = self._running(scope, "add_job")
        if owner.job is not None:
            raise UsageError("scope.job", "is given, and a job adds no jobs", remedy="pass the owner's scope")
        try:
            checked_id = replace(owner, job=job_id).job
        except UsageError as error:
            raise UsageError("job_id", error.problem, remedy=error.remedy) from error
        assert checked_id is not None
        job = ScheduledJob(
            job_id=checked_id,
            name=self._line(name, "name") or checked_id,
            description=self._line(description, "description"),
            schedule=self._line(schedule, "schedule"),
            next_run_at=self._moment(next_run_at, "next_run_at"),
            enabled=bool(enabled),
        )
        return self._store.put_job(owner, job, now=self._clock.now())

    def jobs(self, *, scope: Scope, due: bool = False) -> tuple[ScheduledJob, ...]:
        """The jobs of this owner with this agent, in order of their ids; with `due` those that are to be run now."""
        now = self._clock.now()
        found = tuple(each.job for each in self._store.jobs(checked_scope(scope)))
        return tuple(job for job in found if job.is_due(now)) if due else found

    def begin_job_run(
        self, job_id: str, *, scope: Scope, next_run_at: object = None, due_at: datetime | None = None
    ) -> JobRun:
        """Say that a run begins. The next one is planned first, so that a host that dies does not run it for ever.

        Work under `run.scope`, and record under `run.session`. Without `next_run_at` no run is planned. Of two hosts
        that pass the job's own `next_run_at` as `due_at`, one gets the run. Raises NotFoundError for an unknown job,
        ConflictError for one that is switched off, no longer due at `due_at`, or begun in this same second, and
        PermissionDeniedError for a caller who is neither owner nor operator, and for an agent below SUPERVISED.
        """
        owner = self._running(scope, "begin_job_run")
        now, planned = self._clock.now(), self._moment(next_run_at, "next_run_at")
        if planned is not None and planned <= now:
            raise UsageError("next_run_at", "is not after now", remedy="pass when the run after this one is due")
        return self._store.begin_run(owner, job_id, next_run_at=planned, due_at=due_at, now=now)

    def finish_job_run(
        self, run: JobRun, *, final_text: str, status: Literal["done", "failed"] = "done", error: str = ""
    ) -> bool:
        """Say how a run ended; True if its final text is to be delivered.

        It is not where it is blank, or begins with "[silent]" (in any case). Raises NotFoundError for a run that is not
        there, ConflictError for one that has ended, PermissionDeniedError as `begin_job_run` does.
        """
        self._running(run.scope, "finish_job_run")
        if status not in ("done", "failed"):
            raise UsageError("status", f"{status!r} is unknown", remedy='pass "done" or "failed"')
        said, why = self._told(final_text, "final_text"), self._told(error, "error")
        delivered = is_delivered(said)
        self._store.finish_run(
            run, status=status, final_text=said, error=why, delivered=delivered, now=self._clock.now()
        )
        self._meters.counted("glossator_job_runs_total", status=status)
        return delivered

    def job_runs(self, *, scope: Scope, job_ids: Sequence[str] = (), limit: int = 100) -> tuple[JobRun, ...]:
        """Runs of jobs, the latest first; one that stays "running" was never finished."""
        if isinstance(job_ids, str):
            raise UsageError("job_ids", "is a str, not a list of ids", remedy='pass ["nightly"]')
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= RUNS_MAX:
            raise UsageError("limit", f"{limit!r} is not between 1 and {RUNS_MAX}", remedy="for example 20")
        return self._store.job_runs(checked_scope(scope), job_ids=tuple(job_ids), limit=limit)

    def memory_sources(self, *, scope: Scope, sensitivity_max: Sensitivity = "restricted") -> tuple[MemorySource, ...]:
        """Where the facts and notes that the scope sees come from: conversations, documents, jobs, explicit requests.

        Each with its counts, dates and name; a job with its description and its last run, also where it has kept
        nothing yet. Facts above `sensitivity_max` are not counted.
        """
        if sensitivity_max not in SENSITIVITIES:
            remedy = f"choose from {', '.join(SENSITIVITIES)}"
            raise UsageError("sensitivity_max", f"{sensitivity_max!r} is unknown", remedy=remedy)
        seen = reading_scope(scope)
        ceiling = SENSITIVITIES.index(sensitivity_max)
        counted = (fact for fact in self._every_fact(seen) if SENSITIVITIES.index(fact.sensitivity) <= ceiling)
        return sources_of(counted, self._store.jobs(seen), with_all_jobs=seen.conversation is None)

    def record_voice(self, turns: Sequence[Mapping[str, object]], *, scope: Scope, device: str) -> Receipt:
        """Keep what was spoken, once it is final: as `record`, of kind "voice_turn", in the device's own conversation.

        Only where `Options.persist_transcripts` is on; else nothing is kept and `Receipt.failure` says so. A turn has
        "role" user or assistant; one with "final" False, a guess that the recogniser may still change, is left out.
        Facts are taken from it and it is reviewed as what was typed. The conversation is "realtime:<device>".
        """
        try:
            place = Conversation(channel=VOICE_CHANNEL, chat=device).key
        except UsageError as error:
            raise UsageError("device", error.problem, remedy='for example "kitchen"') from error
        spoken = _spoken(turns)
        if not self._options.persist_transcripts:
            return Receipt(recorded=(), pending=0, failure=NOT_KEPT)
        receipt = retaining.record(
            self._store, self._ids, self._options, self._cleaner, spoken,
            scope=checked_scope(scope), conversation=place,
            session=None, project=None, tags=(), now=self._clock.now(), kind="voice_turn",
        )  # fmt: skip
        self._count_redactions(note for each in receipt.recorded for note in each.notes)
        self._wake_worker()
        return receipt

    def _running(self, scope: Scope, action: str) -> Scope:
        """The scope of somebody who may run jobs: what a job keeps counts as the owner's own."""
        owner = checked_scope(scope)
        self._permit(action, owner)
        return owner

    def _every_fact(self, scope: Scope) -> Iterator[Fact]:
        after_id = 0
        while True:
            page = self._store.facts(scope, FactFilter(order="fact_id", after_id=after_id, limit=PAGE_FACTS))
            yield from page
            if len(page) < PAGE_FACTS:
                return
            after_id = page[-1].fact_id

    def _line(self, text: object, argument: str) -> str:
        """A text of one line without secrets, "" for a blank one."""
        if not isinstance(text, str):
            raise UsageError(argument, f"is {type(text).__name__}, not text", remedy="pass a str")
        if len(text) > TEXT_CHARACTERS_MAX:
            raise UsageError(argument, f"is longer than {TEXT_CHARACTERS_MAX} characters", remedy="shorten it")
        return self._told(" ".join(text.split()), argument)

    def _told(self, text: object, argument: str) -> str:
        if isinstance(text, str) and not text.strip():
            return ""
        checked, _ = checked_text(text, argument=argument, bytes_max=self._options.message_bytes_max)
        return self._cleaned(checked)


def _spoken(turns: object) -> list[Mapping[str, object]]:
    """The final turns as messages. Raises UsageError for one that nobody can have spoken."""
    if isinstance(turns, Mapping | str | bytes) or not isinstance(turns, Sequence):
        raise UsageError("turns", "is no list of turns", remedy='pass [{"role": "user", "content": "..."}]')
    spoken: list[Mapping[str, object]] = []
    for place, turn in enumerate(turns):
        if not isinstance(turn, Mapping):
            raise UsageError(f"turns[{place}]", "is no mapping", remedy='pass {"role": "user", "content": "..."}')
        if turn.get("role", "user") not in ("user", "assistant"):
            problem = f"{turn.get('role')!r} does not speak"
            raise UsageError(f"turns[{place}].role", problem, remedy="choose from user, assistant")
        if turn.get("final", True) is not False:
            own = {str(part): value for part, value in turn.items() if part != "final"}
            given = own.get("metadata") or {}
            metadata = {**given, **VOICE_METADATA} if isinstance(given, Mapping) else given
            spoken.append({**own, "metadata": metadata})
    return spoken
