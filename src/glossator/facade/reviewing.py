"""The verbs of the background reviewer: review."""

from dataclasses import replace

from glossator.errors import NotFoundError
from glossator.facade.checks import reading_scope
from glossator.facade.core import Core
from glossator.model import Conversation, ReviewResult, Scope
from glossator.rules.trust import may_learn
from glossator.upkeep.review_results import skipped

CONVERSATIONS_MAX = 1_000
"""Of one call; what is left has something new the next time."""


class ReviewVerbs(Core):
    """The verbs of the background reviewer: review."""

    def review(
        self, *, scope: Scope, conversation: str | None = None, now: bool = False
    ) -> tuple[ReviewResult, ...]:  # fmt: skip
        """Read what users have said since the last review, and keep, replace or archive facts; a result each.

        Without a conversation, all of the scope that have something new. Each is reviewed once if it is due: not more
        often than its interval allows, and after a failure not before the back-off is over. `now` asks for it whatever
        the clock says, and goes on until nothing is left, in at most 50 passes a conversation. A language model is
        asked once a pass where one is configured, else the rules read the words.

        A model that fails is told in the result. Raises NotFoundError for a conversation that is not in the scope.
        """
        asked = reading_scope(scope)
        if conversation is not None:
            asked = replace(asked, conversation=Conversation.parse(conversation).key)
        if asked.conversation is None:
            places = self._store.unreviewed(asked, limit=CONVERSATIONS_MAX)
        elif self._store.review_state(asked) is not None:
            places = (replace(asked.whole, conversation=asked.conversation),)
        else:
            raise NotFoundError("conversation", f"{asked.conversation!r} is not in this scope", remedy="check its name")
        if not may_learn(self._options.tiers, asked.agent, at_most=asked.tier):
            return tuple(skipped(place, "disabled") for place in places)
        read = self._reviewer.review_all if now else self._reviewer.review
        return tuple(read(place) for place in places)
