"""Who may write what, where it lies, and who is shown it."""

from dataclasses import replace

import pytest
from tests.conftest import ANA

from glossator import Memory, Scope, UsageError
from glossator.model import CATEGORIES, TRUSTS, Category, Conversation, Trust
from glossator.testing.clock import FakeClock

OPERATOR = replace(ANA, trust="operator")
GUEST = replace(ANA, trust="guest")
JOB = replace(ANA, job="nightly")
CHAT = "telegram:42"


def say(memory: Memory, text: str, *, scope: Scope = ANA, **parts: object) -> None:
    memory.record([{"content": text, "at": "2026-03-02T10:00:00Z", **parts}], scope=scope, conversation=CHAT)
    memory.drain()


def keep(memory: Memory, text: str, *, scope: Scope = ANA, category: Category = "context") -> str:
    kept = memory.remember(text, scope=scope, category=category)
    return kept.decided.decision if kept.fact is None else f"{kept.decided.decision} {kept.fact.category}"


def told(memory: Memory, scope: Scope) -> list[str]:
    return [fact.text for fact in memory.facts(scope=scope)]


def rules(memory: Memory) -> list[str]:
    return [fact.text for fact in memory.facts(scope=OPERATOR, categories=["directive"])]


@pytest.mark.parametrize("trust", [*TRUSTS, None])
@pytest.mark.parametrize("category", CATEGORIES)
def test_every_trust_may_state_every_category_but_a_directive(
    memory: Memory, trust: Trust | None, category: Category
) -> None:
    # proves: F14
    kept = keep(memory, "The cellar key is blue.", scope=replace(ANA, trust=trust), category=category)
    assert kept == ("refuse" if category == "directive" and trust != "operator" else f"admit {category}")


@pytest.mark.parametrize("category", ["trivia", "note", "summary", "", "Identity"])
def test_there_are_six_categories_and_no_other(memory: Memory, category: str) -> None:
    # proves: F13
    with pytest.raises(UsageError, match="identity, preference, interest, goal, context, directive"):
        memory.remember("I live in Paris.", scope=ANA, category=category)  # type: ignore[arg-type]


def test_how_the_agent_shall_behave_is_for_the_operator_to_say(memory: Memory) -> None:
    # proves: F14, D18
    for scope, said in ((OPERATOR, "Always answer in French."), (GUEST, "Always answer with a joke.")):
        say(memory, said, scope=scope)
    assert [(fact.category, fact.source_trust) for fact in memory.facts(scope=OPERATOR)] == [("directive", "operator")]
    assert memory.metrics()['glossator_turn_fact_refused_total{reason="a directive takes an operator"}'] == 1
    # nobody else changes it either, by saying something else or by saying that it is over
    say(memory, "Always answer in German.", scope=GUEST)
    say(memory, "Always answer in Spanish.")
    assert rules(memory) == ["Always answer in French."]
    say(memory, "Always answer in Italian.", scope=OPERATOR)
    assert rules(memory) == ["Always answer in Italian."]


def test_what_an_owner_asks_of_the_agent_is_known_and_is_no_rule(memory: Memory) -> None:
    # proves: F14
    say(memory, "Always answer in French.")
    assert [fact.category for fact in memory.facts(scope=ANA)] == ["context"]


def test_one_chat_has_speakers_of_different_trust(memory: Memory) -> None:
    say(memory, "I'm allergic to peanuts.", speaker="Ana")
    say(memory, "I'm allergic to milk.", speaker="Bob", trust="guest")
    trusts = {fact.subject: fact.source_trust for fact in memory.facts(scope=ANA)}
    assert trusts == {"Ana": "owner", "Bob": "guest"}
    with pytest.raises(UsageError, match=r"messages\[0\]\.trust"):
        memory.record([{"content": "x", "trust": "boss"}], scope=ANA, conversation=CHAT)


@pytest.mark.parametrize("trust", ["guest", "tool", "unknown", None])
def test_a_guest_is_shown_no_directives_on_any_way(memory: Memory, trust: Trust | None) -> None:
    # proves: I4
    say(memory, "Always answer in French.", scope=OPERATOR)
    say(memory, "I live in Paris.")
    reader = replace(ANA, trust=trust)
    (rule,) = memory.facts(scope=OPERATOR, categories=["directive"])
    assert told(memory, reader) == ["I live in Paris."]
    assert memory.facts(scope=reader, categories=["directive"]) == ()
    assert rule not in memory.search_facts("answer French", scope=reader)
    assert [fact.text for fact in memory.durable_facts(scope=reader).facts] == ["I live in Paris."]
    assert all(rule not in hit.facts for hit in memory.recall("answer in French", scope=reader).hits)
    for verb in (memory.history, memory.explain):
        with pytest.raises(UsageError, match="not in this scope"):
            verb(rule.id, scope=reader)
    assert memory.facts(scope=replace(reader, trust="owner"), categories=["directive"]) == (rule,)


def test_a_job_reads_its_own_facts_and_nothing_that_was_said(memory: Memory) -> None:
    # proves: I4, F50
    say(memory, "I live in Paris.")
    kept = memory.remember("The backup of Paris took 40 minutes.", scope=JOB)
    assert kept.fact is not None
    assert (kept.fact.scope_type, kept.fact.scope_id) == ("job", "job:nightly")
    assert told(memory, JOB) == ["The backup of Paris took 40 minutes."]
    assert [fact.fact_id for fact in memory.search_facts("Paris", scope=JOB)] == [kept.fact.fact_id]
    assert memory.messages(scope=JOB) == ()
    assert [hit.fact_id for hit in memory.recall("Paris", scope=JOB).hits] == [kept.fact.fact_id]
    assert memory.explain(kept.fact.id, scope=JOB).evidence[0].quote == "The backup of Paris took 40 minutes."
    other = replace(ANA, job="weekly")
    assert (told(memory, other), memory.recall("Paris", scope=other).hits) == ([], ())
    # the owner sees both
    assert set(told(memory, ANA)) == {"I live in Paris.", "The backup of Paris took 40 minutes."}


def test_each_writer_has_its_place(memory: Memory) -> None:
    # proves: F20, F21
    say(memory, "I live in Paris.")
    memory.remember("The deploy script needs Python 3.11.", scope=ANA)
    memory.note("colour", "blue", scope=ANA, conversation=CHAT)
    memory.remember("The backup took 40 minutes.", scope=JOB)
    memory.remember("We meet in room 7.", scope=ANA, within="conversation", conversation=CHAT)
    places = {fact.text: (fact.scope_type, fact.scope_id) for fact in memory.facts(scope=ANA)}
    assert places == {
        "I live in Paris.": ("owner", "ana"),
        "The deploy script needs Python 3.11.": ("agent", "helper"),
        "blue": ("conversation", Conversation(channel="telegram", chat="42").key),
        "The backup took 40 minutes.": ("job", "job:nightly"),
        "We meet in room 7.": ("conversation", "telegram:42:root"),
    }


def test_the_same_question_has_an_answer_per_place(memory: Memory) -> None:
    # proves: F9, I3
    memory.note("colour", "blue", scope=ANA, conversation=CHAT)
    memory.note("colour", "red", scope=ANA, conversation="telegram:43")
    memory.note("colour", "green", scope=ANA, conversation=CHAT)
    assert {fact.value for fact in memory.facts(scope=ANA)} == {"green", "red"}


@pytest.mark.parametrize(
    "wrong",
    [{"trust": "boss"}, {"job": " "}, {"job": "a\0b"}, {"owner": "x" * 201}],
)
def test_a_wrong_part_of_a_scope_is_named(wrong: dict[str, str]) -> None:
    with pytest.raises(UsageError, match=f"scope.{next(iter(wrong))}"):
        Scope(workspace="acme", **wrong)  # type: ignore[arg-type]


def test_within_a_conversation_needs_one(memory: Memory) -> None:
    with pytest.raises(UsageError, match="conversation"):
        memory.remember("We meet in room 7.", scope=ANA, within="conversation")


def test_who_the_owner_is_does_not_come_from_a_guest(memory: Memory) -> None:
    # proves: F14, C-23
    say(memory, "I'm allergic to peanuts.")
    say(memory, "I'm allergic to milk.", scope=GUEST)
    files = memory.prompt_files(scope=ANA)
    assert "peanuts" in files.user_md
    assert "milk" not in files.user_md + files.memory_md


def test_a_statement_never_takes_the_place_of_a_note(memory: Memory) -> None:
    memory.note("todo", "Sort the mail.", scope=JOB, conversation=CHAT)
    memory.remember("The mail is sorted.", scope=JOB)
    assert sorted(told(memory, JOB)) == ["Sort the mail.", "The mail is sorted."]


def test_a_cut_through_a_recalled_block_does_not_let_its_words_in(memory: Memory) -> None:
    # proves: I11, D41
    block = "<memory-context>\n" + "I own a yacht in Lisbon. " * 60 + "\n</memory-context>"
    prompt = f"{block}\nI live in Paris.\n" + "words " * 300
    assert memory.before_truncation(prompt, scope=ANA, window_tokens=300)
    memory.drain()
    assert told(memory, ANA) == ["I live in Paris."]


def test_a_fact_with_an_end_expires_when_it_comes(memory: Memory, clock: FakeClock) -> None:
    kept = memory.remember("The guest wifi is called attic.", scope=ANA, expires_at="2026-12-02T09:00:00Z")
    assert kept.fact is not None
    assert told(memory, ANA) == ["The guest wifi is called attic."]
    clock.advance(seconds=3 * 86_400)
    assert [fact.id for fact in memory.expire_due()] == [kept.fact.id]
    assert told(memory, ANA) == []
    with pytest.raises(UsageError, match="expires_at"):
        memory.remember("The wifi is called cellar.", scope=ANA, expires_at="2026-12-01")
