"""A statement that was dealt with is remembered for five minutes, and never for longer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.errors import UsageError
from glossator.retain.recent import CAPACITY, RecentHashes


# proves: A41
def test_a_hash_is_held_at_299_seconds_and_gone_at_301() -> None:
    recent = RecentHashes()
    recent.add("a", 1_000.0)

    assert recent.holds("a", 1_299.0)
    assert not recent.holds("a", 1_301.0)


# proves: A41
def test_what_has_run_out_is_forgotten_by_itself_and_may_come_again() -> None:
    recent = RecentHashes()
    recent.add("a", 0.0)
    recent.add("b", 301.0)

    assert len(recent) == 1
    recent.add("a", 302.0)
    assert recent.holds("a", 600.0)


# proves: A44
def test_one_more_than_fits_evicts_the_oldest() -> None:
    recent = RecentHashes()
    for number in range(CAPACITY + 1):
        recent.add(str(number), number / CAPACITY)

    assert len(recent) == CAPACITY
    assert not recent.holds("0", 2.0)
    assert recent.holds("1", 2.0)
    assert recent.holds(str(CAPACITY), 2.0)


def test_a_hash_that_is_added_again_counts_from_then() -> None:
    recent = RecentHashes(capacity=2)
    recent.add("a", 0.0)
    recent.add("b", 1.0)
    recent.add("a", 200.0)
    recent.add("c", 201.0)

    assert recent.holds("a", 450.0)
    assert not recent.holds("b", 202.0)


def test_asking_does_not_lengthen_the_time() -> None:
    recent = RecentHashes()
    recent.add("a", 0.0)
    assert recent.holds("a", 299.0)

    assert not recent.holds("a", 301.0)


@pytest.mark.parametrize("choices", [{"ttl_s": 0.0}, {"capacity": 0}])
def test_a_set_that_cannot_hold_anything_is_refused(choices: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        RecentHashes(**choices)  # type: ignore[arg-type]


# proves: A44
@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.floats(0, 200)), max_size=80), st.integers(1, 5))
def test_it_never_grows_above_its_capacity_and_always_holds_the_newest(
    added: list[tuple[str, float]], capacity: int
) -> None:
    recent = RecentHashes(capacity=capacity)
    now_s = 0.0
    for key, waited_s in added:
        now_s += waited_s
        recent.add(key, now_s)
        assert len(recent) <= capacity
        assert recent.holds(key, now_s)
