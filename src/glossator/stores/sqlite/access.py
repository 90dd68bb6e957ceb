"""Who may come in from outside, and what were they answered? The ports Keys and Replies over one file."""

import json
import sqlite3
from contextlib import suppress
from datetime import datetime, timedelta

from glossator.errors import StoreError
from glossator.model import ApiKey, KeptReply
from glossator.model.access import CLAIM_S, LAST_USED_S, REPLY_KEPT_S
from glossator.stores.replying import (
    CLEANED_MAX,
    check_claim,
    check_opens,
    check_same,
    is_over,
    key_missing,
    name_taken,
    reply_sha256,
)
from glossator.stores.sqlite.base import SqliteBase
from glossator.stores.sqlite.rows import Row, instant, instant_or_none, micros, micros_or_none, to_json
from glossator.stores.sqlite.statements import SQL


class SqliteAccess(SqliteBase):
    """The ports Keys and Replies."""

    # Keys

    def add_key(self, wanted: ApiKey, secret_sha256: bytes) -> ApiKey:
        """Keep the key; see ports.Keys."""
        asked = {
            "name": wanted.name,
            "workspace": wanted.workspace,
            "agent": wanted.agent,
            "owner": wanted.owner,
            "trust": wanted.trust,
            "tier": wanted.tier,
            "now": micros(wanted.created_at),
            "expires_at": micros_or_none(wanted.expires_at),
        }
        with self._connections.writing() as connection:
            if connection.execute(SQL["api_key_named"], asked).fetchone() is not None:
                raise name_taken(wanted)
            number = connection.execute(SQL["add_api_key"], asked).lastrowid
            assert number is not None
            connection.execute(SQL["add_key_secret"], (secret_sha256, number))
            return _found(connection, number)

    def keys(self, *, workspace: str | None = None) -> tuple[ApiKey, ...]:
        """All keys in the order in which they were made."""
        with self._connections.reading() as connection:
            rows = connection.execute(SQL["api_keys"], {"workspace": workspace, "key_row": None})
            return tuple(_key_of(row) for row in rows)

    def rotate_key(self, number: int, secret_sha256: bytes, *, grace_s: int, now: datetime) -> ApiKey:
        """Give the key another secret; see ports.Keys."""
        with self._connections.writing() as connection:
            key = _found(connection, number)
            check_opens(key, now=now)
            asked = {"key_row": number, "ends_at": micros(now + timedelta(seconds=grace_s)), "now": micros(now)}
            connection.execute(SQL["end_key_secrets"], asked)
            connection.execute(SQL["drop_ended_secrets"], asked)
            connection.execute(SQL["add_key_secret"], (secret_sha256, number))
        return key

    def revoke_key(self, number: int, *, now: datetime) -> ApiKey:
        """Drop all secrets of the key; the row stays."""
        with self._connections.writing() as connection:
            _found(connection, number)
            connection.execute(SQL["revoke_api_key"], {"key_row": number, "now": micros(now)})
            connection.execute(SQL["drop_key_secrets"], (number,))
            return _found(connection, number)

    def key_of(self, secret_sha256: bytes, *, now: datetime) -> ApiKey | None:
        """The key that this secret opens now; see ports.Keys."""
        with self._connections.reading() as connection:
            row = connection.execute(SQL["key_of"], {"sha256": secret_sha256, "now": micros(now)}).fetchone()
        if row is None:
            return None
        used, at = row[10], micros(now)
        if used is None or abs(at - used) >= LAST_USED_S * 1_000_000:
            with suppress(StoreError):  # whoever may come in comes in, also while the disk is full
                self._connections.write_if_free(SQL["key_used"], (at, row[0]))
        return _key_of(row)

    # Replies

    def begin_reply(self, caller: str, key: str, fingerprint: str, *, now: datetime) -> KeptReply | None:
        """Claim the request, or give what it was answered; see ports.Replies.

        Not flushed: what the request writes behind it takes the claim to the disk with it.
        """
        sha256 = reply_sha256(caller, key)
        with self._connections.writing(flushed=False) as connection:
            oldest = micros(now - timedelta(seconds=REPLY_KEPT_S))
            connection.execute(SQL["drop_old_replies"], {"oldest": oldest, "limit": CLEANED_MAX})
            row = connection.execute(SQL["reply"], (sha256,)).fetchone()
            if row is not None and not is_over(instant(row[6]), now=now):
                check_same(row[0], fingerprint)
                if row[1] is not None:
                    return KeptReply(status=row[1], body=row[2], headers=json.loads(row[3]), not_kept=row[4])
                check_claim(instant(row[5]), now=now)
            claimed_until = micros(now + timedelta(seconds=CLAIM_S))
            asked = {"sha256": sha256, "fingerprint": fingerprint, "claimed_until": claimed_until, "now": micros(now)}
            connection.execute(SQL["claim_reply"], asked)
        return None

    def keep_reply(self, caller: str, key: str, reply: KeptReply) -> None:
        """Keep what the claimed request was answered; see ports.Replies."""
        asked = {
            "sha256": reply_sha256(caller, key),
            "status": reply.status,
            "body": reply.body,
            "headers_json": to_json(dict(reply.headers)),
            "not_kept": reply.not_kept,
        }
        with self._connections.writing(flushed=False) as connection:
            connection.execute(SQL["keep_reply"], asked)

    def drop_reply(self, caller: str, key: str) -> None:
        """Give the claim back; an answer that was kept stays."""
        with self._connections.writing(flushed=False) as connection:
            connection.execute(SQL["drop_reply"], (reply_sha256(caller, key),))


def _found(connection: sqlite3.Connection, number: int) -> ApiKey:
    row = connection.execute(SQL["api_keys"], {"workspace": None, "key_row": number}).fetchone()
    if row is None:
        raise key_missing(number)
    return _key_of(row)


def _key_of(row: Row) -> ApiKey:
    """A row of `api_keys` or `key_of`."""
    return ApiKey(
        key_id=f"k{row[0]}",
        name=row[1],
        workspace=row[2],
        agent=row[3],
        owner=row[4],
        trust=row[5],
        tier=row[6],
        created_at=instant(row[7]),
        expires_at=instant_or_none(row[8]),
        revoked_at=instant_or_none(row[9]),
        last_used_at=instant_or_none(row[10]),
    )
