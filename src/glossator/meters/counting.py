"""What has been counted since the memory was opened? Every failure, drop, merge, refusal and breaker, and verbs' times.

The counters are plain numbers. prometheus-client is only loaded when its registry or its text is asked for, since its
import costs more than opening a memory (about 50 ms).
"""

import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from glossator.errors import UsageError
from glossator.meters.gauges import GAUGES, Reading
from glossator.meters.table import METERS, MeterName
from glossator.meters.timing import Timings

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric
    from prometheus_client.registry import CollectorRegistry

VERB_SECONDS = "glossator_verb_duration_seconds"
TIMED_VERBS: frozenset[str] = frozenset({"record", "remember", "recall", "context", "search_facts", "forget"})
"""The verbs whose time is told: what an agent waits for in a turn, and what an operator is asked about."""


class Meters:
    """The counters of one memory. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timings = Timings()
        self._values: dict[tuple[MeterName, str], float] = {}
        for name, meter in METERS.items():
            for label in meter.known if meter.label else ("",):
                self._values[name, label] = 0.0

    def counted(self, name: MeterName, by: float = 1, **labels: str) -> None:
        """Add to a counter, for example `counted("glossator_turn_fact_refused_total", reason="no_support")`.

        A label's value is a short word from a fixed choice, never something that was said. Raises UsageError for an
        unknown name or label, and for a negative number.
        """
        key = self._key(name, labels, gauge=False)
        if by < 0:
            raise UsageError("by", "is negative", remedy="a counter only rises")
        with self._lock:
            self._values[key] = self._values.get(key, 0.0) + by

    def shows(self, name: MeterName, value: float, **labels: str) -> None:
        """Set a gauge. Raises UsageError for an unknown name or label."""
        key = self._key(name, labels, gauge=True)
        with self._lock:
            self._values[key] = float(value)

    def took(self, verb: str, seconds: float) -> None:
        """Add how long a verb took, whatever became of it; verbs that are not in TIMED_VERBS are not told."""
        if verb in TIMED_VERBS:
            self._timings.took(max(seconds, 0.0), verb)

    def snapshot(self) -> Mapping[str, float]:
        """A copy, by name and label as Prometheus writes them: `glossator_tokens_total{direction="in"}`."""
        with self._lock:
            values = dict(self._values)
        return {_series(name, label): value for (name, label), value in sorted(values.items())}

    def registry(self) -> "CollectorRegistry":
        """A registry of prometheus-client that reads these counters whenever it is scraped."""
        from prometheus_client.registry import CollectorRegistry

        registry = CollectorRegistry()
        registry.register(self)
        return registry

    def exposition(self, readings: Iterable[Reading] = ()) -> str:
        """The text that Prometheus scrapes, with these readings of gauges."""
        from prometheus_client.exposition import generate_latest
        from prometheus_client.metrics_core import GaugeMetricFamily

        registry, families = self.registry(), dict[str, GaugeMetricFamily]()
        for each in readings:
            gauge = GAUGES[each.name]
            labels = (gauge.label,) if gauge.label else ()
            family = families.setdefault(each.name, GaugeMetricFamily(each.name, gauge.help, labels=labels))
            family.add_metric((each.label,) if gauge.label else (), each.value)
        registry.register(_Collected(tuple(families.values())))
        return generate_latest(registry).decode("utf-8")

    def collect(self) -> "Iterator[Metric]":
        """What a registry of prometheus-client asks for."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        with self._lock:
            values = sorted(self._values.items())
        for name, meter in METERS.items():
            family = GaugeMetricFamily if meter.gauge else CounterMetricFamily
            found = family(name, meter.help, labels=[meter.label] if meter.label else [])
            for (of, label), value in values:
                if of == name:
                    found.add_metric([label] if meter.label else [], value)
            yield found
        yield self._timings.family(VERB_SECONDS, "How long the verbs of a memory took.", labels=("verb",))

    def _key(self, name: MeterName, labels: Mapping[str, str], *, gauge: bool) -> tuple[MeterName, str]:
        meter = METERS.get(name)
        if meter is None or meter.gauge != gauge:
            raise UsageError("name", f"{name!r} is unknown", remedy=f"choose from {sorted(METERS)}")
        wanted = {meter.label} if meter.label else set()
        if set(labels) != wanted:
            raise UsageError("labels", f"{sorted(labels)} do not fit {name}", remedy=f"pass {sorted(wanted)}")
        return name, labels.get(meter.label, "")


class _Collected:
    """Families that a registry only hands on."""

    def __init__(self, families: "Iterable[Metric]") -> None:
        self._families = tuple(families)

    def collect(self) -> "Iterator[Metric]":
        """The families."""
        return iter(self._families)


def _series(name: MeterName, label: str) -> str:
    if not METERS[name].label:
        return name
    escaped = label.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")
    return f'{name}{{{METERS[name].label}="{escaped}"}}'
