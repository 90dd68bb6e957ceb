"""What crosses the wire comes back the same, and every verb is in the table or has its reason."""

import inspect
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator import Memory, errors
from glossator.errors import GlossatorError, StoreError, UsageError
from glossator.model import ForgetPreview, ForgetReceipt, Scope
from glossator.testing.contract.base import NASTY
from glossator.wire.bodies import MalformedError, checked_json, read_body
from glossator.wire.codec import arguments_of, read, result_of, written
from glossator.wire.problems import STATUS, error_of, problem_of
from glossator.wire.queries import read_query, written_query
from glossator.wire.routes import ABSENT, ROUTES, route_of
from glossator.wire.scopes import PARAMETERS, parameters_of

NAMES = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), min_size=1, max_size=50)


def test_every_verb_is_offered_once_or_has_its_reason() -> None:
    # proves: O33
    verbs = {name for name, verb in inspect.getmembers(Memory, callable) if not name.startswith("_")}
    offered = [route.verb for route in ROUTES]
    assert len(offered) == len(set(offered))
    assert set(offered) | set(ABSENT) == verbs
    assert not set(offered) & set(ABSENT)
    assert all(ABSENT.values())


def test_no_two_verbs_share_a_method_and_a_path() -> None:
    places = [(route.method, route.path) for route in ROUTES]
    assert len(places) == len(set(places))


def test_a_verb_that_is_not_offered_says_why_it_has_no_route() -> None:
    assert route_of("recall").path == "/recall"
    with pytest.raises(KeyError, match="glossator doctor"):
        route_of("doctor")


def test_every_offered_verb_has_a_schema_of_its_arguments_and_its_result() -> None:
    for route in ROUTES:
        verb = getattr(Memory, route.verb)
        assert arguments_of(verb).model_json_schema()["type"] == "object"
        assert result_of(verb).json_schema(mode="serialization")


@given(st.lists(NAMES, max_size=3), st.integers(1, 1000), st.booleans(), st.one_of(st.none(), NAMES))
def test_a_query_is_read_as_it_was_written(tags: list[str], limit: int, due: bool, project: str | None) -> None:
    if tags == [""]:
        return
    model = arguments_of(Memory.facts)
    asked = {"tags": tags, "limit": limit, "project": project}
    given_back = read_query(written_query(asked), model).given()
    assert given_back == {name: value for name, value in asked.items() if value is not None}
    assert read_query(written_query({"due": due}), arguments_of(Memory.jobs)).given() == {"due": due}


@pytest.mark.parametrize(
    ("pairs", "argument"),
    [
        ([("limit", "3"), ("limit", "4")], "limit"),
        ([("limit", "3.0")], "limit"),
        ([("limit", "1_000")], "limit"),
        ([("limit", "")], "limit"),
        ([("limit", "9" * 200)], "limit"),
        ([("nonsense", "1")], "nonsense"),
        ([("states", "active"), ("states", "lost")], "states[1]"),
    ],
)
def test_a_wrong_query_is_told_by_the_name_of_its_argument(pairs: list[tuple[str, str]], argument: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_query(pairs, arguments_of(Memory.facts))
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    "raw",
    [
        b"{", b"[" * 100_000, b'{"a":' * 5_000 + b"1" + b"}" * 5_000, b'{"query": NaN}', b'{"query": 1e999}',
        b'{"query":"a","query":"b"}', b"\xff\xfe{}", b'{"query": "\\ud800"}', b'{"query": ' + b"9" * 5_000 + b"}",
        b'\xef\xbb\xbf{"query": "a"}', b"'query'", b"{} {}",
    ],
)  # fmt: skip
def test_a_body_that_two_readers_could_read_apart_is_refused(raw: bytes) -> None:
    with pytest.raises(MalformedError):
        read_body(raw, arguments_of(Memory.recall))


@pytest.mark.parametrize(
    ("raw", "argument"),
    [
        (b"[]", "body"),
        (b'{"query": 3}', "query"),
        (b'{"query": "a", "limit": "3"}', "limit"),
        (b'{"query": "a", "limit": true}', "limit"),
        (b'{"query": "a", "tags": ["a", 3]}', "tags[1]"),
        (b'{"query": "a", "k": 3}', "k"),
        (b"{}", "query"),
        (b"", "query"),
    ],
)
def test_a_wrong_argument_of_a_body_is_named_as_the_caller_wrote_it(raw: bytes, argument: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_body(raw, arguments_of(Memory.recall))
    assert caught.value.argument == argument


def test_the_alternatives_of_a_type_are_not_named_in_an_error() -> None:
    with pytest.raises(UsageError) as caught:
        read_body(b'{"messages": [3], "budget": 9}', arguments_of(Memory.context))
    assert caught.value.argument in ("messages", "messages[0]")


@pytest.mark.parametrize("text", [each for each in NASTY if "\0" not in each])
def test_nasty_texts_are_read_as_they_are(text: str) -> None:
    raw = written({"query": text}, dict[str, str])
    assert checked_json(__import__("json").dumps(raw).encode()) == {"query": text}


def _errors() -> list[type[GlossatorError]]:
    found = [each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, GlossatorError)]
    return sorted(found, key=lambda each: each.__name__)


@pytest.mark.parametrize("cls", _errors())
def test_an_error_comes_back_as_the_same_error(cls: type[GlossatorError]) -> None:
    error = cls("limit", "is below 1", remedy="pass 1") if issubclass(cls, UsageError) else cls("it is broken")
    document = problem_of(error)
    back = error_of(document)
    assert (type(back), str(back)) == (cls, str(error))
    assert document["status"] == STATUS[cls.__name__]
    assert getattr(back, "retryable", False) == getattr(error, "retryable", False)


def test_an_error_of_another_program_is_a_store_error() -> None:
    assert isinstance(error_of({"status": 502, "detail": "bad gateway"}), StoreError)


def test_a_scope_is_named_by_the_parameters_that_differ_from_the_defaults() -> None:
    scope = Scope(workspace="acme", owner="Ana & Bo", conversation="telegram:42", trust="guest")
    named = parameters_of(scope)
    assert named == {"workspace": "acme", "owner": "Ana & Bo", "within": "telegram:42", "trust": "guest"}
    back: dict[str, Any] = {PARAMETERS[name]: text for name, text in named.items()}
    assert Scope(**back) == scope


@pytest.mark.parametrize(("trust", "told"), [(None, "unknown"), ("owner", "owner"), ("operator", "operator")])
def test_whoever_asks_is_never_sent_as_nothing(trust: Any, told: str) -> None:
    named = parameters_of(Scope(workspace="acme", trust=trust))
    assert named == {"workspace": "acme", "trust": told}, "the key would lend its own trust"


def test_a_preview_and_a_receipt_of_forgetting_are_told_apart() -> None:
    verb = Memory.forget
    preview = ForgetPreview(token="t", message_count=1, chunk_count=1, conversations=(), samples=())
    receipt = ForgetReceipt(
        erased_at=datetime(2026, 11, 30, tzinfo=UTC), message_ids=("1",), message_count=1, chunk_count=1,
        lexical_row_count=1, vector_count=0, work_count=0, fact_count=0, evidence_count=0, remaining_count=0,
    )  # fmt: skip
    for value in (preview, receipt):
        assert result_of(verb).validate_json(result_of(verb).dump_json(value)) == value


def test_a_value_that_is_none_is_told_with_its_place() -> None:
    with pytest.raises(UsageError) as caught:
        read({"workspace": 3}, Scope)
    assert caught.value.argument == "workspace"
