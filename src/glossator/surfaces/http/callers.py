"""Who asks, and for which scope may they ask?"""

from collections.abc import Sequence
from dataclasses import dataclass

from glossator.errors import PermissionDeniedError
from glossator.model import Scope, ScopeOutline
from glossator.model.scope import Tier, Trust
from glossator.rules.trust import less_believed


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who stands behind a request: an API key, or whoever is at this machine where no key is asked for.

    What is None is free for the request to choose.
    """

    key_id: str
    name: str
    workspace: str | None
    agent: str | None = None
    owner: str | None = None
    trust: Trust = "owner"
    tier: Tier | None = None

    def scope(
        self,
        *,
        workspace: str | None = None,
        agent: str | None = None,
        owner: str | None = None,
        conversation: str | None = None,
        job: str | None = None,
        trust: Trust | None = None,
    ) -> Scope:
        """The scope that was asked for, never wider than the caller's own and never believed more.

        Raises PermissionDeniedError for a workspace, an agent or an owner that the key is not for.
        """
        return Scope(
            workspace=self._part("workspace", workspace),
            agent=self._part("agent", agent),
            owner=self._part("owner", owner),
            conversation=conversation,
            job=job,
            trust=self.trust if trust is None else less_believed(trust, self.trust),
            tier=self.tier,
        )

    def shown(self, outlines: Sequence[ScopeOutline]) -> tuple[ScopeOutline, ...]:
        """Those of the agent and the owner that the key is for: an operator's key may be for one alone."""
        return tuple(
            each
            for each in outlines
            if self.agent in (None, each.scope.agent) and self.owner in (None, each.scope.owner)
        )

    def _part(self, part: str, asked: str | None) -> str:
        bound: str | None = getattr(self, part)
        if bound is not None and asked is not None and asked != bound:
            raise PermissionDeniedError(part, "is not what this key is for", remedy=f"leave {part} out, or use its key")
        return bound or ("default" if asked is None else asked)
