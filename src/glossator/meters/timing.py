"""How long do things take? Histograms of seconds, as Prometheus counts them, and what can be read from one.

Adding a value costs one search among fifteen numbers under a lock (below a microsecond); nothing else is imported.
"""

import threading
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client.metrics_core import HistogramMetricFamily

BUCKETS_S: tuple[float, ...] = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper ends in seconds. Recording a message takes 1 to 10 ms and a recall 2 to 100 ms, so that most ends lie there;
0.25 is what a coding agent's hook may take, 1 what a person waits for, 30 what a slow model takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """One series of a histogram: how many values are at most each end, in the order of the ends, all, and their sum."""

    labels: tuple[str, ...]
    counts: tuple[int, ...]
    """One more than there are ends: the last one counts all."""
    sum_s: float

    @property
    def count(self) -> int:
        """How many values there were."""
        return self.counts[-1]


class Timings:
    """One histogram per combination of labels. Safe to share between threads."""

    def __init__(self, ends_s: Sequence[float] = BUCKETS_S) -> None:
        self._ends_s = tuple(ends_s)
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, ...], list[int]] = {}
        self._sums: dict[tuple[str, ...], float] = {}

    @property
    def ends_s(self) -> tuple[float, ...]:
        """The upper ends of the buckets."""
        return self._ends_s

    def took(self, seconds: float, *labels: str) -> None:
        """Add one value to the series of these labels."""
        place = bisect_left(self._ends_s, seconds)
        with self._lock:
            counts = self._counts.get(labels)
            if counts is None:
                counts = self._counts[labels] = [0] * (len(self._ends_s) + 1)
            counts[place] += 1
            self._sums[labels] = self._sums.get(labels, 0.0) + seconds

    def read(self) -> tuple[Timed, ...]:
        """All series as they are now, in the order of their labels."""
        with self._lock:
            copied = [(labels, list(counts), self._sums[labels]) for labels, counts in sorted(self._counts.items())]
        return tuple(Timed(labels=labels, counts=_rising(counts), sum_s=sum_s) for labels, counts, sum_s in copied)

    def family(self, name: str, help_text: str, *, labels: Sequence[str]) -> "HistogramMetricFamily":
        """What a registry of prometheus-client asks for."""
        from prometheus_client.metrics_core import HistogramMetricFamily
        from prometheus_client.utils import floatToGoString

        ends = [*map(floatToGoString, self._ends_s), "+Inf"]
        found = HistogramMetricFamily(name, help_text, labels=labels)
        for each in self.read():
            found.add_metric(each.labels, list(zip(ends, map(float, each.counts), strict=True)), each.sum_s)
        return found


def quantile_s(ends_s: Sequence[float], counts: Sequence[float], share: float) -> float | None:
    """The value below which this share of the values lies, within its bucket by a straight line; None without values.

    `counts` rise, as in `Timed`. What lies above the last end is told as that end: it is at least so much.
    """
    total = counts[-1] if counts else 0
    if not total:
        return None
    wanted, below, start = share * total, 0.0, 0.0
    for end, count in zip(ends_s, counts, strict=False):
        if count >= wanted and count > below:
            return start + (end - start) * (wanted - below) / (count - below)
        below, start = count, end
    return float(ends_s[-1])


def _rising(counts: list[int]) -> tuple[int, ...]:
    total, risen = 0, []
    for each in counts:
        total += each
        risen.append(total)
    return tuple(risen)
