"""Has anything in a scope changed since it was read? The port Marks of the reference store."""

from hashlib import sha256

from glossator.model import Scope
from glossator.stores.memory.rows import State


class MemoryMarks:
    """The port Marks."""

    _state: State

    def scope_mark(self, scope: Scope) -> str:
        """A digest of the scope's rows; see ports.Marks."""
        messages = [
            (each.message_id, None if each.message is None else each.message.window_state)
            for each in self._state.messages
            if each.owner == scope.whole
        ]
        facts = [
            repr(kept.fact) for _, kept in sorted(self._state.facts.items()) if kept.fact.scope.whole == scope.whole
        ]
        return sha256(repr((messages, facts)).encode("utf-8", "surrogatepass")).hexdigest() if messages or facts else ""
