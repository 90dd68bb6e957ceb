"""Who may come in from outside, and what were they answered? Keys, kept replies, and where secrets come from."""

from datetime import datetime
from typing import Protocol

from glossator.model import ApiKey, KeptReply


class Keys(Protocol):
    """Keys of callers that come through a server. Of a secret only the SHA-256 is kept."""

    def add_key(self, wanted: ApiKey, secret_sha256: bytes) -> ApiKey:
        """Keep the key; its id is given here. `wanted.created_at` is now.

        Raises ConflictError where a key of this workspace that still opens has the name.
        """
        ...

    def keys(self, *, workspace: str | None = None) -> tuple[ApiKey, ...]:
        """All keys, also those that open no more, in the order in which they were made."""
        ...

    def rotate_key(self, number: int, secret_sha256: bytes, *, grace_s: int, now: datetime) -> ApiKey:
        """Give the key another secret; those before it go on for `grace_s` seconds and no longer than they did.

        Raises NotFoundError for a key that is not there, ConflictError for one that opens no more.
        """
        ...

    def revoke_key(self, number: int, *, now: datetime) -> ApiKey:
        """Drop all secrets of the key; the row stays. Twice is the same as once. Raises NotFoundError."""
        ...

    def key_of(self, secret_sha256: bytes, *, now: datetime) -> ApiKey | None:
        """The key that this secret opens now, or None. That it was used is noted, at most once a minute."""
        ...


class Replies(Protocol):
    """What a request was answered, for whoever sends it again with the same key. Neither key nor caller is kept plain.

    Whatever erases words (`erase`, `move_facts`) takes those of all kept replies with it, also of those that are still
    on their way to `keep_reply`.
    """

    def begin_reply(self, caller: str, key: str, fingerprint: str, *, now: datetime) -> KeptReply | None:
        """Claim the request for a minute and return None, or return what it was answered.

        Raises ConflictError where the key came with another fingerprint, or is being answered. Drops a few replies
        that were kept for a day.
        """
        ...

    def keep_reply(self, caller: str, key: str, reply: KeptReply) -> None:
        """Keep what the claimed request was answered; nothing where the claim is gone or was answered before."""
        ...

    def drop_reply(self, caller: str, key: str) -> None:
        """Give the claim back; an answer that was kept stays."""
        ...


class Secrets(Protocol):
    """Secrets that nobody can guess, by argument."""

    def new(self) -> str:
        """A fresh secret of at least 256 bits: letters, digits, "-" and "_"."""
        ...
