"""What would be erased, and is it really gone? Erasure reads back before it commits, and cleans the files after."""

import json
import sqlite3
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from glossator.errors import ConflictError, NotFoundError, StoreError, UsageError
from glossator.model import ForgetPreview, ForgetReceipt, ForgetTarget
from glossator.stores.sqlite.connections import Connection
from glossator.stores.sqlite.erase_facts import NamedFacts
from glossator.stores.sqlite.erasures import backups_of, write_receipt
from glossator.stores.sqlite.rows import ids_json, scope_parameters, to_json
from glossator.stores.sqlite.rulings import revised
from glossator.stores.sqlite.statements import SQL
from glossator.upkeep.receipts import UNCLEANED, erased_body, without_uncleaned

SAMPLES_MAX = 5
SAMPLE_CHARACTERS = 60


def check_target(target: ForgetTarget) -> None:
    """Raises UsageError unless exactly one way of naming is used; a conversation may narrow ids or a session."""
    ways = [bool(target.message_ids), target.session is not None, target.everything]
    if sum(ways) > 1 or (target.everything and target.conversation is not None):
        raise UsageError("target", "names what to forget in more than one way", remedy="leave one")
    if not any(ways) and target.conversation is None:
        raise UsageError(
            "target", "names nothing", remedy="pass message_ids, a session, a conversation or everything=True"
        )


def target_token(target: ForgetTarget, *ids: list[int]) -> str:
    """The proof that a preview named exactly these rows."""
    scope = target.scope
    named = [
        [scope.workspace, scope.agent, scope.owner, scope.conversation],
        sorted(set(target.message_ids)),
        [target.conversation, target.session, target.everything],
        *ids,
    ]
    return sha256(json.dumps(named).encode()).hexdigest()


def sample_of(content: str) -> str:
    """The first words of a message, on one line."""
    words = " ".join(content[: SAMPLE_CHARACTERS * 2].split())
    return words if len(words) <= SAMPLE_CHARACTERS else words[: SAMPLE_CHARACTERS - 1] + "…"


class Named:
    """The rows that a target names at this moment. Raises NotFoundError when there are none."""

    def __init__(self, connection: sqlite3.Connection, target: ForgetTarget) -> None:
        check_target(target)
        asked = {
            "message_ids": to_json(list(target.message_ids)) if target.message_ids else None,
            "named": target.conversation,
            "session": target.session,
            **scope_parameters(target.scope),
        }
        rows = connection.execute(SQL["named_messages"], asked).fetchall()
        self.message_ids = [row[0] for row in rows]
        self.external_ids = tuple(row[1] for row in rows)
        self.conversations = tuple(dict.fromkeys(row[2] for row in rows))
        self.session_ids = sorted({row[3] for row in rows})
        self.samples = tuple(sample_of(row[5]) for row in rows[:SAMPLES_MAX])
        if target.message_ids and len(set(self.external_ids)) < len(rows):
            twice = next(each for each in self.external_ids if self.external_ids.count(each) > 1)
            raise UsageError("message_ids", f"{twice!r} is in several conversations", remedy="name the conversation")
        self._take_checkpoints(connection)
        messages = (ids_json(self.message_ids),)
        self.chunk_ids = [row[0] for row in connection.execute(SQL["chunk_ids_of_messages"], messages)]
        self.facts = NamedFacts(connection, target, self.message_ids)
        if not rows and self.facts.is_empty:
            raise NotFoundError("target", "names nothing that is stored in this scope", remedy="check ids and scope")
        self.token = target_token(target, self.message_ids, self.chunk_ids, *self.facts.ids)

    def _take_checkpoints(self, connection: sqlite3.Connection) -> None:
        """A summary that was made of a message goes with it; what it says of others is still in their own words."""
        rows = connection.execute(SQL["checkpoints_over"], {"message_ids": ids_json(self.message_ids)}).fetchall()
        self.message_ids = sorted([*self.message_ids, *(row[0] for row in rows)])
        self.external_ids = (*self.external_ids, *(row[1] for row in rows))
        self.session_ids = sorted({*self.session_ids, *(row[2] for row in rows)})


def preview(connection: sqlite3.Connection, target: ForgetTarget) -> ForgetPreview:
    """What the target names now."""
    named = Named(connection, target)
    return ForgetPreview(
        token=named.token,
        message_count=len(named.message_ids),
        chunk_count=len(named.chunk_ids),
        conversations=named.conversations,
        samples=named.samples,
        fact_count=len(named.facts.fact_ids),
    )


def erase(connection: sqlite3.Connection, target: ForgetTarget, *, confirm: str, now: datetime) -> ForgetReceipt:
    """Erase inside the caller's write transaction; raises StoreError, which undoes all, if anything remains."""
    try:
        named = Named(connection, target)
    except NotFoundError as error:
        raise ConflictError("confirm", "what it named is gone", remedy="preview again") from error
    if named.token != confirm:
        raise ConflictError("confirm", "the target has changed since the preview", remedy="preview again")
    chunks, messages = (ids_json(named.chunk_ids),), (ids_json(named.message_ids),)
    words = _words(connection, chunks)
    revision = revised(connection, named.facts.scope_id, erased=True)
    gone = named.facts.erase(connection, now=now, revision=revision)
    work_count = connection.execute(SQL["erase_work"], chunks).rowcount
    vector_count = connection.execute(SQL["erase_vectors"], chunks).rowcount
    lexical_row_count = connection.execute(SQL["erase_terms"], chunks).rowcount
    chunk_count = connection.execute(SQL["erase_chunks"], chunks).rowcount
    message_count = connection.execute(SQL["erase_messages"], messages).rowcount
    connection.execute(SQL["drop_tombstones_of_messages"], messages)  # nothing is left that could be learned from
    connection.execute(SQL["erase_empty_sessions"], (ids_json(named.session_ids),))
    connection.execute(SQL["erase_replies"])
    connection.execute(SQL["optimize_fts"])  # an old segment would keep the words
    remaining_count = _remaining(connection, named, words) + named.facts.remaining(connection, gone)
    if remaining_count:
        raise StoreError(f"{remaining_count} rows of the target were still found after erasing; nothing was erased")
    receipt = ForgetReceipt(
        erased_at=now,
        message_ids=named.external_ids,
        message_count=message_count,
        chunk_count=chunk_count,
        lexical_row_count=lexical_row_count + gone.lexical_row_count,
        vector_count=vector_count + gone.vector_count,
        work_count=work_count + gone.work_count,
        fact_count=gone.fact_count,
        evidence_count=gone.evidence_count,
        remaining_count=remaining_count,
        revision_count=gone.revision_count,
        backups=backups_of(connection),
        scope=target.scope,
        by=target.scope.job_source or target.scope.believed,
    )
    return replace(receipt, receipt_id=_kept(connection, receipt, named, now=now))


def _kept(connection: sqlite3.Connection, receipt: ForgetReceipt, named: Named, *, now: datetime) -> str:
    """Write the receipt into the transaction that erases: no crash comes between the two."""
    assert receipt.scope is not None
    body = erased_body(receipt, named.facts.fact_ids)
    return write_receipt(connection, named.facts.scope_id, receipt.scope.conversation, body, now=now)


def _words(connection: sqlite3.Connection, chunks: tuple[str]) -> set[str]:
    words: set[str] = set()
    for body, speaker in connection.execute(SQL["words_of_chunks"], chunks):
        words.update(body.split(), speaker.split())
    return words


def _remaining(connection: sqlite3.Connection, named: Named, words: set[str]) -> int:
    """Rows that a reader could still find: by id in every table, and by each erased word in the index."""
    asked: dict[str, Any] = {"chunk_ids": ids_json(named.chunk_ids), "message_ids": ids_json(named.message_ids)}
    (count,) = connection.execute(SQL["remaining_rows"], asked).fetchone()
    chunk_ids = set(named.chunk_ids)
    if chunk_ids:
        span = (min(chunk_ids), max(chunk_ids))
        for word in words:
            hits = connection.execute(SQL["remaining_words"], (f'"{word}"', *span))
            count += sum(1 for row in hits if row[0] in chunk_ids)
    return int(count)


def with_files_cleaned(connection: Connection, receipt: ForgetReceipt, *, path: Path) -> ForgetReceipt:
    """The receipt, after the erased bytes have left the file's pages and its log; says what could not be reached."""
    return replace(receipt, not_covered=(*receipt.not_covered, *clean_files(connection, path=path)))


def clean_what_was_left(connection: Connection, *, path: Path) -> None:
    """Clean the files of an erasure whose process died before it could."""
    if connection.execute(SQL["open_receipts"], (UNCLEANED,)).fetchone() is not None:
        clean_files(connection, path=path)


def clean_files(connection: Connection, *, path: Path) -> list[str]:
    """Have erased bytes leave the file's pages and its log; returns what could not be reached.

    `secure_delete` is not enough: when SQLite balances pages it moves rows and leaves their old bytes in the gaps (seen
    in 1 of 12 random histories), so the file is written anew. That takes time in proportion to its size.
    """
    not_covered: list[str] = []
    try:
        connection.execute("VACUUM")
    except sqlite3.OperationalError as error:
        not_covered.append(f"gaps between rows in {path.name}, until the next erasure ({error})")
    (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    connection.log_is_held = bool(busy)
    if busy:
        not_covered.append(f"{path.name}-wal, until the readers that still use it have finished")
    not_covered.extend(each.name for each in sorted(path.parent.glob(f"{path.name}.before-*.backup")))
    for number, body in connection.execute(SQL["open_receipts"], (UNCLEANED,)).fetchall():
        connection.execute(SQL["set_receipt_body"], (without_uncleaned(body, not_covered), number))
    return not_covered
