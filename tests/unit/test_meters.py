"""What is counted can be read, and reading changes nothing."""

import subprocess
import sys
import threading

import pytest

from glossator.errors import UsageError
from glossator.meters import METERS, Meters


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
