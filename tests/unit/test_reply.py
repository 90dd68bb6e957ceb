"""What is read from a model's reply, however it is wrapped or broken?"""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.retain.modelled.reply import RAW_CHARACTERS_MAX, ReplyUnreadableError, fact_of, read_reply

TEA = '{"fact": "The user likes [green] tea {hot}", "category": "preference"}'
OSLO = '{"fact": "Ed lives in Oslo, \\"the tiger city\\"", "category": "context"}'


def facts(text: str) -> list[str]:
    reply = read_reply(text)
    assert reply is not None
    return [fact_of(item) for item in reply.items]


# proves: A33, A36
@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"[{TEA}, {OSLO}]", 2),
        (f'{{"facts": [{TEA}, {OSLO}]}}', 2),
        (f"Here is what I found: [{TEA}]\nLet me know if you need more.", 1),
        ("I could not find anything durable in this conversation.", None),
        ("[]", 0),
        ('{"facts": []}', 0),
        ("```json\n[]\n```", 0),
        ("", None),
        (" \n\ufeff ", None),
        ("null", None),
        ("{}", None),
        ("42", None),
        ('{"status": "ok"}', None),
    ],
)
def test_an_empty_list_is_no_facts_and_garbage_is_no_reply(text: str, count: int | None) -> None:
    reply = read_reply(text)
    assert (None if reply is None else len(reply.items)) == count


# proves: D6, A36
@pytest.mark.parametrize(
    ("text", "rung"),
    [
        (f"[{TEA}] as said in [1].", "array"),
        (f"Following [1] and [2, 3], the facts are [{TEA}].", "array"),
        (f'[{{"title": "a source"}}] gives [{TEA}]', "array"),
        (TEA, "whole"),
        (f"The only fact: {TEA} - that is all [1].", "objects"),
        *((f'{{"{key}": [{TEA}]}}', "whole") for key in ("facts", "result", "data", "items", "memories", "zork")),
        (f'{{"result": {{"facts": [{TEA}]}}}}', "whole"),
        (f'{{"note": "one fact", "found": [{TEA}], "skipped": []}}', "whole"),
        (f'{{"1": {TEA}}}', "whole"),
        (json.dumps(f"[{TEA}]"), "whole"),
        (f"```json\n[{TEA}]\n```", "fence"),
        (f"```\n{TEA}\n```", "fence"),
        (f"```[{TEA}]```", "fence"),
        (f"For example:\n```\n[]\n```\nand the answer:\n```json\n[{TEA}]\n```\nSee [4].", "fence"),
        (f"[{TEA},]", "commas"),
        (f'```json\n{{"facts": [{TEA[:-1]},}},],}}\n```', "commas"),
        (f"<think>I could say [{OSLO}] but no.</think>[{TEA}]", "whole"),
        (f"The user said a lot, so [{OSLO}]...</think>\n[{TEA}]", "whole"),
        (f"{{about travel}} here you are: [{TEA}]", "array"),
        ("[{'fact': 'The user likes [green] tea {hot}', 'category': 'preference'}]", "repaired"),
        ('[{fact: "The user likes [green] tea {hot}", category: "preference"}]', "repaired"),
    ],
)
def test_a_wrapped_fact_is_found(text: str, rung: str) -> None:
    reply = read_reply(text)
    assert reply is not None
    assert facts(text) == ["The user likes [green] tea {hot}"]
    assert reply.salvaged == rung
    assert reply.partial is (rung == "repaired")


# proves: D6
@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"[{TEA}, {OSLO}", 2),
        (f"[{TEA}, {OSLO[:30]}", 1),
        (f'{{"facts": [{TEA}, {OSLO}, {{"fact": "cut', 2),
        (f"```json\n[{TEA}, {OSLO[:-3]}", 1),
        (f'[{TEA}, {{"fact": "he said "stop"", "category": "context"}}, {OSLO}]', 2),
        (f'[{{"fact": "a", "evidence": [{{"quote": "x"}}]}}, {TEA}', 2),
    ],
)
def test_the_whole_objects_of_a_broken_list_are_saved_and_the_break_is_told(text: str, count: int) -> None:
    reply = read_reply(text)
    assert reply is not None
    assert (len(reply.items), reply.partial) == (count, True)


def test_one_object_per_line_is_complete() -> None:
    reply = read_reply(f"{TEA}\n{OSLO}\n")
    assert reply is not None
    assert (len(reply.items), reply.partial) == (2, False)


def test_only_the_end_of_an_unfinished_thought_is_an_answer() -> None:
    assert read_reply(f"<think>perhaps [{TEA}]") is None


# proves: A19
def test_a_list_without_objects_is_no_reply_and_a_mixed_one_counts_the_others() -> None:
    assert read_reply('["likes tea", "lives in Oslo"]') is None
    assert read_reply("[1, 2]") is None
    mixed = read_reply(f'[{TEA}, "lives in Oslo", null]')
    assert mixed is not None
    assert (len(mixed.items), mixed.not_objects) == (1, 2)


def test_objects_without_a_statement_are_still_items_to_count() -> None:
    reply = read_reply('Nothing else: [{"category": "context"}] and []')
    assert reply is not None
    assert len(reply.items) == 1


def test_nothing_in_a_reply_is_evaluated() -> None:
    assert read_reply("[__import__('pathlib').Path('/tmp/x').touch() or {'fact': 1}]") is None


# proves: A34
def test_an_unreadable_reply_keeps_four_hundred_characters() -> None:
    error = ReplyUnreadableError("scripted:test", "x" * 5_000)
    assert len(error.raw) == RAW_CHARACTERS_MAX == 400
    assert not error.retryable


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["fact", "facts", "a"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from([*"[]{}\",:\\'`\n a1", "```json", TEA, OSLO, "<think>", "</think>", "[1]"]), max_size=30)
)
def test_no_reply_raises(parts: list[str]) -> None:
    reply = read_reply("".join(parts))
    assert reply is None or all(isinstance(item, dict) for item in reply.items)


@settings(max_examples=100, deadline=None)
@given(JSON, st.text(max_size=20), st.integers(0, 80))
def test_no_json_raises_whole_or_cut(value: object, around: str, cut: int) -> None:
    text = json.dumps(value)
    for given_text in (text, around + text + around, text[:cut], around + text[:cut]):
        reply = read_reply(given_text)
        assert reply is None or all(isinstance(item, dict) for item in reply.items)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=30).filter(str.strip), min_size=1, max_size=4), st.data())
def test_every_fact_that_ends_before_the_cut_is_saved(texts: list[str], data: st.DataObject) -> None:
    items = [json.dumps({"fact": text, "category": "context"}) for text in texts]
    kept = data.draw(st.integers(1, len(items)))
    reply = read_reply("[" + ", ".join(items[:kept]) + ', {"fact": "cut he')
    assert reply is not None
    assert [item["fact"] for item in reply.items] == texts[:kept]
    assert reply.partial


@pytest.mark.parametrize(
    "text",
    [
        *(
            mark * (1_000_000 // len(mark))
            for mark in ("[", "]", "{", "[{", '[{"a":', '"', '\\"', "```", "<think>", ", ")
        ),
        '{"a":[' + "1," * 500_000,
        '[{"fact":1},' * 80_000,
        '"' + '\\"' * 500_000,
    ],
    ids=lambda text: text[:8],
)
def test_a_megabyte_of_brackets_takes_no_time(text: str) -> None:
    started = time.perf_counter()
    read_reply(text)
    assert time.perf_counter() - started < 3
