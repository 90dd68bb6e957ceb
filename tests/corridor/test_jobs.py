"""Does a job keep its rows to itself, and do they stay behind what people said?"""

import inspect
import itertools
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import ANA, NOW

from glossator import ConflictError, Memory, NotFoundError, Options, Scope, StoreError, UsageError
from glossator.errors import GlossatorError
from glossator.recall.suppress import people_first
from glossator.stores.memory import MemoryStore
from glossator.stores.sqlite import SqliteStore
from glossator.surfaces.tools import agent_tools
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds

CHAT = "telegram:42"
JOBS = ("night", "nightly", "night%", "nigh_", "NIGHT", "job:night")
"""Ids that a careless pattern or prefix would take for one another."""
SECRETS = {job: f"zq{place}zq" for place, job in enumerate(JOBS)}
OWNERS = "walnut"
BEN = replace(ANA, owner="ben")
TOMORROW = NOW + timedelta(days=1)


def of(job: str, scope: Scope = ANA) -> Scope:
    return replace(scope, job=job)


# Jobs, runs and delivery


# proves: B17
def test_a_job_is_added_with_its_source_and_is_due_when_it_says(memory: Memory, clock: FakeClock) -> None:
    added = memory.add_job(
        "nightly",
        scope=ANA,
        name="Night watch",
        description="reads the mail",
        schedule="0 3 * * *",
        next_run_at=TOMORROW,
    )
    memory.add_job("idle", scope=ANA)
    memory.add_job("off", scope=ANA, next_run_at="2026-01-01", enabled=False)

    assert (added.source_id, added.name) == ("job:nightly", "Night watch")
    assert [job.job_id for job in memory.jobs(scope=ANA)] == ["idle", "nightly", "off"]
    assert memory.jobs(scope=ANA, due=True) == ()
    clock.jump_to(TOMORROW)
    assert [job.job_id for job in memory.jobs(scope=ANA, due=True)] == ["nightly"]
    assert [(each.source_id, each.source_type, each.name) for each in memory.memory_sources(scope=ANA)] == [
        ("job:idle", "job", "idle"),
        ("job:nightly", "job", "Night watch"),
        ("job:off", "job", "off"),
    ]
    assert memory.jobs(scope=BEN) == ()


# proves: B17
def test_a_run_is_planned_past_before_it_works_so_that_a_crash_does_not_repeat_it(
    open_memory: Callable[..., Memory], clock: FakeClock
) -> None:
    memory = open_memory()
    memory.add_job("nightly", scope=ANA, next_run_at=NOW)
    (due,) = memory.jobs(scope=ANA, due=True)

    run = memory.begin_job_run("nightly", scope=ANA, next_run_at=TOMORROW, due_at=due.next_run_at)
    memory.close()  # the host dies in the middle
    again = open_memory()

    assert run.session == "cron_nightly_20261130T120000Z"
    assert again.jobs(scope=ANA, due=True) == ()
    assert [(each.session, each.status) for each in again.job_runs(scope=ANA)] == [(run.session, "running")]
    with pytest.raises(ConflictError):
        again.begin_job_run("nightly", scope=ANA, next_run_at=TOMORROW, due_at=due.next_run_at)


# proves: B17
@pytest.mark.parametrize(
    ("text", "delivered"),
    [
        ("Three new bills.", True),
        ("[silent] nothing new", False),
        ("  \n[Silent]", False),
        ("[SILENT]\nlong log", False),
        ("Nothing. [silent]", True),
        ("silent night", True),
        ("", False),
        ("   ", False),
    ],
)
def test_a_final_text_is_delivered_unless_it_asks_for_silence(memory: Memory, text: str, delivered: bool) -> None:
    memory.add_job("nightly", scope=ANA)
    run = memory.begin_job_run("nightly", scope=ANA)

    assert memory.finish_job_run(run, final_text=text) is delivered

    (kept,) = memory.job_runs(scope=ANA)
    assert (kept.status, kept.delivered, kept.final_text) == ("done", delivered, text if text.strip() else "")
    assert memory.metrics()['glossator_job_runs_total{status="done"}'] == 1
    with pytest.raises(ConflictError, match="has ended"):
        memory.finish_job_run(run, final_text=text)


def test_a_run_that_failed_says_why_without_its_secrets(memory: Memory) -> None:
    memory.add_job("nightly", scope=ANA)
    run = memory.begin_job_run("nightly", scope=ANA)

    secret = "ghp_" + "a1B2" * 9
    memory.finish_job_run(run, final_text=f"token {secret}", status="failed", error=f"401 for {secret}")

    (kept,) = memory.job_runs(scope=ANA, job_ids=["nightly"])
    assert kept.status == "failed"
    assert secret not in repr(kept)
    assert "401" in kept.error


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda memory: memory.add_job(" ", scope=ANA), "job_id"),
        (lambda memory: memory.add_job("x" * 201, scope=ANA), "job_id"),
        (lambda memory: memory.add_job("x", scope=of("y")), "scope.job"),
        (lambda memory: memory.add_job("x", scope=replace(ANA, trust="guest")), "scope.trust"),
        (lambda memory: memory.add_job("x", scope=replace(ANA, trust=None)), "scope.trust"),
        (lambda memory: memory.begin_job_run("x", scope=replace(ANA, trust="tool")), "scope.trust"),
        (lambda memory: memory.begin_job_run("x", scope=replace(of("x"), trust="unknown")), "scope.trust"),
        (lambda memory: memory.add_job("x", scope="ana"), "scope"),
        (lambda memory: memory.add_job("x", scope=ANA, next_run_at="soon"), "next_run_at"),
        (lambda memory: memory.add_job("x", scope=ANA, description=7), "description"),
        (lambda memory: memory.add_job("x", scope=ANA, schedule="x" * 2_001), "schedule"),
        (lambda memory: memory.begin_job_run("x", scope=ANA), "job_id"),
        (lambda memory: memory.begin_job_run("x", scope=ANA, next_run_at=NOW), "next_run_at"),
        (lambda memory: memory.job_runs(scope=ANA, limit=0), "limit"),
        (lambda memory: memory.job_runs(scope=ANA, job_ids="x"), "job_ids"),
        (lambda memory: memory.memory_sources(scope=ANA, sensitivity_max="all"), "sensitivity_max"),
    ],
)
def test_a_wrong_argument_is_named(memory: Memory, call: Callable[[Memory], object], argument: str) -> None:
    with pytest.raises(UsageError) as raised:
        call(memory)
    assert raised.value.argument == argument


# What a job keeps


# proves: F20, F21
def test_each_writer_keeps_where_it_belongs(memory: Memory) -> None:
    memory.note("todo", "buy flour", scope=ANA, conversation=CHAT)
    memory.remember("I am vegan.", scope=ANA, category="identity")
    memory.remember("We use Postgres.", scope=ANA, category="context")
    memory.note("todo", "sort the mail", scope=of("nightly"), conversation=CHAT)
    memory.remember("The inbox is empty.", scope=of("nightly"), category="identity")
    memory.remember("The office opens at nine.", scope=of("nightly"), within="owner")
    memory.end_session(scope=of("nightly"), request="I live in Oslo.", final_answer="Done.", conversation=CHAT)
    memory.drain()

    assert {(fact.scope_type, fact.scope_id, fact.text) for fact in memory.facts(scope=ANA)} == {
        ("conversation", "telegram:42:root", "buy flour"),
        ("owner", "ana", "I am vegan."),
        ("agent", "helper", "We use Postgres."),
        ("job", "job:nightly", "sort the mail"),
        ("job", "job:nightly", "The inbox is empty."),
        ("job", "job:nightly", "The office opens at nine."),
        ("job", "job:nightly", "I live in Oslo."),
    }


# proves: F50
def test_a_job_neither_closes_nor_repeats_what_its_owner_said(memory: Memory) -> None:
    mine = memory.remember("I live in Oslo.", scope=ANA, category="identity").fact
    other = memory.remember("I live in Paris.", scope=of("nightly"), category="identity")
    same = memory.remember("I live in Oslo.", scope=of("weekly"), category="identity")

    assert (other.decided.decision, same.decided.decision) == ("admit", "admit")
    assert mine is not None
    assert memory.explain(mine.id, scope=ANA).fact == mine


def test_no_facts_are_taken_from_what_a_job_records_now_or_in_review(memory: Memory) -> None:
    run_text = [{"content": "I am allergic to peanuts."}]
    memory.record(run_text, scope=of("nightly"), conversation="job:nightly", session="cron_nightly_1")
    memory.record(run_text, scope=ANA, conversation="job:weekly")
    memory.drain()

    assert {message.kind for message in memory.messages(scope=ANA)} == {"tool"}
    assert memory.review(scope=ANA, now=True) == ()
    assert memory.facts(scope=ANA) == ()
    with pytest.raises(UsageError, match="mode"):
        memory.remember_document("I live in Oslo.", scope=of("nightly"), mode="full")
    assert memory.remember_document("I live in Oslo.", scope=of("nightly")).count("stored") == 1
    memory.drain()
    assert memory.facts(scope=ANA) == ()


# proves: F51
def test_sources_say_what_they_are_how_much_they_gave_and_when_they_ran_last(memory: Memory) -> None:
    memory.add_job("nightly", scope=ANA, name="Night watch", description="reads the mail")
    run = memory.begin_job_run("nightly", scope=ANA)
    memory.note("inbox", "three bills", scope=run.scope, conversation="job:nightly")
    memory.remember("The landlord wrote.", scope=run.scope)
    memory.finish_job_run(run, final_text="[silent]")
    memory.note("k", "v", scope=of("never added"), conversation="job:x")
    memory.record([{"content": "I am allergic to peanuts.", "at": "2026-01-05"}], scope=ANA, conversation=CHAT)
    memory.remember("My PIN is kept by Ed.", scope=ANA, sensitivity="restricted")
    memory.drain()

    sources = {each.source_id: each for each in memory.memory_sources(scope=ANA)}
    nightly = sources["job:nightly"]

    assert (nightly.source_type, nightly.name, nightly.description) == ("job", "Night watch", "reads the mail")
    assert (nightly.fact_count, nightly.note_count, nightly.taken_by) == (1, 1, ("explicit",))
    assert (nightly.run_count, nightly.last_run_at, nightly.last_status) == (1, NOW, "done")
    assert (sources["job:never added"].name, sources["job:never added"].note_count) == ("never added", 1)
    talk = sources["telegram:42:root"]
    assert (talk.source_type, talk.fact_count, talk.taken_by) == ("conversation", 1, ("turn",))
    assert str(talk.first_said_at) == "2026-01-05 00:00:00+00:00"
    assert sources[""].source_type == "explicit"
    assert "" not in {each.source_id for each in memory.memory_sources(scope=ANA, sensitivity_max="confidential")}
    assert [each.source_id for each in memory.memory_sources(scope=run.scope)] == ["job:nightly"]
    assert memory.memory_sources(scope=BEN) == ()


# proves: B17, F51
def test_what_a_tool_shows_of_a_job_names_the_job(memory: Memory) -> None:
    memory.add_job("nightly", scope=ANA, name="Night watch", description="reads the mail")
    memory.remember("The landlord wrote a letter.", scope=of("nightly"))
    memory.record([{"content": "The letter came."}], scope=of("nightly"), conversation="job:nightly")
    memory.drain()
    tools = {tool.name: tool for tool in agent_tools(memory, scope=ANA, conversation=CHAT)}

    found = tools["memory_recall"].call(query="letter", scope="all")["memories"]
    hits = tools["recall"].call(query="letter")["hits"]
    why = tools["explain"].call(fact_id=found[0]["fact_id"])["fact"]

    watch = {"id": "job:nightly", "type": "job", "name": "Night watch", "description": "reads the mail"}
    assert [each["source"] for each in (*found, *hits, why)] == [watch] * 4
    assert tools["memory_recall"].call(query="letter", scope="owner")["memories"] == []


# Isolation: generated


@pytest.fixture
def busy(open_memory: Callable[..., Memory], tmp_path: Path) -> Memory:
    """An owner who has said, kept and thought everything with "walnut", and jobs that each have a word of their own."""
    memory = open_memory(turn_fact_vector_recall_enabled=True, prompt_folder=str(tmp_path / "prompts"))
    fill_owner(memory, OWNERS)
    for job, secret in SECRETS.items():
        fill_job(memory, job, secret)
    memory.drain()
    return memory


def fill_owner(memory: Memory, word: str) -> None:
    said = [{"content": f"The cake is a {word} cake.", "id": "m1"}, {"content": f"I like {word} cake.", "id": "m2"}]
    memory.record(said, scope=ANA, conversation=CHAT, session=word, project=word, tags=[word])
    memory.remember(f"I bake {word} cake.", scope=ANA, category="identity", project=word)
    memory.remember(f"I live in {word.title()}.", scope=ANA, category="identity")
    memory.remember(f"Always bring {word} cake.", scope=replace(ANA, trust="operator"), category="directive")
    memory.note("cake", f"more {word}", scope=ANA, conversation=CHAT)
    memory.remember_document(f"{word} cake for everybody", scope=ANA, document_id="d1")
    memory.record_steps("r1", [{"thought": f"cake of {word}", "observation": f"{word} cake"}], scope=ANA)
    for soul in (f"You love {word} cake.", f"You bake {word} cake."):
        memory.write_resource("soul", soul, scope=replace(ANA, trust="operator"))
    gone = memory.remember(f"The {word} cake is stale.", scope=ANA).fact
    assert gone is not None
    memory.archive_facts([gone.id], scope=replace(ANA, trust="operator"), reason=word)


def fill_job(memory: Memory, job: str, secret: str) -> None:
    memory.add_job(job, scope=ANA, name=secret, description=secret, schedule=secret)
    run = memory.begin_job_run(job, scope=ANA)
    memory.remember(f"The cake of {secret} is ready.", scope=run.scope, project=secret, tags=[secret])
    memory.remember(f"I live in {secret.title()}.", scope=run.scope, category="identity")
    memory.note("cake", f"cake {secret}", scope=run.scope, conversation=f"job:{job}")
    memory.record(
        [{"content": f"Cake {secret}.", "id": "m1"}], scope=run.scope, conversation=f"job:{job}", session=secret
    )
    memory.record_steps("r1", [{"number": 7, "thought": f"cake {secret}"}], scope=run.scope)
    memory.finish_job_run(run, final_text=f"[silent] cake {secret}")


GIVEN: dict[str, list[Any]] = {
    "query": ["cake", "cake ready like bake"],
    "text": ["I hate cake.", "I live in Oslo.", "The cake is not ready."],
    "fact_id": [1, 2, 3, 4, 9],
    "message_ids": [["m1"], ["m2"], ["d1"]],
    "run_id": ["r1"],
    "session": [None],
    "limit": [50],
    "messages": ["Is there cake like the one I bake?"],
    "budget": [1_000],
    "kind": ["user_md", "memory_md", "soul", "rules"],
    "first": [1],
    "second": [2],
    "window_tokens": [1_000],
}
HERE = ("conversation", "window", "preflight", "compact", "command", "clear_window")
"""Verbs that need a conversation: they are asked about the owner's."""
"""What a verb is asked with, by the name of its argument; what is not here is left at its default."""
READING = (
    "recall", "durable_facts", "prefetch", "facts", "search_facts", "messages", "history", "explain", "learned",
    "check_contradictions", "steps", "search_reasoning_steps_lexical", "status", "waiting", "memory_sources", "jobs",
    "job_runs", "context", "conversation", "fact", "load_prompt_files", "prompt_files", "receipts", "resource",
    "resource_diff", "resource_history", "resources", "window", "preflight", "compact", "conversations", "scopes",
    "open_work", "review_states",
)  # fmt: skip
CHANGING = (
    "add_job", "after_delivery", "archive_facts", "before_truncation", "begin_job_run", "clear_window", "command",
    "deprioritise_facts", "drop_steps", "end_session", "expire_due", "forget", "forget_facts", "measured", "note",
    "rebuild_prompt_files", "record", "record_steps", "record_voice", "reinstate_facts", "relearn", "remember",
    "remember_document", "restore_fact", "review", "rollback_resource", "run", "write_resource",
)  # fmt: skip
"""Verbs that write; what a job may not change is tested below."""


def asked(memory: Memory, verb: str, scope: Scope) -> Iterator[object]:
    """What the verb gives, for all combinations of what it may be asked with."""
    call = getattr(memory, verb)
    parameters = inspect.signature(call).parameters
    names = [name for name in parameters if name in GIVEN]
    place = {"conversation": CHAT} if verb in HERE else {}
    missing = [name for name, each in parameters.items() if each.default is each.empty and name not in (*names, *place)]
    assert missing == ["scope"] or (missing == [] and "scope" in parameters), f"GIVEN lacks {missing} of {verb}"
    for values in itertools.product(*(GIVEN[name] for name in names)):
        try:
            yield call(**dict(zip(names, values, strict=True)), **place, scope=scope)
        except GlossatorError as error:
            yield str(error)


def others_of(job: str) -> list[str]:
    return [OWNERS, *(secret for other, secret in SECRETS.items() if other != job)]


# proves: F50, I4, K22
@pytest.mark.parametrize("verb", READING)
def test_no_verb_shows_a_job_what_is_not_its_own(busy: Memory, verb: str) -> None:
    for job, conversation in itertools.product(JOBS, (None, CHAT, "job:nightly", "job:job%3Anight")):
        for answer in asked(busy, verb, replace(of(job), conversation=conversation)):
            assert [word for word in others_of(job) if word in repr(answer).lower()] == []


def test_what_is_kept_from_a_job_is_there_to_be_seen(busy: Memory) -> None:
    told = {verb for verb in READING if any(OWNERS in repr(each).lower() for each in asked(busy, verb, ANA))}

    assert set(READING) - told == {
        "status", "waiting", "jobs", "job_runs", "receipts", "preflight", "compact", "scopes", "open_work",
        "review_states",
    }  # fmt: skip


def test_every_verb_that_takes_a_scope_is_read_or_changes() -> None:
    public = [name for name, _ in inspect.getmembers(Memory, callable) if not name.startswith("_")]
    scoped = {name for name in public if "scope" in inspect.signature(getattr(Memory, name)).parameters}

    assert scoped == {*READING, *CHANGING}, "a verb is new: say above whether it reads, so that a job is kept out of it"


# proves: F50
@pytest.mark.parametrize("verb", ["recall", "facts", "search_facts", "durable_facts", "memory_sources", "job_runs"])
def test_a_job_sees_its_own(busy: Memory, verb: str) -> None:
    assert all(SECRETS["night"] in repr(answer) for answer in asked(busy, verb, of("night")))


# proves: F50
def test_a_job_finds_the_one_of_its_many_facts_that_is_asked_for(memory: Memory) -> None:
    for n in range(40):
        memory.remember(f"The boat was checked in run {n}.", scope=of("hourly"))

    first = memory.recall("Was the boat checked in run 17?", scope=of("hourly")).hits[0]

    assert first.text == "The boat was checked in run 17."


# proves: F50
def test_a_job_reads_nothing_of_what_was_said_not_even_by_itself(busy: Memory) -> None:
    assert busy.messages(scope=of("night")) == ()
    assert all(hit.fact_id is not None for hit in busy.recall("cake", scope=of("night")).hits)
    assert busy.recall("cake", scope=of("night"), namespaces=["episodic"]).hits == ()


# proves: F50, I4
def test_a_job_changes_and_forgets_nothing_that_is_not_its_own(busy: Memory) -> None:
    before = busy.facts(scope=ANA, limit=1000)
    others = [fact for fact in before if fact.scope_id != "job:night"]
    for fact in others:
        for call in (busy.restore_fact, busy.explain, busy.history):
            with pytest.raises(NotFoundError):
                call(fact.id, scope=of("night"))
        with pytest.raises(NotFoundError):
            busy.forget_facts(scope=of("night"), fact_ids=[fact.id])
    with pytest.raises(NotFoundError):
        busy.forget_facts(scope=of("night"), containing=OWNERS)
    for target in ({"everything": True}, {"conversation": CHAT}, {"message_ids": ["m1"]}):
        with pytest.raises(UsageError):
            busy.forget(scope=of("night"), **target)
    assert busy.drop_steps("r1", scope=of("night")) == 0
    assert busy.facts(scope=ANA, limit=1000) == before
    assert len(busy.steps("r1", scope=ANA)) == 2


TOOL_VALUES: dict[str, Any] = {
    "query": st.sampled_from(("cake", "cake ready", "bake")),
    "key": st.sampled_from((None, "cake", "%")),
    "scope": st.sampled_from(("current", "owner", "all")),
    "source": st.sampled_from(("memories", "history", "all")),
    "job": st.sampled_from((None, *JOBS, "job:nightly", "%")),
    "fact_id": st.integers(1, 20).map(lambda number: f"f{number}"),
    "fact_text_contains": st.sampled_from((None, "cake", "ready")),
    "limit": st.sampled_from((10, 50)),
}


# proves: F50, I4
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(job=st.sampled_from(JOBS), conversation=st.sampled_from((CHAT, "job:nightly")), data=st.data())
def test_no_tool_shows_a_job_what_is_not_its_own(
    busy: Memory, job: str, conversation: str, data: st.DataObject
) -> None:
    tools = agent_tools(busy, scope=of(job), conversation=conversation, run_id="nightly")
    tool = data.draw(st.sampled_from([each for each in tools if each.name not in ("memory_remember", "memory_store")]))
    names = [name for name in tool.parameters["properties"] if name in TOOL_VALUES]
    if tool.name == "memory_recall":
        names.remove(data.draw(st.sampled_from(("query", "key"))))

    answer = json.dumps(tool.call(**{name: data.draw(TOOL_VALUES[name], name) for name in names})).lower()

    assert [word for word in others_of(job) if word in answer] == []


# proves: F49, F50
@pytest.mark.parametrize("scope", ["current", "owner", "all"])
@pytest.mark.parametrize("source", ["memories", "history", "all"])
def test_each_combination_of_where_and_what_for_an_owner_and_for_a_job(busy: Memory, scope: str, source: str) -> None:
    owner = {tool.name: tool for tool in agent_tools(busy, scope=ANA, conversation=CHAT)}
    job = {tool.name: tool for tool in agent_tools(busy, scope=of("night"), conversation=CHAT)}
    choice = {"scope": scope, "source": source, "limit": 50}

    answer = owner["memory_recall"].call(query="cake", **choice)
    dumped = json.dumps(answer)
    assert ("memories" in answer, "history" in answer) == (source != "history", source != "memories")
    assert OWNERS in dumped
    own_memories = json.dumps(answer.get("memories", []))
    assert any(secret in own_memories for secret in SECRETS.values()) == (scope == "all" and source != "history")
    refused = job["memory_recall"].call(query="cake", **choice)
    assert refused["success"] == (source == "memories")
    assert OWNERS not in json.dumps(refused)


# Many rows of jobs (D37)

JOB_ROWS, JOB_FACTS = 5_000, 200
LINES = (
    "Checked the boat at the harbour, run {n}.",
    "The boat is moored, said sensor {n}.",
    "Boat log {n}: calm, boat dry.",
)


@pytest.fixture(scope="module")
def flooded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One sentence of the owner's and one fact, and an hourly job's five thousand messages and two hundred facts."""
    options = Options(embedder="hashing", worker=False)
    path = tmp_path_factory.mktemp("flooded") / "memory.db"
    memory = Memory.open(path, options=options, clock=FakeClock(NOW), ids=CountingIds())
    memory.warm(30)
    own = [{"content": "My boat is called Wren.", "at": "2026-03-01"}]
    memory.record(own, scope=ANA, conversation=CHAT)
    memory.remember("The boat needs new sails.", scope=ANA)
    for start in range(0, JOB_ROWS, 500):
        rows = [{"content": LINES[n % 3].format(n=n), "id": f"j{n}"} for n in range(start, start + 500)]
        session = f"cron_hourly_{start}"
        memory.record(rows, scope=of("hourly"), conversation="job:hourly", session=session)
    for n in range(JOB_FACTS):
        memory.remember(f"The boat was checked in run {n}.", scope=of("hourly"), category="identity")
    memory.drain()
    yield memory
    memory.close()


# proves: D37
def test_an_owners_own_words_stay_among_the_first_five_of_thousands_of_a_jobs_rows(flooded: Memory) -> None:
    for question in ("boat", "What is my boat called?", "Tell me about the boat.", "Is the boat calm, run by run?"):
        assert "My boat is called Wren." in [hit.text for hit in flooded.recall(question, scope=ANA, limit=5).hits]
    for question in ("boat", "sails of the boat", "What does the boat need?"):
        assert "The boat needs new sails." in [hit.text for hit in flooded.recall(question, scope=ANA, limit=5).hits]
    assert flooded.recall("boat sensor 1501", scope=ANA).hits[0].text == "The boat is moored, said sensor 1501."


# proves: D37
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from((0.2, 1.0))), max_size=40))
def test_two_places_in_five_are_for_rows_that_were_set_back_and_nothing_is_lost(rows: list[tuple[int, float]]) -> None:
    score, weight = (np.array([row[each] for row in rows], np.float32) for each in (0, 1))
    order = np.argsort(-score, kind="stable")

    shown = people_first(order, weight).tolist()

    assert sorted(shown) == list(range(len(rows)))
    for kind in (0.2, 1.0):
        of_kind = [row for row in order.tolist() if weight[row] == np.float32(kind)]
        assert [row for row in shown if weight[row] == np.float32(kind)] == of_kind
    own = int((weight == 1).sum())
    for stop in range(5, len(shown) + 1, 5):
        if sum(weight[row] == 1 for row in shown[:stop]) < own:
            assert sum(weight[row] < 1 for row in shown[:stop]) <= 2 * stop // 5


# proves: D37
def test_a_jobs_rows_are_reached_by_asking_for_their_source(flooded: Memory) -> None:
    inside = replace(ANA, conversation="job:hourly")

    assert all("Wren" not in hit.text for hit in flooded.recall("boat", scope=inside, limit=50).hits)
    assert len(flooded.recall("boat", scope=inside, limit=50).hits) == 50
    assert len(flooded.search_facts("boat run", scope=ANA, job="hourly", limit=20)) == 20
    tools = {tool.name: tool for tool in agent_tools(flooded, scope=ANA, conversation=CHAT)}
    answer = tools["memory_recall"].call(query="boat run 77", job="hourly", source="all")
    assert answer["memories"][0]["text"] == "The boat was checked in run 77."
    assert len(answer["history"]) == 10


# proves: D37
def test_a_jobs_facts_have_few_places_in_a_search_and_none_in_a_prompt(flooded: Memory) -> None:
    own = {"The boat needs new sails.", "My boat is called Wren."}
    for limit, few in ((5, 2), (20, 4)):
        found = flooded.search_facts("boat run", scope=ANA, limit=limit)
        assert 0 < sum(fact.scope_type == "job" for fact in found) <= few
        assert own <= {fact.text for fact in found}
    assert all(fact.scope_type != "job" for fact in flooded.search_facts("boat run", scope=ANA, jobs=False))
    assert {fact.text for fact in flooded.durable_facts(scope=ANA, limit=50).facts} == own
    assert len(flooded.durable_facts(scope=of("hourly")).facts) == 5


# proves: D37
def test_no_row_of_a_job_is_in_a_context_but_its_own(flooded: Memory) -> None:
    for request in ("Was the boat checked in run 77?", "Is the boat calm in the harbour?", "What is my boat called?"):
        found = flooded.context(request, scope=ANA, budget=2_000)
        assert all(fact.scope_type != "job" for fact in found.facts)
        assert "run" not in found.block
        assert "log" not in found.block
    assert "Wren" in found.block
    assert "run 77" in flooded.context("Was the boat checked in run 77?", scope=of("hourly"), budget=2_000).block


# proves: D37
def test_a_jobs_facts_are_in_no_prefetch_but_its_own(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory(turn_fact_vector_recall_enabled=True)
    memory.remember("The boat needs new sails.", scope=ANA)
    for n in range(50):
        memory.remember(f"The boat was checked in run {n}.", scope=of("hourly"))
    memory.drain()

    assert [fact.text for fact in memory.prefetch("How is the boat in run 7?", scope=ANA).facts] == [
        "The boat needs new sails."
    ]
    assert len(memory.prefetch("How is the boat in run 7?", scope=of("hourly")).facts) == 5


# proves: D37
def test_a_newer_row_of_a_job_does_not_pass_for_a_newer_statement_of_the_owners(
    open_memory: Callable[..., Memory],
) -> None:
    memory = open_memory()
    memory.record([{"content": "My boat lies in Bergen.", "at": "2026-03-01"}], scope=ANA, conversation=CHAT)
    for n in range(30):
        row = {"content": f"My boat lies in berth {n}.", "at": f"2026-06-{n + 1:02}"}
        memory.record([row], scope=of("hourly"), conversation="job:hourly", session=f"s{n}")
    memory.drain()

    assert memory.recall("Where does my boat lie now?", scope=ANA).hits[0].text == "My boat lies in Bergen."


# Failures


# proves: B17
def test_no_job_is_there_without_its_source_and_no_source_without_its_job(
    open_memory: Callable[..., Memory], tmp_path: Path
) -> None:
    memory = open_memory()
    memory.note("k", "v", scope=ANA, conversation=CHAT)
    with closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as raw:
        raw.execute("PRAGMA foreign_keys = ON")
        alone = (
            "INSERT INTO scheduled_jobs (scope_id, job_id, source_id, created_at, updated_at) VALUES (1, ?, ?, 0, 0)"
        )
        for values in (("x", "job:x"), ("x", "job:y")):
            with pytest.raises(sqlite3.IntegrityError):
                raw.execute(alone, values)
        stop = "BEGIN SELECT RAISE(ABORT, 'between the two'); END"
        raw.execute(f"CREATE TRIGGER stop BEFORE INSERT ON scheduled_jobs {stop}")
        with pytest.raises(StoreError, match="between the two"):
            memory.add_job("nightly", scope=ANA)
        assert raw.execute("SELECT count(*) FROM memory_sources").fetchone() == (0,)
        raw.execute("DROP TRIGGER stop")
    memory.add_job("nightly", scope=ANA)
    assert [each.source_id for each in memory.memory_sources(scope=ANA) if each.source_type == "job"] == ["job:nightly"]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("fail_at", range(1, 5))
def test_a_call_that_failed_and_is_made_again_leaves_one_job_and_one_run(
    tmp_path: Path, fail_at: int, when: Literal["before", "after"]
) -> None:
    options = Options(embedder="none", worker=False)
    store = FaultyStore(SqliteStore(tmp_path / "memory.db", options=options), fail_at=fail_at, when=when)
    core: dict[str, Any] = {"clock": FakeClock(NOW), "ids": CountingIds(), "options": options, "embedder": None}
    memory = Memory(store, **core, draw=lambda: 0.0, monotonic_s=lambda: 0.0)

    def stubborn(call: Callable[[], object]) -> None:
        try:
            call()
        except StoreError:
            with suppress(ConflictError):  # its effect is there
                call()

    stubborn(lambda: memory.add_job("nightly", scope=ANA, next_run_at=NOW))
    stubborn(lambda: memory.begin_job_run("nightly", scope=ANA, next_run_at=TOMORROW, due_at=NOW))
    (run,) = SqliteStore(tmp_path / "memory.db", options=options).job_runs(ANA)
    stubborn(lambda: memory.finish_job_run(run, final_text="Three bills."))
    stubborn(lambda: memory.jobs(scope=ANA))

    assert store.failed_in is not None
    (kept,) = memory.job_runs(scope=ANA)
    assert (kept.status, kept.final_text, kept.delivered) == ("done", "Three bills.", True)
    assert [job.next_run_at for job in memory.jobs(scope=ANA)] == [TOMORROW]
    memory.close()


# Both stores


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_the_same_jobs_over_either_store(kind: str, tmp_path: Path, open_memory: Callable[..., Memory]) -> None:
    if kind == "memory":
        options = Options(embedder="none", worker=False)
        core: dict[str, Any] = {"clock": FakeClock(NOW), "ids": CountingIds(), "options": options, "embedder": None}
        memory = Memory(MemoryStore(), **core, draw=lambda: 0.0, monotonic_s=lambda: 0.0)
    else:
        memory = open_memory(embedder=None)
    for job, secret in SECRETS.items():
        fill_job(memory, job, secret)
    fill_owner(memory, OWNERS)

    for job, verb in itertools.product(JOBS, READING):
        for answer in asked(memory, verb, of(job)):
            assert [word for word in others_of(job) if word in repr(answer).lower()] == [], verb
