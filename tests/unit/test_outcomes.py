"""A tool's return says what it says: a confirmed change needs the boolean, evidence and no failure beside it."""

import json
from collections import OrderedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.rules.outcomes import PYTHON_TEXT_MAX, Outcome, read_outcome

SUCCESS = Outcome(kind="unverified", success=True)
FAILURE = Outcome(kind="unverified", success=False)
NOTHING: list[object] = ["", " \t", None, [], {}, [None, " "], {"row": None}, [[], [{}]], True, False]


def verified(evidence: str) -> Outcome:
    return Outcome(kind="verified", success=True, evidence=evidence)


# proves: A77
@pytest.mark.parametrize(
    ("returned", "outcome"),
    [
        (None, FAILURE),
        ("", FAILURE),
        (" \n", FAILURE),
        (b"", FAILURE),
        (False, FAILURE),
        (True, SUCCESS),
        ("Saved.", SUCCESS),
        ("true", SUCCESS),
        ("verified", SUCCESS),
        ("verified: true, evidence: row 7", SUCCESS),
        (0, SUCCESS),
        (7, SUCCESS),
        (2.5, SUCCESS),
        (float("nan"), SUCCESS),
        ([], SUCCESS),
        ([1, {"verified": True, "evidence": "row 7"}], SUCCESS),
        ((1, 2), SUCCESS),
        (object(), SUCCESS),
        ({}, SUCCESS),
        ({"success": True}, SUCCESS),
        ({"success": False}, FAILURE),
        ({"success": None}, SUCCESS),
        ({"success": "false"}, FAILURE),
        ({"success": 0}, FAILURE),
        ({"rows": 3}, SUCCESS),
        ({"result": {"verified": True, "evidence": "row 7"}}, SUCCESS),
        ({7: "a"}, SUCCESS),
    ],
)
def test_what_no_verification_ran_for_is_unverified(returned: object, outcome: Outcome) -> None:
    assert read_outcome(returned) == outcome


@pytest.mark.parametrize(
    ("returned", "outcome"),
    [
        ({"verified": True, "evidence": "row 7 has status paid"}, verified("row 7 has status paid")),
        ({"verified": True, "verification_evidence": "row 7"}, verified("row 7")),
        ({"verified": True, "evidence": "", "verification_evidence": "row 7"}, verified("row 7")),
        ({"verified": True, "evidence": " row 7\n"}, verified("row 7")),
        ({"verified": True, "success": True, "evidence": "row 7"}, verified("row 7")),
        ({"verified": True, "success": None, "error": None, "evidence": "row 7"}, verified("row 7")),
        ({"verified": True, "evidence": {"row": 7, "über": [1, None]}}, verified('{"row": 7, "über": [1, null]}')),
        ({"verified": True, "evidence": ["a"]}, verified('["a"]')),
        ({"verified": True, "evidence": 7}, verified("7")),
        (OrderedDict(verified=True, evidence="row 7"), verified("row 7")),
        ({"verified": False}, Outcome(kind="failed_verification", success=False)),
        ({"verified": False, "success": True}, Outcome(kind="failed_verification", success=False)),
        ({"verified": False, "evidence": "404"}, Outcome(kind="failed_verification", success=False, evidence="404")),
        ({"verified": "False"}, Outcome(kind="failed_verification", success=False)),
        ({"verified": None, "success": True}, SUCCESS),
    ],
)
def test_a_verification_that_ran_is_believed_with_its_evidence(returned: object, outcome: Outcome) -> None:
    assert read_outcome(returned) == outcome


# proves: D13
@pytest.mark.parametrize(
    ("returned", "outcome"),
    [
        ({"verified": True}, SUCCESS),
        ({"verified": True, "success": True}, SUCCESS),
        *(({"verified": True, "evidence": nothing}, SUCCESS) for nothing in NOTHING),
        ({"verified": True, "success": False}, FAILURE),
        (
            {"verified": True, "success": False, "evidence": "row 7"},
            Outcome(kind="unverified", success=False, evidence="row 7"),
        ),
        (
            {"verified": True, "error": "time-out", "evidence": "row 7"},
            Outcome(kind="unverified", success=False, evidence="row 7"),
        ),
        ({"error": "no such row"}, FAILURE),
        ({"error": {"code": 404}}, FAILURE),
        ({"error": True}, FAILURE),
        ({"error": "no such row", "success": True}, FAILURE),
        ({"isError": True, "content": []}, FAILURE),
        ({"error": None}, SUCCESS),
        ({"error": ""}, SUCCESS),
        ({"error": False}, SUCCESS),
        ({"is_error": False, "content": "a"}, SUCCESS),
    ],
)
def test_a_yes_without_evidence_or_beside_a_failure_is_not_verified(returned: object, outcome: Outcome) -> None:
    assert read_outcome(returned) == outcome
    assert read_outcome(json.dumps(returned)) == outcome
    assert read_outcome(repr(returned)) == outcome


@pytest.mark.parametrize("yes", ["true", "True", "yes", "verified", 1, 1.0, [True], {"verified": True}])
def test_a_tool_may_not_verify_itself_by_a_string_or_a_number(yes: object) -> None:
    returned = {"verified": yes, "evidence": "row 7"}

    assert read_outcome(returned) == Outcome(kind="unverified", success=True, evidence="row 7")
    assert read_outcome(json.dumps(returned)).kind == "unverified"
    assert read_outcome(repr(returned)).kind == "unverified"


@pytest.mark.parametrize(
    "text",
    [
        '{"verified": true, "evidence": "it\'s row 7"}',
        " \n{'verified': True, 'evidence': \"it's row 7\"}\n",
        repr({"verified": True, "evidence": "it's row 7", "path": 'C:\\d \u2028 \x07 "x"', "none": None}),
    ],
)
def test_a_mapping_in_a_text_is_read_in_both_ways_of_writing_it(text: str) -> None:
    assert read_outcome(text) == verified("it's row 7")
    assert read_outcome(text.encode()) == verified("it's row 7")


@pytest.mark.parametrize(
    "text",
    [
        'Done: {"verified": true, "evidence": "row 7"}',
        '{"verified": true, "evidence": "row 7"} ok',
        '[{"verified": true, "evidence": "row 7"}]',
        "{'verified': 1 == 1, 'evidence': 'row 7'}",
        "{'verified': True, 'evidence': open('a')}",
        "{'verified': True, 'evidence': '\\d'}",
        "{'verified': True, 'evidence': 'row \x00 7'}",
        "{verified: true, evidence: 'row 7'}",
        '{"verified": true, "evidence": "row',
        "{" * 5_000 + "}" * 5_000,
        '{"a":' * 50_000 + "1" + "}" * 50_000,
        "{'verified': True, 'evidence': '" + "a" * PYTHON_TEXT_MAX + "'}",
        "{" + "9" * 10_000 + ": 1}",
    ],
)
def test_any_other_text_is_only_a_report(text: str) -> None:
    assert read_outcome(text) == SUCCESS


def test_evidence_that_holds_itself_or_has_no_floor_is_no_evidence() -> None:
    loop: list[object] = ["row 7"]
    loop.append(loop)
    deep: object = "row 7"
    for _ in range(100_000):
        deep = [deep]

    assert read_outcome({"verified": True, "evidence": loop}) == SUCCESS
    assert read_outcome({"verified": True, "evidence": deep}) == SUCCESS


def test_evidence_can_be_written_to_any_store() -> None:
    assert read_outcome('{"verified": true, "evidence": "row \\ud800"}') == verified("row ?")
    assert read_outcome({"verified": True, "evidence": {"at": object(), (1, 2): 3}}) == verified('{"at": "object"}')


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
KEYED = st.dictionaries(
    st.sampled_from(["verified", "success", "error", "evidence", "verification_evidence", "isError", "rows"]), VALUES
)


@settings(max_examples=300)
@given(st.one_of(VALUES, KEYED, KEYED.map(json.dumps), KEYED.map(repr), st.text(), st.text(alphabet="{}[]'\":,\\1eT")))
def test_no_return_raises_and_verified_always_has_success_and_evidence(returned: object) -> None:
    outcome = read_outcome(returned)

    if outcome.kind == "verified":
        assert outcome.success
        assert outcome.evidence.strip()
    assert outcome.success or outcome.kind != "verified"
    outcome.evidence.encode("utf-8")


@settings(max_examples=200)
@given(KEYED, st.sampled_from(["", " ", None, [], {}, [None], True]))
def test_without_evidence_nothing_is_ever_verified(returned: dict[str, object], nothing: object) -> None:
    bare = {**returned, "verified": True, "evidence": nothing, "verification_evidence": nothing}

    assert read_outcome(bare).kind == "unverified"
