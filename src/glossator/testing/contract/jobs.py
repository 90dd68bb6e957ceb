"""Are jobs kept with their sources, planned before they run, and seen by nobody else? The contract of the port Jobs."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.errors import ConflictError, NotFoundError
from glossator.model import JobRun, ListedJob, ScheduledJob, Scope
from glossator.ports import Store
from glossator.testing.contract.base import LATER, NASTY, NOW, Contract
from glossator.testing.contract.isolation import OUTSIDERS
from glossator.testing.drafts import SCOPE

NIGHTLY = ScheduledJob(
    job_id="nightly", name="Night watch", description="reads the mail", schedule="0 3 * * *", next_run_at=NOW
)
WEEKLY = ScheduledJob(job_id="weekly", name="Week's end")
TOMORROW = NOW + timedelta(days=1)
OTHERS = (*(each for each in OUTSIDERS if each.conversation is None), Scope(workspace="acme", agent="helper"))


def begin(store: Store, job_id: str = "nightly", *, scope: Scope = SCOPE, seconds: float = 0) -> JobRun:
    """A run that begins so many seconds after NOW; the next is planned for tomorrow."""
    at = NOW + timedelta(seconds=seconds)
    return store.begin_run(scope, job_id, next_run_at=TOMORROW, due_at=None, now=at)


def finish(store: Store, run: JobRun, text: str = "All quiet.") -> JobRun:
    """The run done with this final text."""
    return store.finish_run(run, status="done", final_text=text, error="", delivered=True, now=LATER)


class JobsContract(Contract):
    """The port Jobs."""

    def test_a_job_is_kept_as_it_was_said_and_the_same_id_again_replaces_it(self, store: Store) -> None:
        assert store.put_job(SCOPE, WEEKLY, now=NOW) == WEEKLY
        store.put_job(SCOPE, NIGHTLY, now=NOW)
        assert store.jobs(SCOPE) == (ListedJob(job=NIGHTLY), ListedJob(job=WEEKLY))
        run = begin(store)
        changed = replace(NIGHTLY, name="Owl", description="", schedule="", next_run_at=None, enabled=False)
        store.put_job(SCOPE, changed, now=LATER)
        listed = store.jobs(SCOPE)[0]
        assert (listed.job, listed.run_count, listed.last_run_at) == (changed, 1, run.started_at)
        assert store.job_runs(SCOPE) == (run,)

    def test_the_next_run_is_planned_before_this_one_is_over(self, store: Store) -> None:
        # proves: B17
        store.put_job(SCOPE, NIGHTLY, now=NOW)
        run = begin(store)
        assert (run.session, run.status) == ("cron_nightly_20260101T120000Z", "running")
        assert run.scope == replace(SCOPE, job="nightly")
        listed = store.jobs(SCOPE)[0]
        assert (listed.job.next_run_at, listed.run_count, listed.last_status) == (TOMORROW, 1, "running")
        unplanned = store.begin_run(SCOPE, "nightly", next_run_at=None, due_at=TOMORROW, now=LATER)
        assert store.jobs(SCOPE)[0].job.next_run_at is None
        assert store.job_runs(SCOPE) == (unplanned, run)

    def test_of_two_runners_one_gets_the_run(self, store: Store) -> None:
        store.put_job(SCOPE, NIGHTLY, now=NOW)
        store.begin_run(SCOPE, "nightly", next_run_at=TOMORROW, due_at=NOW, now=NOW)
        for at in (NOW, LATER):
            with pytest.raises(ConflictError):
                store.begin_run(SCOPE, "nightly", next_run_at=TOMORROW, due_at=NOW, now=at)
        with pytest.raises(ConflictError, match="second"):
            begin(store, seconds=0.5)
        assert len(store.job_runs(SCOPE)) == 1
        assert store.jobs(SCOPE)[0].job.next_run_at == TOMORROW

    def test_a_job_that_is_unknown_or_switched_off_does_not_run(self, store: Store) -> None:
        store.put_job(SCOPE, replace(NIGHTLY, enabled=False), now=NOW)
        with pytest.raises(ConflictError, match="switched off"):
            begin(store)
        for unknown in ("Nightly", "night%", "nightl_", "job:nightly", ""):
            with pytest.raises(NotFoundError):
                begin(store, unknown)
        assert store.job_runs(SCOPE) == ()
        assert store.jobs(SCOPE)[0].job.next_run_at == NOW

    def test_a_run_ends_once(self, store: Store) -> None:
        store.put_job(SCOPE, NIGHTLY, now=NOW)
        run = begin(store)
        ended = finish(store, run)
        assert ended == replace(run, status="done", final_text="All quiet.", delivered=True, finished_at=LATER)
        for again in (run, ended):
            with pytest.raises(ConflictError):
                finish(store, again, "Something else.")
        with pytest.raises(NotFoundError):
            finish(store, replace(run, run_id=7))
        assert store.job_runs(SCOPE) == (ended,)
        assert store.jobs(SCOPE)[0].last_status == "done"

    def test_runs_come_the_latest_first_as_many_as_asked_of_the_jobs_asked(self, store: Store) -> None:
        for job in (NIGHTLY, WEEKLY):
            store.put_job(SCOPE, job, now=NOW)
        first, second, third = begin(store), begin(store, "weekly"), begin(store, seconds=3600)
        assert store.job_runs(SCOPE) == (third, second, first)
        assert store.job_runs(SCOPE, limit=2) == (third, second)
        assert store.job_runs(SCOPE, limit=0) == ()
        assert store.job_runs(SCOPE, job_ids=("nightly",)) == (third, first)
        assert store.job_runs(SCOPE, job_ids=("night%", "weekly")) == (second,)

    def test_a_job_sees_itself_alone(self, store: Store) -> None:
        # proves: F50, I4
        for job in (NIGHTLY, WEEKLY, replace(WEEKLY, job_id="nightly2"), replace(WEEKLY, job_id="%")):
            store.put_job(SCOPE, job, now=NOW)
            begin(store, job.job_id)
        inside = replace(SCOPE, job="nightly")
        assert [each.job.job_id for each in store.jobs(inside)] == ["nightly"]
        assert {each.job_id for each in store.job_runs(inside)} == {"nightly"}
        assert store.job_runs(inside, job_ids=("weekly",)) == ()
        with pytest.raises(NotFoundError):
            begin(store, "weekly", scope=inside, seconds=9)
        (theirs,) = store.job_runs(SCOPE, job_ids=("weekly",))
        with pytest.raises(NotFoundError):
            finish(store, replace(theirs, scope=inside))

    @pytest.mark.parametrize("scope", OTHERS, ids=str)
    def test_nobody_sees_runs_or_ends_what_is_not_theirs(self, store: Store, scope: Scope) -> None:
        # proves: K22, I4
        store.put_job(SCOPE, NIGHTLY, now=NOW)
        run = begin(store)
        assert (store.jobs(scope), store.job_runs(scope)) == ((), ())
        with pytest.raises(NotFoundError):
            begin(store, scope=scope, seconds=9)
        with pytest.raises(NotFoundError):
            finish(store, replace(run, scope=replace(scope, job="nightly")))
        store.put_job(scope, replace(NIGHTLY, name="theirs"), now=NOW)
        assert [each.job.name for each in store.jobs(SCOPE)] == ["Night watch"]
        assert store.job_runs(SCOPE) == (run,)

    def test_what_jobs_reported_is_for_the_owner_and_for_the_job(self, store: Store) -> None:
        # proves: I4
        store.put_job(SCOPE, NIGHTLY, now=NOW)
        run = begin(store)
        assert store.job_runs(SCOPE) == store.job_runs(run.scope) == (run,)
        for less in (replace(SCOPE, trust="guest"), replace(SCOPE, trust="tool"), replace(SCOPE, trust=None)):
            assert store.job_runs(less) == ()

    @pytest.mark.parametrize("text", [text[:300] for text in NASTY], ids=range(len(NASTY)))
    def test_any_text_comes_back_as_it_was(self, store: Store, text: str) -> None:
        job = ScheduledJob(job_id=text, name=text, description=text, schedule=text)
        store.put_job(SCOPE, job, now=NOW)
        ended = finish(store, begin(store, text), text)
        assert store.jobs(replace(SCOPE, job=text[:200]))[:1] == (store.jobs(SCOPE) if len(text) <= 200 else ())
        assert store.jobs(SCOPE)[0].job == job
        assert store.job_runs(SCOPE, job_ids=(text,)) == (ended,)

    def test_jobs_and_runs_are_there_when_the_store_is_opened_again(self, tmp_path: Path) -> None:
        if not self.durable:
            pytest.skip("keeps nothing")
        store = self.open_store(tmp_path)
        store.put_job(SCOPE, NIGHTLY, now=NOW)
        run = begin(store)
        store.close()
        store = self.open_store(tmp_path)
        assert store.jobs(SCOPE)[0].job.next_run_at == TOMORROW
        assert store.job_runs(SCOPE) == (run,)
        store.close()

    def test_any_history_of_jobs_is_that_of_the_reference(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        @settings(max_examples=15, deadline=None)
        @given(st.lists(st.tuples(_scopes, _ids, _acts, st.integers(0, 3), st.booleans(), _dues), max_size=8))
        def same(history: list[tuple[Scope, str, str, int, bool, datetime | None]]) -> None:
            stores = (self.open_store(tmp_path_factory.mktemp("jobs")), self.open_reference())
            for second, (scope, job_id, act, place, enabled, due) in enumerate(history):
                job = ScheduledJob(job_id=job_id, name="n", next_run_at=due, enabled=enabled)
                seen = [
                    _played(store, scope, job, act, place, NOW + timedelta(seconds=second // 2)) for store in stores
                ]
                assert seen[0] == seen[1]
            for store in stores:
                store.close()

        same()


_scopes = st.sampled_from(
    (SCOPE, replace(SCOPE, owner="u_"), replace(SCOPE, job="a"), replace(SCOPE, owner="u_", job="b"))
)
_ids = st.sampled_from(("a", "b", "%"))
_acts = st.sampled_from(("put", "begin", "begin", "finish"))
_dues = st.sampled_from((None, NOW, TOMORROW))


def _played(store: Store, scope: Scope, job: ScheduledJob, act: str, place: int, at: datetime) -> object:
    """What one call gives or raises, and all that is seen afterwards."""
    runs = store.job_runs(SCOPE)
    result: object = None
    try:
        if act == "put":
            result = store.put_job(scope.whole, job, now=at)
        elif act == "begin":
            result = store.begin_run(scope, job.job_id, next_run_at=TOMORROW, due_at=job.next_run_at, now=at)
        elif runs:
            result = finish(store, runs[place % len(runs)])
    except (ConflictError, NotFoundError) as error:
        result = (type(error), error.argument)
    owners = (SCOPE, replace(SCOPE, owner="u_"), replace(SCOPE, job="a"))
    return result, [(store.jobs(each), store.job_runs(each)) for each in owners]
