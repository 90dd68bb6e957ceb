"""Which revisions of prompt files and other texts are kept? The reference model of the port Resources."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from glossator.model import RESOURCE_KINDS, Committed, ResourceKind, Revision, RevisionDraft, Scope, text_sha256
from glossator.stores.matching import sees_all
from glossator.stores.memory.upkeep import MemoryUpkeep
from glossator.stores.revising import check_follows, checked_place, is_said_already, place_of


class MemoryResources(MemoryUpkeep):
    """The port Resources in memory."""

    def commit_revision(self, scope: Scope, draft: RevisionDraft, *, now: datetime) -> Committed:
        """Make the draft the newest revision; see ports.Resources."""
        place = checked_place(scope, draft)
        earlier = self._line(scope, draft.kind, place)
        head = earlier[-1] if earlier else None
        if head is not None and is_said_already(draft, head):
            return Committed(revision=head, changed=False)
        check_follows(draft, head, next((each for each in earlier if each.number == draft.target), None))
        revision = Revision(
            revision_id=len(self._state.revisions) + 1,
            scope=scope.whole,
            kind=draft.kind,
            conversation=place or None,
            number=len(earlier) + 1,
            parent=len(earlier) or None,
            sha256=text_sha256(draft.content),
            byte_count=len(draft.content.encode()),
            content=draft.content,
            source=draft.source,
            trigger=draft.trigger,
            memory_ids=tuple(draft.memory_ids),
            message_ids=tuple(draft.message_ids),
            target=draft.target,
            origin=draft.origin,
            by=draft.by,
            created_at=now,
        )
        self._state.revisions.append(revision)
        return Committed(revision=revision, changed=True)

    def revisions(
        self, scope: Scope, kind: ResourceKind, *, conversation: str | None = None, limit: int = 20
    ) -> tuple[Revision, ...]:
        """The revisions of a resource, newest first."""
        place = place_of(scope, kind, conversation)
        line = [] if place is None else self._line(scope, kind, place)
        return tuple(reversed(line))[: max(limit, 0)]

    def revision(
        self, scope: Scope, kind: ResourceKind, number: int, *, conversation: str | None = None
    ) -> Revision | None:
        """The revision with this number, or None."""
        place = place_of(scope, kind, conversation)
        line = [] if place is None else self._line(scope, kind, place)
        return next((each for each in line if each.number == number), None)

    def resources(self, scope: Scope, *, limit: int = 1000) -> tuple[Revision, ...]:
        """The newest revision of each resource."""
        if not sees_all(scope):
            return ()
        newest = {
            (each.kind, each.conversation): each
            for each in self._state.revisions
            if each.scope == scope.whole
            and (each.conversation is None or scope.conversation in (None, each.conversation))
        }
        ordered = sorted(newest.values(), key=lambda each: (RESOURCE_KINDS.index(each.kind), -each.revision_id))
        return tuple(ordered[: max(limit, 0)])

    def _line(self, scope: Scope, kind: ResourceKind, place: str) -> list[Revision]:
        """All revisions of a resource, oldest first."""
        asked = (scope.whole, kind, place or None)
        return [each for each in self._state.revisions if (each.scope, each.kind, each.conversation) == asked]

    def _revisions_that_go(
        self,
        owner: Scope,
        *,
        whole: bool = False,
        conversation: str | None = None,
        memory_ids: Sequence[int] = (),
        message_ids: Sequence[int] = (),
    ) -> tuple[int, ...]:
        """Ids of the revisions of this owner that rest on what is being erased."""
        return tuple(
            each.revision_id
            for each in self._state.revisions
            if each.scope == owner.whole
            and each.erased_at is None
            and (
                whole
                or (conversation is not None and each.conversation == conversation)
                or not set(memory_ids).isdisjoint(each.memory_ids)
                or not set(message_ids).isdisjoint(each.message_ids)
            )
        )

    def _blank_revisions(self, owner: Scope, revision_ids: Sequence[int], *, now: datetime) -> int:
        """Take the words and their fingerprint out of these revisions; returns how many lost them."""
        doomed = [
            place
            for place, each in enumerate(self._state.revisions)
            if each.revision_id in revision_ids and each.scope == owner.whole and each.erased_at is None
        ]
        for place in doomed:
            self._state.revisions[place] = replace(
                self._state.revisions[place], content="", sha256="", byte_count=0, trigger="", erased_at=now
            )
        return len(doomed)
