"""The arithmetic of the load bench: percentiles, tallies, and what counts as lost, doubled or wrong."""

import json
import math

import pytest
from bench.load.__main__ import faults_of
from bench.load.crowd import noted
from bench.load.figures import Tally, figures_of, lost_and_doubled, quantile, spread, table
from bench.load.talk import Deed, deeds_of, seeds_of, talks_of
from hypothesis import given
from hypothesis import strategies as st

from glossator.model import Receipt, Recorded


def test_a_percentile_is_a_value_that_was_measured() -> None:
    values = [float(number) for number in range(1, 101)]
    assert [quantile(values, share) for share in (0.5, 0.95, 0.99, 1.0)] == [50, 95, 99, 100]
    assert quantile([7.0], 0.5) == 7.0
    assert math.isnan(quantile([], 0.5))


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0.01, 1))
def test_so_many_values_are_no_longer_than_a_percentile(values: list[float], share: float) -> None:
    found = quantile(values, share)
    assert found in values
    assert sum(each <= found for each in values) >= share * len(values) - 1e-6
    assert sum(each < found for each in values) < share * len(values)


def test_a_spread_counts() -> None:
    assert spread([1.0, 2.0, 3.0]) == {"count": 3, "p50": 2.0, "p95": 3.0, "p99": 3.0, "max": 3.0}


def test_tallies_of_several_processes_are_one() -> None:
    one = Tally(taken_ms={"record": [1.0], "recall": []}, acknowledged={"a": "x"}, seconds=2.0)
    other = Tally(
        taken_ms={"record": [3.0], "recall": [5.0]}, acknowledged={"b": "y"}, errors=["no"], seconds=4.0, cpu_s=0.9
    )
    one.add(Tally(**json.loads(json.dumps(other.plain()))))

    figures = figures_of(one)
    assert (figures["per_s"], figures["errors"]) == (0.8, {"no": 1})
    assert (figures["verbs"]["record"]["count"], figures["verbs"]["recall"]["p95"]) == (2, 5.0)
    assert one.acknowledged == {"a": "x", "b": "y"}
    assert figures["cpu_ms"] == 300.0
    assert "0.8 requests/s, 300 ms of a processor per request (and 0 of its client), 1 errors" in table(
        {"http": figures}
    )


@pytest.mark.parametrize(
    ("stored", "lost", "doubled"),
    [
        ([("a", "x"), ("b", "y"), ("seed", "z")], [], []),
        ([("a", "x")], ["b"], []),
        ([("a", "x"), ("b", "another text")], ["b"], []),
        ([("a", "x"), ("b", "y"), ("a", "x")], [], ["a"]),
    ],
)
def test_what_was_acknowledged_must_be_there_once(
    stored: list[tuple[str, str]], lost: list[str], doubled: list[str]
) -> None:
    assert lost_and_doubled({"a": "x", "b": "y"}, stored) == (lost, doubled)


def test_only_what_was_stored_counts_as_acknowledged() -> None:
    tally = Tally()
    deed = Deed(verb="record", text="x", message_id="a")
    for outcome in ("stored", "duplicate"):
        recorded = Recorded(external_id="a", message_id=1, outcome=outcome)
        noted(tally, deed, 1.0, Receipt(recorded=(recorded,), pending=0))
    assert (tally.acknowledged, len(tally.strange), tally.taken_ms["record"]) == ({"a": "x"}, 1, [1.0, 1.0])


def test_a_fault_is_named_with_its_side() -> None:
    good = {"errors": {}, "strange": [], "lost": [], "doubled": [], "unasked": 0, "failed": 0}
    assert faults_of({"http": good, "library": good}) == []
    assert faults_of({"http": {**good, "lost": ["a"]}, "library": good}) == ["http: lost: ['a']"]


def test_a_client_does_the_same_every_time_and_says_nothing_twice() -> None:
    talk = talks_of(None)[3]
    runs = [
        [deed for deed, _ in zip(deeds_of(7, talk, record_share=0.3, seeded_count=5), range(2_000), strict=False)]
        for _ in range(2)
    ]
    said = [deed for deed in runs[0] if deed.verb == "record"]
    assert runs[0] == runs[1]
    assert 0.25 < len(said) / 2_000 < 0.35
    assert len({deed.message_id for deed in said}) == len(said)
    assert [each["id"] for each in seeds_of(7, talk, 2)] == ["seed-7-0", "seed-7-1"]
