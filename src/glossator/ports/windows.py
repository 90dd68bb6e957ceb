"""Which messages of a conversation are still sent to the model?"""

from datetime import datetime
from typing import Protocol

from glossator.model import CompactionAttempt, Measure, Scope, Window, WindowChange, WindowRecord


class Windows(Protocol):
    """The window of each conversation, named by its key. A conversation that a scope does not cover is an empty one.

    A message that leaves the window stays where it is, with its id, its words and its chunks.
    """

    def window(self, scope: Scope, conversation: str) -> Window:
        """What is live now, read in one transaction."""
        ...

    def replace_window(self, scope: Scope, change: WindowChange, *, now: datetime) -> Window:
        """Make the change in one transaction and return the window as it is then.

        All or nothing: raises ConflictError where a message was added since the window of `change.last_id` was read,
        or where a named one is not live.
        """
        ...

    def measure_window(self, scope: Scope, conversation: str, measure: Measure) -> None:
        """Keep the measure, replacing the last one. A job has no window, and nothing is kept for it."""
        ...

    def log_compaction(self, scope: Scope, conversation: str, attempt: CompactionAttempt) -> None:
        """Log an attempt that changed nothing. For a conversation that the scope does not cover, nothing is kept."""
        ...

    def window_record(self, scope: Scope, conversation: str, *, limit: int = 20) -> WindowRecord:
        """The last measure, and the newest attempts."""
        ...
