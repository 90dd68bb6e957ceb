"""The verbs of a server's callers: their keys, and what they were answered.

They are the operator's, who holds the file: they take no scope, and no caller from outside reaches them.
"""

import re
from collections.abc import Mapping
from hashlib import sha256

from glossator.errors import UsageError
from glossator.facade.core import Core
from glossator.model import ApiKey, KeptReply, NewKey, Scope, Tier, Trust
from glossator.model.access import REPLY_BYTES_MAX, SECRET_OPENING
from glossator.rules.canonical import storable

KEY_NAME_CHARACTERS_MAX = 200
GRACE_S_MAX = 30 * 86_400
"""A month: a secret that is rotated because somebody may have seen it must not stay for good."""
REPLY_NAME_CHARACTERS_MAX = 255
"""Of a caller, of the key that they send with a request, and of its fingerprint."""
STATUS_MIN, STATUS_MAX = 100, 599

_key_id = re.compile(r"k?([1-9][0-9]{0,17})", re.IGNORECASE | re.ASCII)


class AccessVerbs(Core):
    """Keys and kept replies."""

    def add_key(
        self,
        name: str,
        *,
        workspace: str,
        agent: str | None = None,
        owner: str | None = None,
        trust: Trust = "owner",
        tier: Tier | None = None,
        expires_at: object = None,
    ) -> NewKey:
        """A key to one workspace; its secret is in the result and nowhere else.

        Where `agent` or `owner` is left out, each request names its own. Whoever holds the key is believed as `trust`
        says, and their agent has at most the `tier`. Raises ConflictError where a live key of the workspace has the
        name.
        """
        now, ends = self._clock.now(), self._moment(expires_at, "expires_at")
        if ends is not None and ends <= now:
            raise UsageError("expires_at", f"{ends.isoformat()} has passed", remedy="pass a later time, or none")
        _check_parts(workspace=workspace, agent=agent, owner=owner)
        wanted = ApiKey(
            key_id="",
            name=_checked_name(name),
            workspace=workspace,
            agent=agent,
            owner=owner,
            trust=trust,
            tier=tier,
            created_at=now,
            expires_at=ends,
        )
        secret = self._new_secret()
        return NewKey(key=self._store.add_key(wanted, _digest(secret)), secret=secret)

    def keys(self, *, workspace: str | None = None) -> tuple[ApiKey, ...]:
        """All keys, of one workspace or of the store, also those that were revoked or have expired; no secrets."""
        return self._store.keys(workspace=workspace)

    def rotate_key(self, key_id: str, *, grace_s: int = 0) -> NewKey:
        """A new secret for the key; the one before works for another `grace_s` seconds, by default not at all.

        Raises NotFoundError for a key that is not there, ConflictError for one that was revoked or has expired.
        """
        number = key_number(key_id)
        if not 0 <= grace_s <= GRACE_S_MAX:
            raise UsageError("grace_s", f"{grace_s} is not between 0 and {GRACE_S_MAX:,}", remedy="at most 30 days")
        secret = self._new_secret()
        key = self._store.rotate_key(number, _digest(secret), grace_s=grace_s, now=self._clock.now())
        return NewKey(key=key, secret=secret)

    def revoke_key(self, key_id: str) -> ApiKey:
        """End the key, at once and for good; again is the same. Raises NotFoundError for a key that is not there."""
        return self._store.revoke_key(key_number(key_id), now=self._clock.now())

    def key_of(self, secret: str) -> ApiKey | None:
        """The key of this secret; None for one that is unknown, was revoked or rotated away, or has expired."""
        if not secret.startswith(SECRET_OPENING):
            return None
        return self._store.key_of(_digest(secret), now=self._clock.now())

    def begin_reply(self, caller: str, key: str, fingerprint: str) -> KeptReply | None:
        """None: do it now, it is claimed for a minute. Else what the same request was answered within the last day.

        `key` is what the caller sent to name the request, `fingerprint` a digest of the request itself. Raises
        ConflictError naming "fingerprint" where the key came with another request, naming "key" while it is answered.
        """
        _check_reply(caller, key)
        _check_short("fingerprint", fingerprint)
        return self._store.begin_reply(caller, key, fingerprint, now=self._clock.now())

    def keep_reply(self, caller: str, key: str, *, status: int, body: str, headers: Mapping[str, str]) -> None:
        """Keep what the claimed request was answered, for a day.

        Of a body above 1 MB, and of one that was made while something was forgotten, the status alone is kept.
        """
        _check_reply(caller, key)
        if not STATUS_MIN <= status <= STATUS_MAX:
            raise UsageError("status", f"{status} is no status of HTTP", remedy="for example 200")
        if any(not isinstance(each, str) or each != storable(each) for pair in headers.items() for each in pair):
            raise UsageError("headers", "are not all plain text", remedy='for example {"ETag": "..."}')
        reply = KeptReply(status=status, body=storable(body), headers=headers)
        if len(reply.body.encode()) + sum(len(name) + len(value) for name, value in headers.items()) > REPLY_BYTES_MAX:
            reply = KeptReply(status=status, not_kept="too_large")
        self._store.keep_reply(caller, key, reply)

    def drop_reply(self, caller: str, key: str) -> None:
        """Give the claim back: the attempt failed, and may be made again at once. What was answered stays."""
        _check_reply(caller, key)
        self._store.drop_reply(caller, key)

    def _new_secret(self) -> str:
        if self._secrets is None:
            raise UsageError("secrets", "were not given to this memory", remedy="open it with Memory.open")
        return SECRET_OPENING + self._secrets.new()


def key_number(key_id: str) -> int:
    """The number of "k3" or "3". Raises UsageError for anything else."""
    found = _key_id.fullmatch(key_id.strip())
    if found is None:
        raise UsageError("key_id", f"{key_id!r} is no id of a key", remedy='for example "k3"')
    return int(found[1])


def _digest(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _check_parts(*, workspace: str, agent: str | None, owner: str | None) -> None:
    """Raises UsageError for what no scope can have, named as it was given here."""
    try:
        Scope(workspace=workspace, agent=agent or "default", owner=owner or "default")
    except UsageError as error:
        raise UsageError(error.argument.removeprefix("scope."), error.problem, remedy=error.remedy) from error


def _checked_name(name: str) -> str:
    """The name on one line. Raises UsageError for a blank or long one."""
    line = " ".join(name.split())
    if not line or len(line) > KEY_NAME_CHARACTERS_MAX or "\0" in line or not line.isprintable():
        problem = f"is no printable name of 1 to {KEY_NAME_CHARACTERS_MAX} characters"
        raise UsageError("name", problem, remedy="say what the key is for")
    return line


def _check_reply(caller: str, key: str) -> None:
    _check_short("caller", caller)
    _check_short("key", key)


def _check_short(argument: str, text: str) -> None:
    if len(text) > REPLY_NAME_CHARACTERS_MAX:
        problem = f"is longer than {REPLY_NAME_CHARACTERS_MAX} characters"
        raise UsageError(argument, problem, remedy="pass a UUID or a digest")
