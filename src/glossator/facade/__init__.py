"""What can be done with a memory? The public verbs, over one store and the providers it was given."""

from glossator.facade.given import checked_verbs
from glossator.facade.runs import AgentRun, Verbs
from glossator.model import Scope

__all__ = ["AgentRun", "Memory"]


@checked_verbs
class Memory(Verbs):
    """Conversations kept word for word, the turns that answer a question, and the facts that rest on them.

    Safe to share between threads; several processes may open the same store. `record` returns when the messages are
    durable and never waits for a model; what they mean is embedded, and facts are taken from them, behind it. Close it,
    or use it in a `with` block.
    """

    def run(self, *, scope: Scope, conversation: str, run_id: str | None = None) -> AgentRun:
        """The hooks of one run of an agent: they never fail a turn. `run_id` is made where it is left out."""
        return AgentRun(self, scope=scope, conversation=conversation, run_id=run_id or self._ids.new())
