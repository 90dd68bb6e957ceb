"""How much closer to the asked time does an event make an answer?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from glossator.model.time import Interval

NEAR_DAYS = 7.0
FAR_DAYS = 60.0
FULL_BOOST = 1.5
_DAY_S = 86_400.0


def boost_at(gap_days: NDArray[np.float64]) -> NDArray[np.float64]:
    """Factors of 1.0-1.5 for days between two intervals: full up to 7, falling linearly to 1.0 at 60 (B18)."""
    share = np.clip((FAR_DAYS - gap_days) / (FAR_DAYS - NEAR_DAYS), 0.0, 1.0)
    return 1.0 + (FULL_BOOST - 1.0) * share


def proximity_boost(event: Interval, asked: Interval) -> float:
    """The factor for two intervals: `boost_at` the days between them.

    Intervals that overlap or touch have no days between them; an open end reaches for ever. Values: 8 d 1.4906,
    20 d 1.3774, 33.5 d 1.25, 46 d 1.1321, 59 d 1.0094.
    """
    gap = max(_gap_days(event, asked), _gap_days(asked, event), 0.0)
    return float(boost_at(np.array(gap)))


def _gap_days(earlier: Interval, later: Interval) -> float:
    if earlier.end is None or later.start is None:
        return 0.0
    return (later.start - earlier.end).total_seconds() / _DAY_S
