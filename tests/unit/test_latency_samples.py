"""Counters as lines of a chart: what the last minute took, and what a clock that goes back does."""

from glossator.meters import BUCKETS_S, Meters
from glossator.surfaces.web.samples import SAMPLES_MAX, Sample, Samples, counts_in, course_of

ENDS = len(BUCKETS_S) + 1


def counts(*seconds: float) -> tuple[float, ...]:
    """A histogram of these calls."""
    return (*(float(sum(each <= end for each in seconds)) for end in BUCKETS_S), float(len(seconds)))


def sample(at: float, *, recall: tuple[float, ...] | None = None, pending: int = 0, failed: int = 0) -> Sample:
    return Sample(at=at, counts={} if recall is None else {"recall": recall}, pending=pending, failed=failed)


def test_the_counters_of_a_memory_are_read_from_what_prometheus_scrapes() -> None:
    meters = Meters()
    for seconds in (0.003, 0.004, 0.2):
        meters.took("recall", seconds)
    assert counts_in(meters.exposition()) == {"recall": counts(0.003, 0.004, 0.2)}
    assert counts_in("") == {}


def test_a_point_tells_of_the_minute_before_it_and_not_of_all_time() -> None:
    slow = (2.0,) * 10
    course = course_of([
        sample(0, recall=counts(*slow)),
        sample(30, recall=counts(*slow, 0.004)),
        sample(100, recall=counts(*slow, 0.004, 0.2)),
        sample(200, recall=counts(*slow, 0.004, 0.2)),
    ])  # fmt: skip
    recall = course.latencies[0]
    assert recall.calls == (0, 1, 1, 0)
    assert recall.median_ms[0] is None
    assert recall.median_ms[1] is not None
    assert 2.5 <= recall.median_ms[1] <= 5
    assert recall.median_ms[2] is not None
    assert 100 <= recall.median_ms[2] <= 250
    assert recall.median_ms[3] is None


def test_the_first_call_ever_is_told() -> None:
    course = course_of([sample(0), sample(5, recall=counts(0.004))])
    assert course.latencies[0].calls == (0, 1)
    assert course.latencies[1].calls == (0, 0)


def test_the_queue_is_told_as_it_was() -> None:
    course = course_of([sample(0, pending=3), sample(5, pending=1, failed=2)])
    assert (course.at, course.pending, course.failed) == ((0, 5), (3, 1), (0, 2))
    assert course_of([]).at == ()


def test_samples_are_due_at_their_pace_and_begin_anew_when_the_clock_goes_back() -> None:
    samples = Samples()
    assert samples.due(100)
    samples.add(sample(100))
    assert not samples.due(104)
    assert samples.due(105)
    assert samples.due(50)
    samples.add(sample(50))
    assert [each.at for each in samples.kept] == [50]


def test_an_hour_is_kept_and_no_more() -> None:
    samples = Samples()
    for number in range(SAMPLES_MAX + 5):
        samples.add(sample(5.0 * number))
    assert len(samples.kept) == SAMPLES_MAX
    assert samples.kept[0].at == 25
