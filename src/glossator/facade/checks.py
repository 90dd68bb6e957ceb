"""What may a caller pass? The checks that several verbs share; each error names the argument and the remedy."""

from dataclasses import replace

from glossator.errors import UsageError
from glossator.model import Conversation, Scope


def checked_scope(scope: object) -> Scope:
    if not isinstance(scope, Scope):
        raise UsageError("scope", f"is {type(scope).__name__}, not a Scope", remedy='pass Scope(workspace="acme")')
    return scope


def writing_scope(scope: object) -> Scope:
    """Where a statement goes: no conversation narrows it, a job keeps its own."""
    return replace(checked_scope(scope), conversation=None)


def reading_scope(scope: object) -> Scope:
    """The scope with its conversation as the stored key."""
    checked = checked_scope(scope)
    if checked.conversation is None:
        return checked
    key = Conversation.parse(checked.conversation).key
    return replace(checked, conversation=key)


def checked_session(session: str | None) -> str | None:
    if session is not None and (not isinstance(session, str) or not session.strip() or len(session) > 500):
        raise UsageError("session", "is no text of 1 to 500 characters", remedy="leave it out or name the session")
    return session


def checked_after(after_id: int | None) -> None:
    if after_id is not None and after_id < 0:
        raise UsageError("after_id", f"{after_id} is below 0", remedy="0 at first, then the last number that came")


def fact_number(fact_id: object, *, argument: str = "fact_id") -> int:
    """The number of "f42", "42" or 42. Raises UsageError for anything else."""
    text = str(fact_id).strip().lower() if not isinstance(fact_id, bool) else ""
    digits = text.removeprefix("f")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 18:
        raise UsageError(argument, f"{fact_id!r} is no id of a fact", remedy='for example "f42"')
    return int(digits)
