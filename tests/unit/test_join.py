"""Where do facts stand among the chunks?"""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.test_admit import draft, fact

from glossator.model import FactMatch, Hit
from glossator.recall.factual import current_first
from glossator.recall.join import Join, Placed, joined

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def match(number: int) -> FactMatch:
    return FactMatch(fact=fact(number, draft(f"fact {number}")), terms=("fact",), similarity=None, length=2)


def order(
    rows: list[int], base: list[float], facts: dict[int, tuple[float, list[int]]], join: Join = "separate"
) -> list[str]:
    """The joined list as words: "r7" for row 7, "f1" for fact 1."""
    matches = [match(number) for number in facts]
    placed = joined(
        np.array(rows, np.int32), np.array(base, np.float32), matches,
        np.array([score for score, _ in facts.values()], np.float32),
        {number: places for number, (_, places) in facts.items()}, join=join,
    )  # fmt: skip
    return [_name(each) for each in placed]


def _name(placed: Placed) -> str:
    return f"r{placed.row}" if placed.row is not None else f"f{placed.match.fact.fact_id}" if placed.match else "?"


def test_a_source_stands_at_its_facts_rank_and_only_once() -> None:
    # proves: O21, D33
    assert order([7, 8, 9], [0.9, 0.5, 0.1], {1: (0.6, [2])}) == ["r7", "r9", "r8"]
    assert order([7, 8, 9], [0.9, 0.5, 0.1], {1: (2.0, [2])}) == ["r9", "r7", "r8"]


def test_a_source_that_is_better_than_its_fact_keeps_its_rank() -> None:
    # proves: O21, D33
    assert order([7, 8, 9], [0.9, 0.5, 0.1], {1: (0.2, [0])}) == ["r7", "r8", "r9"]


def test_two_facts_of_one_source_take_one_place() -> None:
    assert order([7, 8], [0.9, 0.5], {1: (2.0, [1]), 2: (1.5, [1])}) == ["r8", "r7"]


def test_a_fact_without_a_candidate_source_has_a_place_of_its_own() -> None:
    assert order([7, 8], [0.9, 0.5], {1: (0.7, [])}) == ["r7", "f1", "r8"]
    assert order([], [], {1: (0.7, [])}) == ["f1"]


def test_the_words_come_before_a_fact_of_the_same_score() -> None:
    # proves: O19
    assert order([7, 8], [0.7, 0.5], {1: (0.7, [])}) == ["r7", "f1", "r8"]


def test_merging_adds_the_fact_to_its_source_and_replacing_leaves_only_facts() -> None:
    assert order([7, 8], [0.9, 0.5], {1: (0.5, [1])}) == ["r7", "r8"]
    assert order([7, 8], [0.9, 0.5], {1: (0.5, [1])}, "merge") == ["r8", "r7"]
    assert order([7, 8], [0.9, 0.5], {1: (0.5, [1]), 2: (0.7, [])}, "replace") == ["f2", "r8"]


@given(
    st.lists(st.floats(0, 2), min_size=1, max_size=12, unique=True),
    st.lists(st.tuples(st.floats(0.01, 2), st.lists(st.integers(0, 11), max_size=3)), max_size=8),
    st.sampled_from(["separate", "merge"]),
)
def test_nothing_is_lost_and_nothing_is_shown_twice(
    base: list[float], facts: list[tuple[float, list[int]]], join: Join
) -> None:
    # proves: O23
    base = sorted(base, reverse=True)
    rows = list(range(len(base)))
    given_facts = {
        number: (score, [at for at in places if at < len(base)]) for number, (score, places) in enumerate(facts, 1)
    }
    shown = order(rows, base, given_facts, join)
    assert len(shown) == len(set(shown))
    assert {f"r{row}" for row in rows} <= set(shown)
    alone = {f"f{number}" for number, (_, places) in given_facts.items() if not places}
    assert alone == {each for each in shown if each.startswith("f")}


def hit(number: int, *facts: object) -> Hit:
    from glossator.model import EventTime, Interval, SaidTime

    said = SaidTime(at=NOW, offset_minutes=0, precision="second")
    return Hit(
        chunk_id=number, text=f"hit {number}", score=1.0, namespace="episodic", message_ids=(f"m{number}",),
        conversation="c", session="s", speaker="user", role="user", said=said,
        event=EventTime(interval=Interval(start=NOW, end=NOW, precision="second"), source="session"), project=None,
        tags=(), facts=facts,  # type: ignore[arg-type]
    )  # fmt: skip


def test_what_replaced_a_statement_stands_before_it() -> None:
    old = fact(1, draft("I live in Paris"), state="superseded", superseded_by=2, valid_to=NOW)
    new = fact(2, draft("I live in Oslo"))
    other = fact(3, draft("I play chess"))
    shown = current_first([hit(10, old), hit(11, other), hit(12, new)], ())
    assert [each.chunk_id for each in shown] == [12, 10, 11]
    assert [each.superseded for each in shown] == [False, True, False]
    assert [each.chunk_id for each in current_first([hit(10, old, other), hit(12, new)], ())] == [10, 12]
    asked = current_first([hit(10, old, other), hit(12, new)], ("live",))
    assert [each.chunk_id for each in asked] == [12, 10]


@pytest.mark.parametrize("count", [0, 1])
def test_short_lists_stay(count: int) -> None:
    hits = [hit(number) for number in range(count)]
    assert current_first(hits, ()) == hits
