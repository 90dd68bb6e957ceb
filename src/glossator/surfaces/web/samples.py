"""How long did verbs take lately, and how much work was waiting? Samples of the counters, kept in memory."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from glossator.meters import BUCKETS_S, VERB_SECONDS, quantile_s

SAMPLES_MAX = 720
"""An hour at the pace below."""
SAMPLE_EVERY_S = 5.0
WINDOW_S = 60.0
"""A point tells of the calls of the minute before it: fewer would jump with every single call."""
CHARTED_VERBS = ("recall", "record")
MEDIAN, SLOW = 0.5, 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The counters at one instant (epoch seconds). `counts` are those of `Timed`, by verb: they only rise."""

    at: float
    counts: Mapping[str, tuple[float, ...]]
    pending: int
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Of one verb, at each sample: the median and the 95th percentile in milliseconds, and how many calls there were.

    None where nobody called it in the minute before.
    """

    verb: str
    median_ms: tuple[float | None, ...]
    slow_ms: tuple[float | None, ...]
    calls: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The samples as lines of a chart, oldest first; all have the length of `at`."""

    at: tuple[float, ...]
    latencies: tuple[Latency, ...]
    pending: tuple[int, ...]
    failed: tuple[int, ...]


@dataclass(slots=True, kw_only=True)
class Samples:
    """The last samples of one server, in memory: after a restart they begin anew."""

    kept: deque[Sample] = field(default_factory=lambda: deque(maxlen=SAMPLES_MAX))

    def due(self, at: float) -> bool:
        """True if it is time for the next one. A clock that was set back makes one due."""
        return not self.kept or not 0 <= at - self.kept[-1].at < SAMPLE_EVERY_S

    def add(self, sample: Sample) -> None:
        """Keep it. Where the clock went back, what was kept before makes no line with it and goes."""
        if self.kept and sample.at <= self.kept[-1].at:
            self.kept.clear()
        self.kept.append(sample)


def counts_in(exposition: str) -> dict[str, tuple[float, ...]]:
    """The histogram of each verb in the text that Prometheus scrapes."""
    from prometheus_client.parser import text_string_to_metric_families

    found: dict[str, dict[str, float]] = {}
    for family in text_string_to_metric_families(exposition):
        if family.name == VERB_SECONDS:
            for each in family.samples:
                if each.name.endswith("_bucket"):
                    found.setdefault(each.labels["verb"], {})[each.labels["le"]] = each.value
    return {
        verb: tuple(ends[each] for each in sorted(ends, key=float))
        for verb, ends in found.items()
        if len(ends) == len(BUCKETS_S) + 1
    }


def course_of(samples: Sequence[Sample]) -> Course:
    """The lines that these samples make, in the order in which they were taken."""
    return Course(
        at=tuple(each.at for each in samples),
        latencies=tuple(_latency(samples, verb) for verb in CHARTED_VERBS),
        pending=tuple(each.pending for each in samples),
        failed=tuple(each.failed for each in samples),
    )


def _latency(samples: Sequence[Sample], verb: str) -> Latency:
    deltas = [_delta(samples, place, verb) for place in range(len(samples))]
    return Latency(
        verb=verb,
        median_ms=tuple(_ms(each, MEDIAN) for each in deltas),
        slow_ms=tuple(_ms(each, SLOW) for each in deltas),
        calls=tuple(int(each[-1]) if each else 0 for each in deltas),
    )


def _delta(samples: Sequence[Sample], place: int, verb: str) -> tuple[float, ...]:
    """The calls of the minute before this sample, as counts that rise; () where there were none."""
    last = samples[place].counts.get(verb, ())
    start = place
    while start > 0 and samples[place].at - samples[start].at < WINDOW_S:
        start -= 1
    first = samples[start].counts.get(verb, ()) if start < place else ()
    if not last:
        return ()
    if place == 0:
        return ()
    return tuple(now - before for now, before in zip(last, first or (0.0,) * len(last), strict=True))


def _ms(counts: Sequence[float], share: float) -> float | None:
    seconds = quantile_s(BUCKETS_S, counts, share)
    return None if seconds is None else round(1000 * seconds, 3)
