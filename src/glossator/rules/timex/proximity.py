"""How much closer to the asked time does an event make an answer?"""

from __future__ import annotations

from glossator.model.time import Interval

NEAR_DAYS = 7.0
FAR_DAYS = 60.0
FULL_BOOST = 1.5
_DAY_S = 86_400.0


def proximity_boost(event: Interval, asked: Interval) -> float:
    """A factor of 1.0-1.5: full when at most 7 days lie between the intervals, falling linearly to 1.0 at 60 days.

    Intervals that overlap or touch have no days between them; an open end reaches for ever. Formula and values:
    detail.md B18 (8 d 1.4906, 20 d 1.3774, 33.5 d 1.25, 46 d 1.1321, 59 d 1.0094).
    """
    gap = max(_gap_days(event, asked), _gap_days(asked, event), 0.0)
    share = (FAR_DAYS - gap) / (FAR_DAYS - NEAR_DAYS)
    return 1.0 + (FULL_BOOST - 1.0) * min(1.0, max(0.0, share))


def _gap_days(earlier: Interval, later: Interval) -> float:
    if earlier.end is None or later.start is None:
        return 0.0
    return (later.start - earlier.end).total_seconds() / _DAY_S
