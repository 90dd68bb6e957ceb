"""How long did it take, how much was done, and is everything there that was acknowledged?"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

VERBS = ("record", "recall")
QUANTILES = (0.5, 0.95, 0.99)


@dataclass(slots=True, kw_only=True)
class Tally:
    """What one side's clients met: milliseconds by verb, what was acknowledged (id to text), and what went wrong."""

    taken_ms: dict[str, list[float]] = field(default_factory=lambda: {verb: [] for verb in VERBS})
    acknowledged: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    """Receipts that say another thing than "stored", of a message that was sent once."""
    seconds: float = 0.0
    cpu_s: float = 0.0
    """Processor time of whoever did the work: the server over HTTP, the threads' process in the library."""
    clients_cpu_s: float = 0.0
    """Processor time of the clients over HTTP, which share the machine with their server here."""

    def add(self, other: "Tally") -> None:
        """Take in what other clients of the same side met, at the same time."""
        for verb in VERBS:
            self.taken_ms[verb] += other.taken_ms[verb]
        self.acknowledged |= other.acknowledged
        self.errors += other.errors
        self.strange += other.strange
        self.seconds = max(self.seconds, other.seconds)
        self.cpu_s += other.cpu_s
        self.clients_cpu_s += other.clients_cpu_s

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {name: getattr(self, name) for name in self.__slots__}


def quantile(values: Iterable[float], share: float) -> float:
    """The smallest of the values that at least this share of them does not exceed (nearest rank); nan of none."""
    ordered = sorted(values)
    if not ordered:
        return math.nan
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def spread(taken_ms: Sequence[float]) -> dict[str, float]:
    """Count, median, 95th and 99th percentile, and the longest."""
    found = {f"p{share * 100:g}": round(quantile(taken_ms, share), 2) for share in QUANTILES}
    return {"count": len(taken_ms), **found, "max": round(max(taken_ms, default=math.nan), 2)}


def figures_of(tally: Tally) -> dict[str, Any]:
    """A side's figures: by verb, and how many requests were done in a second."""
    count = sum(len(each) for each in tally.taken_ms.values())
    return {
        "per_s": round(count / tally.seconds, 1) if tally.seconds else math.nan,
        "cpu_ms": round(tally.cpu_s * 1000 / count, 1) if count else math.nan,
        "clients_cpu_ms": round(tally.clients_cpu_s * 1000 / count, 1) if count else math.nan,
        "verbs": {verb: spread(tally.taken_ms[verb]) for verb in VERBS},
        "errors": dict(Counter(tally.errors)),
        "strange": tally.strange[:10],
    }


def lost_and_doubled(acknowledged: Mapping[str, str], stored: Iterable[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """The ids that were acknowledged and are not there with their text, and those that are there more than once.

    `stored` has id and text of each message in the store.
    """
    texts: dict[str, list[str]] = {}
    for name, text in stored:
        texts.setdefault(name, []).append(text)
    lost = [name for name, text in acknowledged.items() if text not in texts.get(name, ())]
    return lost, [name for name, each in texts.items() if len(each) > 1]


def table(sides: Mapping[str, Mapping[str, Any]]) -> str:
    """The figures of both sides, one line per side and verb."""
    lines = [f"{'':9} {'verb':7} {'count':>7} {'p50 ms':>9} {'p95 ms':>9} {'p99 ms':>9} {'max ms':>9}"]
    for side, figures in sides.items():
        for verb, row in figures["verbs"].items():
            numbers = " ".join(f"{row[name]:>9.1f}" for name in ("p50", "p95", "p99", "max"))
            lines.append(f"{side:9} {verb:7} {row['count']:>7} {numbers}")
        cpu = f"{figures['cpu_ms']:g} ms of a processor per request (and {figures['clients_cpu_ms']:g} of its client)"
        lines.append(f"{side:9} {figures['per_s']:g} requests/s, {cpu}, {sum(figures['errors'].values())} errors")
    return "\n".join(lines)
