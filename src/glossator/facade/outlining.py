"""The verbs that list what there is: conversations, scopes, open work, reviews."""

from glossator.errors import UsageError
from glossator.facade.checks import reading_scope
from glossator.facade.core import Core
from glossator.model import ConversationOutline, OpenWork, ReviewState, Scope, ScopeOutline
from glossator.warm import EmbedderState

LIST_MAX = 1_000
"""Lines of one list: what a person or a page takes at once."""


class OutlineVerbs(Core):
    """Lists for whoever looks after a memory. A guest, a tool and a job see none of them."""

    def conversations(
        self, *, scope: Scope, limit: int = 100, after: str | None = None
    ) -> tuple[ConversationOutline, ...]:  # fmt: skip
        """The scope's conversations with their counts and last words: where something was said last comes first.

        `after` is the `page` of the last one that came: what is recorded meanwhile neither repeats nor hides one.
        """
        return self._store.conversations(reading_scope(scope), limit=_checked(limit), after=after)

    def scopes(self, *, scope: Scope) -> tuple[ScopeOutline, ...]:
        """Agents and owners of `scope.workspace` of whom something is kept; whoever is no operator sees their own."""
        return self._store.scopes(reading_scope(scope))

    def open_work(self, *, scope: Scope | None = None) -> tuple[OpenWork, ...]:
        """What is still to be done, a row for each kind of work; of the whole store, or of one scope."""
        return self._store.open_work(None if scope is None else reading_scope(scope))

    @property
    def embedder_state(self) -> EmbedderState:
        """How far the embedder is; asking begins the loading, and again where it has failed."""
        return "off" if self._embedder is None else self._embedder.stage

    def review_states(self, *, scope: Scope, limit: int = 100) -> tuple[ReviewState, ...]:
        """How far the reviews of the scope's conversations are; the one that changed last comes first."""
        return self._store.review_states(reading_scope(scope), limit=_checked(limit))


def _checked(limit: int) -> int:
    if not 1 <= limit <= LIST_MAX:
        raise UsageError("limit", f"{limit} is not between 1 and {LIST_MAX:,}", remedy="page with after, or ask less")
    return limit
