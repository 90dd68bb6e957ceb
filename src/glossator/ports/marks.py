"""Has anything in a scope changed since it was read?"""

from typing import Protocol

from glossator.model import Scope


class Marks(Protocol):
    """A mark of what a scope holds, cheap enough to be read before each use of what was kept in memory."""

    def scope_mark(self, scope: Scope) -> str:
        """Another one after every change to the messages, windows or facts of this owner with this agent.

        The same one tells that nothing has changed, by whichever process; "" where nothing was ever kept. A mark that
        is read before rows never belongs to newer rows than those.
        """
        ...
