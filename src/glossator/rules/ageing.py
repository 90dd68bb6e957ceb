"""How much is a memory of this age still worth beside a fresh one?

A pure function of the score at the beginning and the age: nothing is ever written back, so that asking every day comes
to the same as asking once (D28).
"""

from datetime import datetime, timedelta

GRACE_DAYS = 90.0
STEP_DAYS = 30.0
STEP = 0.05
FLOOR = 0.3
"""A fact of a season counts in full, then each further month takes a twentieth, and 0.3 is left of the oldest (B18)."""
DAY = timedelta(days=1)


def aged_weight(base: float, age_days: float) -> float:
    """The weight after so many days. What begins below the floor stays as it is."""
    lost = STEP * max(0.0, age_days - GRACE_DAYS) / STEP_DAYS
    return min(base, max(FLOOR, base - lost))


def age_days(since: datetime, now: datetime) -> float:
    """Days from then to now; 0 if it lies ahead."""
    return max(0.0, (now - since) / DAY)
