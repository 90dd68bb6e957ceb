"""Who may come in from outside, and what were they answered? The reference model of the ports Keys and Replies."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from glossator.model import ApiKey, Fact, ForgetReceipt, ForgetTarget, KeptReply, Move, Scope
from glossator.model.access import CLAIM_S, LAST_USED_S
from glossator.rules.states import FORGOTTEN
from glossator.stores.memory.book import MemoryBook
from glossator.stores.replying import (
    check_claim,
    check_opens,
    check_same,
    is_over,
    key_missing,
    name_taken,
    reply_sha256,
)


@dataclass(slots=True, kw_only=True)
class _Attempt:
    """A request with what it was answered; `erased` where words that it may hold are gone."""

    fingerprint: str
    created_at: datetime
    claimed_until: datetime
    reply: KeptReply | None = None
    erased: bool = False


@dataclass(slots=True, kw_only=True)
class _Door:
    """What is kept beside the memory itself."""

    keys: list[ApiKey] = field(default_factory=list)
    secrets: dict[bytes, tuple[int, datetime | None]] = field(default_factory=dict)
    """The number of the key that each opens, and until when."""
    attempts: dict[bytes, _Attempt] = field(default_factory=dict)


class MemoryAccess(MemoryBook):
    """The ports Keys and Replies in memory, and the forgetting that takes the words of replies with it."""

    _kept_door: _Door | None = None

    @property
    def _door(self) -> _Door:
        if self._kept_door is None:
            self._kept_door = _Door()
        return self._kept_door

    def erase(self, target: ForgetTarget, *, confirm: str, now: datetime) -> ForgetReceipt:
        """Erase what the preview named, and the words of all replies."""
        receipt = super().erase(target, confirm=confirm, now=now)
        self._erase_replies()
        return receipt

    def move_facts(self, scope: Scope, moves: Sequence[Move], *, now: datetime) -> tuple[Fact, ...]:
        """Make the moves; what was forgotten takes the words of all replies with it."""
        moved = super().move_facts(scope, moves, now=now)
        if any(each.to_state in FORGOTTEN for each in moves):
            self._erase_replies()
        return moved

    def _erase_replies(self) -> None:
        for attempt in self._door.attempts.values():
            attempt.fingerprint, attempt.erased = "", True
            if attempt.reply is not None:
                attempt.reply = KeptReply(status=attempt.reply.status, not_kept="erased")

    # Keys

    def add_key(self, wanted: ApiKey, secret_sha256: bytes) -> ApiKey:
        """Keep the key."""
        for key in self._door.keys:
            same = (key.workspace, key.name) == (wanted.workspace, wanted.name)
            if same and key.opens_at(wanted.created_at):
                raise name_taken(wanted)
        key = replace(wanted, key_id=f"k{len(self._door.keys) + 1}")
        self._door.keys.append(key)
        self._door.secrets[secret_sha256] = (len(self._door.keys), None)
        return key

    def keys(self, *, workspace: str | None = None) -> tuple[ApiKey, ...]:
        """All keys in the order in which they were made."""
        return tuple(key for key in self._door.keys if workspace in (None, key.workspace))

    def rotate_key(self, number: int, secret_sha256: bytes, *, grace_s: int, now: datetime) -> ApiKey:
        """Give the key another secret."""
        key = self._key(number)
        check_opens(key, now=now)
        end = now + timedelta(seconds=grace_s)
        for digest, (opened, ends) in self._door.secrets.items():
            if opened == number:
                self._door.secrets[digest] = (number, end if ends is None else min(ends, end))
        self._door.secrets[secret_sha256] = (number, None)
        return key

    def revoke_key(self, number: int, *, now: datetime) -> ApiKey:
        """Drop all secrets of the key; the row stays."""
        key = self._key(number)
        if key.revoked_at is None:
            key = self._door.keys[number - 1] = replace(key, revoked_at=now)
        self._door.secrets = {digest: held for digest, held in self._door.secrets.items() if held[0] != number}
        return key

    def key_of(self, secret_sha256: bytes, *, now: datetime) -> ApiKey | None:
        """The key that this secret opens now."""
        number, ends = self._door.secrets.get(secret_sha256, (0, None))
        if not number or (ends is not None and ends <= now) or not self._key(number).opens_at(now):
            return None
        key = self._key(number)
        if key.last_used_at is None or abs(now - key.last_used_at) >= timedelta(seconds=LAST_USED_S):
            self._door.keys[number - 1] = replace(key, last_used_at=now)
        return key

    def _key(self, number: int) -> ApiKey:
        if not 1 <= number <= len(self._door.keys):
            raise key_missing(number)
        return self._door.keys[number - 1]

    # Replies

    def begin_reply(self, caller: str, key: str, fingerprint: str, *, now: datetime) -> KeptReply | None:
        """Claim the request, or give what it was answered."""
        digest = reply_sha256(caller, key)
        attempt = self._door.attempts.get(digest)
        if attempt is not None and not is_over(attempt.created_at, now=now):
            check_same(attempt.fingerprint, fingerprint)
            if attempt.reply is not None:
                return attempt.reply
            check_claim(attempt.claimed_until, now=now)
        self._door.attempts[digest] = _Attempt(
            fingerprint=fingerprint, created_at=now, claimed_until=now + timedelta(seconds=CLAIM_S)
        )
        return None

    def keep_reply(self, caller: str, key: str, reply: KeptReply) -> None:
        """Keep what the claimed request was answered."""
        attempt = self._door.attempts.get(reply_sha256(caller, key))
        if attempt is not None and attempt.reply is None:
            attempt.reply = KeptReply(status=reply.status, not_kept="erased") if attempt.erased else reply

    def drop_reply(self, caller: str, key: str) -> None:
        """Give the claim back."""
        digest = reply_sha256(caller, key)
        attempt = self._door.attempts.get(digest)
        if attempt is not None and attempt.reply is None:
            del self._door.attempts[digest]
