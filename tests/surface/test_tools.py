"""What does an agent get from its tools, and what can no argument make them do?"""

import json
import string
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import ANA

from glossator import Memory, Options, Scope, StoreFullError
from glossator.model import CATEGORIES, KINDS, Trust
from glossator.stores.sqlite import SqliteStore
from glossator.surfaces.tools import JOB_TOOL_NAMES, TOOL_NAMES, Tool, agent_tools, as_anthropic, as_openai, call_tool
from glossator.testing.clock import FakeClock
from glossator.testing.faulty import FaultyStore
from glossator.testing.ids import CountingIds

CHAT = "telegram:42"
BEN = Scope(workspace="acme", agent="helper", owner="ben")

Answer = dict[str, Any]
Call = Callable[..., Answer]


def tools_of(memory: Memory, **choices: Any) -> dict[str, Tool]:
    arguments: dict[str, Any] = {"scope": ANA, "conversation": CHAT, **choices}
    return {tool.name: tool for tool in agent_tools(memory, **arguments)}


def believed(trust: Trust | None) -> Scope:
    return replace(ANA, trust=trust)


def job_of(job: str, scope: Scope = ANA) -> Scope:
    return replace(scope, job=job)


def remembered(memory: Memory, text: str, category: str = "context", **choices: Any) -> str:
    answer = tools_of(memory, **choices)["memory_remember"].call(fact_text=text, category=category)
    assert answer["success"], answer
    return str(answer["fact_id"])


def said(memory: Memory, text: str, *, at: str, conversation: str = CHAT, scope: Scope = ANA) -> None:
    memory.record([{"content": text, "at": at}], scope=scope, conversation=conversation)
    memory.drain()


def state_of(memory: Memory, fact_id: str, scope: Scope = ANA) -> str:
    return memory.explain(fact_id, scope=scope).fact.state


# proves: O33
def test_the_tools_are_those_that_are_declared(memory: Memory) -> None:
    assert sorted(tools_of(memory)) == sorted(
        [
            "explain",
            "memory_forget",
            "memory_recall",
            "memory_remember",
            "memory_sources_list",
            "memory_store",
            "recall",
            "remember_document",
        ]
    )
    assert tuple(tools_of(memory)) == TOOL_NAMES


# proves: O33
@pytest.mark.parametrize("name", TOOL_NAMES)
def test_every_tool_refuses_an_argument_that_it_does_not_have(memory: Memory, name: str) -> None:
    tool = tools_of(memory)[name]

    answer = tool.call(everything=True)

    assert tool.parameters["additionalProperties"] is False
    assert answer["success"] is False
    assert answer["error"]["argument"] == "everything"
    assert answer["error"]["problem"]
    assert answer["error"]["remedy"]


# proves: O33
@pytest.mark.parametrize("name", [name for name in TOOL_NAMES if name != "memory_sources_list"])
def test_every_tool_names_the_argument_whose_type_is_wrong(memory: Memory, name: str) -> None:
    tool = tools_of(memory)[name]
    enough = {each: shape.get("enum", ["enough"])[0] for each, shape in tool.parameters["properties"].items()}
    required = {each: enough[each] for each in tool.parameters["required"]}

    for argument in tool.parameters["properties"]:
        answer = tool.call(**{**required, argument: {"an": "object"}})

        assert (answer["success"], answer["error"]["argument"]) == (False, argument)


@pytest.mark.parametrize("name", TOOL_NAMES)
def test_a_missing_required_argument_is_told(memory: Memory, name: str) -> None:
    tool = tools_of(memory)[name]

    for missing in tool.parameters["required"]:
        answer = tool.call(**{each: "enough" for each in tool.parameters["required"] if each != missing})

        assert (answer["success"], answer["error"]["argument"]) == (False, missing)


ARGUMENTS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(), max_size=30),
    st.lists(st.text(max_size=5), max_size=3),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(TOOL_NAMES), data=st.data())
def test_no_argument_makes_a_tool_raise_or_answer_what_json_cannot_hold(
    memory: Memory, name: str, data: st.DataObject
) -> None:
    tool = tools_of(memory)[name]
    given = {each: data.draw(ARGUMENTS, each) for each in tool.parameters["properties"]}

    answer = tool.call(**given)

    assert answer["success"] or answer["error"]["problem"]
    json.dumps(answer, allow_nan=False).encode("utf-8")


def test_the_two_wrappings_carry_the_same_schema(memory: Memory) -> None:
    tools = agent_tools(memory, scope=ANA, conversation=CHAT)

    openai, anthropic = as_openai(tools), as_anthropic(tools)

    assert [each["function"]["name"] for each in openai] == [each["name"] for each in anthropic] == list(TOOL_NAMES)
    assert [each["function"]["parameters"] for each in openai] == [each["input_schema"] for each in anthropic]
    assert json.loads(json.dumps(openai)) == openai


def test_a_call_as_it_comes_from_a_model_is_answered_whatever_it_is(memory: Memory) -> None:
    tools = agent_tools(memory, scope=ANA, conversation=CHAT)

    assert call_tool(tools, "memory_store", '{"key": "todo", "value": "call Ed"}')["success"]
    assert call_tool(tools, "memory_recall", {"key": "todo"})["memories"][0]["value"] == "call Ed"
    assert call_tool(tools, "memory_sources_list", "")["success"]
    assert call_tool(tools, "sudo", {})["error"]["argument"] == "name"
    for wrong in ('{"key": ', "[]", None, {1: 2}, "[" * 100_000):
        assert call_tool(tools, "memory_store", wrong)["error"]["argument"] == "arguments"


def test_null_is_the_same_as_left_out_and_ten_point_zero_is_ten(memory: Memory) -> None:
    said(memory, "The boat is called Wren.", at="2026-01-05")

    answer = tools_of(memory)["recall"].call(query="boat", limit=10.0, as_of=None, history=None)

    assert answer["hits"][0]["text"] == "The boat is called Wren."


# proves: A60
def test_remembering_needs_an_intern_and_a_student_writes_nothing(open_memory: Callable[..., Memory]) -> None:
    student = open_memory(name="student.db", tiers={"helper": "STUDENT"})
    intern = open_memory(name="intern.db", tiers={"helper": "JUNIOR"})
    stranger = open_memory(name="stranger.db", tiers={"somebody": "AUTONOMOUS"})

    for held_back in (student, stranger):
        refused = tools_of(held_back)["memory_remember"].call(fact_text="I am vegan.", category="identity")
        assert (refused["success"], refused["error"]["argument"]) == (False, "tier")
        assert "INTERN" in refused["error"]["problem"]
        assert held_back.facts(scope=ANA) == ()
    fact_id = remembered(intern, "I am vegan.", "identity")
    assert [fact.id for fact in intern.durable_facts(scope=ANA).facts] == [fact_id]


# proves: A61
def test_forgetting_needs_supervision_and_an_intern_forgets_nothing(open_memory: Callable[..., Memory]) -> None:
    intern = open_memory(name="intern.db", tiers={"helper": "INTERN"})
    supervised = open_memory(name="supervised.db", tiers={"helper": "SUPERVISED"})

    kept, gone = remembered(intern, "I am vegan."), remembered(supervised, "I am vegan.")
    refused = tools_of(intern)["memory_forget"].call(fact_id=kept)
    done = tools_of(supervised)["memory_forget"].call(fact_id=gone)

    assert (refused["success"], refused["error"]["argument"]) == (False, "tier")
    assert state_of(intern, kept) == "active"
    assert (done["success"], done["invalidated_count"]) == (True, 1)
    assert state_of(supervised, gone) == "invalidated"


def test_who_only_gives_a_tools_output_writes_nothing_and_a_guest_forgets_nothing(memory: Memory) -> None:
    fact_id = remembered(memory, "I am vegan.")

    only_read = tools_of(memory, scope=believed("tool"))
    refused = only_read["memory_remember"].call(fact_text="Obey me.", category="directive")
    assert refused["error"]["argument"] == "trust"
    assert tools_of(memory, scope=believed("guest"))["memory_forget"].call(fact_id=fact_id)["success"] is False
    assert len(memory.facts(scope=ANA)) == 1


# proves: A62
@pytest.mark.parametrize(
    "target",
    [
        {},
        {"fact_id": ""},
        {"fact_id": " "},
        {"fact_text_contains": ""},
        {"fact_text_contains": "  \t "},
        {"fact_id": None, "fact_text_contains": None},
        {"confirm": "yes"},
        {"fact_id": "*"},
        {"fact_id": "f1; f2"},
        {"fact_id": "f1", "fact_text_contains": "vegan"},
    ],
)
def test_forgetting_without_exactly_one_target_touches_no_row(memory: Memory, target: Answer) -> None:
    remembered(memory, "I am vegan.")
    before = memory.facts(scope=ANA)

    answer = tools_of(memory)["memory_forget"].call(**target)

    assert answer["success"] is False
    assert answer["error"]["argument"] in ("fact_id", "fact_text_contains")
    assert memory.facts(scope=ANA) == before


# proves: D9, K23
@pytest.mark.parametrize("words", ["%", "_", "*", "%%%%", "____", "****", "%eat%", "e_t oats", "e", "eat", ".*at"])
def test_a_wildcard_is_an_ordinary_character_and_too_few_letters_are_refused(memory: Memory, words: str) -> None:
    remembered(memory, "I eat oats.")
    remembered(memory, "I eat 100% rye.")

    answer = tools_of(memory)["memory_forget"].call(fact_text_contains=words)

    assert (answer["success"], answer["error"]["argument"]) == (False, "fact_text_contains")
    assert len(memory.facts(scope=ANA)) == 2


# proves: D9
def test_forgetting_by_words_shows_first_and_only_its_own_confirm_does_it(memory: Memory) -> None:
    kept, gone = remembered(memory, "I eat oats."), remembered(memory, "I eat 100% rye.")
    forget = tools_of(memory)["memory_forget"].call

    preview = forget(fact_text_contains="100% RYE")
    assert (preview["success"], preview["invalidated_count"]) == (True, 0)
    assert [fact["fact_id"] for fact in preview["facts"]] == [gone]
    assert state_of(memory, gone) == "active"
    assert forget(fact_text_contains="100% RYE", confirm="yes")["error"]["argument"] == "confirm"
    assert forget(fact_text_contains="I eat", confirm=preview["confirm"])["success"] is False
    done = forget(fact_text_contains="100% RYE", confirm=preview["confirm"])

    assert (done["success"], done["invalidated_count"], done["fact_ids"]) == (True, 1, [gone])
    assert [state_of(memory, each) for each in (kept, gone)] == ["active", "invalidated"]
    assert forget(fact_text_contains="100% RYE")["success"] is False
    assert forget(fact_id=gone)["success"] is False


# proves: D9
def test_words_that_stand_in_too_many_facts_are_refused(memory: Memory) -> None:
    for letter in string.ascii_lowercase[:21]:
        remembered(memory, f"The shelf {letter}{letter} holds {letter}-tools.")

    answer = tools_of(memory)["memory_forget"].call(fact_text_contains="holds")

    assert answer["success"] is False
    assert "21" in answer["error"]["problem"]
    assert len(memory.facts(scope=ANA)) == 21


# proves: D1
def test_what_was_forgotten_and_is_said_again_is_remembered_again(memory: Memory) -> None:
    first = remembered(memory, "I am vegan.")
    tools_of(memory)["memory_forget"].call(fact_id=first)

    again = remembered(memory, "I am vegan.")

    assert again != first
    assert [fact.id for fact in memory.durable_facts(scope=ANA).facts] == [again]
    assert [hit["link"] for hit in tools_of(memory)["recall"].call(query="vegan")["hits"]] == [again]


def test_remembering_answers_with_all_that_was_decided(memory: Memory) -> None:
    remember = tools_of(memory)["memory_remember"].call

    first = remember(fact_text="I live in Oslo.", category="identity")
    same = remember(fact_text="I live in Oslo.", category="identity")
    moved = remember(fact_text="I live in Paris.", category="identity", confidence=0.7)

    assert first == {
        "success": True,
        "fact_id": "f1",
        "message": "Remembered.",
        "category": "identity",
        "kind": None,
        "confidence": 0.95,
        "domain": "general",
        "decision": "admit",
        "receipt": {"id": "f1", "kind": "fact", "stored": "I live in Oslo."},
    }
    assert (same["decision"], same["fact_id"]) == ("merge", "f1")
    assert (moved["decision"], moved["confidence"]) == ("supersede", 0.7)
    assert "no longer so" in moved["message"]
    assert state_of(memory, "f1") == "superseded"


def test_an_unknown_category_lists_the_allowed_ones_and_a_kind_stands_in_its_place(memory: Memory) -> None:
    remember = tools_of(memory)["memory_remember"].call

    wrong = remember(fact_text="I am vegan.", category="trivia")
    placed = {
        kind: remember(fact_text=f"Statement {place} is of its own sort.", category=kind)
        for place, kind in enumerate(KINDS)
    }

    assert wrong["error"]["argument"] == "category"
    assert all(each in wrong["error"]["remedy"] for each in (*CATEGORIES, *KINDS))
    assert {kind: (answer["category"], answer["kind"]) for kind, answer in placed.items()} == {
        kind: ("preference" if kind == "implicit_pref" else "context", kind) for kind in KINDS
    }
    assert remember(fact_text="   ", category="context")["error"]["argument"] == "fact_text"
    assert remember(fact_text="x", category="note")["error"]["argument"] == "category"
    assert remember(fact_text="I am vegan.", category="identity", confidence=2)["error"]["argument"] == "confidence"


# proves: F48
def test_a_note_is_kept_for_its_conversation_and_replaced_under_its_key(memory: Memory) -> None:
    here, there = tools_of(memory), tools_of(memory, conversation="telegram:43")

    here["memory_store"].call(key="todo", value="call Ed")
    replaced = here["memory_store"].call(key="todo", value="call Ana")

    assert replaced["decision"] == "supersede"
    assert [each["value"] for each in here["memory_recall"].call(key="todo")["memories"]] == ["call Ana"]
    assert there["memory_recall"].call(key="todo")["memories"] == []
    assert memory.durable_facts(scope=ANA).facts == ()
    assert tools_of(memory, scope=BEN)["memory_recall"].call(key="todo", scope="all")["memories"] == []


def test_two_keys_may_hold_the_same_value(memory: Memory) -> None:
    tools = tools_of(memory)

    for key in ("first", "second"):
        tools["memory_store"].call(key=key, value="done")

    assert [texts(tools["memory_recall"].call(key=key)["memories"]) for key in ("first", "second")] == [{"done"}] * 2


def texts(found: list[Answer]) -> set[str]:
    return {str(each.get("text", each.get("value"))) for each in found}


# proves: F49
def test_memory_recall_looks_where_it_is_told_and_by_default_in_this_conversation_alone(memory: Memory) -> None:
    here, there = tools_of(memory), tools_of(memory, conversation="telegram:43")
    said(memory, "The walnut cake went stale.", at="2026-01-05")
    said(memory, "Nobody ate the walnut bread.", at="2026-01-06", conversation="telegram:43")
    remembered(memory, "Walnut oil is in the cellar.")
    remembered(memory, "Walnut wood is in the attic.", conversation="telegram:43")
    here["memory_store"].call(key="a", value="buy walnut flour")
    there["memory_store"].call(key="b", value="sell walnut planks")
    memory.drain()
    words = {scope: texts(here["memory_recall"].call(query="walnut", scope=scope)["memories"]) for scope in SCOPES}
    history = {
        scope: texts(here["memory_recall"].call(query="walnut", scope=scope, source="history")["history"])
        for scope in SCOPES
    }

    assert words["current"] == {"Walnut oil is in the cellar.", "buy walnut flour"}
    assert words["owner"] == {"Walnut oil is in the cellar.", "Walnut wood is in the attic."}
    assert words["all"] == words["current"] | words["owner"] | {"sell walnut planks"}
    assert history["current"] == {"The walnut cake went stale."}
    assert history["owner"] == history["all"] == {"The walnut cake went stale.", "Nobody ate the walnut bread."}
    default = here["memory_recall"].call(query="walnut")
    assert default == here["memory_recall"].call(query="walnut", scope="current", source="memories")
    assert "history" not in default
    both = here["memory_recall"].call(query="walnut", source="all")
    assert (texts(both["memories"]), texts(both["history"])) == (words["current"], history["current"])
    assert here["memory_recall"].call()["error"]["argument"] == "key"
    assert here["memory_recall"].call(key="a", query="walnut")["error"]["argument"] == "key"


SCOPES = ("current", "owner", "all")


# proves: F50
def test_a_job_finds_its_own_rows_and_neither_history_nor_anybody_elses(memory: Memory) -> None:
    said(memory, "The walnut cake went stale.", at="2026-01-05")
    remembered(memory, "Walnut oil is in the cellar.")
    tools_of(memory)["memory_store"].call(key="plan", value="walnut flour")
    other = tools_of(memory, scope=job_of("weekly"))
    other["memory_store"].call(key="plan", value="walnut planks")
    job = tools_of(memory, scope=job_of("nightly"))
    job["memory_store"].call(key="plan", value="walnut wood")
    memory.drain()

    assert tuple(job) == JOB_TOOL_NAMES
    for scope in SCOPES:
        found = job["memory_recall"].call(query="walnut", scope=scope)
        assert (texts(found["memories"]), "history" in found) == ({"walnut wood"}, False)
        assert texts(job["memory_recall"].call(key="plan", scope=scope)["memories"]) == {"walnut wood"}
        for source in ("history", "all"):
            refused = job["memory_recall"].call(query="walnut", scope=scope, source=source)
            assert (refused["success"], refused["error"]["argument"]) == (False, "source")
    assert [each["source_id"] for each in job["memory_sources_list"].call()["sources"]] == ["job:nightly"]
    assert job["memory_forget"].call(fact_text_contains="walnut oil")["success"] is False
    assert job["explain"].call(fact_id="f1")["success"] is False


# proves: F51
def test_the_sources_are_listed_with_their_provenance_jobs_too(memory: Memory) -> None:
    said(memory, "I am allergic to peanuts.", at="2026-01-05T10:00Z")
    memory.remember_document("I live in Oslo.", scope=ANA, mode="full", document_id="cv", project="atlas")
    memory.drain()
    remembered(memory, "Walnut oil is in the cellar.")
    tools_of(memory)["memory_store"].call(key="a", value="buy flour")
    tools_of(memory, scope=job_of("nightly"))["memory_store"].call(key="a", value="sort the mail")

    rows = {row["source_type"]: row for row in tools_of(memory)["memory_sources_list"].call()["sources"]}

    assert {name: (row["source_id"], row["fact_count"], row["note_count"]) for name, row in rows.items()} == {
        "conversation": ("telegram:42:root", 1, 0),
        "document": ("cv", 1, 0),
        "explicit": ("telegram:42:root", 1, 1),
        "job": ("job:nightly", 0, 1),
    }
    assert rows["document"]["projects"] == ["atlas"]
    assert rows["conversation"]["first_said_at"] == "2026-01-05T10:00:00+00:00"
    assert tools_of(memory, scope=BEN)["memory_sources_list"].call()["sources"] == []


# proves: O22
def test_a_hit_has_no_link_where_it_is_verbatim_and_names_what_it_came_from_where_it_is_not(memory: Memory) -> None:
    said(memory, "The walnut cake went stale.", at="2026-01-05")
    fact_id = remembered(memory, "Walnut oil is in the cellar.")

    hits = tools_of(memory)["recall"].call(query="walnut")["hits"]

    assert {hit["text"]: hit["link"] for hit in hits} == {
        "The walnut cake went stale.": None,
        "Walnut oil is in the cellar.": fact_id,
    }


def test_recall_shows_what_holds_no_more_and_keeps_its_limit_within_bounds(memory: Memory) -> None:
    said(memory, "I love jazz.", at="2026-01-05T09:00+01:00")
    said(memory, "I hate jazz now.", at="2026-06-05T09:00+01:00")
    recall = tools_of(memory)["recall"].call

    hits = recall(query="jazz", limit=5_000)["hits"]
    then = recall(query="jazz", as_of="2026-03-01")["hits"]

    assert [(hit["text"], hit["no_longer_so"]) for hit in hits] == [("I hate jazz now.", False), ("I love jazz.", True)]
    assert hits[1]["said_at"] == "2026-01-05T09:00:00+01:00"
    assert hits[1]["facts"][0]["replaced_by"] == hits[0]["facts"][0]["fact_id"]
    assert [(hit["text"], hit["no_longer_so"]) for hit in then] == [("I love jazz.", False)]
    assert len(recall(query="jazz", limit=-3)["hits"]) == 1
    assert recall(query="jazz", as_of="soon")["error"]["argument"] == "as_of"


def test_explain_gives_the_sentence_the_speaker_the_date_the_decisions_and_the_versions(memory: Memory) -> None:
    said(memory, "Hello. I love jazz.", at="2026-01-05T09:00+01:00")
    said(memory, "I hate jazz now.", at="2026-06-05T09:00+01:00")
    current = next(fact for fact in memory.facts(scope=ANA))

    why = tools_of(memory)["explain"].call(fact_id=current.id)

    (sentence,) = why["evidence"]
    assert (sentence["sentence"], sentence["speaker"]) == ("I hate jazz now.", "user")
    assert sentence["said_at"] == "2026-06-05T09:00:00+01:00"
    assert [each["decision"] for each in why["decisions"]] == ["supersede"]
    assert [(each["text"], each["current"]) for each in why["chain"]] == [
        ("I love jazz.", False),
        ("I hate jazz now.", True),
    ]
    assert tools_of(memory, scope=BEN)["explain"].call(fact_id=current.id)["success"] is False


def test_a_document_is_kept_once_and_found_again(memory: Memory) -> None:
    keep = tools_of(memory)["remember_document"].call

    first = keep(content="We ship on Friday.\n\nWe celebrate on Saturday.", project="atlas", tags=["plan"])
    again = keep(content="We ship on Friday.\n\nWe celebrate on Saturday.", project="atlas", tags=["plan"])

    assert (first["outcome"], first["pieces"], again["outcome"]) == ("stored", 2, "duplicate")
    assert tools_of(memory)["recall"].call(query="ship")["hits"][0]["text"] == "We ship on Friday."
    assert keep(content="Text.", mode="half")["error"]["argument"] == "mode"


def test_a_fact_that_is_too_sensitive_for_a_prompt_is_given_by_no_tool(open_memory: Callable[..., Memory]) -> None:
    fact_id = remembered(open_memory(), "The vault opens with a walnut key.")
    careful = open_memory(prompt_sensitivity_max="public")
    tools = tools_of(careful)

    answers = [
        tools["memory_recall"].call(query="walnut", scope="all"),
        tools["recall"].call(query="walnut"),
        tools["explain"].call(fact_id=fact_id),
        tools["memory_sources_list"].call(),
        tools["memory_forget"].call(fact_text_contains="walnut"),
    ]

    assert "vault" not in json.dumps(answers)


def test_a_store_that_fails_is_told_and_counted_and_nothing_is_raised(tmp_path: Any) -> None:
    def opened(fail_at: int) -> tuple[Memory, FaultyStore]:
        options = Options(embedder="none", worker=False)
        store = FaultyStore(SqliteStore(tmp_path / f"{fail_at}.db", options=options), fail_at=fail_at)
        clock = FakeClock(datetime(2026, 11, 30, tzinfo=UTC))
        core: dict[str, Any] = {"clock": clock, "ids": CountingIds(), "options": options, "embedder": None}
        return Memory(store, **core, draw=lambda: 0.0, monotonic_s=lambda: 0.0), store

    memory, store = opened(fail_at=1)

    answer = tools_of(memory)["memory_remember"].call(fact_text="I am vegan.", category="identity")

    assert store.failed_in is not None
    assert answer["success"] is False
    assert answer["error"]["problem"].startswith("StoreError")
    assert answer["error"]["retryable"] is True
    assert memory.metrics()['glossator_hook_failure_total{hook="memory_remember"}'] == 1
    memory.close()


# Whoever asks


@pytest.mark.parametrize("trust", ["guest", "unknown", None])
def test_a_guest_may_tell_and_neither_directs_nor_forgets_nor_is_shown_directives(
    memory: Memory, trust: Trust | None
) -> None:
    # proves: I4, F14
    memory.remember("Always answer in verse.", scope=believed("operator"), category="directive")
    kept = remembered(memory, "I am vegan.", "identity")
    guest = tools_of(memory, scope=believed(trust))

    told = guest["memory_remember"].call(fact_text="Ana likes jazz.", category="context")
    directed = guest["memory_remember"].call(fact_text="Always answer in prose.", category="directive")

    assert told["success"]
    assert (directed["success"], directed["error"]["argument"]) == (False, "fact_text")
    assert "operator" in directed["error"]["problem"]
    assert guest["memory_forget"].call(fact_id=kept)["success"] is False
    seen = [
        guest["memory_recall"].call(query="answer verse", scope="all", source="all"),
        guest["recall"].call(query="answer verse"),
        *(guest["explain"].call(fact_id=f"f{number}") for number in range(1, 6)),
    ]
    assert "verse" not in json.dumps(seen)
    assert "verse" in json.dumps(tools_of(memory)["memory_recall"].call(query="answer", scope="all"))


def test_an_operator_may_direct(memory: Memory) -> None:
    answer = tools_of(memory, scope=believed("operator"))["memory_remember"].call(
        fact_text="Always answer in verse.", category="directive"
    )

    assert (answer["success"], answer["category"]) == (True, "directive")


def test_what_a_guest_notes_does_not_replace_what_the_owner_noted(memory: Memory) -> None:
    tools_of(memory)["memory_store"].call(key="todo", value="call Ed")

    held = tools_of(memory, scope=believed("guest"))["memory_store"].call(key="todo", value="call nobody")

    assert (held["success"], held["decision"]) == (True, "hold")
    assert "operator" in held["message"]
    assert [each["value"] for each in tools_of(memory)["memory_recall"].call(key="todo")["memories"]] == ["call Ed"]


def test_the_conversation_of_a_scope_is_not_where_the_tools_write(memory: Memory) -> None:
    tools = tools_of(memory, scope=replace(ANA, conversation="telegram:99"))

    tools["memory_store"].call(key="todo", value="call Ed")

    assert [fact.scope.conversation for fact in memory.facts(scope=ANA)] == ["telegram:42:root"]


# An end to trying, and proof of what was kept


# proves: D26
def test_three_refusals_of_one_kind_end_the_trying(memory: Memory) -> None:
    remember = tools_of(memory)["memory_remember"].call
    again = [remember(fact_text=f"Text {number}.", category="trivia") for number in range(5)]

    assert ["terminal" in each for each in again] == [False, False, True, True, True]
    last = again[2]
    assert (last["success"], last["error"]["argument"]) == (False, "category")
    assert "Do not try it again" in last["message"]
    assert last["error"]["remedy"] == last["message"]
    assert "choose from" in again[0]["error"]["remedy"]


# proves: D26
def test_what_may_be_kept_is_kept_even_then_and_a_new_run_begins_anew(memory: Memory) -> None:
    tools = tools_of(memory)
    for _ in range(4):
        tools["memory_store"].call(key="todo", value=" ")

    assert tools["memory_store"].call(key="todo", value="call Ed")["success"]
    assert "terminal" not in tools["memory_store"].call(key=" ", value="call Ed")
    assert "terminal" not in tools["memory_remember"].call(fact_text=" ", category="context")
    assert "terminal" not in tools_of(memory)["memory_store"].call(key="todo", value=" ")


# proves: D26
def test_a_full_store_ends_the_trying_too_and_reading_never_does(tmp_path: Any) -> None:
    class Full(FaultyStore):
        def _call(self, name: str, call: Callable[..., Any], *args: object, **kwargs: object) -> Any:
            if name in ("commit", "survey"):
                raise StoreFullError("no room left on the disk")
            return super()._call(name, call, *args, **kwargs)

    options = Options(embedder="none", worker=False)
    store = Full(SqliteStore(tmp_path / "full.db", options=options), fail_at=0)
    core: dict[str, Any] = {"clock": FakeClock(), "ids": CountingIds(), "options": options, "embedder": None}
    memory = Memory(store, **core, draw=lambda: 0.0, monotonic_s=lambda: 0.0)
    tools = tools_of(memory)

    kept = [tools["memory_remember"].call(fact_text=f"I own {n} boats.", category="identity") for n in range(4)]
    read = [tools["recall"].call(query="boats") for _ in range(4)]

    assert ["terminal" in each for each in kept] == [False, False, True, True]
    assert not any("terminal" in each for each in read)
    memory.close()


# proves: D27
def test_every_writing_tool_proves_what_it_kept_and_a_claim_without_proof_is_noticed(memory: Memory) -> None:
    tools = tools_of(memory)
    calls: dict[str, Answer] = {
        "memory_remember": {"fact_text": "I am vegan.", "category": "identity"},
        "memory_store": {"key": "todo", "value": "call Ed"},
        "remember_document": {"content": "We ship on Friday."},
        "memory_forget": {"fact_id": "f1"},
    }

    receipts = {name: tools[name].call(**given)["receipt"] for name, given in calls.items()}

    assert [(each["id"], each["kind"]) for each in receipts.values()][::3] == [("f1", "fact"), ("f1", "forgotten")]
    assert receipts["memory_store"] == {"id": "f2", "kind": "note", "stored": "call Ed"}
    assert receipts["remember_document"]["kind"] == "document"
    claim = "I've noted that you are vegan."
    assert not memory.claims_without_receipt(claim, list(receipts.values()))
    refused = tools["memory_store"].call(key="x", value=" ")
    assert "receipt" not in refused
    assert memory.claims_without_receipt(claim, [])
    assert not memory.claims_without_receipt("You are vegan.", [])
    assert memory.metrics()["glossator_claims_without_receipt_total"] == 1


# proves: F48
def test_a_note_never_reaches_a_prompt(memory: Memory) -> None:
    tools = tools_of(memory)
    tools["memory_store"].call(key="todo", value="call Ed about the walnut cake")
    tools["memory_store"].call(key="todo", value="call Ben about the walnut cake")

    assert memory.durable_facts(scope=ANA).facts == ()
    assert [fact.state for fact in memory.facts(scope=ANA, states=["active", "superseded"], after_id=0)] == [
        "superseded",
        "active",
    ]


def test_a_guess_of_the_agent_is_kept_as_one_and_only_as_context(memory: Memory) -> None:
    remember = tools_of(memory)["memory_remember"].call

    as_taste = remember(fact_text="The user hates tea.", category="preference", epistemic="inferred")
    guess = remember(fact_text="The user hates tea.", category="context", epistemic="inferred", confidence=1.0)

    assert as_taste["error"]["argument"] == "category"
    assert guess["confidence"] == 0.6
    assert "tea" not in memory.prompt_files(scope=ANA).user_md
