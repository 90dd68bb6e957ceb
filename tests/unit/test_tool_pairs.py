"""Whatever was cut out of a conversation, a strict provider takes what is left of it."""

import copy
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.context.tool_pairs import sanitize_tool_pairs
from glossator.errors import UsageError

Message = dict[str, Any]


def calls(*ids: str, content: str | None = None) -> Message:
    made = [{"id": each, "type": "function", "function": {"name": "look", "arguments": "{}"}} for each in ids]
    return {"role": "assistant", "content": content, "tool_calls": made}


def tool(name: str, content: str = "found") -> Message:
    return {"role": "tool", "tool_call_id": name, "content": content}


def user(content: str = "hi") -> Message:
    return {"role": "user", "content": content}


def assistant(content: str = "hello") -> Message:
    return {"role": "assistant", "content": content}


def uses(*ids: str, text: str = "") -> Message:
    said = [{"type": "text", "text": text}] if text else []
    return {
        "role": "assistant",
        "content": [*said, *({"type": "tool_use", "id": i, "name": "a", "input": {}} for i in ids)],
    }


def results(*ids: str, text: str = "") -> Message:
    said = [{"type": "text", "text": text}] if text else []
    return {
        "role": "user",
        "content": [*({"type": "tool_result", "tool_use_id": i, "content": "b"} for i in ids), *said],
    }


def refusals(messages: Sequence[Any]) -> list[str]:
    """What a strict server of either wire format would answer 400 to, by the public description of the formats."""
    return [*_refused_calls(messages), *_refused_blocks(messages)]


def _refused_calls(messages: Sequence[Message]) -> list[str]:
    refused, open_ids = [], set[str]()
    for message in messages:
        if message["role"] == "tool":
            if message.get("tool_call_id") not in open_ids:
                refused.append("a tool message answers no call of the assistant message before it")
            open_ids.discard(message.get("tool_call_id", ""))
            continue
        if open_ids:
            refused.append("a call has no tool message behind it")
        ids = [call.get("id") for call in message.get("tool_calls") or []]
        if "tool_calls" in message and not ids:
            refused.append("an empty list of calls")
        if len(set(ids)) < len(ids) or not all(isinstance(each, str) and each for each in ids):
            refused.append("ids of calls are not unique")
        if message["role"] == "assistant" and not ids and not message["content"]:
            refused.append("an assistant message says nothing")
        open_ids = set(ids)
    return [*refused, *(["the last calls have no answer"] if open_ids else [])]


def _refused_blocks(messages: Sequence[Message]) -> list[str]:
    refused, open_ids, seen = [], set[str](), set[str]()
    for at, message in enumerate(messages):
        blocks = message["content"] if isinstance(message["content"], list) else []
        kinds = [block["type"] for block in blocks]
        answered = [block.get("tool_use_id") for block in blocks if block["type"] == "tool_result"]
        if set(answered) != open_ids or len(answered) != len(open_ids):
            refused.append(f"results {answered} stand behind uses {open_ids}")
        if "tool_result" in kinds[len(answered) :]:
            refused.append("results are not the first blocks")
        ids = [block.get("id") for block in blocks if block["type"] == "tool_use"]
        if len(set(ids)) < len(ids) or seen & set(ids) or not all(isinstance(each, str) and each for each in ids):
            refused.append("ids of uses are not unique")
        if ids and not any(each["role"] == "user" for each in messages[:at]):
            refused.append("the first message is not the user's")
        if isinstance(message["content"], list) and not blocks:
            refused.append("a message is empty")
        open_ids = set(ids)
        seen |= open_ids
    return [*refused, *(["the last uses have no result"] if open_ids else [])]


VALID: dict[str, list[Message]] = {
    "nothing": [],
    "talk": [{"role": "system", "content": "be kind"}, user(), assistant()],
    "one call": [user(), calls("a"), tool("a"), assistant()],
    "two parallel calls": [user(), calls("a", "b"), tool("a"), tool("b"), assistant()],
    "answers in another order": [user(), calls("a", "b", content="wait"), tool("b"), tool("a")],
    "an id again in a later turn": [user(), calls("a"), tool("a"), calls("a"), tool("a")],
    "calls that are null": [user(), {"role": "assistant", "content": "hi", "tool_calls": None, "name": "x"}],
    "one use": [user(), uses("a"), results("a"), assistant()],
    "two parallel uses": [user(), uses("a", "b", text="wait"), results("b", "a", text="and?"), uses("c"), results("c")],
    "two messages of the user": [user(), uses("a"), results("a"), user("and?")],
}


# proves: D5, A70, I12
@pytest.mark.parametrize("orphans", ["stub", "drop"])
@pytest.mark.parametrize("name", VALID)
def test_a_valid_conversation_stays_the_very_same_messages(name: str, orphans: Any) -> None:
    messages = VALID[name]
    before = copy.deepcopy(messages)
    if name != "calls that are null":
        assert refusals(messages) == []

    kept = sanitize_tool_pairs(messages, orphans=orphans)

    assert len(kept) == len(messages)
    assert all(one is other for one, other in zip(kept, messages, strict=True))
    assert messages == before


# proves: D5, A70
def test_an_unanswered_call_in_the_middle_gets_a_stub_result_in_call_order() -> None:
    kept = sanitize_tool_pairs([user(), calls("a", "b", "c"), tool("b"), user()])

    assert [each.get("tool_call_id") for each in kept] == [None, None, "b", "a", "c", None]
    assert refusals(kept) == []


# proves: D5, A70
def test_a_result_with_a_foreign_id_gets_its_own_stub_call() -> None:
    kept = sanitize_tool_pairs([user(), calls("a"), tool("x"), tool("a"), assistant()])

    assert [each["role"] for each in kept] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    assert [each.get("tool_call_id") for each in kept] == [None, None, "a", None, "x", None]
    assert kept[3]["content"] is None
    assert refusals(kept) == []


# proves: D5, A70
@pytest.mark.parametrize("orphans", ["stub", "drop"])
def test_a_trailing_call_is_removed_and_its_text_kept(orphans: Any) -> None:
    talk, block_talk = calls("a", content="I look it up."), uses("a", text="I look it up.")

    assert sanitize_tool_pairs([user(), {**talk, "name": "x"}], orphans=orphans) == [
        user(), {"role": "assistant", "content": "I look it up.", "name": "x"}
    ]  # fmt: skip
    assert sanitize_tool_pairs([user(), calls("a")], orphans=orphans) == [user()]
    assert sanitize_tool_pairs([user(), block_talk], orphans=orphans) == [user(), {**uses(text="I look it up.")}]
    assert sanitize_tool_pairs([user(), uses("a")], orphans=orphans) == [user()]


def test_thinking_alone_is_not_left_at_the_end() -> None:
    thought = {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, *uses("a")["content"]]}

    assert sanitize_tool_pairs([user(), thought]) == [user()]


# proves: D23, A70
@pytest.mark.parametrize(
    "summary",
    [{"role": "system", "content": "so far: ..."}, user("so far: ..."), {"role": "developer", "content": "a"}],
)
@pytest.mark.parametrize("cut", [[tool("a"), assistant()], [results("a", text="and?"), assistant()]])
def test_a_result_that_compaction_left_behind_its_summary_is_called_for_or_dropped(
    summary: Message, cut: list[Message]
) -> None:
    stubbed = sanitize_tool_pairs([summary, *cut])
    dropped = sanitize_tool_pairs([summary, *cut], orphans="drop")

    assert refusals(stubbed) == []
    assert cut[0] in stubbed
    assert refusals(dropped) == []
    assert not any(each["role"] == "tool" for each in dropped)
    assert "tool_result" not in str(dropped)


def test_the_users_words_stand_behind_the_stub_result_of_a_use_that_they_interrupted() -> None:
    kept: list[Any] = sanitize_tool_pairs([user(), uses("a"), {"role": "user", "content": "stop", "cache": 1}])

    assert [block["type"] for block in kept[2]["content"]] == ["tool_result", "text"]
    assert kept[2]["content"][1]["text"] == "stop"
    assert kept[2]["cache"] == 1
    assert refusals(kept) == []


def test_results_that_stand_apart_or_behind_the_text_come_to_the_beginning() -> None:
    late = {"role": "user", "content": [{"type": "text", "text": "look"}, *results("a")["content"]]}

    kept = sanitize_tool_pairs([user(), uses("a", "b"), late, results("b"), assistant()])

    assert kept == [user(), uses("a", "b"), results("a", "b", text="look"), assistant()]


@pytest.mark.parametrize("messages", [
    [user(), calls("a", "a"), tool("a", "first"), tool("a", "second"), user()],
    [user(), calls("", ""), tool("", "first"), tool("", "second"), user()],
    [user(), calls("a"), tool("a", "first"), tool("a", "twice"), user()],
    [user(), uses("a"), results("a"), uses("a"), results("a"), user()],
])  # fmt: skip
def test_an_id_that_is_missing_or_comes_twice_is_mended_on_both_sides(messages: list[Message]) -> None:
    kept = sanitize_tool_pairs(messages)

    assert refusals(kept) == []
    assert "first" in str(kept) or "tool_use" in str(kept)
    assert "second" not in str(messages) or "second" in str(kept)


def test_unknown_fields_are_kept_where_a_message_is_changed() -> None:
    odd = {**calls("a", "a"), "audio": {"id": 7}, "reasoning": "because"}

    kept = sanitize_tool_pairs([user(), odd, {**tool("a"), "cache": 1}, user()])

    assert (kept[1]["audio"], kept[1]["reasoning"], kept[2]["cache"]) == ({"id": 7}, "because", 1)


def test_an_unknown_choice_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="'stub' or 'drop'"):
        sanitize_tool_pairs([], orphans="keep")  # type: ignore[arg-type]


IDS = st.sampled_from(["a", "b", "c", "a-2", "call-1", ""])
OPENAI = st.one_of(
    st.builds(user),
    st.builds(assistant),
    st.lists(IDS, max_size=3).map(lambda ids: calls(*ids)),
    st.lists(IDS, max_size=3).map(lambda ids: calls(*ids, content="text")),
    IDS.map(tool),
    IDS.map(tool),
    st.just({"role": "tool", "content": "no id"}),
)
ANTHROPIC = st.one_of(
    st.builds(user),
    st.builds(assistant),
    st.builds(
        lambda ids, text: uses(*ids, text=text), st.lists(IDS, min_size=1, max_size=3), st.sampled_from(["", "t"])
    ),
    st.builds(
        lambda ids, text: results(*ids, text=text), st.lists(IDS, min_size=1, max_size=3), st.sampled_from(["", "t"])
    ),
    st.lists(IDS, min_size=1, max_size=2).map(
        lambda ids: {"role": "user", "content": [{"type": "text", "text": "t"}, *results(*ids)["content"]], "x": 1}
    ),
)


# proves: I12, A70, D23
@settings(max_examples=400)
@given(
    st.one_of(st.lists(OPENAI, max_size=8), st.lists(ANTHROPIC, max_size=8)),
    st.sampled_from(["stub", "drop"]),
    st.booleans(),
)
def test_any_wreck_becomes_valid_and_then_stays_as_it_is(messages: list[Message], orphans: Any, opened: bool) -> None:
    messages = [user(), *messages] if opened or not any("tool_result" in str(each) for each in messages) else messages
    before = copy.deepcopy(messages)

    kept = sanitize_tool_pairs(messages, orphans=orphans)
    again = sanitize_tool_pairs(kept, orphans=orphans)

    assert messages == before
    refused = refusals(kept)
    if not any(each["role"] == "user" for each in kept[:1]):  # what stood first was the assistant's already
        refused = [each for each in refused if "not the user's" not in each]
    assert refused == []
    assert len(again) == len(kept)
    assert all(one is other for one, other in zip(again, kept, strict=True))
    if refusals(messages) == []:
        assert all(one is other for one, other in zip(kept, messages, strict=True))
