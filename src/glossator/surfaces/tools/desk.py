"""For whom does a tool act, in which conversation, and what may it show?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from glossator.errors import UsageError
from glossator.facade import Memory
from glossator.facade.checks import checked_scope
from glossator.facade.sources import SourceKey, name_of
from glossator.model import JOB_CHANNEL, Conversation, Fact, ListedJob, ScheduledJob, Scope
from glossator.model.scope import Tier
from glossator.rules.trust import effective_tier

REFUSALS_MAX = 3
"""So many refusals of one kind end the trying: a model that goes on spends its turn, and the user gets no reply."""


class Patience:
    """How often the writing tools of one run refused, by kind; shared by all of them, safe between threads."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = Lock()

    def is_over(self, kind: str) -> bool:
        """Count one more refusal of this kind; True from the third on."""
        with self._lock:
            self._counts[kind] += 1
            return self._counts[kind] >= REFUSALS_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the tools of one agent in one conversation work with.

    `scope` is where it writes and what it may see, with the caller's trust and, for a job, the job.
    """

    memory: Memory
    scope: Scope
    conversation: str
    tier: Tier
    run_id: str | None = None
    patience: Patience = field(default_factory=Patience)

    @classmethod
    def of(cls, memory: Memory, *, scope: Scope, conversation: str, run_id: str | None) -> "Desk":
        """A job's own conversation is named after the job, whatever `conversation` says."""
        whole = replace(checked_scope(scope), conversation=None)
        home = Conversation.parse(conversation)
        if whole.job is not None:
            home = Conversation(channel=JOB_CHANNEL, chat=whole.job)
        tier = effective_tier(memory.options.tiers, whole.agent, at_most=whole.tier)
        return cls(memory=memory, scope=whole, conversation=home.key, tier=tier, run_id=run_id)

    @property
    def here(self) -> Scope:
        """What belongs to this conversation alone; all that a job has kept, for a job."""
        return self.scope if self.scope.job is not None else replace(self.scope, conversation=self.conversation)

    def seen_in(self, conversation: str | None) -> Scope:
        """What is seen of this conversation, of everything where none is named. Raises UsageError for one outside."""
        if conversation is None:
            return self.scope
        key = Conversation.parse(conversation).key
        if self.scope.conversation not in (None, key):
            raise UsageError("conversation", "is not the one that is open here", remedy="leave it out")
        return replace(self.scope, conversation=key)

    def may_show(self, fact: Fact) -> bool:
        """False for a fact too sensitive for a prompt: what a tool gives is read by a model."""
        return fact.sensitivity in self.memory.options.prompt_sensitivities

    def names(self) -> "Names":
        """What sources are called; jobs are looked up once, when the first row of a job is shown."""
        return Names(desk=self)


@dataclass(slots=True, kw_only=True)
class Names:
    """What the sources in one answer are called."""

    desk: Desk
    found: Sequence[ListedJob] | None = None

    def shape(self, source: SourceKey) -> dict[str, object]:
        """The source with its id, type, name and description."""
        name, description = name_of(source, self._jobs() if source[0] == "job" else ())
        return {"id": source[1] or None, "type": source[0], "name": name, "description": description}

    def _jobs(self) -> Sequence[ListedJob]:
        if self.found is None:
            jobs: Sequence[ScheduledJob] = self.desk.memory.jobs(scope=self.desk.scope)
            self.found = [ListedJob(job=job) for job in jobs]
        return self.found
