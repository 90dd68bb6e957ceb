"""What is kept of what is spoken, and is it learned from as from what is typed?"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import ANA

from glossator import Memory, UsageError
from glossator.testing.contract.base import NASTY

SPOKEN: list[Mapping[str, Any]] = [
    {"role": "user", "content": "I am allergic to peanuts.", "at": "2026-11-30T10:00Z", "id": "v1"},
    {"role": "assistant", "content": "I will keep that in mind.", "at": "2026-11-30T10:01Z", "id": "v2"},
]
KITCHEN = replace(ANA, conversation="realtime:kitchen")


# proves: F56
def test_nothing_that_is_spoken_is_kept_unless_it_is_asked_for(memory: Memory) -> None:
    receipt = memory.record_voice(SPOKEN, scope=ANA, device="kitchen")
    memory.drain()

    assert (receipt.recorded, receipt.pending) == ((), 0)
    assert "persist_transcripts" in receipt.failure
    assert "persist_transcripts" in str(receipt)
    assert memory.messages(scope=ANA) == ()
    assert memory.facts(scope=ANA) == ()
    assert memory.status().message_count == 0


# proves: F56
def test_switched_on_final_turns_lie_in_the_devices_own_conversation(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory(persist_transcripts=True)
    turns = [*SPOKEN, {"content": "And to wal", "final": False}, {"content": "And to walnuts.", "final": True}]

    receipt = memory.record_voice(turns, scope=ANA, device="kitchen")
    memory.record_voice([{"content": "Lights off."}], scope=ANA, device="hall")

    kept = memory.messages(scope=KITCHEN)
    assert (receipt.failure, receipt.count("stored")) == ("", 3)
    assert [(each.role, each.content) for each in kept] == [
        ("user", "I am allergic to peanuts."),
        ("assistant", "I will keep that in mind."),
        ("user", "And to walnuts."),
    ]
    assert {each.kind for each in kept} == {"voice_turn"}
    assert {each.conversation.key for each in kept} == {"realtime:kitchen:root"}
    assert all(each.metadata["source_type"] == "realtime" for each in kept)
    assert str(kept[0].said.at) == "2026-11-30 10:00:00+00:00"
    assert [each.content for each in memory.messages(scope=replace(ANA, conversation="realtime:hall"))] == [
        "Lights off."
    ]


def test_what_is_spoken_goes_through_the_same_intake(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory(persist_transcripts=True)
    secret = "ghp_" + "a1B2" * 9
    turn = {"content": f"My key is {secret}.", "id": "v1", "metadata": {"source_type": "mine", "language": "en"}}

    first = memory.record_voice([turn], scope=replace(ANA, trust="guest"), device="a:b")
    again = memory.record_voice([turn], scope=ANA, device="a:b")

    (kept,) = memory.messages(scope=replace(ANA, conversation="realtime:a%3Ab"))
    assert (first.count("stored"), again.count("duplicate")) == (1, 1)
    assert secret not in kept.content
    assert (kept.trust, dict(kept.metadata)) == ("guest", {"source_type": "realtime", "language": "en"})


# proves: F57
def test_a_fact_said_by_voice_is_learned_and_found_like_one_that_was_typed(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory(persist_transcripts=True)
    memory.record_voice(SPOKEN, scope=ANA, device="kitchen")
    memory.drain()

    (fact,) = memory.facts(scope=ANA)
    assert (fact.text, fact.scope.conversation) == ("I am allergic to peanuts.", "realtime:kitchen:root")
    assert memory.explain(fact.id, scope=ANA).evidence[0].quote == "I am allergic to peanuts."
    assert memory.durable_facts(scope=ANA).facts == (fact,)
    assert memory.recall("peanuts", scope=ANA).hits[0].message_ids == ("v1",)


# proves: F57
def test_voice_is_reviewed_like_chat(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory(persist_transcripts=True, capture_mode="review")
    memory.record_voice(SPOKEN, scope=ANA, device="kitchen")
    memory.drain()
    assert memory.facts(scope=ANA) == ()

    (result,) = memory.review(scope=ANA, now=True)

    assert (result.status, result.conversation, result.input_messages) == ("ok", "realtime:kitchen:root", 1)
    assert [fact.text for fact in memory.facts(scope=ANA)] == ["I am allergic to peanuts."]


@pytest.mark.parametrize(
    ("turns", "device", "argument"),
    [
        (SPOKEN, " ", "device"),
        (SPOKEN, None, "device"),
        ("hello", "kitchen", "turns"),
        ([7], "kitchen", "turns[0]"),
        ([{"role": "system", "content": "x"}], "kitchen", "turns[0].role"),
        ([{"role": "tool", "content": "x"}], "kitchen", "turns[0].role"),
    ],
)
@pytest.mark.parametrize("kept", [True, False])
def test_a_wrong_argument_is_named_whether_or_not_anything_is_kept(
    open_memory: Callable[..., Memory], turns: Any, device: Any, argument: str, kept: bool
) -> None:
    with pytest.raises(UsageError) as raised:
        open_memory(persist_transcripts=kept).record_voice(turns, scope=ANA, device=device)
    assert raised.value.argument == argument


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(device=st.one_of(st.sampled_from([text[:100] for text in NASTY]), st.sampled_from(("a:b", "%", "a/b", "a%3Ab"))))
def test_each_device_has_a_conversation_of_its_own(open_memory: Callable[..., Memory], device: str) -> None:
    memory = open_memory(persist_transcripts=True)
    before = len(memory.messages(scope=ANA))

    memory.record_voice([{"content": "Lights on."}], scope=ANA, device=device)

    (*_, last) = memory.messages(scope=ANA)
    assert (last.conversation.channel, last.conversation.chat) == ("realtime", device)
    assert len(memory.messages(scope=ANA)) == before + 1
    memory.close()
