"""What has been counted and timed, and how much is there? For operators; one module per kind of number."""

from glossator.meters.counting import TIMED_VERBS, VERB_SECONDS, Meters
from glossator.meters.gauges import GAUGES, Reading, readings_of
from glossator.meters.table import METERS, Meter, MeterName
from glossator.meters.timing import BUCKETS_S, Timed, Timings, quantile_s

__all__ = [
    "BUCKETS_S",
    "GAUGES",
    "METERS",
    "TIMED_VERBS",
    "VERB_SECONDS",
    "Meter",
    "MeterName",
    "Meters",
    "Reading",
    "Timed",
    "Timings",
    "quantile_s",
    "readings_of",
]
