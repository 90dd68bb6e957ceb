"""In which conversation is a run right now? What was begun in another one is not for this one."""

import threading
from dataclasses import dataclass, field

from glossator.model import Degradation, FactList, Scope

STALE = "stale"
"""Said of a result that came when its run had gone on to another conversation."""


@dataclass(slots=True, kw_only=True, eq=False)
class Stay:
    """One conversation of a run. `lock` is held while its prefetch runs, so that it runs once and no other waits."""

    scope: Scope
    conversation: str
    generation: int = 0
    prefetched: FactList | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, conversation: str, scope: Scope | None) -> "Stay":
        """The stay that follows."""
        return Stay(scope=scope or self.scope, conversation=conversation, generation=self.generation + 1)


def stale(part: str) -> tuple[Degradation, ...]:
    """What is said instead of a result that is dropped."""
    return (Degradation(part=part, reason=STALE),)
