"""Reasoning steps: the exact words of an error, an id or a function are found again."""

import random

import pytest
from tests.conftest import ANA

from glossator import Memory, Scope, UsageError

OTHER = Scope(workspace="other", agent="helper", owner="ana")
STEPS = [
    {"thought": "The build fails", "action": "make", "observation": "E0433: failed to resolve: use of `tokio`"},
    {"thought": "Call parse_reply() again", "observation": "KeyError: 'facts' in reply_7f3a"},
    {"thought": "Nothing more to do", "observation": "all green"},
]


def found(memory: Memory, query: str, *, scope: Scope = ANA, **choices: object) -> list[int]:
    return [each.step.number for each in memory.search_reasoning_steps_lexical(query, scope=scope, **choices)]  # type: ignore[arg-type]


def test_exact_strings_are_found(memory: Memory) -> None:
    # proves: A66, A68
    assert memory.record_steps("run-1", STEPS, scope=ANA) == 3
    assert found(memory, "E0433") == [1]
    assert found(memory, "KeyError: 'facts'") == [2]
    assert found(memory, "parse_reply()") == [2]
    assert found(memory, "reply_7f3a") == [2]


def test_an_updated_step_is_found_by_its_new_words_only_and_a_deleted_one_not_at_all(memory: Memory) -> None:
    # proves: A66
    memory.record_steps("run-1", STEPS, scope=ANA)
    memory.record_steps("run-1", [{"number": 1, "thought": "fixed", "observation": "zebra crossing"}], scope=ANA)
    assert found(memory, "E0433") == []
    assert found(memory, "zebra") == [1]
    assert memory.drop_steps("run-1", scope=ANA, numbers=[1]) == 1
    assert found(memory, "zebra") == []
    assert [step.number for step in memory.steps("run-1", scope=ANA)] == [2, 3]


def test_steps_stay_in_their_scope_and_run(memory: Memory) -> None:
    # proves: D11, A68
    memory.record_steps("run-1", STEPS, scope=ANA)
    memory.record_steps("run-2", STEPS, scope=ANA)
    memory.record_steps("run-1", [{"thought": "secret zebra"}], scope=OTHER)
    assert found(memory, "zebra") == []
    assert found(memory, "zebra", scope=OTHER) == [1]
    runs = memory.search_reasoning_steps_lexical("E0433", scope=ANA, run_id="run-2")
    assert [each.step.run_id for each in runs] == ["run-2"]
    assert len(memory.search_reasoning_steps_lexical("E0433", scope=ANA)) == 2
    assert len(memory.search_reasoning_steps_lexical("E0433", scope=ANA, limit=1)) == 1


def test_the_best_step_comes_first(memory: Memory) -> None:
    # proves: D11
    steps = [{"thought": "tokio"}, {"thought": "tokio runtime panicked"}, {"thought": "runtime"}]
    memory.record_steps("run-1", steps, scope=ANA)
    matches = memory.search_reasoning_steps_lexical("tokio runtime panicked", scope=ANA)
    assert matches[0].step.number == 2
    assert [each.score for each in matches] == sorted((each.score for each in matches), reverse=True)


@pytest.mark.parametrize("query", ["hi", "", "  ", "ok", "abc"])
def test_a_trivial_query_is_not_searched(memory: Memory, query: str) -> None:
    memory.record_steps("run-1", [{"thought": "hi ok abc"}], scope=ANA)
    assert found(memory, query) == []


def test_ten_thousand_random_strings_raise_nothing(memory: Memory) -> None:
    # proves: A68
    memory.record_steps("run-1", STEPS, scope=ANA)
    draw = random.Random(7)
    parts = [
        '"',
        "'",
        "*",
        "(",
        ")",
        ":",
        "^",
        "-",
        "+",
        "NEAR",
        "AND",
        "OR",
        "NOT",
        "%",
        "_",
        "\\",
        "{",
        "}",
        "E0433",
        "é",
        "猫",
        "👍",
        " ",
        "\n",
    ]
    for _ in range(10_000):
        found(memory, "".join(draw.choices(parts, k=draw.randint(1, 12))))


def test_a_wrong_step_is_refused_by_name(memory: Memory) -> None:
    with pytest.raises(UsageError, match=r"steps\[1\]"):
        memory.record_steps("run-1", [{"thought": "fine"}, "not a step"], scope=ANA)  # type: ignore[list-item]
    assert memory.steps("run-1", scope=ANA) == ()


def test_verified_needs_evidence(memory: Memory) -> None:
    memory.record_steps(
        "run-1", [{"thought": "a", "verified": True}, {"thought": "b", "verified": True, "evidence": "201"}], scope=ANA
    )
    assert [step.verified for step in memory.steps("run-1", scope=ANA)] == [False, True]


@pytest.mark.parametrize(
    ("result", "verified"),
    [
        ({"success": True, "verified": True, "evidence": "row 7"}, True),
        ({"success": True, "verified": True}, False),
        ({"success": False, "verified": True, "evidence": "row 7"}, False),
        ({"error": "no such row"}, False),
        ("done", False),
        (None, False),
    ],
)
def test_a_tools_result_verifies_only_with_evidence_and_success(memory: Memory, result: object, verified: bool) -> None:
    # proves: D13
    memory.record_steps("run-1", [{"thought": "a", "result": result}], scope=ANA)
    (step,) = memory.steps("run-1", scope=ANA)
    assert (step.verified, step.evidence) == (verified, "row 7" if verified else step.evidence)
