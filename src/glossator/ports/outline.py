"""What is there, in outline? Lists with counts and times, for whoever looks after a memory."""

from typing import Protocol

from glossator.model import ConversationOutline, OpenWork, ReviewState, Scope, ScopeOutline


class Outline(Protocol):
    """Lists that read no content but the last words. A guest, a tool and a job see none of them."""

    def conversations(
        self, scope: Scope, *, limit: int, after: str | None = None
    ) -> tuple[ConversationOutline, ...]:  # fmt: skip
        """Conversations with something live in them: the one in which something was said last comes first.

        Of two the one that began later. `after` is the `page` of the last one that came: what is recorded while
        somebody turns pages changes nothing in their order. Raises UsageError for what is no page.
        """
        ...

    def scopes(self, scope: Scope) -> tuple[ScopeOutline, ...]:
        """Agents and owners of the scope's workspace of whom something is kept, in order of their names.

        An operator sees all, an owner their own; within a conversation it is that one's messages and facts that count.
        """
        ...

    def open_work(self, scope: Scope | None = None) -> tuple[OpenWork, ...]:
        """What is to be done, a row for each of WORK_KINDS in their order; of one scope or of the whole store."""
        ...

    def review_states(self, scope: Scope, *, limit: int) -> tuple[ReviewState, ...]:
        """Where the reviews of conversations stand, of those that have begun; the one that changed last comes first."""
        ...
