"""How sure is a share? Ratios over turns or sessions with 95 % intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Rate", "rate_of"]

RESAMPLES = 2000
RULE_OF_THREE = 3.0
"""With n cases and no exception among them, up to 3/n exceptions are not ruled out at 95 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """`part` of `whole`; `share`, `low` and `high` are None where there is no whole."""

    part: int
    whole: int
    share: float | None
    low: float | None
    high: float | None

    def written(self) -> dict[str, object]:
        """As it stands in a report."""
        interval = None if self.low is None or self.high is None else [round(self.low, 4), round(self.high, 4)]
        return {
            "part": self.part,
            "of": self.whole,
            "share": None if self.share is None else round(self.share, 4),
            "interval": interval,
        }


def rate_of(parts: Sequence[int], wholes: Sequence[int], *, seed: int) -> Rate:
    """The sum of `parts` over the sum of `wholes`, drawn anew by row (percentile bootstrap).

    Rows without a whole take part in no draw. Where all or nothing is met, the bootstrap knows no doubt and the rule
    of three takes its place.
    """
    rows = [(part, whole) for part, whole in zip(parts, wholes, strict=True) if whole]
    part, whole = sum(each for each, _ in rows), sum(each for _, each in rows)
    if not whole:
        return Rate(part=0, whole=0, share=None, low=None, high=None)
    share = part / whole
    if part in (0, whole):
        doubt = min(RULE_OF_THREE / whole, 1.0)
        low, high = (0.0, doubt) if part == 0 else (1.0 - doubt, 1.0)
        return Rate(part=part, whole=whole, share=share, low=low, high=high)
    table = np.array(rows, dtype=np.float64)
    draws = np.random.default_rng(seed).multinomial(len(rows), np.full(len(rows), 1.0 / len(rows)), size=RESAMPLES)
    sums = draws @ table
    low, high = np.percentile(sums[:, 0] / sums[:, 1], [2.5, 97.5])
    return Rate(part=part, whole=whole, share=share, low=float(low), high=float(high))
