"""What does a verb say to an argument that makes no sense? Every verb, every argument, every kind of wrong value.

The wrong values come from the verb's own signature, so a new verb is asked too; it only needs a call that is right.
"""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import pytest
from tests.conftest import ANA, NOW

from glossator import Memory, Options, Scope, UsageError, compose_system, with_context
from glossator.testing.clock import FakeClock
from glossator.testing.ids import CountingIds

CHAT = "telegram:42"
OPERATOR = Scope(workspace="acme", agent="helper", owner="ana", trust="operator")
SAID = [{"role": "user", "content": "I live in Oslo and I love jazz.", "id": "m1"}]
WHERE: dict[str, Any] = {"scope": ANA, "conversation": CHAT}

RIGHT: Mapping[str, dict[str, Any]] = {
    "add_job": {"job_id": "nightly", "scope": ANA},
    "add_key": {"name": "web", "workspace": "acme"},
    "after_delivery": WHERE,
    "archive_facts": {"fact_ids": ["f1"], "scope": ANA, "reason": "old"},
    "before_truncation": {"prompt": "I live in Oslo.", "scope": ANA, "window_tokens": 1},
    "begin_reply": {"caller": "k1", "key": "r1", "fingerprint": "f"},
    "begin_job_run": {"job_id": "nightly", "scope": ANA},
    "check_contradictions": {"text": "I live in Bergen.", "scope": ANA},
    "claims_without_receipt": {"final_text": "Noted.", "receipts": []},
    "clear_window": WHERE,
    "command": {"text": "/new", **WHERE},
    "compact": {"scope": OPERATOR, "conversation": CHAT},
    "context": {"messages": "Where do I live?", "scope": ANA, "budget": 100},
    "conversation": WHERE,
    "conversations": {"scope": ANA},
    "deprioritise_facts": {"fact_ids": ["f1"], "scope": ANA, "reason": "old"},
    "doctor": {},
    "drop_reply": {"caller": "k1", "key": "r1"},
    "drop_steps": {"run_id": "r1", "scope": ANA},
    "durable_facts": {"scope": ANA},
    "end_session": {"scope": ANA, "request": "Where do I live?"},
    "expire_due": {"scope": ANA},
    "explain": {"fact_id": "f1", "scope": ANA},
    "fact": {"fact_id": "f1", "scope": ANA},
    "facts": {"scope": ANA},
    "finish_job_run": {"final_text": "Done."},
    "forget": {"scope": ANA, "message_ids": ["m1"]},
    "forget_facts": {"scope": ANA, "fact_ids": ["f1"]},
    "history": {"fact_id": "f1", "scope": ANA},
    "job_runs": {"scope": ANA},
    "jobs": {"scope": ANA},
    "keep_reply": {"caller": "k1", "key": "r1", "status": 200, "body": "{}", "headers": {}},
    "key_of": {"secret": "gl_unknown"},
    "keys": {},
    "learned": {"scope": ANA, "message_ids": ["m1"]},
    "load_prompt_files": {"scope": ANA},
    "measured": {**WHERE, "prompt_tokens": 10},
    "memory_sources": {"scope": ANA},
    "messages": {"scope": ANA},
    "note": {"key": "mood", "value": "fine", **WHERE},
    "open_work": {},
    "prefetch": {"query": "Where do I live these days?", "scope": ANA},
    "preflight": WHERE,
    "prompt_files": {"scope": ANA},
    "rebuild_prompt_files": {"scope": ANA},
    "recall": {"query": "Where do I live?", "scope": ANA},
    "receipt_key": {},
    "receipts": {"scope": ANA},
    "record": {"messages": SAID, **WHERE},
    "record_steps": {"run_id": "r1", "steps": [{"thought": "look"}], "scope": ANA},
    "record_voice": {"turns": [{"role": "user", "content": "Hello there."}], "scope": ANA, "device": "kitchen"},
    "reinstate_facts": {"fact_ids": ["f1"], "scope": ANA, "reason": "again"},
    "relearn": {"scope": ANA},
    "remember": {"text": "I drink tea.", "scope": ANA},
    "remember_document": {"text": "A page.", "scope": ANA},
    "resource": {"kind": "rules", "scope": ANA},
    "resource_diff": {"kind": "rules", "first": 1, "second": 1, "scope": ANA},
    "resource_history": {"kind": "rules", "scope": ANA},
    "resources": {"scope": ANA},
    "restore_fact": {"fact_id": "f1", "scope": ANA},
    "review": {"scope": ANA},
    "review_states": {"scope": ANA},
    "revoke_key": {"key_id": "k1"},
    "rollback_resource": {"kind": "rules", "number": 1, "scope": ANA},
    "rotate_key": {"key_id": "k1"},
    "run": WHERE,
    "scopes": {"scope": ANA},
    "search_facts": {"query": "Oslo", "scope": ANA},
    "search_reasoning_steps_lexical": {"query": "look here", "scope": ANA},
    "status": {},
    "steps": {"run_id": "r1", "scope": ANA},
    "waiting": {},
    "window": WHERE,
    "write_resource": {"kind": "rules", "content": "Be brief.", "scope": ANA},
}
"""One call of each verb that is right."""
ELSEWHERE = {"backup", "close", "drain", "hook_failed", "metrics", "metrics_text", "open", "start", "warm", "work"}
"""Verbs of the process, not of what is remembered."""
MAY_BE_LONG = {"containing", "error", "final_answer", "final_text", "messages", "prompt", "query", "request", "text"}
MAY_BE_LONG |= {"body", "secret"}
"""Chat messages, and what is looked up by its beginning: nothing is wrong with a long one."""
MENDED = {"content", "description", "error", "name", "reason", "schedule", "value"}
"""Texts in which a character that no store can carry is replaced; a name that was mended would be another one."""
UNSTORABLE = ("a\ud800", "a\0b")
MAY_BE_BLANK = {"containing", "content", "description", "error", "final_answer", "final_text", "name", "schedule"}
MAY_BE_BLANK |= {"query", "text", "messages", "prompt", "expected_sha256", "request", "body", "secret"}
"""Where nothing said is an answer too; `BLANK_REFUSED` are the exceptions."""
BLANK_REFUSED = {("recall", "query"), ("search_facts", "query"), ("remember", "text"), ("check_contradictions", "text")}
BLANK_REFUSED |= {("note", "value")}
HUGE = 10**30
ENDLESS = "x" * 3_000_000


class Wrong(NamedTuple):
    verb: str
    argument: str
    value: object


def wrong_values(expected: Any) -> list[object]:
    """Ten kinds of value that an argument of this type cannot have."""
    if expected is object:
        return ["soon", 5, [], "99999-01-01", math.nan]  # a time
    origin, inner = get_origin(expected), get_args(expected)
    if origin is Literal:
        return [None, "", "nonsense", 5, ["x"], b"x", object()]
    if expected is bool:
        return [None, "", "no", 1, [], object()]
    if expected is int:
        return [None, "5", "", True, 1.5, -1, -HUGE, HUGE, [], object()]
    if expected is float:
        return [None, "0.5", True, -1.0, math.nan, math.inf, HUGE, [], object()]
    if expected is str:
        return [None, "", " \t\n", 5, True, b"x", [], object(), ENDLESS, *UNSTORABLE]
    if origin in (Union, UnionType):
        options = [set_of(wrong_values(each)) for each in inner if each is not type(None)]
        values = [each for each in wrong_values(inner[0]) if all(key(each) in others for others in options)]
        return [each for each in values if not (each is None and type(None) in inner)]
    if origin is not None and issubclass(origin, Sequence):
        (each,) = inner
        inside = [None, 1.5, b"x", object()] if each is not int else [None, "x", 1.5, HUGE]
        inside += [-1, HUGE, "", "nonsense", True] if each == str | int else []
        return [None, "f1", b"f1", 5, {"a": 1}, object(), *([one] for one in inside)]
    if origin is not None and issubclass(origin, Mapping):
        return [None, "x", 5, []]
    return [None, "acme", 5, {}, [], object()]


def set_of(values: Sequence[object]) -> set[str]:
    return {key(each) for each in values}


def key(value: object) -> str:
    return "object()" if type(value) is object else f"{type(value).__name__} {value!r}"


def wrong_calls() -> Iterator[Wrong]:
    for verb in sorted(RIGHT):
        hints = get_type_hints(getattr(Memory, verb))
        for argument in list(inspect.signature(getattr(Memory, verb)).parameters)[1:]:
            for value in wrong_values(hints[argument]):
                if value == "" or value == " \t\n":
                    may = argument in MAY_BE_BLANK and (verb, argument) not in BLANK_REFUSED
                    if may and get_origin(hints[argument]) is not Literal:
                        continue
                if value in UNSTORABLE and argument in MAY_BE_LONG | MENDED:
                    continue
                if value is not ENDLESS or argument not in MAY_BE_LONG or (verb, argument) in BLANK_REFUSED:
                    yield Wrong(verb, argument, value)


CALLS = list(wrong_calls())


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    folder = tmp_path_factory.mktemp("misuse")
    options = Options(embedder="none", worker=False, turn_fact_vector_recall_enabled=True, prompt_folder=str(folder))
    with Memory.open(folder / "memory.db", options=options, clock=FakeClock(NOW), ids=CountingIds()) as opened:
        opened.record(SAID, **WHERE)
        opened.drain()
        opened.write_resource("rules", "Be brief.", scope=ANA)
        opened.add_job("nightly", scope=ANA)
        opened.begin_job_run("nightly", scope=ANA)
        yield opened


def test_every_public_verb_is_asked() -> None:
    verbs = {name for name, _ in inspect.getmembers(Memory, callable) if not name.startswith("_")}

    assert verbs - ELSEWHERE == set(RIGHT)


@pytest.mark.parametrize("verb", sorted(RIGHT))
def test_a_wrong_argument_is_refused_by_its_name(verb: str, memory: Memory) -> None:
    right = dict(RIGHT[verb])
    if verb == "finish_job_run":
        right["run"] = memory.job_runs(scope=ANA)[0]
    faults: list[str] = []
    before = memory.status()
    for call in CALLS:
        if call.verb != verb:
            continue
        try:
            got = getattr(memory, verb)(**{**right, call.argument: call.value})
            faults.append(f"{call.argument}={call.value!r} was taken: {got!r:.80}")
        except UsageError as refused:
            if not refused.argument.startswith(call.argument) or not refused.problem:
                faults.append(f"{call.argument}={call.value!r} was told as {refused}")
        except Exception as error:
            faults.append(f"{call.argument}={call.value!r} fell out as {type(error).__name__}: {error}")

    assert faults == []
    assert memory.status() == before


@pytest.mark.parametrize("text", ["a\ud800b", "a\0b"])
def test_a_text_with_a_character_that_no_store_can_carry_is_mended(memory: Memory, text: str) -> None:
    wrong = f"I moved to Bergen{text} last week"
    run = memory.run(**WHERE)

    assert run.record([{"role": "user", "content": wrong}]).failure == ""
    assert run.finish(request=wrong, steps=[{"thought": wrong}], final_answer=wrong)
    assert run.before_truncation([{"role": "user", "content": wrong}] * 20, window_tokens=1)
    assert run.context([{"role": "user", "content": wrong}], budget=100).degraded is not None
    kept = memory.remember(wrong, scope=ANA).fact
    assert kept is not None
    memory.archive_facts([kept.id], scope=ANA, reason=wrong)
    memory.reinstate_facts([kept.id], scope=ANA, reason=wrong)
    memory.recall(wrong, scope=ANA)
    memory.search_facts(wrong, scope=ANA)
    memory.drain()
    assert run.failures == ()


@pytest.mark.parametrize("name", ["群" * 190, "telegram:" + "😀" * 190, "irc:#a%3Ab " + "#" * 180, "x" * 200])
def test_a_conversation_with_a_long_name_in_any_script_works_throughout(memory: Memory, name: str) -> None:
    ben = Scope(workspace="acme", agent="helper", owner="ben")
    where: dict[str, Any] = {"scope": ben, "conversation": name}
    memory.record(SAID, **where)
    memory.drain()
    assert len(memory.messages(scope=replace(ben, conversation=name))) == 1
    assert len(memory.window(**where).messages) == 1
    assert memory.review(**where, now=True)
    assert memory.facts(scope=ben)


@pytest.mark.parametrize("name", ["群" * 210, "x" * 209, "a:b" + "x" * 206, "a\ud800", "a\0b", " "])
def test_a_conversation_that_is_no_plain_name_is_refused_before_anything_is_kept(memory: Memory, name: str) -> None:
    before = memory.status()
    with pytest.raises(UsageError, match="conversation"):
        memory.record(SAID, scope=ANA, conversation=name)
    with pytest.raises(UsageError, match="conversation"):
        memory.run(scope=ANA, conversation=CHAT).switch(name)
    assert memory.status() == before


@pytest.mark.parametrize("part", ["workspace", "agent", "owner", "conversation", "job"])
@pytest.mark.parametrize("wrong", [5, "", " ", b"x", "x" * 3_000, "a\ud800", "a\0b", True, []])
def test_a_scope_refuses_what_is_no_plain_name(part: str, wrong: object) -> None:
    with pytest.raises(UsageError) as caught:
        Scope(**{"workspace": "acme", part: wrong})  # type: ignore[arg-type]
    assert caught.value.argument == f"scope.{part}"


@pytest.mark.parametrize("name", [each.name for each in fields(Options)])
def test_an_option_of_a_wrong_type_is_refused_by_its_name(name: str) -> None:
    for wrong in (b"x", object(), math.nan, 5j):
        with pytest.raises(UsageError) as caught:
            Options(**{name: wrong})  # type: ignore[arg-type]
        assert caught.value.argument == f"options.{name}"


@pytest.mark.parametrize("path", [None, 5, "", " ", "a\0b", b"x", ":memory:", [], "/", "/no/folder/memory.db"])
def test_a_wrong_path_is_refused_by_its_name(path: Any) -> None:
    with pytest.raises(UsageError) as caught:
        Memory.open(path, options=Options(embedder="none", worker=False))
    assert caught.value.argument == "path"


def test_options_that_are_none_of_glossators_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        Memory.open(tmp_path / "memory.db", options={"embedder": "none"})  # type: ignore[arg-type]
    assert caught.value.argument == "options"


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: compose_system(5), "files"),  # type: ignore[arg-type]
        (lambda: compose_system(soul=None), "soul"),  # type: ignore[arg-type]
        (lambda: with_context([{"role": "user", "content": "x"}], None), "block"),  # type: ignore[arg-type]
        (lambda: with_context(5, ""), "messages"),  # type: ignore[arg-type]
    ],
)
def test_the_functions_of_a_prompt_refuse_what_makes_no_sense(call: Callable[[], object], argument: str) -> None:
    with pytest.raises(UsageError) as caught:
        call()
    assert caught.value.argument == argument


def test_the_hooks_of_a_run_take_every_role_that_a_prompt_may_have(memory: Memory) -> None:
    run = memory.run(**WHERE)
    roles = ("developer", "user", "function", "tool")
    prompt = [{"role": role, "content": "I drink green tea. " * 9} for role in roles]

    assert run.before_truncation(prompt, window_tokens=1)
    assert run.context(prompt, budget=100).skipped != "failed"
