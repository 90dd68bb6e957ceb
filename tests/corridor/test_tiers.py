"""Is the tier that a caller brings in its scope heeded everywhere: in verbs, in tools, when facts are taken?"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.conftest import ANA, Opener
from tests.corridor.test_less_believed import BY_TOOL, CHAT, VERBS, Prepared

from glossator import Memory, PermissionDeniedError, Scope, UsageError
from glossator.model import TIERS, Tier
from glossator.model.upkeep import EXTRACTION_KINDS
from glossator.rules.trust import allowed
from glossator.surfaces.tools import agent_tools, call_tool

STUDENT = replace(ANA, tier="STUDENT")
KEEPING: dict[str, Callable[[Memory, Scope], object]] = {
    "memory_remember": lambda m, s: m.remember("The shed is green.", scope=s),
    "memory_store": lambda m, s: m.note("todo", "sort the mail", scope=s, conversation=CHAT),
    "remember_document": lambda m, s: m.remember_document("The shed is green.", scope=s),
}
"""Verbs that keep something on purpose, by the action that they are in the table."""


def is_denied(call: Callable[[], object], *, argument: str = "scope.tier") -> bool:
    try:
        call()
    except PermissionDeniedError as error:
        return error.argument == argument
    except UsageError:  # what was there for the verb before is in another state now
        return False
    return False


@pytest.mark.parametrize("tier", TIERS)
def test_every_verb_asks_the_table_for_the_tier_of_the_scope(open_memory: Opener, tier: Tier) -> None:
    # proves: A60, F14
    memory = open_memory()
    there = Prepared(memory, ANA)
    scope = replace(ANA, tier=tier, trust="operator")  # whom nothing but the tier keeps from anything
    denied = {action: is_denied(lambda: ask(memory, scope, there)) for action, ask in VERBS.items()}  # noqa: B023
    denied |= {action: is_denied(lambda: ask(memory, scope)) for action, ask in KEEPING.items()}  # noqa: B023
    assert denied == {action: not allowed(action, tier=tier, trust="operator") for action in (*VERBS, *KEEPING)}


@pytest.mark.parametrize("tier", TIERS)
def test_every_tool_asks_the_table_for_the_tier_of_the_scope(open_memory: Opener, tier: Tier) -> None:
    # proves: A60, F14
    memory = open_memory()
    Prepared(memory, ANA)
    scope = replace(ANA, tier=tier)
    for name, arguments in BY_TOOL.items():
        answer = call_tool(agent_tools(memory, scope=scope, conversation=CHAT), name, arguments)
        assert answer["success"] is allowed(name, tier=tier, trust="owner"), (name, answer)


def test_a_scope_lifts_no_agent_above_what_the_options_say(open_memory: Opener) -> None:
    memory = open_memory(tiers={"helper": "STUDENT"})
    for scope in (ANA, replace(ANA, tier="AUTONOMOUS")):
        assert is_denied(lambda: memory.remember("I like tea.", scope=scope), argument="options.tiers")  # noqa: B023
    grown = open_memory(tiers={"helper": "SUPERVISED"})
    assert is_denied(lambda: grown.remember("I like tea.", scope=STUDENT))
    assert not is_denied(lambda: grown.remember("I like tea.", scope=ANA))


def test_a_student_reads_what_its_owner_reads(memory: Memory) -> None:
    memory.record([{"content": "I live in Oslo."}], scope=ANA, conversation=CHAT)
    memory.drain()
    assert memory.facts(scope=STUDENT) == memory.facts(scope=ANA)
    assert memory.messages(scope=STUDENT) == memory.messages(scope=ANA)
    assert memory.recall("Oslo", scope=STUDENT).hits == memory.recall("Oslo", scope=ANA).hits
    assert memory.conversations(scope=STUDENT) == memory.conversations(scope=ANA)
    assert memory.status(STUDENT) == memory.status(ANA)
    assert STUDENT.whole == ANA.whole
    assert STUDENT.covers(ANA)
    assert ANA.covers(STUDENT)


def test_what_a_student_records_is_kept_word_for_word_and_gives_no_facts(memory: Memory) -> None:
    # proves: A22, D12
    memory.record([{"content": "I live in Oslo.", "id": "m1"}], scope=STUDENT, conversation=CHAT)
    memory.before_truncation(f"I like tea. {'words ' * 300}", scope=STUDENT, window_tokens=300)
    memory.end_session(scope=STUDENT, request="I live in Rome.", final_answer="Done.")
    assert memory.waiting() == 0
    memory.drain()
    assert memory.review(scope=STUDENT, now=True)[0].skip_reason == "disabled"
    assert memory.facts(scope=ANA) == ()
    (message,) = memory.messages(scope=ANA)
    assert (message.content, message.tier) == ("I live in Oslo.", "STUDENT")
    assert memory.learned(scope=ANA, message_ids=["m1"]).messages[0].state == "none"
    assert memory.recall("Where do I live?", scope=ANA).hits[0].text == "I live in Oslo."


def test_no_review_takes_facts_from_what_a_student_recorded(memory: Memory) -> None:
    # proves: A22
    memory.record([{"content": "I live in Oslo."}], scope=STUDENT, conversation=CHAT)
    assert memory.review(scope=ANA, now=True)[0].status == "nothing_to_save"
    memory.record([{"content": "I love jazz."}], scope=replace(ANA, tier="INTERN"), conversation=CHAT)
    memory.review(scope=ANA, now=True)
    assert [fact.text for fact in memory.facts(scope=ANA)] == ["I love jazz."]


def test_the_owner_can_have_it_learned_all_the_same(memory: Memory) -> None:
    memory.record([{"content": "I live in Oslo."}], scope=STUDENT, conversation=CHAT)
    with pytest.raises(PermissionDeniedError, match="SUPERVISED"):
        memory.relearn(scope=replace(ANA, tier="INTERN"))
    assert memory.relearn(scope=ANA) == 1
    memory.drain()
    assert [fact.text for fact in memory.facts(scope=ANA)] == ["I live in Oslo."]


@pytest.mark.parametrize("tier", [None, *TIERS])
def test_facts_are_taken_from_what_an_intern_and_above_record(memory: Memory, tier: Tier | None) -> None:
    # proves: A22
    memory.record([{"content": "I live in Oslo."}], scope=replace(ANA, tier=tier), conversation=CHAT)
    assert sum(each.pending_count for each in memory.open_work() if each.kind in EXTRACTION_KINDS) == (
        tier != "STUDENT"
    )
    memory.drain()
    assert len(memory.facts(scope=ANA)) == (tier != "STUDENT")


def test_a_receipt_says_the_same_whatever_tier_asked_for_it(open_memory: Opener) -> None:
    signed = []
    for name, scope in (("a.db", ANA), ("b.db", replace(ANA, tier="AUTONOMOUS"))):
        memory = open_memory(name=name)
        memory.record([{"content": "I live in Oslo.", "id": "m1"}], scope=scope, conversation=CHAT)
        preview = memory.forget(scope=scope, everything=True)
        memory.forget(scope=scope, everything=True, confirm=preview.token)
        signed.append(memory._store.receipts(scope)[0].body)
    assert signed[0] == signed[1]
