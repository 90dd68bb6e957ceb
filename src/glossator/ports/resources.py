"""Which revisions of prompt files and other texts are kept?"""

from datetime import datetime
from typing import Protocol

from glossator.model import Committed, ResourceKind, Revision, RevisionDraft, Scope


class Resources(Protocol):
    """Texts of an agent's prompt with all their revisions, and the checkpoints of its conversations.

    They belong to an owner with an agent. A job, a guest, a tool and whoever is unknown see none of them. A scope with
    a conversation sees of the checkpoints that conversation's alone, and takes it as `conversation` where none is
    named; without either there is no checkpoint.
    """

    def commit_revision(self, scope: Scope, draft: RevisionDraft, *, now: datetime) -> Committed:
        """Make the draft the newest revision, in one transaction that holds the write lock from its beginning.

        A draft that says what the newest revision says writes nothing (`changed` is False), whatever it expects. Else,
        where `expected_sha256` is not that of the newest revision: ConflictError naming it. A rollback whose `origin`
        is not the newest revision, or whose `target` has not (or no longer) the draft's text, is a ConflictError too.
        Raises UsageError for a scope that sees no revisions.
        """
        ...

    def revisions(
        self, scope: Scope, kind: ResourceKind, *, conversation: str | None = None, limit: int = 20
    ) -> tuple[Revision, ...]:
        """The revisions of a resource, newest first."""
        ...

    def revision(
        self, scope: Scope, kind: ResourceKind, number: int, *, conversation: str | None = None
    ) -> Revision | None:
        """The revision with this number, or None."""
        ...

    def resources(self, scope: Scope, *, limit: int = 1000) -> tuple[Revision, ...]:
        """The newest revision of each resource: files in order of RESOURCE_KINDS, then the latest checkpoints."""
        ...
