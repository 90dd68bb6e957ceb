"""What is counted can be read, and reading changes nothing."""

import bisect
import math
import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.errors import UsageError
from glossator.meters import METERS, Meters, Timings, quantile_s


# proves: A35
def test_every_kind_of_failure_and_the_drops_are_there_from_the_start() -> None:
    counts = Meters().snapshot()

    assert {f'glossator_turn_fact_extraction_failure_total{{kind="{kind}"}}': 0.0 for kind in (
        "timeout", "llm_error", "parse_error")}.items() <= counts.items()  # fmt: skip
    assert counts["glossator_turn_fact_queue_dropped_total"] == 0.0


# proves: A35
def test_a_snapshot_is_a_copy() -> None:
    meters = Meters()
    meters.counted("glossator_turn_fact_queue_dropped_total")
    snapshot = dict(meters.snapshot())
    snapshot["glossator_turn_fact_queue_dropped_total"] = 99.0

    assert meters.snapshot()["glossator_turn_fact_queue_dropped_total"] == 1.0


def test_counts_of_one_name_are_kept_apart_by_their_label() -> None:
    meters = Meters()
    meters.counted("glossator_turn_fact_refused_total", reason="no_support")
    meters.counted("glossator_turn_fact_refused_total", 2, reason="question")

    counts = meters.snapshot()
    assert counts['glossator_turn_fact_refused_total{reason="no_support"}'] == 1.0
    assert counts['glossator_turn_fact_refused_total{reason="question"}'] == 2.0


def test_two_memories_count_apart() -> None:
    one, other = Meters(), Meters()
    one.counted("glossator_redactions_total", 3)

    assert other.snapshot()["glossator_redactions_total"] == 0.0


def test_the_text_is_what_prometheus_scrapes() -> None:
    meters = Meters()
    meters.counted("glossator_tokens_total", 120, direction="in")
    meters.shows("glossator_breaker_state", 2, model='a"b\\c')

    text = meters.exposition()
    assert 'glossator_tokens_total{direction="in"} 120.0' in text
    assert "# TYPE glossator_tokens_total counter" in text
    assert 'glossator_breaker_state{model="a\\"b\\\\c"} 2.0' in text
    assert all(f"# TYPE {name} " in text for name in METERS)


def test_a_registry_of_ones_own_shows_the_counts_of_the_moment_it_is_read() -> None:
    meters = Meters()
    registry = meters.registry()
    meters.counted("glossator_hook_failure_total", hook="prefetch")

    assert registry.get_sample_value("glossator_hook_failure_total", {"hook": "prefetch"}) == 1.0


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("glossator_nonsense_total", {}),
        ("glossator_turn_fact_refused_total", {}),
        ("glossator_turn_fact_refused_total", {"kind": "x"}),
        ("glossator_redactions_total", {"reason": "x"}),
        ("glossator_breaker_state", {"model": "x"}),
    ],
)
def test_an_unknown_name_or_label_is_refused(name: str, labels: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Meters().counted(name, **labels)  # type: ignore[arg-type]


def test_a_counter_does_not_fall() -> None:
    with pytest.raises(UsageError, match="by"):
        Meters().counted("glossator_redactions_total", -1)


def test_no_count_is_lost_between_threads() -> None:
    meters = Meters()

    def count() -> None:
        for _ in range(500):
            meters.counted("glossator_turn_fact_thrash_skip_total")

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert meters.snapshot()["glossator_turn_fact_thrash_skip_total"] == 2_000.0


def test_counting_does_not_load_the_client_library() -> None:
    code = (
        "import sys; from glossator.meters import Meters; m = Meters(); m.counted('glossator_redactions_total');"
        "m.snapshot(); sys.exit('prometheus_client' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_how_long_a_verb_took_stands_in_the_bucket_of_its_upper_end() -> None:
    meters = Meters()
    for seconds in (0.0005, 0.001, 0.02, 99.0):
        meters.took("recall", seconds)
    meters.took("status", 1.0)  # not one of those that are told

    registry = meters.registry()
    bucket = "glossator_verb_duration_seconds_bucket"
    ends = {"0.001": 2, "0.0025": 2, "0.025": 3, "30.0": 3, "+Inf": 4}
    assert {end: registry.get_sample_value(bucket, {"verb": "recall", "le": end}) for end in ends} == ends
    assert registry.get_sample_value("glossator_verb_duration_seconds_count", {"verb": "recall"}) == 4
    assert registry.get_sample_value("glossator_verb_duration_seconds_count", {"verb": "status"}) is None


@given(st.lists(st.floats(min_value=0, max_value=29), min_size=1, max_size=50), st.sampled_from((0.5, 0.95)))
def test_a_quantile_lies_in_the_bucket_of_the_value_that_it_stands_for(seconds: list[float], share: float) -> None:
    timings = Timings()
    for each in seconds:
        timings.took(each)
    (timed,) = timings.read()
    found = quantile_s(timings.ends_s, timed.counts, share)

    true = sorted(seconds)[max(math.ceil(share * len(seconds)) - 1, 0)]
    place = bisect.bisect_left(timings.ends_s, true)
    lower = timings.ends_s[place - 1] if place else 0.0
    assert found is not None
    assert lower - 1e-9 <= found <= timings.ends_s[place] + 1e-9
    assert timed.count == len(seconds)


def test_without_values_there_is_no_quantile_and_above_the_last_end_it_is_that_end() -> None:
    timings = Timings()
    assert quantile_s(timings.ends_s, (), 0.5) is None
    assert quantile_s(timings.ends_s, (0.0,) * 15, 0.5) is None
    timings.took(4_000.0)
    assert quantile_s(timings.ends_s, timings.read()[0].counts, 0.5) == 30.0
