"""Which resource is asked for, may the caller see it, and may this draft follow what stands there?

What all stores have to agree on.
"""

from glossator.errors import ConflictError, UsageError
from glossator.model import NO_TEXT, Conversation, ResourceKind, Revision, RevisionDraft, Scope, text_sha256
from glossator.stores.matching import sees_all


def place_of(scope: Scope, kind: ResourceKind, conversation: str | None) -> str | None:
    """The key of the conversation that the resource belongs to, "" for a file; None where nothing may be seen."""
    if not sees_all(scope):
        return None
    if kind != "checkpoint":
        return "" if conversation is None else None
    if conversation is not None and scope.conversation not in (None, conversation):
        return None
    return conversation or scope.conversation


def checked_place(scope: Scope, draft: RevisionDraft) -> str:
    """The same for a draft. Raises UsageError where its writer may not see it."""
    if not sees_all(scope):
        problem = "of a job keeps no revisions" if scope.job else f"{scope.believed!r} keeps no revisions"
        argument = "scope" if scope.job else "scope.trust"
        raise UsageError(argument, problem, remedy="write as the owner or an operator, without a job")
    place = place_of(scope, draft.kind, draft.conversation)
    if place is None:
        remedy = "leave the scope's conversation out, or name it"
        raise UsageError("conversation", "is another one than the scope's", remedy=remedy)
    if place and Conversation.parse(place).key != place:
        raise UsageError("conversation", f"{place!r} is no key", remedy=f"pass {Conversation.parse(place).key!r}")
    return place


def is_said_already(draft: RevisionDraft, head: Revision | None) -> bool:
    """True if the newest revision says just that. What was erased has no sha256, and says nothing."""
    return head is not None and head.sha256 == text_sha256(draft.content)


def check_follows(draft: RevisionDraft, head: Revision | None, target: Revision | None) -> None:
    """Raises ConflictError where the draft rests on something that is not there, or not there any more.

    `target` is the stored revision that a rollback names: what was erased meanwhile must not come back by it.
    """
    stands = NO_TEXT if head is None else head.sha256
    if draft.expected_sha256 not in (None, stands):
        now = "there is no text" if stands == NO_TEXT else f"revision {head.number if head else 0} has {stands}"
        raise ConflictError(
            "expected_sha256",
            f"is not that of the newest revision of {draft.kind}: {now}",
            remedy="somebody has written since it was read; read it again, merge, and pass the new sha256",
        )
    number = 0 if head is None else head.number
    if draft.origin is not None and draft.origin != number:
        raise ConflictError("origin", f"is {draft.origin}, the newest revision is {number}", remedy="roll back again")
    if draft.target is not None and (target is None or target.sha256 != text_sha256(draft.content)):
        problem = f"is {draft.target}, and no revision of that number has this text"
        raise ConflictError("target", problem, remedy="see the history and roll back again")
