"""A model that fails is left alone for a while, and then asked once."""

import dataclasses
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.errors import UsageError
from glossator.retain.breaker import Breaker, BreakerSnapshot


def tripped(*, at_s: float = 0.0, threshold: int = 5, cooldown_s: float = 120.0) -> Breaker:
    breaker = Breaker(threshold=threshold, cooldown_s=cooldown_s)
    for _ in range(threshold):
        breaker.failed(at_s)
    return breaker


# proves: A63
def test_after_five_failures_in_a_row_the_sixth_turn_calls_nobody() -> None:
    breaker = Breaker()
    allowed = []
    for second in range(6):
        allowed.append(breaker.may_call(float(second)))
        breaker.failed(float(second))

    assert allowed == [True, True, True, True, True, False]


# proves: A63
def test_nothing_passes_before_the_cooldown_is_over() -> None:
    breaker = tripped(at_s=10.0)

    assert not breaker.may_call(129.9)
    assert breaker.may_call(130.0)


# proves: A64, D7
def test_of_ten_threads_after_the_cooldown_exactly_one_gets_the_probe() -> None:
    breaker = tripped()
    together = threading.Barrier(10)

    def turn(_number: int) -> bool:
        together.wait()
        return breaker.may_call(121.0)

    with ThreadPoolExecutor(10) as threads:
        assert sum(threads.map(turn, range(10))) == 1


# proves: A64
def test_the_probes_success_closes_it() -> None:
    breaker = tripped()
    assert breaker.may_call(121.0)
    breaker.succeeded()

    assert [breaker.may_call(121.0) for _ in range(3)] == [True, True, True]
    assert breaker.snapshot() == BreakerSnapshot(state="closed", failure_count=0, opened_at_s=None)


# proves: A64
def test_the_probes_failure_opens_it_for_a_full_cooldown_again() -> None:
    breaker = tripped()
    assert breaker.may_call(121.0)
    breaker.failed(122.0)

    assert not breaker.may_call(241.9)
    assert breaker.may_call(242.0)


def test_a_probe_that_never_reports_is_given_again_after_a_cooldown() -> None:
    breaker = tripped()
    assert breaker.may_call(121.0)

    assert not breaker.may_call(240.9)
    assert breaker.may_call(241.0)
    assert not breaker.may_call(241.0)


def test_a_late_failure_of_an_earlier_call_does_not_lengthen_the_cooldown() -> None:
    breaker = tripped(at_s=0.0)
    breaker.failed(100.0)

    assert breaker.may_call(120.0)


# proves: A65
def test_a_success_resets_the_count() -> None:
    breaker = Breaker()
    for _ in range(4):
        breaker.failed(0.0)
    breaker.succeeded()
    for _ in range(4):
        breaker.failed(0.0)

    assert breaker.snapshot().state == "closed"
    assert breaker.may_call(0.0)


# proves: A65
def test_a_snapshot_tells_state_count_and_opening_and_changes_nothing() -> None:
    breaker = tripped(at_s=7.0)
    snapshot = breaker.snapshot()

    assert snapshot == BreakerSnapshot(state="open", failure_count=5, opened_at_s=7.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        snapshot.state = "closed"  # type: ignore[misc]
    assert not breaker.may_call(8.0)


def test_half_open_shows_in_the_snapshot() -> None:
    breaker = tripped()
    breaker.may_call(121.0)

    assert breaker.snapshot().state == "half_open"


@pytest.mark.parametrize("choices", [{"threshold": 0}, {"cooldown_s": -1.0}])
def test_a_breaker_that_cannot_work_is_refused(choices: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Breaker(**choices)  # type: ignore[arg-type]


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(["call", "fail", "succeed"]), st.floats(0, 200)), max_size=60))
def test_while_it_is_not_closed_no_two_calls_pass_within_a_cooldown(steps: list[tuple[str, float]]) -> None:
    breaker = Breaker(threshold=2, cooldown_s=50.0)
    now_s, last_passed_s = 0.0, -1_000.0
    for step, waited_s in steps:
        now_s += waited_s
        if step == "fail":
            breaker.failed(now_s)
        elif step == "succeed":
            breaker.succeeded()
        elif breaker.snapshot().state == "closed":
            assert breaker.may_call(now_s)
            last_passed_s = -1_000.0
        elif breaker.may_call(now_s):
            assert now_s - last_passed_s >= 50.0
            last_passed_s = now_s
