"""A strict provider takes whatever `sanitize_tool_pairs` gives back, and what it would have taken stays untouched."""

import copy
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator import sanitize_tool_pairs
from glossator.testing.wire_formats import anthropic_refusals, openai_refusals

Message = dict[str, Any]
WORDS = st.sampled_from(["hi", "look it up", "e\u0301 👩‍👩‍👧", "שלום", '{"a": 1}', "line one\nline two"])
ID = st.text("abcdefgh0123456789_-", min_size=1, max_size=3)
HI: Message = {"role": "user", "content": "hi"}
ORPHANS = st.sampled_from(["stub", "drop"])


def call(name: str) -> Message:
    return {"id": name, "type": "function", "function": {"name": "look", "arguments": "{}"}}


def use(name: str) -> Message:
    return {"type": "tool_use", "id": name, "name": "look", "input": {}}


def result(name: str) -> Message:
    return {"type": "tool_result", "tool_use_id": name, "content": "b"}


@st.composite
def openai_talk(draw: st.DrawFn) -> list[Message]:
    """A conversation that a strict server takes."""
    messages: list[Message] = [{"role": "system", "content": "be kind"}] if draw(st.booleans()) else []
    for _ in range(draw(st.integers(1, 4))):
        messages.append({"role": "user", "content": draw(WORDS)})
        for _ in range(draw(st.integers(0, 2))):
            ids = draw(st.lists(ID, min_size=1, max_size=3, unique=True))
            content = draw(st.one_of(st.none(), WORDS))
            messages.append({"role": "assistant", "content": content, "tool_calls": [call(each) for each in ids]})
            for name in draw(st.permutations(ids)):
                messages.append({"role": "tool", "tool_call_id": name, "content": draw(WORDS)})
        if draw(st.booleans()):
            messages.append({"role": "assistant", "content": draw(WORDS)})
    return messages


@st.composite
def anthropic_talk(draw: st.DrawFn) -> list[Message]:
    """The same with content blocks."""
    messages: list[Message] = []
    free = draw(st.lists(ID, min_size=24, max_size=24, unique=True))
    for _ in range(draw(st.integers(1, 4))):
        said: Any = draw(WORDS)
        messages.append({"role": "user", "content": said if draw(st.booleans()) else [{"type": "text", "text": said}]})
        for _ in range(draw(st.integers(0, 2))):
            ids = [free.pop() for _ in range(draw(st.integers(1, 3)))]
            before = [{"type": "text", "text": draw(WORDS)}] if draw(st.booleans()) else []
            thought = [{"type": "thinking", "thinking": "hm", "signature": "s"}] if draw(st.booleans()) else []
            messages.append({"role": "assistant", "content": [*thought, *before, *(use(each) for each in ids)]})
            found = [
                {"type": "tool_result", "tool_use_id": each, "content": "b"} for each in draw(st.permutations(ids))
            ]
            after = [{"type": "text", "text": draw(WORDS)}] if draw(st.booleans()) else []
            messages.append({"role": "user", "content": [*found, *after]})
        if draw(st.booleans()):
            messages.append({"role": "assistant", "content": draw(WORDS)})
    return messages


@st.composite
def broken(draw: st.DrawFn, talk: st.SearchStrategy[list[Message]]) -> list[Message]:
    """A conversation from which messages, calls and results were cut, or in which they were doubled and moved."""
    messages = copy.deepcopy(draw(talk))
    for _ in range(draw(st.integers(1, 4))):
        if len(messages) < 2:
            break
        place = draw(st.integers(0, len(messages) - 1))
        other = draw(st.integers(0, len(messages) - 1))
        match draw(st.sampled_from(["cut", "cut", "tail", "double", "move", "parts", "rename", "splice"])):
            case "cut":
                del messages[place]
            case "tail":
                del messages[max(place, 1) :]
            case "double":
                messages.insert(other, copy.deepcopy(messages[place]))
            case "move":
                messages.insert(other, messages.pop(place))
            case "splice":
                messages.insert(place, {"role": "user", "content": "so far: ..."})
            case "parts":
                _without_a_part(draw, messages[place])
            case "rename":
                _renamed(draw, messages[place])
    return messages


def _without_a_part(draw: st.DrawFn, message: Message) -> None:
    for key in ("tool_calls", "content"):
        parts = message.get(key)
        if isinstance(parts, list) and len(parts) > 1:
            del parts[draw(st.integers(0, len(parts) - 1))]
            kinds = {part.get("type") for part in parts}
            if kinds == {"thinking"}:
                parts.append({"type": "text", "text": "so"})
            return


def _renamed(draw: st.DrawFn, message: Message) -> None:
    name = draw(st.one_of(ID, st.sampled_from(["", "call:1", "x" * 70])))
    if "tool_call_id" in message:
        message["tool_call_id"] = name
    for part in [*(message.get("tool_calls") or ()), *_blocks(message)]:
        key = "id" if part["type"] in ("function", "tool_use") else "tool_use_id"
        if key in part:
            part[key] = name
            return


def _blocks(message: Message) -> list[Message]:
    return message["content"] if isinstance(message["content"], list) else []


def _same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


@settings(max_examples=150)
@given(openai_talk(), ORPHANS)
def test_valid_chat_messages_stay_the_very_same(messages: list[Message], orphans: Any) -> None:
    # proves: I12, A70, D5
    assert openai_refusals(messages) == []
    before = copy.deepcopy(messages)
    assert _same(sanitize_tool_pairs(messages, orphans=orphans), messages)
    assert messages == before


@settings(max_examples=150)
@given(anthropic_talk(), ORPHANS)
def test_valid_content_blocks_stay_the_very_same(messages: list[Message], orphans: Any) -> None:
    # proves: I12, A70, D5
    assert anthropic_refusals(messages) == []
    before = copy.deepcopy(messages)
    assert _same(sanitize_tool_pairs(messages, orphans=orphans), messages)
    assert messages == before


@settings(max_examples=300)
@given(broken(openai_talk()), ORPHANS)
def test_whatever_was_cut_out_of_chat_messages_the_rest_is_valid(messages: list[Message], orphans: Any) -> None:
    # proves: I12, A70, D5, D23
    kept = sanitize_tool_pairs(messages, orphans=orphans)
    assert openai_refusals(kept) == []
    assert _same(sanitize_tool_pairs(kept, orphans=orphans), kept)


@settings(max_examples=300)
@given(broken(anthropic_talk()), ORPHANS)
def test_whatever_was_cut_out_of_content_blocks_the_rest_is_valid(messages: list[Message], orphans: Any) -> None:
    # proves: I12, A70, D5, D23
    kept = sanitize_tool_pairs(messages, orphans=orphans)
    refused = anthropic_refusals(kept)
    if messages[0]["role"] == "assistant":  # who begins is not a matter of pairs
        refused = [each for each in refused if "not a user's" not in each]
    assert refused == []
    assert _same(sanitize_tool_pairs(kept, orphans=orphans), kept)


def test_an_id_of_another_provider_is_respelled_on_both_sides() -> None:
    # proves: D5
    talk = [HI, {"role": "assistant", "content": [use("call:1"), use("call_1")]}]
    talk.append({"role": "user", "content": [result("call_1"), {**result("call:1"), "content": "the colon's"}]})

    kept: list[Any] = sanitize_tool_pairs(talk)

    assert anthropic_refusals(kept) == []
    renamed = kept[1]["content"][0]["id"]
    assert [each["content"] for each in kept[2]["content"] if each["tool_use_id"] == renamed] == ["the colon's"]


OPENAI_WRONG: dict[str, list[Message]] = {
    "an answer to nothing": [{"role": "user", "content": "a"}, {"role": "tool", "tool_call_id": "x", "content": "b"}],
    "no answer": [{"role": "assistant", "content": None, "tool_calls": [call("a")]}, {"role": "user", "content": "b"}],
    "no answer at the end": [{"role": "assistant", "content": "b", "tool_calls": [call("a")]}],
    "an empty list of calls": [{"role": "assistant", "content": "b", "tool_calls": []}],
    "a call id twice": [
        {"role": "assistant", "content": None, "tool_calls": [call("a"), call("a")]},
        {"role": "tool", "tool_call_id": "a", "content": "b"},
    ],
    "an answer twice": [
        {"role": "assistant", "content": None, "tool_calls": [call("a")]},
        {"role": "tool", "tool_call_id": "a", "content": "b"},
        {"role": "tool", "tool_call_id": "a", "content": "b"},
    ],
    "silence": [{"role": "assistant", "content": None}],
    "a role that nobody has": [{"role": "memory", "content": "a"}],
    "arguments that are no text": [
        {"role": "assistant", "tool_calls": [{**call("a"), "function": {"name": "f", "arguments": {}}}]},
        {"role": "tool", "tool_call_id": "a", "content": "b"},
    ],
    "a block of the other format": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}],
}


@pytest.mark.parametrize("name", OPENAI_WRONG)
def test_the_chat_validator_refuses(name: str) -> None:
    assert openai_refusals(OPENAI_WRONG[name])


TEXT: Message = {"type": "text", "text": "and?"}
ANTHROPIC_WRONG: dict[str, list[Message]] = {
    "the assistant first": [{"role": "assistant", "content": "hi"}, HI],
    "a system message": [HI, {"role": "system", "content": "be kind"}],
    "no result": [HI, {"role": "assistant", "content": [use("a")]}, HI],
    "no result at the end": [HI, {"role": "assistant", "content": [use("a")]}],
    "a result of nothing": [HI, {"role": "user", "content": [result("a")]}],
    "a result one message later": [HI, {"role": "assistant", "content": [use("a")]}, HI, {"role": "user", "content": [
        result("a")]}],
    "a result behind the text": [HI, {"role": "assistant", "content": [use("a")]}, {"role": "user", "content": [
        TEXT, result("a")]}],
    "two results": [HI, {"role": "assistant", "content": [use("a")]}, {"role": "user", "content": [
        result("a"), result("a")]}],
    "an id twice": [HI, *(2 * [{"role": "assistant", "content": [use("a")]}, {"role": "user", "content": [
        result("a")]}])],
    "an id with a colon": [HI, {"role": "assistant", "content": [use("a:1")]}, {"role": "user", "content": [
        result("a:1")]}],
    "a blank text": [{"role": "user", "content": " \n"}],
    "a blank block": [{"role": "user", "content": [{"type": "text", "text": ""}]}],
    "no content": [{"role": "user", "content": []}],
    "thinking alone": [HI, {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}, HI],
    "a use by the user": [{"role": "user", "content": [use("a")]}, {"role": "user", "content": [result("a")]}],
}  # fmt: skip


@pytest.mark.parametrize("name", ANTHROPIC_WRONG)
def test_the_block_validator_refuses(name: str) -> None:
    assert anthropic_refusals(ANTHROPIC_WRONG[name])
