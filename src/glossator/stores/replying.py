"""May this request be answered now? The checks that every store makes before a reply, and what names one."""

from datetime import datetime, timedelta
from hashlib import sha256

from glossator.errors import ConflictError, NotFoundError
from glossator.model import ApiKey
from glossator.model.access import CLAIM_S, REPLY_KEPT_S

CLEANED_MAX = 100
"""Replies dropped at a time: a server that slept for a day must not make one caller wait for all of them."""


def reply_sha256(caller: str, key: str) -> bytes:
    """Under which a reply is kept: the key is the caller's own text, and no text of theirs stays."""
    return sha256(f"{len(caller)}\0{caller}\0{key}".encode("utf-8", "surrogatepass")).digest()


def is_over(created_at: datetime, *, now: datetime) -> bool:
    """True for a reply that has been kept long enough."""
    return created_at <= now - timedelta(seconds=REPLY_KEPT_S)


def check_same(held: str, fingerprint: str) -> None:
    """Raises ConflictError where the key stood for another request, unless that one's words were erased since."""
    if held and held != fingerprint:
        raise ConflictError("fingerprint", "the key came with another request before", remedy="use a new key for each")


def check_claim(claimed_until: datetime, *, now: datetime) -> None:
    """Raises ConflictError while an attempt holds the request.

    A claim that ends more than a minute from now is of a clock that was put back since, and holds nobody off.
    """
    if now < claimed_until <= now + timedelta(seconds=CLAIM_S):
        raise ConflictError("key", "is being answered right now", remedy="ask again in a minute")


def key_missing(number: int) -> NotFoundError:
    """No such key."""
    return NotFoundError("key_id", f"there is no key k{number}", remedy="list the keys to see which there are")


def name_taken(wanted: ApiKey) -> ConflictError:
    """The name is another live key's."""
    problem = f"a key of workspace {wanted.workspace!r} has the name {wanted.name!r}"
    return ConflictError("name", problem, remedy="choose another, or rotate that key")


def check_opens(key: ApiKey, *, now: datetime) -> None:
    """Raises ConflictError for a key that cannot be given another secret any more."""
    if not key.opens_at(now):
        ended = "was revoked" if key.revoked_at is not None else "has expired"
        raise ConflictError("key_id", f"{key.key_id} {ended}", remedy="add another key")
