"""The verbs of the journal: record, remember_document, messages, forget."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, cast, overload

from glossator.errors import NotFoundError, UsageError
from glossator.facade.checks import checked_after, checked_scope, checked_session, reading_scope
from glossator.facade.guarding import GuardedVerbs
from glossator.facade.waiting_room import make
from glossator.model import (
    NAMESPACES,
    Conversation,
    ForgetPreview,
    ForgetReceipt,
    ForgetTarget,
    Message,
    Namespace,
    Receipt,
    Scope,
    Strategy,
)
from glossator.retain import corridor as retaining
from glossator.rules.labels import checked_project, checked_tags

if TYPE_CHECKING:
    from glossator.facade import Memory


class JournalVerbs(GuardedVerbs):
    """What is said is kept word for word, read back in order, and erased when asked."""

    def record(
        self,
        messages: Sequence[Mapping[str, object]],
        *,
        scope: Scope,
        conversation: str,
        session: str | None = None,
        project: str | None = None,
        tags: Sequence[str] = (),
    ) -> Receipt:
        """Keep messages word for word; durable and found by keyword on return, by meaning soon after.

        A message has "content" and may have "role" (user, assistant, system, tool; user by default), "speaker", "at"
        (ISO 8601 or datetime; now by default), "id" and "metadata". `conversation` is for example "telegram:42";
        `session` groups what was said together, by default the speaker's calendar day. The same id in the same
        conversation is kept once. Raises UsageError (nothing written) or StoreError (nothing written).
        """
        receipt = retaining.record(
            self._store,
            self._ids,
            self._options,
            self._cleaner,
            messages,
            scope=checked_scope(scope),
            conversation=conversation,
            session=checked_session(session),
            project=checked_project(project),
            tags=checked_tags(tags),
            now=self._clock.now(),
        )
        self._count_redactions(note for each in receipt.recorded for note in each.notes)
        key = Conversation.parse(conversation).key
        self._wake_worker(Scope(workspace=scope.workspace, agent=scope.agent, owner=scope.owner, conversation=key))
        return receipt

    def remember_document(
        self,
        text: str,
        *,
        scope: Scope,
        mode: Literal["raw", "full"] = "raw",
        strategy: Strategy = "paragraphs",
        document_id: str | None = None,
        project: str | None = None,
        tags: Sequence[str] = (),
        at: object = None,
        speaker: str | None = None,
        namespace: Namespace = "episodic",
    ) -> Receipt:
        """Keep a document word for word, cut into pieces by `strategy`; `at` is the document's own date.

        With `mode="full"` facts are taken from it as well; they add to its words and never replace them. The same text
        (or the same `document_id` with the same text) is kept once. Raises PermissionDeniedError where the agent's tier
        does not allow it.
        """
        self._permit_tier("remember_document", checked_scope(scope))
        if mode not in ("raw", "full"):
            raise UsageError("mode", f"{mode!r} is unknown", remedy='pass "raw" or "full"')
        if namespace not in NAMESPACES:
            raise UsageError("namespace", f"{namespace!r} is unknown", remedy=f"choose from {', '.join(NAMESPACES)}")
        receipt = retaining.remember_document(
            self._store,
            self._options,
            self._cleaner,
            text,
            scope=checked_scope(scope),
            strategy=strategy,
            extract=mode == "full" and self._options.extracts_by != "none",
            document_id=document_id,
            project=checked_project(project),
            tags=checked_tags(tags),
            at=at,
            speaker=speaker,
            namespace=namespace,
            now=self._clock.now(),
        )
        self._count_redactions(note for each in receipt.recorded for note in each.notes)
        self._wake_worker()
        return receipt

    @overload
    def forget(
        self, *, scope: Scope, message_ids: Sequence[str] = (), conversation: str | None = None,
        session: str | None = None, everything: bool = False, confirm: None = None,
    ) -> ForgetPreview: ...  # fmt: skip

    @overload
    def forget(
        self, *, scope: Scope, message_ids: Sequence[str] = (), conversation: str | None = None,
        session: str | None = None, everything: bool = False, confirm: str,
    ) -> ForgetReceipt: ...  # fmt: skip

    def forget(
        self,
        *,
        scope: Scope,
        message_ids: Sequence[str] = (),
        conversation: str | None = None,
        session: str | None = None,
        everything: bool = False,
        confirm: str | None = None,
    ) -> ForgetPreview | ForgetReceipt:
        """Erase messages for good: text, chunks, keyword rows, vectors and open work.

        Without `confirm` nothing is touched: the preview says what would go, and its token is what `confirm` takes.
        Name `message_ids`, or a `conversation` (and a `session` of it), or say `everything=True` for all that this
        owner has with this agent. Words of a hook that still wait beside the memory are taken in before, so that they
        do not come back. Raises NotFoundError when nothing is named, ConflictError when it has changed.
        """
        target = _forget_target(checked_scope(scope), message_ids, conversation, session, everything)
        self._permit("forget", target.scope)
        if target.scope.job is not None:
            problem = "is given, and a job removes only what it keeps itself"
            self._deny("forget", "scope.job", problem, "leave the job out, or name its facts to `forget_facts`")
        self._take_in()
        if confirm is None:
            try:
                return self._store.preview(target)
            except NotFoundError as error:
                raise NotFoundError(_named_in(target), error.problem, remedy=error.remedy) from error
        receipt = self._store.erase(target, confirm=confirm, now=self._clock.now())
        if self._room is not None:
            self._room.drop_damaged()
        signed = {each.receipt_id: each.signed for each in self._proofs(target.scope)}
        return replace(receipt, signed=signed.get(receipt.receipt_id, ""))

    def _take_in(self) -> None:
        """Keep the words that wait beside the memory. Raises StoreError."""
        if self._room is not None:
            self._room.make(lambda write: make(write, cast("Memory", self)))

    def messages(
        self,
        *,
        scope: Scope,
        session: str | None = None,
        after_id: int = 0,
        before_id: int | None = None,
        limit: int = 1000,
    ) -> tuple[Message, ...]:
        """The journal in order, at most `limit` messages with a number above `after_id`: the first of them.

        With `before_id` those with a number below it, and the last of them: so the journal is read backwards, page by
        page.
        """
        checked_after(after_id)
        if before_id is not None and before_id < 1:
            raise UsageError("before_id", f"{before_id} is below 1", remedy="the number of the first one that came")
        if limit < 1 or limit > 10_000:
            raise UsageError("limit", f"{limit!r} is not between 1 and 10000", remedy="page with after_id")
        return self._store.messages(
            reading_scope(scope), session=session, after_id=after_id, before_id=before_id, limit=limit
        )


def _named_in(target: ForgetTarget) -> str:
    """The argument that says what is to be erased."""
    if target.message_ids:
        return "message_ids"
    return "session" if target.session else "conversation" if target.conversation else "everything"


def _forget_target(
    scope: Scope, message_ids: Sequence[str], conversation: str | None, session: str | None, everything: bool
) -> ForgetTarget:
    if isinstance(message_ids, str):
        raise UsageError("message_ids", "is a str, not a list of ids", remedy='pass ["id"]')
    if everything and (message_ids or conversation or session):
        raise UsageError("everything", "is given together with a narrower target", remedy="name one of them")
    if session and not conversation:
        raise UsageError("session", "is given without its conversation", remedy="name the conversation too")
    if not everything and not message_ids and not conversation:
        raise UsageError(
            "message_ids", "is empty and nothing else is named", remedy="name ids, a conversation, or everything=True"
        )
    if any(not isinstance(each, str) or not each.strip() for each in message_ids):
        raise UsageError("message_ids", "holds a blank id", remedy="ids are matched exactly; there are no wildcards")
    key = Conversation.parse(conversation).key if conversation else None
    return ForgetTarget(
        scope=scope, message_ids=tuple(message_ids), conversation=key, session=session, everything=everything
    )
