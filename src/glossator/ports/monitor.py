"""How is the store doing? Asked by operators at any time, so it is cheap and waits for nobody."""

from datetime import datetime
from typing import Protocol

from glossator.model import Vitals


class Monitor(Protocol):
    """Numbers of the whole store."""

    def vitals(self, *, now: datetime) -> Vitals:
        """What there is, what waits, and what has happened within the last minute and hour before `now`; all scopes."""
        ...
