"""Who may come in from outside, and what were they answered?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from glossator.model.scope import Tier, Trust

SECRET_OPENING = "gl_"  # noqa: S105 - what is secret comes behind it
"""How a secret begins, so that a person and a scanner of repositories knows one when they see it."""
REPLY_BYTES_MAX = 1_000_000
"""An answer that is larger is not kept: whoever asks again is told that it was done."""
CLAIM_S = 60
"""How long a request is being answered at most, in seconds: after that its attempt counts as dead."""
REPLY_KEPT_S = 86_400
"""How long an answer is kept for whoever asks again, in seconds."""
LAST_USED_S = 60
"""When a key was used last is told to this many seconds: a busy server must not write at each request."""

NotKept = Literal["", "too_large", "erased"]
"""Why the words of an answer are not there: never kept, or gone with what was forgotten since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key to one workspace, without its secret.

    Where `agent` or `owner` is None, a request names them; where they are given, the key is for no other. Whoever holds
    the key is believed as `trust` says, and their agent has at most the `tier`, where one is given. Times are UTC.
    """

    key_id: str
    name: str
    workspace: str
    agent: str | None = None
    owner: str | None = None
    trust: Trust = "owner"
    tier: Tier | None = None
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    """To the minute."""

    def opens_at(self, now: datetime) -> bool:
        """True unless it was revoked or has expired."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key with its secret, which is shown this once and kept nowhere."""

    key: ApiKey
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptReply:
    """What a request was answered. Where `not_kept` says why, `body` and `headers` are empty: it was done, no more."""

    status: int
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    not_kept: NotKept = ""
