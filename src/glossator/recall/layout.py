"""How do the rows of a pool lie beside each other? Session bounds, neighbours, and scaling; all vectorised."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glossator.model import Pool

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Per row the first row of its session and one past its last; per session its first row."""

    session: I32
    start: I32
    stop: I32
    bounds: I32

    @property
    def sizes(self) -> I32:
        """Rows per session."""
        return np.diff(np.append(self.bounds, len(self.session))).astype(np.int32)


def layout_of(pool: Pool) -> Layout:
    """The layout of a pool whose sessions are adjacent; `session` is made dense."""
    n = len(pool)
    if n == 0:
        empty = np.zeros(0, np.int32)
        return Layout(session=empty, start=empty, stop=empty, bounds=empty)
    first = np.r_[True, pool.session[1:] != pool.session[:-1]]
    bounds = np.flatnonzero(first).astype(np.int32)
    ends = np.append(bounds[1:], n).astype(np.int32)
    sizes = ends - bounds
    session = (np.cumsum(first) - 1).astype(np.int32)
    return Layout(session=session, start=np.repeat(bounds, sizes), stop=np.repeat(ends, sizes), bounds=bounds)


def shifted(layout: Layout, x: F32, by: int) -> F32:
    """`x` of the row `by` places later in the same session; 0 where there is none."""
    out = np.zeros_like(x)
    if 0 < by < len(x):
        out[:-by] = np.where(layout.session[:-by] == layout.session[by:], x[by:], 0)
    elif 0 < -by < len(x):
        out[-by:] = np.where(layout.session[-by:] == layout.session[:by], x[:by], 0)
    return out


def session_top(layout: Layout, x: F32, count: int) -> F32:
    """Per session the mean of its best `count` values, missing and negative ones as 0."""
    out = np.zeros(len(layout.bounds), np.float32)
    rest = x.copy()
    for _ in range(count if len(x) else 0):
        best = np.maximum.reduceat(rest, layout.bounds)
        out += np.maximum(best, 0)
        hits = np.flatnonzero(rest == best[layout.session])
        owner = layout.session[hits]
        rest[hits[np.r_[True, owner[1:] != owner[:-1]]]] = 0
    return (out / count).astype(np.float32)


def scaled_to_top(x: F32) -> F32:
    """`x` divided by its largest value; unchanged when nothing is positive."""
    top = float(x.max()) if len(x) else 0.0
    return x / top if top > 0 else x


def scaled_above_median(x: F32) -> F32:
    """0 at the median and below, 1 at the largest; nan counts as the median."""
    known = x[~np.isnan(x)]
    if not len(known):
        return np.zeros(len(x), np.float32)
    low, top = float(np.median(known)), float(known.max())
    if top <= low:
        return np.zeros(len(x), np.float32)
    scaled: F32 = np.clip((np.nan_to_num(x, nan=low) - low) / (top - low), 0, 1).astype(np.float32)
    return scaled
