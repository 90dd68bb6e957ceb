"""Where do facts stand in time: a lane for each question that was answered, with what replaced what?"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from glossator.model import SELF, Fact

WIDTH = 1000
"""The drawing's own units; it is stretched to the room there is."""
BAR_MIN = 5
"""What held for an hour is still to be seen in years of talk."""
TICKS = 4
ROOM = 25
"""The part of the time that is left behind the last change, so that what holds since then is seen."""

Look = Literal["held", "past", "away"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A fact as it is drawn: where it begins, how long it is, and whether it holds at the time that is asked about."""

    fact: Fact
    left: int
    width: int
    look: Look


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """The facts that answer one question about one subject, the earliest first."""

    subject: str
    key: str
    bars: tuple[Bar, ...]

    @property
    def held(self) -> bool:
        """True if any of them holds at the time asked about."""
        return any(bar.look == "held" for bar in self.bars)

    @property
    def latest(self) -> float:
        """When any of them was last said, in seconds."""
        return max(bar.fact.last_seen_at for bar in self.bars).timestamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The time that is drawn."""

    start: datetime
    end: datetime

    def place(self, at: datetime) -> int:
        """Where a time stands, from 0 to WIDTH."""
        share = (at - self.start) / (self.end - self.start)
        return round(WIDTH * min(1.0, max(0.0, share)))

    @property
    def days(self) -> int:
        """Whole days from end to end."""
        return (self.end.date() - self.start.date()).days

    @property
    def ticks(self) -> tuple[datetime, ...]:
        """The days that are written below it."""
        return tuple(self.start + (self.end - self.start) * step / TICKS for step in range(TICKS + 1))


def axis_of(facts: Sequence[Fact]) -> Axis:
    """From the beginning of the first of these facts to a little after the last change. `facts` is not empty."""
    start = min(fact.valid_from for fact in facts)
    last = max(fact.valid_to or fact.valid_from for fact in facts)
    return Axis(start=start, end=last + max(timedelta(days=1), (last - start) / ROOM))


def lanes_of(facts: Sequence[Fact], axis: Axis, *, held: Collection[int] | None) -> tuple[Lane, ...]:
    """The lanes, those first in which something was replaced, then the latest said.

    `held` are the numbers of the facts that held at the time asked about, whose lanes come first; None asks about now.
    """
    by_number = {fact.fact_id: fact for fact in facts}
    grouped: dict[tuple[str, str], list[Fact]] = {}
    for fact in sorted(facts, key=lambda each: (each.valid_from, each.fact_id)):
        grouped.setdefault(_lane_key(_root(fact, by_number)), []).append(fact)
    lanes = [
        Lane(
            subject="" if each[0].subject == SELF else each[0].subject, key=each[0].key,
            bars=tuple(_bar(fact, axis, held) for fact in each),
        )
        for each in grouped.values()
    ]  # fmt: skip
    return tuple(sorted(lanes, key=lambda lane: (held is not None and not lane.held, len(lane.bars) < 2, -lane.latest)))


def _root(fact: Fact, by_number: dict[int, Fact]) -> Fact:
    seen = {fact.fact_id}
    while fact.parent_id in by_number and fact.parent_id not in seen:
        fact = by_number[fact.parent_id]
        seen.add(fact.fact_id)
    return fact


def _lane_key(fact: Fact) -> tuple[str, str]:
    return (fact.subject.casefold(), fact.key) if fact.key else ("", fact.id)


def _bar(fact: Fact, axis: Axis, held: Collection[int] | None) -> Bar:
    left = min(axis.place(fact.valid_from), WIDTH - BAR_MIN)
    right = axis.place(fact.valid_to or axis.end)
    return Bar(fact=fact, left=left, width=max(BAR_MIN, right - left), look=_look(fact, held))


def _look(fact: Fact, held: Collection[int] | None) -> Look:
    holds = fact.state == "active" if held is None else fact.fact_id in held
    if holds:
        return "held"
    return "past" if fact.state in ("superseded", "expired") or held is not None else "away"
