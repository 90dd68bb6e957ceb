"""Is the store in order, and what has drifted? Each check gives one Finding; with `repair` the drift is put right."""

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from glossator.model import WORK_KINDS, Finding, Scope, Status, WorkKind
from glossator.rules.tokens import index_terms
from glossator.stores.matching import is_trusted
from glossator.stores.sqlite.checks import Doctor, finding
from glossator.stores.sqlite.health_facts import FactDoctor
from glossator.stores.sqlite.rows import ids_json, instant, instant_or_none, micros, scope_parameters
from glossator.stores.sqlite.statements import SQL
from glossator.stores.sqlite.terms import body_words, speaker_words
from glossator.stores.sqlite.vectors import drop_others
from glossator.stores.sqlite.work import enqueue, reopen_failed

BACKLOG_S_MAX = 3_600
"""Work that waits longer than an hour means that no worker runs."""
EVERY_SCOPE = {"workspace": None, "agent": None, "owner": None, "conversation": None}
OBJECTS: Mapping[WorkKind, str] = {
    "embed": "chunk",
    "extract": "message of chunk",
    "pre_compress": "queued turn",
    "session_end": "queued session",
    "embed_fact": "fact",
}
"""What the number of a row of work that failed is the number of."""
NOUNS: Mapping[WorkKind, tuple[str, str]] = {
    "embed": ("chunk", "to be embedded"),
    "extract": ("message", "for extraction"),
    "pre_compress": ("cut turn", "for extraction"),
    "session_end": ("ended session", "for extraction"),
    "embed_fact": ("fact", "to be embedded"),
}


def status(connection: sqlite3.Connection, scope: Scope | None, *, path: Path, schema_version: int) -> Status:
    """Counts of the scope, or of all."""
    asked = EVERY_SCOPE if scope is None else scope_parameters(scope)
    messages, conversations, sessions, oldest, newest = connection.execute(SQL["status"], asked).fetchone()
    chunks, vectors = connection.execute(SQL["status_chunks"], asked).fetchone()
    pending, failed = connection.execute(SQL["status_work"], asked).fetchone()
    shown = asked | {"trusted": scope is None or is_trusted(scope)}
    (facts,) = connection.execute(SQL["status_facts"], shown).fetchone()
    model = connection.execute(SQL["main_model"]).fetchone()
    files = [path, path.with_name(f"{path.name}-wal")]
    return Status(
        schema_version=schema_version,
        message_count=messages,
        chunk_count=chunks,
        vector_count=vectors,
        conversation_count=conversations,
        session_count=sessions,
        pending_count=pending,
        failed_count=failed,
        file_bytes=sum(each.stat().st_size for each in files if each.exists()),
        model="" if model is None else model[0],
        oldest_said_at=instant_or_none(oldest),
        newest_said_at=instant_or_none(newest),
        fact_count=facts,
    )


def examine(connection: sqlite3.Connection, *, model: str, repair: bool, now: datetime) -> tuple[Finding, ...]:
    """All checks, in an order in which each repair can rest on those before it. Repairs need a write transaction."""
    doctor = _Doctor(connection, repair=repair, now=now)
    findings = [
        doctor.file(),
        doctor.offsets(),
        doctor.missing_terms(),
        doctor.stray_terms(),
        doctor.keyword_index(),
        doctor.stray_vectors(),
        doctor.broken_vectors(),
    ]
    facts = FactDoctor(connection, repair=repair, now=now)
    findings += facts.always()
    if model:
        findings += [doctor.other_models(model), doctor.forgotten_work(model), facts.forgotten_work(model)]
    findings += [doctor.failed_work(), doctor.backlog()]
    if repair and any(finding.repaired for finding in findings):
        connection.execute(SQL["revise_all_erased"])
    return tuple(findings)


class _Doctor(Doctor):
    """The checks of the journal and of what is made from it."""

    def file(self) -> Finding:
        """Pages, indices and foreign keys."""
        problems = self._file_problems()
        if problems and self._repair:
            self._connection.execute("REINDEX")
            remaining = self._file_problems()
            if not remaining:
                return finding("file", problems, "indices rebuilt", repaired=True)
            problems = remaining
        return finding("file", problems, "restore a backup")

    def offsets(self) -> Finding:
        """Does each chunk say what its message says there?"""
        moved = self._connection.execute(SQL["moved_chunks"]).fetchall()

        def rewrite() -> None:
            for chunk_id, scope_id, text, speaker in moved:
                terms = self._set_terms(chunk_id, scope_id, text, speaker)
                self._connection.execute(SQL["set_chunk_text"], (text, len(terms), chunk_id))
            ids = [row[0] for row in moved]
            self._connection.execute(SQL["erase_vectors"], (ids_json(ids),))
            enqueue(self._connection, ids, now=self._now)

        return self._drift("offsets", [f"chunk {row[0]} differs from its message" for row in moved], rewrite)

    def missing_terms(self) -> Finding:
        """Has each chunk its words?"""
        bare = self._connection.execute(SQL["chunks_without_terms"]).fetchall()

        def index() -> None:
            for row in bare:
                self._set_terms(*row)

        return self._drift("index words", [f"chunk {row[0]} has no index words" for row in bare], index)

    def stray_terms(self) -> Finding:
        """Has each row of words a chunk?"""
        ids = self._ids("terms_without_chunk")
        return self._drift(
            "stray index words",
            [f"index words of chunk {each}, which is gone" for each in ids],
            lambda: self._connection.execute(SQL["erase_terms"], (ids_json(ids),)),
        )

    def keyword_index(self) -> Finding:
        """Does the full-text index say what the word rows say?"""
        return self._index("keyword index", "messages", "check_fts", "rebuild_fts")

    def stray_vectors(self) -> Finding:
        """Has each vector a chunk?"""
        ids = self._ids("vectors_without_chunk")
        return self._drift(
            "stray vectors",
            [f"a vector of chunk {each}, which is gone" for each in ids],
            lambda: self._connection.execute(SQL["erase_vectors"], (ids_json(ids),)),
        )

    def broken_vectors(self) -> Finding:
        """Is each vector of its model's width, and finite?"""
        broken = self._broken("vector_rows")

        def embed_again() -> None:
            self._connection.execute(SQL["drop_vector_rows"], (ids_json(broken),))
            enqueue(self._connection, list(broken.values()), now=self._now)

        problems = [f"the vector of chunk {chunk_id} is broken" for chunk_id in broken.values()]
        return self._drift("vectors", problems, embed_again)

    def other_models(self, model: str) -> Finding:
        """Are there vectors that no search uses?"""
        counts = [
            self._connection.execute(SQL[statement], (model,)).fetchone()[0]
            for statement in ("count_other_models", "count_other_fact_models")
        ]
        count = sum(counts)
        return self._drift(
            "other models",
            [f"{count} vectors of other models than {model}"] if count else [],
            lambda: drop_others(self._connection, keep_model=model),
        )

    def forgotten_work(self, model: str) -> Finding:
        """Is every chunk embedded, or waiting for it?"""
        ids = [row[0] for row in self._connection.execute(SQL["unembedded_without_work"], (model,))]
        return self._drift(
            "embedding",
            [f"chunk {each} is neither embedded nor waiting for it" for each in ids],
            lambda: enqueue(self._connection, ids, now=self._now),
        )

    def failed_work(self) -> Finding:
        """Has work been given up?"""
        rows = self._connection.execute(SQL["failed_work"]).fetchall()
        return self._drift(
            "failed work",
            [f"{OBJECTS[kind]} {number}: {reason}" for kind, number, reason in rows],
            lambda: reopen_failed(self._connection, now=self._now),
        )

    def backlog(self) -> Finding:
        """How much waits, and since when?"""
        rows = self._connection.execute(SQL["backlog"]).fetchall()
        if not rows:
            return Finding(check="backlog", ok=True, detail="nothing waits")
        counts = {kind: count for kind, count, _ in rows}
        oldest = min(row[2] for row in rows)
        waiting = " and ".join(_waiting(kind, counts[kind]) for kind in WORK_KINDS if kind in counts)
        detail = f"{waiting}, the oldest since {instant(oldest):%Y-%m-%d %H:%M} UTC"
        late = micros(self._now) - oldest > BACKLOG_S_MAX * 1_000_000
        return Finding(check="backlog", ok=not late, detail=detail, remedy="start a worker" if late else "")

    def _file_problems(self) -> list[str]:
        rows = [row[0] for row in self._connection.execute("PRAGMA integrity_check")]
        broken = self._connection.execute("PRAGMA foreign_key_check").fetchall()
        strays = ("chunk_terms", "vectors", "fact_terms", "fact_vectors")  # have their own checks
        keys = [f"row {rowid} of {table} has no {parent}" for table, rowid, parent, _ in broken if table not in strays]
        return [row for row in rows if row != "ok"] + keys

    def _set_terms(self, chunk_id: int, scope_id: int, text: str, speaker: str) -> tuple[str, ...]:
        terms = index_terms(text)
        words = (body_words(scope_id, terms), speaker_words(scope_id, index_terms(speaker)))
        self._connection.execute(SQL["set_terms"], (chunk_id, *words))
        return terms


def _waiting(kind: WorkKind, count: int) -> str:
    """ "3 chunks wait to be embedded"."""
    noun, what = NOUNS[kind]
    return f"1 {noun} waits {what}" if count == 1 else f"{count} {noun}s wait {what}"
