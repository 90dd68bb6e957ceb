"""How near is a row's event to the time that the question names?"""

import numpy as np

from glossator.model import Pool, Query
from glossator.recall.layout import F32
from glossator.rules.timex.proximity import boost_at

DAY_S = 86_400.0


def time_factor(pool: Pool, query: Query) -> F32:
    """Per row 1.0 to 1.5: `proximity_boost` of its event against the nearest of the asked intervals.

    Rows without any known time get 1.0; nothing is punished for being far away.
    """
    factor = np.ones(len(pool), np.float32)
    for asked in query.times:
        start = asked.interval.start.timestamp() if asked.interval.start else -np.inf
        end = asked.interval.end.timestamp() if asked.interval.end else np.inf
        event_start = np.nan_to_num(pool.event_start, nan=-np.inf)
        event_end = np.nan_to_num(pool.event_end, nan=np.inf)
        gap_days = np.maximum(0.0, np.maximum(event_start - end, start - event_end)) / DAY_S
        unknown = np.isnan(pool.event_start) & np.isnan(pool.event_end)
        boost = np.where(unknown, 1.0, boost_at(gap_days))
        factor = np.maximum(factor, boost.astype(np.float32))
    return factor
