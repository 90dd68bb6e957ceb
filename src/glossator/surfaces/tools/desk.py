"""For whom does a tool act, in which conversation, and what may it show?"""

from dataclasses import dataclass, replace

from glossator.errors import UsageError
from glossator.facade import Memory
from glossator.model import SENSITIVITIES, Conversation, Fact, Scope, Trust
from glossator.rules.trust import Tier, effective_tier

JOB_CHANNEL = "job"
"""A job's rows lie in a conversation of this channel that is named after its run, so that they are read by nobody who
asks for another conversation, and the job reads no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the tools of one agent in one conversation work with.

    `scope` is where it writes and what it may see; that of a job is bound to the job's own conversation.
    """

    memory: Memory
    scope: Scope
    conversation: str
    tier: Tier
    trust: Trust
    job: bool

    @classmethod
    def of(
        cls, memory: Memory, *, scope: Scope, conversation: str, trust: Trust, run_id: str | None, job: bool
    ) -> "Desk":
        """Raises UsageError for a job without the run that it is."""
        if job and not (run_id or "").strip():
            raise UsageError("run_id", "is missing, and a job needs one", remedy='for example run_id="nightly-42"')
        home = Conversation(channel=JOB_CHANNEL, chat=str(run_id)) if job else Conversation.parse(conversation)
        return cls(
            memory=memory,
            scope=replace(scope, conversation=home.key if job else None),
            conversation=home.key,
            tier=effective_tier(memory.options.tiers, scope.agent),
            trust=trust,
            job=job,
        )

    @property
    def writing(self) -> Scope:
        """Where new rows go; their conversation is named beside it."""
        return self.scope.whole

    @property
    def here(self) -> Scope:
        """What belongs to this conversation alone."""
        return replace(self.scope, conversation=self.conversation)

    def may_show(self, fact: Fact) -> bool:
        """False for a fact too sensitive for a prompt: what a tool gives is read by a model."""
        ceiling = self.memory.options.prompt_sensitivity_max
        return SENSITIVITIES.index(fact.sensitivity) <= SENSITIVITIES.index(ceiling)
