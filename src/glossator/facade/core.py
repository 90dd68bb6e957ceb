"""What can be done with a memory? The public verbs, over one store and the providers it was given."""

import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, overload

from glossator.errors import NotDrainedError, ProviderError, UsageError
from glossator.model import (
    NAMESPACES,
    Answer,
    Conversation,
    Filters,
    Finding,
    ForgetPreview,
    ForgetReceipt,
    ForgetTarget,
    Message,
    Namespace,
    Receipt,
    Scope,
    Status,
    Strategy,
)
from glossator.options import Options
from glossator.ports import Clock, Embedder, Ids, Ranker, Reranker, Store
from glossator.recall import corridor as recalling
from glossator.retain import corridor as retaining
from glossator.rules.instants import read_instant, zone_named
from glossator.rules.labels import checked_project, checked_tags
from glossator.warm import warmed
from glossator.worker import Worker

LIMIT_MAX = 200
QUERY_CHARACTERS_MAX = 20_000
DRAIN_POLL_S = 0.05


class Memory:
    """Conversations kept word for word, and the turns that answer a question.

    Safe to share between threads; several processes may open the same store. `record` returns when the messages are
    durable and never waits for a model; what they mean is embedded behind it. Close it, or use it in a `with` block.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        options: Options,
        embedder: Embedder | None,
        ranker: Ranker | None = None,
        ranker_missing: str = "none was given",
        reranker: Reranker | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._options = options
        self._zone = zone_named(options.zone)
        self._embedder = warmed(embedder) if embedder is not None else None
        self._ranker = ranker
        self._ranker_missing = ranker_missing
        self._reranker = reranker
        self._worker = Worker(store, self._embedder, clock, options) if self._embedder is not None else None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._thread_lock = threading.Lock()

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
            messages,
            scope=_checked_scope(scope),
            conversation=conversation,
            session=_checked_session(session),
            project=checked_project(project),
            tags=checked_tags(tags),
            now=self._clock.now(),
        )
        self._wake_worker()
        return receipt

    def remember_document(
        self,
        text: str,
        *,
        scope: Scope,
        mode: Literal["raw"] = "raw",
        strategy: Strategy = "paragraphs",
        document_id: str | None = None,
        project: str | None = None,
        tags: Sequence[str] = (),
        at: object = None,
        speaker: str | None = None,
        namespace: Namespace = "episodic",
    ) -> Receipt:
        """Keep a document word for word, cut into pieces by `strategy`; `at` is the document's own date.

        The same text (or the same `document_id` with the same text) is kept once.
        """
        if mode != "raw":
            raise UsageError("mode", f"{mode!r} is unknown", remedy='pass "raw"')
        if namespace not in NAMESPACES:
            raise UsageError("namespace", f"{namespace!r} is unknown", remedy=f"choose from {', '.join(NAMESPACES)}")
        receipt = retaining.remember_document(
            self._store,
            self._options,
            text,
            scope=_checked_scope(scope),
            strategy=strategy,
            document_id=document_id,
            project=checked_project(project),
            tags=checked_tags(tags),
            at=at,
            speaker=speaker,
            namespace=namespace,
            now=self._clock.now(),
        )
        self._wake_worker()
        return receipt

    def recall(
        self,
        query: str,
        *,
        scope: Scope,
        limit: int = 10,
        now: object = None,
        per: recalling.Per = "turn",
        since: object = None,
        until: object = None,
        said_since: object = None,
        said_until: object = None,
        as_of: object = None,
        project: str | None = None,
        tags: Sequence[str] = (),
        namespaces: Sequence[Namespace] = NAMESPACES,
        explain: bool = False,
    ) -> Answer:
        """The pieces that answer a question in plain words, best first, at most `limit` (1 to 200).

        `now` is the asker's time (ISO or datetime), against which "last March" is read; the clock's by default.
        `per="session"` gives each session's best piece, sessions best first. `since` and `until` bound when it
        happened, `said_since` and `said_until` when it was said, `as_of` shows what was known then; all are hard.
        What was missing stands in `Answer.degraded`. Raises UsageError or StoreError.
        """
        if not isinstance(query, str) or not query.strip():
            raise UsageError("query", "is empty", remedy="ask something")
        if len(query) > QUERY_CHARACTERS_MAX:
            raise UsageError("query", f"is longer than {QUERY_CHARACTERS_MAX} characters", remedy="ask in fewer words")
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= LIMIT_MAX:
            raise UsageError("limit", f"{limit!r} is not between 1 and {LIMIT_MAX}", remedy="for example 10")
        if per not in ("turn", "session"):
            raise UsageError("per", f"{per!r} is unknown", remedy='pass "turn" or "session"')
        unknown = [name for name in namespaces if name not in NAMESPACES]
        if unknown or isinstance(namespaces, str) or not namespaces:
            raise UsageError("namespaces", f"{namespaces!r} is no choice of them", remedy=f"choose from {NAMESPACES}")
        filters = Filters(
            project=checked_project(project),
            tags=checked_tags(tags),
            namespaces=tuple(name for name in NAMESPACES if name in namespaces),
            since=self._moment(since, "since"),
            until=self._moment(until, "until"),
            said_since=self._moment(said_since, "said_since"),
            said_until=self._moment(said_until, "said_until"),
            as_of=self._moment(as_of, "as_of"),
        )
        return recalling.recall(
            self._store,
            self._providers(),
            self._options,
            query,
            scope=_reading_scope(scope),
            filters=filters,
            now=self._moment(now, "now") or self._clock.now().astimezone(self._zone),
            limit=limit,
            per=per,
            explain=explain,
        )

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
        owner has with this agent. Raises NotFoundError when nothing is named, ConflictError when it has changed.
        """
        target = _forget_target(_checked_scope(scope), message_ids, conversation, session, everything)
        if confirm is None:
            return self._store.preview(target)
        return self._store.erase(target, confirm=confirm, now=self._clock.now())

    def messages(
        self, *, scope: Scope, session: str | None = None, after_id: int = 0, limit: int = 1000
    ) -> tuple[Message, ...]:
        """The journal in order, at most `limit` messages with a number above `after_id`."""
        if limit < 1 or limit > 10_000:
            raise UsageError("limit", f"{limit!r} is not between 1 and 10000", remedy="page with after_id")
        return self._store.messages(_reading_scope(scope), session=session, after_id=after_id, limit=limit)

    def drain(self, timeout_s: float | None = None) -> None:
        """Return once everything acknowledged has been embedded and settled.

        Helps with the work itself. Raises NotDrainedError with the backlog, or ProviderError when the embedder fails.
        """
        if self._worker is None:
            return
        started = self._clock.now()
        self._worker.adopt()
        while self._store.pending():
            did = self._worker.step()
            if did is not None and did.failure:
                raise ProviderError(f"cannot drain: {did.failure}", retryable=True)
            if timeout_s is not None and (self._clock.now() - started).total_seconds() > timeout_s:
                raise NotDrainedError(f"{self._store.pending()} work rows are still open after {timeout_s} s")
            if did is None:
                self._stop.wait(DRAIN_POLL_S)

    def warm(self, timeout_s: float | None = None) -> bool:
        """Wait until the embedder is loaded; False when it could not be within the time or at all."""
        return self._embedder is not None and self._embedder.warm(timeout_s)

    def work(self, stop: threading.Event) -> None:
        """Do open work in this thread until `stop` is set: what `glossator worker` runs."""
        if self._worker is None:
            raise UsageError("options.embedder", 'is "none", there is nothing to do', remedy="choose an embedder")
        self._worker.run(stop)

    def status(self, scope: Scope | None = None) -> Status:
        """Counts of the store, or of what one scope sees."""
        return self._store.status(None if scope is None else _reading_scope(scope))

    def doctor(self, *, repair: bool = False) -> tuple[Finding, ...]:
        """Check integrity, drift between rows, keyword index and vectors, and the backlog; `repair` mends it."""
        return self._store.examine(model=self._model_name(), repair=repair, now=self._clock.now())

    def backup(self, path: str | Path) -> None:
        """Write a consistent copy to `path`, which must not exist yet."""
        self._store.backup(Path(path))

    def close(self) -> None:
        """Stop the worker and release the store. Open work stays for the next time."""
        self._stop.set()
        if self._thread is not None and self._worker is not None:
            self._worker.wake()
            self._thread.join()
        if self._embedder is not None:
            self._embedder.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Load the embedder and take up open work, all behind the caller's back."""
        if self._embedder is not None:
            self._embedder.start_warming()
            self._wake_worker()

    def _wake_worker(self) -> None:
        if self._worker is None or not self._options.worker or self._stop.is_set():
            return
        with self._thread_lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._worker.run, args=(self._stop,), name="glossator-worker", daemon=True
                )
                self._thread.start()
        self._worker.wake()

    def _providers(self) -> recalling.Providers:
        ready = self._embedder is not None and self._embedder.ready
        missing = "switched off" if self._embedder is None else self._embedder.state
        return recalling.Providers(
            embedder=self._embedder if ready else None,
            embedder_missing=missing,
            ranker=self._ranker,
            ranker_missing=self._ranker_missing,
            reranker=self._reranker,
        )

    def _model_name(self) -> str:
        return self._embedder.name if self._embedder is not None else ""

    def _moment(self, value: object, argument: str) -> datetime | None:
        return None if value is None else read_instant(value, argument=argument, zone=self._zone)


def _checked_scope(scope: object) -> Scope:
    if not isinstance(scope, Scope):
        raise UsageError("scope", f"is {type(scope).__name__}, not a Scope", remedy='pass Scope(workspace="acme")')
    return scope


def _reading_scope(scope: object) -> Scope:
    """The scope with its conversation as the stored key."""
    checked = _checked_scope(scope)
    if checked.conversation is None:
        return checked
    key = Conversation.parse(checked.conversation).key
    return Scope(workspace=checked.workspace, agent=checked.agent, owner=checked.owner, conversation=key)


def _checked_session(session: str | None) -> str | None:
    if session is not None and (not isinstance(session, str) or not session.strip() or len(session) > 500):
        raise UsageError("session", "is no text of 1 to 500 characters", remedy="leave it out or name the session")
    return session


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
