"""What is there, in outline? The reference model of the port Outline."""

from glossator.model import (
    WORK_KINDS,
    ConversationOutline,
    Message,
    OpenWork,
    ReviewState,
    Scope,
    ScopeOutline,
)
from glossator.model.message import MessageKind
from glossator.stores.matching import sees_all
from glossator.stores.memory.reviews import MemoryReviews
from glossator.stores.memory.rows import Work
from glossator.stores.outlining import Page, first_words, microseconds, page_of, without_content

SAID: tuple[MessageKind, ...] = ("chat", "voice_turn", "document")
FIRST = Page(as_of=2**63 - 1, newest=2**63 - 1, number=2**63 - 1)


class MemoryOutline(MemoryReviews):
    """The port Outline in memory."""

    def conversations(
        self, scope: Scope, *, limit: int, after: str | None = None
    ) -> tuple[ConversationOutline, ...]:  # fmt: skip
        """Conversations, the one in which something was said last comes first."""
        begin = FIRST if after is None else page_of(after)
        if not sees_all(scope):
            return ()
        ids = [stored.message_id for stored in self._state.messages if stored.owner == scope.whole]
        as_of = max(ids, default=0) if after is None else begin.as_of
        places = dict.fromkeys((stored.owner, stored.conversation) for stored in self._state.messages)
        found: list[tuple[tuple[int, int], ConversationOutline]] = []
        for number, (owner, key) in enumerate(places, start=1):
            said = [each for each in self._live(scope) if (each.scope.whole, each.conversation.key) == (owner, key)]
            old = [microseconds(each.said.at) for each in said if each.message_id <= as_of]
            if old and (max(old), number) < (begin.newest, begin.number):
                page = Page(as_of=as_of, newest=max(old), number=number)
                found.append(((max(old), number), _outline(key, said, page)))
        found.sort(key=lambda each: each[0], reverse=True)
        return tuple(outline for _, outline in found[: max(limit, 0)])

    def scopes(self, scope: Scope) -> tuple[ScopeOutline, ...]:
        """Agents and owners of the workspace, as far as the caller may see them."""
        if not sees_all(scope):
            return ()
        messages = [stored.message for stored in self._state.messages if stored.message is not None]
        facts = [kept.fact for kept in self._state.facts.values() if kept.fact.state == "active"]
        places = {each.scope.whole for each in messages} | {each.scope.whole for each in facts}
        seen = [
            place
            for place in places
            if place.workspace == scope.workspace and (scope.believed == "operator" or place == scope.whole)
        ]
        outlines = []
        for place in sorted(seen, key=lambda each: (each.agent.encode(), each.owner.encode())):
            inside = Scope(
                workspace=place.workspace, agent=place.agent, owner=place.owner, conversation=scope.conversation
            )
            said = [each.said.at for each in messages if inside.covers(each.scope)]
            count = sum(1 for each in facts if inside.covers(each.scope))
            if said or count:
                outlines.append(
                    ScopeOutline(
                        scope=place, message_count=len(said), fact_count=count, last_said_at=max(said, default=None)
                    )
                )
        return tuple(outlines)

    def open_work(self, scope: Scope | None = None) -> tuple[OpenWork, ...]:
        """What is to be done, by kind."""
        if scope is not None and not sees_all(scope):
            return ()
        rows = [row for row in self._state.work if self._seen(row, scope)]
        return tuple(_open([row for row in rows if row.kind == kind], OpenWork(kind=kind)) for kind in WORK_KINDS)

    def review_states(self, scope: Scope, *, limit: int) -> tuple[ReviewState, ...]:
        """Where the reviews of conversations stand, the one that changed last first."""
        if not sees_all(scope):
            return ()
        places = dict.fromkeys((stored.owner, stored.conversation) for stored in self._state.messages)
        held = [
            (state.updated_at, number, state)
            for number, (owner, key) in enumerate(places)
            for state in self._reviews.values()
            if (state.scope.whole, state.scope.conversation) == (owner, key) and scope.covers(state.scope)
        ]
        held.sort(key=lambda each: (str(each[0]), each[1]), reverse=True)
        return tuple(state for _, _, state in held[: max(limit, 0)])


def _outline(key: str, said: list[Message], page: Page) -> ConversationOutline:
    last = max((each for each in said if each.kind in SAID), key=lambda m: (m.said.at, m.message_id), default=None)
    return ConversationOutline(
        conversation=key,
        message_count=len(said),
        live_count=sum(1 for each in said if each.window_state == "live"),
        session_count=len({each.session for each in said}),
        first_said_at=min(each.said.at for each in said),
        last_said_at=max(each.said.at for each in said),
        last_words="" if last is None else first_words(last.content),
        page=page.text,
    )


def _open(rows: list[Work], none: OpenWork) -> OpenWork:
    waiting = [row for row in rows if not row.failed]
    failed = [row for row in rows if row.reason]
    last = max(failed, key=lambda row: (row.due_at, row.work_id), default=None)
    return OpenWork(
        kind=none.kind,
        pending_count=len(waiting),
        failed_count=len(rows) - len(waiting),
        oldest_created_at=min(waiting, key=lambda row: row.work_id).created_at if waiting else None,
        next_due_at=min((row.due_at for row in waiting), default=None),
        last_error="" if last is None else without_content(last.reason),
    )
