"""Which errors can a caller meet, and who has to act?

GlossatorError
  UsageError            the caller must act: an argument is wrong; names it and the remedy
    NotFoundError       what was named does not exist (or is not visible to this scope)
    ConflictError       what was asked no longer matches what is stored
    PermissionDeniedError  the caller's trust or the agent's tier does not allow it; says what is needed
  StoreError            the operator must act; .retryable says whether trying again can help
    StoreLockedError    another process holds the write lock longer than the busy time-out
    StoreReadOnlyError  the file or its folder cannot be written
    StoreCorruptError   the file is damaged or is not a Glossator store
    StoreTooNewError    the file was written by a newer version
    StoreFullError      the disk or the quota is full
  ProviderError         a model or a service failed; .retryable says whether trying again can help
    ProviderTimeoutError  it did not answer within its time
  NotDrainedError       `drain` ran out of time; what is open stays open and goes on (also a TimeoutError)
"""


class GlossatorError(Exception):
    """Base of every error that Glossator raises on purpose."""


class UsageError(GlossatorError):
    """An argument is wrong. Nothing was written.

    `argument` names it as the caller wrote it (`messages[3].content`), `remedy` says what to pass instead.
    """

    def __init__(self, argument: str, problem: str, *, remedy: str = "") -> None:
        self.argument = argument
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{argument}: {problem}" + (f" ({remedy})" if remedy else ""))


class NotFoundError(UsageError):
    """What the argument names does not exist or is not visible to the given scope."""


class ConflictError(UsageError):
    """What was asked rests on a state that has changed since; ask again."""


class PermissionDeniedError(UsageError):
    """Who asks may not have this done. The message names the trust or the tier that it takes."""


class StoreError(GlossatorError):
    """The store failed. `retryable` is True where the same call may succeed later."""

    retryable = False

    def __init__(self, message: str, *, retryable: bool | None = None) -> None:
        super().__init__(message)
        if retryable is not None:
            self.retryable = retryable


class StoreLockedError(StoreError):
    """Another process held the write lock for longer than `Options.busy_timeout_s`."""

    retryable = True


class StoreReadOnlyError(StoreError):
    """The store's file or folder cannot be written."""


class StoreCorruptError(StoreError):
    """The file is damaged or is no Glossator store; restore a backup or run `glossator doctor --repair`."""


class StoreTooNewError(StoreError):
    """The file was written by a newer Glossator; upgrade the package, a downgrade is refused."""


class StoreFullError(StoreError):
    """No room left on the disk; nothing of the failed call was kept."""

    retryable = True


class ProviderError(GlossatorError):
    """A model or a remote service failed. `retryable` is True for time-outs, 429 and 5xx."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


class ProviderTimeoutError(ProviderError):
    """A model or a service did not answer within the time that the call allows."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message, retryable=retryable)


class NotDrainedError(GlossatorError, TimeoutError):
    """`drain` ran out of time. Nothing is lost: the open work is on disk and goes on behind."""
