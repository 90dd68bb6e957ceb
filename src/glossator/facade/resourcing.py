"""The verbs of kept revisions: resources, resource_history, resource, resource_diff, write_resource, rollback_resource.

The texts are those that stand in an agent's prompt, and the checkpoints of its conversations.
"""

from dataclasses import replace

from glossator.errors import NotFoundError, UsageError
from glossator.facade.checks import reading_scope
from glossator.facade.guarding import GuardedVerbs
from glossator.model import (
    Committed,
    Conversation,
    ResourceKind,
    Revision,
    RevisionDraft,
    Rolled,
    Scope,
    text_sha256,
)
from glossator.rules.canonical import checked_text
from glossator.rules.injection import suspicion
from glossator.upkeep.resources import (
    CAUSE_CHARACTERS_MAX,
    FILES,
    REBUILT,
    RESOURCE_BYTES_MAX,
    diff_text,
    kind_named,
    rebuild_warning,
    rollback_draft,
)

HISTORY_MAX = 1_000


class ResourceVerbs(GuardedVerbs):
    """Texts of an agent's prompt, each with all that it ever said. A guest and a job see none of them."""

    def resources(self, *, scope: Scope) -> tuple[Revision, ...]:
        """The newest revision of each text: the files first, then the latest checkpoints, at most 1,000."""
        return self._store.resources(reading_scope(scope))

    def resource_history(
        self, kind: ResourceKind, *, scope: Scope, conversation: str | None = None, limit: int = 20
    ) -> tuple[Revision, ...]:
        """The revisions of a text, newest first; `conversation` names whose checkpoints are meant."""
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= HISTORY_MAX:
            raise UsageError("limit", f"{limit!r} is not between 1 and {HISTORY_MAX}", remedy="for example 20")
        named, key = _named(kind, scope, conversation)
        return self._store.revisions(reading_scope(scope), named, conversation=key, limit=limit)

    def resource(
        self, kind: ResourceKind, *, scope: Scope, number: int | None = None, conversation: str | None = None
    ) -> Revision:
        """One revision of a text, the newest where no `number` is given. Raises NotFoundError."""
        named, key = _named(kind, scope, conversation)
        if number is not None:
            return self._revision(named, number, scope=scope, conversation=key)
        found = self._store.revisions(reading_scope(scope), named, conversation=key, limit=1)
        if not found:
            raise NotFoundError("kind", f"{named} has no revision in this scope", remedy="the list says which has one")
        return found[0]

    def resource_diff(
        self, kind: ResourceKind, first: int, second: int, *, scope: Scope, conversation: str | None = None
    ) -> str:
        """How two revisions differ, as a unified diff; "" if they say the same."""
        named, key = _named(kind, scope, conversation)
        one = self._revision(named, first, scope=scope, conversation=key, argument="first")
        other = self._revision(named, second, scope=scope, conversation=key, argument="second")
        return diff_text(one, other)

    def write_resource(
        self,
        kind: ResourceKind,
        content: str,
        *,
        scope: Scope,
        expected_sha256: str | None = None,
        reason: str = "manual edit",
    ) -> Committed:
        """Make a text the newest revision, without its secrets; unchanged if it says just that already.

        `expected_sha256` is the `sha256` of the revision that the text was made from ("" for none): has somebody
        written since, ConflictError says so and nothing is lost. Meant for "rules" and "soul"; "user_md" and
        "memory_md" are written anew from facts, which `Committed.warning` says. Raises PermissionDeniedError for a
        guest, UsageError for a job, a checkpoint, more than 1 MB, and a text that reads like an attack on the model.
        """
        seen, named = reading_scope(scope), _writable(kind)
        self._permit("write_resource", seen)
        text = self._cleaned(_checked_content(content))
        cause, _ = checked_text(reason, argument="reason", bytes_max=4 * CAUSE_CHARACTERS_MAX)
        _check_harmless(text, "content")
        draft = RevisionDraft(
            kind=named,
            content=text,
            source="manual_edit",
            trigger=" ".join(self._cleaned(cause).split())[:CAUSE_CHARACTERS_MAX],
            memory_ids=self._facts_behind(seen, named),
            expected_sha256=_checked_sha256(expected_sha256),
            by=seen.believed,
        )
        committed = self._store.commit_revision(seen, draft, now=self._clock.now())
        self._revision_written(seen, committed)
        return replace(committed, warning=rebuild_warning(named))

    def rollback_resource(
        self,
        kind: ResourceKind,
        number: int,
        *,
        scope: Scope,
        conversation: str | None = None,
        expected_sha256: str | None = None,
    ) -> Rolled:
        """Bring the text of a revision back, as a new revision; unchanged where the newest one has it.

        `expected_sha256` is the `sha256` of the newest revision that was looked at, as for `write_resource`: has
        somebody written since, ConflictError says so.
        `Rolled.warning` says that a text made from facts will be written anew from them. Raises UsageError for a
        checkpoint, PermissionDeniedError for a guest, ConflictError when somebody writes at the same time.
        """
        expected = _checked_sha256(expected_sha256)
        self._permit("rollback_resource", reading_scope(scope))
        named, key = _named(kind, scope, conversation)
        target = self._revision(named, number, scope=scope, conversation=key)
        head = self.resource(named, scope=scope, conversation=conversation)
        draft = rollback_draft(head, target, by=scope.believed)
        committed = Committed(revision=head, changed=False)
        if draft is not None:
            _check_harmless(draft.content, "number")
            expecting = replace(draft, expected_sha256=expected)
            committed = self._store.commit_revision(reading_scope(scope), expecting, now=self._clock.now())
        self._revision_written(reading_scope(scope), committed)
        return Rolled(committed=committed, warning=rebuild_warning(target.kind))

    def _revision(
        self, kind: ResourceKind, number: object, *, scope: Scope, conversation: str | None, argument: str = "number"
    ) -> Revision:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number < 2**63:
            raise UsageError(argument, f"{number!r} is no number of a revision", remedy="they count from 1")
        found = self._store.revision(reading_scope(scope), kind, number, conversation=conversation)
        if found is None:
            problem = f"{kind} has no revision {number} in this scope"
            raise NotFoundError(argument, problem, remedy="the history says which there are")
        return found

    def _facts_behind(self, scope: Scope, kind: ResourceKind) -> tuple[int, ...]:
        """The facts behind the text that is edited: their words may still stand in it, so an erasure has to find it."""
        if kind not in REBUILT:
            return ()
        head = next(iter(self._store.revisions(scope, kind, limit=1)), None)
        return () if head is None else head.memory_ids

    def _revision_written(self, scope: Scope, committed: Committed) -> None:
        """Count what was written, and let the file follow, also where an earlier call got no further than the store.

        Another writer may be between its own commit and its file. So whoever has written a file looks again, and the
        last one leaves what the newest revision says.
        """
        revision = committed.revision
        if committed.changed:
            self._meters.counted("glossator_revisions_total", source=revision.source)
        while True:
            self._rolled_back(scope, revision.kind, revision.content)
            newest = self._store.revisions(scope, revision.kind, limit=1)[0]
            if newest.content == revision.content:
                return
            revision = newest

    def _rolled_back(self, scope: Scope, kind: ResourceKind, content: str) -> None:
        """Write the text to its file, where prompt files are kept."""


def _named(kind: object, scope: Scope, conversation: str | None) -> tuple[ResourceKind, str | None]:
    """The kind, and the key of the conversation that a checkpoint belongs to."""
    named = kind_named(kind)
    seen = reading_scope(scope)
    if named != "checkpoint":
        if conversation is not None:
            raise UsageError("conversation", f"is given, and {FILES[named]} belongs to none", remedy="leave it out")
        return named, None
    key = seen.conversation if conversation is None else Conversation.parse(conversation).key
    if key is None:
        raise UsageError(
            "conversation", "is missing: checkpoints belong to one", remedy='name it, for example "telegram:42"'
        )
    return named, key


def _writable(kind: object) -> ResourceKind:
    named = kind_named(kind)
    if named == "checkpoint":
        raise UsageError("kind", "checkpoint is written by compaction alone", remedy="choose rules or soul")
    return named


def _checked_content(content: object) -> str:
    """The text without what cannot be stored; a blank one is allowed: it empties the file."""
    if isinstance(content, str) and not content.strip():
        return ""
    return checked_text(content, argument="content", bytes_max=RESOURCE_BYTES_MAX)[0]


def _checked_sha256(expected: object) -> str | None:
    if expected is None or (isinstance(expected, str) and len(expected) in (0, len(text_sha256("")))):
        return expected
    raise UsageError("expected_sha256", "is no SHA-256", remedy="pass the `sha256` of the revision that you have read")


def _check_harmless(text: str, argument: str) -> None:
    """What would be left out of a prompt is not taken in either."""
    if reason := suspicion(text):
        raise UsageError(argument, f"names a text that {reason}", remedy="reword it, a prompt would leave it out")
