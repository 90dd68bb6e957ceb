"""A verb and its arguments become one request, and every character arrives."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator import Memory, Scope, UsageError
from glossator.client.batches import BATCH_MESSAGES_MAX, Batches, placed
from glossator.client.requests import IDEMPOTENCY_KEY, Asked, Verb, given_to, paged_verb, request_of
from glossator.surfaces.http.callers import Caller
from glossator.wire.codec import arguments_of
from glossator.wire.queries import read_query
from glossator.wire.scopes import PARAMETERS

ANA = Scope(workspace="acme", agent="helper", owner="ana")
PARTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30).filter(
    str.strip
)
ANYBODY = Caller(key_id="k", name="n", workspace=None, trust="operator")


def asked_for(verb: Verb, *args: object, **kwargs: object) -> Asked:
    return request_of(verb, given_to(verb, args, kwargs), key=lambda: "key-1")


def query_of(asked: Asked) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(asked.path).query, keep_blank_values=True)


def body_of(asked: Asked) -> Any:
    assert asked.body is not None
    return json.loads(asked.body)


def test_a_write_carries_a_key_and_a_question_none() -> None:
    record = asked_for(Memory.record, [{"content": "猫"}], scope=ANA, conversation="c")
    recall = asked_for(Memory.recall, "猫?", scope=ANA, now=datetime(2026, 1, 2, 3, 4, tzinfo=UTC))
    drop = asked_for(Memory.drop_steps, "r", scope=ANA)

    assert (record.method, record.headers[IDEMPOTENCY_KEY], record.repeatable) == ("POST", "key-1", True)
    assert body_of(record) == {"messages": [{"content": "猫"}], "conversation": "c"}
    assert (IDEMPOTENCY_KEY in recall.headers, recall.repeatable) == (False, True)
    assert body_of(recall) == {"query": "猫?", "now": "2026-01-02T03:04:00+00:00"}
    assert (drop.method, drop.repeatable, drop.body) == ("DELETE", False, None)


@given(PARTS, PARTS, PARTS, PARTS)
def test_a_scope_of_any_names_arrives_as_it_is(workspace: str, agent: str, owner: str, chat: str) -> None:
    scope = Scope(workspace=workspace, agent=agent, owner=owner, conversation=chat)
    asked = asked_for(Memory.resources, scope=scope)

    assert asked.path.isascii()
    parts = {PARAMETERS[name]: text for name, text in query_of(asked)}
    assert ANYBODY.scope(**parts) == scope  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("trust", "told"), [("owner", "owner"), (None, "unknown"), ("unknown", "unknown"), ("guest", "guest")]
)
def test_the_trust_is_always_told_so_that_a_key_lends_none(trust: Any, told: str) -> None:
    asked = asked_for(Memory.resources, scope=replace(ANA, trust=trust))
    assert ("trust", told) in query_of(asked)


def test_a_tier_is_what_the_key_says() -> None:
    with pytest.raises(UsageError, match=r"scope\.tier"):
        asked_for(Memory.resources, scope=replace(ANA, tier="STUDENT"))


def test_lists_switches_and_defaults_stand_in_a_query_as_the_server_reads_them() -> None:
    arguments: dict[str, Any] = {"states": ["active", "archived"], "tags": (), "as_of": date(2026, 1, 2), "limit": 7}
    asked = asked_for(Memory.facts, scope=ANA, project="a&b=ж", **arguments)
    rest = [(name, text) for name, text in query_of(asked) if name not in PARAMETERS]

    read = read_query(rest, arguments_of(Memory.facts)).given()
    assert read == {"states": ["active", "archived"], "as_of": "2026-01-02", "limit": 7, "project": "a&b=ж"}
    assert ("due", "true") in query_of(asked_for(Memory.jobs, scope=ANA, due=True))
    assert ("numbers", "") in query_of(asked_for(Memory.drop_steps, "r", scope=ANA, numbers=[]))  # refused, not "all"


def test_an_id_stands_in_the_path_only_as_a_number() -> None:
    assert urlsplit(asked_for(Memory.fact, "F42", scope=ANA).path).path == "/v1/facts/f42"
    assert urlsplit(asked_for(Memory.fact, 42, scope=ANA).path).path == "/v1/facts/f42"
    for wrong in ("../resources", "42/history", "", "a?b"):
        with pytest.raises(UsageError, match="fact_id"):
            asked_for(Memory.fact, wrong, scope=ANA)


@pytest.mark.parametrize(
    ("expected", "header"),
    [(None, ("If-Match", "*")), ("", ("If-None-Match", "*")), ("a" * 64, ("If-Match", f'"{"a" * 64}"'))],
)
def test_a_precondition_stands_in_the_header(expected: str | None, header: tuple[str, str]) -> None:
    asked = asked_for(Memory.write_resource, "rules", "- a\n", scope=ANA, expected_sha256=expected)
    assert header in asked.headers.items()
    assert body_of(asked) == {"content": "- a\n"}


@pytest.mark.parametrize(
    ("value", "argument"),
    [
        ({"content": "a", "metadata": {"x": [1, object()]}}, r"messages\[1\]\.metadata\.x\[1\]"),
        ({"content": b"a"}, r"messages\[1\]\.content"),
        ({"content": "a", "metadata": {"x": float("nan")}}, r"messages\[1\]\.metadata\.x"),
        ({"content": "a", "metadata": {"x": {1, 2}}}, r"messages\[1\]\.metadata\.x"),
    ],
)
def test_what_json_does_not_have_is_named_before_anything_is_sent(value: Any, argument: str) -> None:
    with pytest.raises(UsageError, match=argument):
        asked_for(Memory.record, [{"content": "a"}, value], scope=ANA, conversation="c")


@given(st.text(st.characters()))
def test_half_a_character_is_sent_as_what_the_library_mends_alike(text: str) -> None:
    sent = body_of(asked_for(Memory.claims_without_receipt, text, []))["final_text"]
    assert sent == "".join("\0" if "\ud800" <= each <= "\udfff" else each for each in text)


def test_only_verbs_with_pages_can_be_read_to_the_end() -> None:
    assert paged_verb(Memory.facts).__name__ == "facts"
    with pytest.raises(UsageError, match="gives no pages"):
        paged_verb(Memory.recall)


def test_a_stream_is_cut_into_batches_by_count_and_by_size() -> None:
    batches = Batches()
    lines: list[Any] = ['{"content": "a"}', b"", "  ", {"content": "b"}, {"content": "x" * 999_990}]
    full = [batch for line in lines if (batch := batches.add(line))]
    assert [[each["content"] for each in batch] for batch in full] == [["a", "b"]]
    assert [each["content"] for each in batches.rest()] == ["x" * 999_990]
    assert batches.rest() == []

    sizes = [len(batches.add({"content": "a"})) for _ in range(BATCH_MESSAGES_MAX)]
    assert sizes == [0] * (BATCH_MESSAGES_MAX - 1) + [BATCH_MESSAGES_MAX]


@pytest.mark.parametrize("line", ["{", "[1]", "5"])
def test_a_line_that_is_no_message_is_named_by_its_place(line: str) -> None:
    batches = Batches()
    batches.add({"content": "a"})
    with pytest.raises(UsageError, match=r"messages\[1\]"):
        batches.add(line)


def test_an_error_in_a_batch_names_the_place_in_the_stream() -> None:
    error = placed(UsageError("messages[3].content", "is blank", remedy="say something"), before_count=200)
    assert (error.argument, error.remedy) == ("messages[203].content", "say something")
