"""Does what model.md promises hold right now? Read from the file itself, beside the product."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from bench.soak.faults import MARK

LIVE = "('active', 'deprioritised')"


@dataclass(slots=True)
class Seen:
    """What was true of each row when it was last looked at, so that the next look can tell what changed."""

    messages: dict[int, str] = field(default_factory=dict)
    facts: dict[int, tuple[object, ...]] = field(default_factory=dict)
    last_seen: dict[int, int] = field(default_factory=dict)
    cursors: dict[int, int] = field(default_factory=dict)
    revisions: dict[int, tuple[object, ...]] = field(default_factory=dict)
    receipt_count: int = 0
    tombstones: set[tuple[int, ...]] = field(default_factory=set)


def broken(path: Path, seen: Seen) -> list[str]:
    """What does not hold, in words; [] when all is well. `seen` is brought up to date."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.execute("BEGIN")
        return [
            *_words_stay(connection, seen),
            *_one_answer(connection),
            *_evidence(connection),
            *_index(connection),
            *_chains(connection),
            *_tombstones(connection, seen),
            *_times(connection, seen),
            *_cursors(connection, seen),
            *_revisions(connection, seen),
        ]


def unread(path: Path, read_ids: set[int]) -> list[str]:
    """I9: every user's message below a cursor has been read by a review that did not fail."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        rows = connection.execute(
            "SELECT m.id FROM messages AS m JOIN reviews AS r ON r.conversation_id = m.conversation_id "
            "WHERE m.role = 'user' AND m.kind IN ('chat', 'voice_turn') AND m.state = 'live' "
            "AND m.id <= r.last_reviewed_message_id"
        ).fetchall()
    missed = [row[0] for row in rows if row[0] not in read_ids]
    return [f"I9: the cursor has passed message {message_id}, which nobody read" for message_id in missed]


def left_over(path: Path, marks: set[str]) -> list[str]:
    """K20: no word that only erased messages or facts had is in any column of any table."""
    if not marks:
        return []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        found = {}
        for line in connection.iterdump():
            for mark in MARK.findall(line):
                if mark in marks:
                    found.setdefault(mark, line.partition("VALUES")[0].strip())
    return [f"K20: {mark} is still there: {where}" for mark, where in found.items()]


def in_files(folder: Path, marks: set[str]) -> list[str]:
    """K20, as above, of the files in a folder."""
    texts = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    return [f"K20: {mark} is still in {file.name}" for file, text in texts.items() for mark in marks
            if mark.encode() in text]  # fmt: skip


def unwritten(path: Path, folder: Path) -> list[str]:
    """I10: every file is empty or a revision, whole; nothing else lies there but notes of changes under way."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        kept = {row[0] for row in connection.execute("SELECT sha256 FROM revisions")}
    files = [file for file in folder.rglob("*") if file.is_file() and not file.name.startswith(".changing")]
    wrong = [file for file in files if file.stat().st_size and sha256(file.read_bytes()).hexdigest() not in kept]
    return [f"I10: {file.parent.name}/{file.name} is no whole revision" for file in wrong]


def _words_stay(connection: sqlite3.Connection, seen: Seen) -> Iterator[str]:
    """I2: verbatim text is never altered or removed except by erase."""
    now = {row[0]: row[1] for row in connection.execute("SELECT id, content FROM messages WHERE state = 'live'")}
    erased = {row[0] for row in connection.execute("SELECT id FROM messages WHERE state = 'erased'")}
    for message_id, content in seen.messages.items():
        if message_id not in erased and now.get(message_id) != content:
            yield f"I2: message {message_id} is not as it was said"
    seen.messages = now


def _one_answer(connection: sqlite3.Connection) -> Iterator[str]:
    """I3: one active row per hash, and per question, in each place."""
    for what, where in (("content_hash", "content_hash <> ''"), ("subject || char(0) || key", "key <> ''")):
        rows = connection.execute(
            f"SELECT group_concat(id) FROM memories WHERE state IN {LIVE} AND {where} "
            f"GROUP BY owner_scope, scope_type, scope_id, {what} HAVING count(*) > 1"
        )
        yield from (f"I3: facts {row[0]} share {what}" for row in rows)


def _evidence(connection: sqlite3.Connection) -> Iterator[str]:
    """I5: every fact rests on something, and on nothing that was erased."""
    rows = connection.execute(
        "SELECT id FROM memories WHERE state <> 'erased' AND id NOT IN (SELECT memory_id FROM evidence)"
    )
    yield from (f"I5: fact {row[0]} rests on nothing" for row in rows)
    rows = connection.execute(
        "SELECT e.memory_id, e.message_id FROM evidence AS e JOIN messages AS m ON m.id = e.message_id "
        "WHERE m.state = 'erased'"
    )
    yield from (f"I5: fact {row[0]} rests on the erased message {row[1]}" for row in rows)


def _index(connection: sqlite3.Connection) -> Iterator[str]:
    """I6: nothing of an erased row is in the indexes, and every live one is."""
    rows = connection.execute(
        "SELECT f.id, f.state, t.memory_id IS NOT NULL FROM memories AS f "
        "LEFT JOIN fact_terms AS t ON t.memory_id = f.id "
        "WHERE (f.state = 'erased') = (t.memory_id IS NOT NULL)"
    )
    yield from (f"I6: fact {row[0]} is {row[1]}, indexed: {bool(row[2])}" for row in rows)
    (count,) = connection.execute(
        "SELECT count(*) FROM fact_vectors WHERE memory_id IN (SELECT id FROM memories WHERE state = 'erased')"
    ).fetchone()
    if count:
        yield f"I6: {count} vectors of erased facts"


def _chains(connection: sqlite3.Connection) -> Iterator[str]:
    """I7: a chain is linear and has one end."""
    parents = dict(connection.execute("SELECT id, parent_id FROM memories WHERE parent_id IS NOT NULL"))
    for start in parents:
        walked, at = {start}, parents.get(start)
        while at is not None:
            if at in walked:
                yield f"I7: the chain of {start} goes round"
                break
            walked.add(at)
            at = parents.get(at)
    rows = connection.execute(
        "SELECT parent_id, count(*) FROM memories WHERE parent_id IS NOT NULL AND state <> 'erased' "
        "GROUP BY parent_id HAVING count(*) > 1"
    )
    yield from (f"I7: fact {row[0]} was replaced by {row[1]} facts" for row in rows)


def _tombstones(connection: sqlite3.Connection, seen: Seen) -> Iterator[str]:
    """K21: what was erased from a sentence is not learned from it again. Before `_times`, which says what is new."""
    rows = connection.execute(
        "SELECT f.id, t.memory_id, t.message_id, t.start, t.stop FROM tombstones AS t "
        "JOIN evidence AS e ON e.message_id = t.message_id AND e.start < t.stop AND e.stop > t.start "
        f"JOIN memories AS f ON f.id = e.memory_id AND f.state IN {LIVE}"
    ).fetchall()
    for fact_id, *tombstone in rows:
        if fact_id not in seen.facts and tuple(tombstone) in seen.tombstones:
            yield f"K21: fact {fact_id} was learned again from a sentence that fact {tombstone[0]} was erased from"
    seen.tombstones = set(connection.execute("SELECT memory_id, message_id, start, stop FROM tombstones"))


def _times(connection: sqlite3.Connection, seen: Seen) -> Iterator[str]:
    """I8: created_at and the event never change, last_seen_at never goes back."""
    rows = connection.execute(
        "SELECT id, last_seen_at, created_at, event_start, event_end, event_precision FROM memories "
        "WHERE state <> 'erased'"
    ).fetchall()
    for fact_id, last_seen, *fixed in rows:
        if seen.facts.setdefault(fact_id, tuple(fixed)) != tuple(fixed):
            yield f"I8: the times of fact {fact_id} changed"
        if last_seen < seen.last_seen.get(fact_id, last_seen):
            yield f"I8: fact {fact_id} was last seen earlier than before"
        seen.last_seen[fact_id] = last_seen


def _cursors(connection: sqlite3.Connection, seen: Seen) -> Iterator[str]:
    """I9: a cursor never goes back, and never beyond what there is."""
    rows = connection.execute(
        "SELECT r.conversation_id, r.last_reviewed_message_id, (SELECT max(id) FROM messages AS m "
        "WHERE m.conversation_id = r.conversation_id) FROM reviews AS r"
    ).fetchall()
    for conversation_id, cursor, last in rows:
        if cursor < seen.cursors.get(conversation_id, 0) or cursor > (last or 0):
            yield f"I9: the cursor of conversation {conversation_id} is {cursor}, the last message {last}"
        seen.cursors[conversation_id] = cursor


def _revisions(connection: sqlite3.Connection, seen: Seen) -> Iterator[str]:
    """F54: a revision is never altered but by an erasure; each text's numbers are without a gap."""
    rows = connection.execute("SELECT revision_id, scope_id, kind, conversation, number, content FROM revisions")
    now = {row[0]: tuple(row[1:]) for row in rows}
    (receipt_count,) = connection.execute("SELECT count(*) FROM receipts").fetchone()
    erased = receipt_count > seen.receipt_count
    for revision_id, before in seen.revisions.items():
        after = now.get(revision_id)
        if after is None or after[:4] != before[:4] or (after != before and not erased):
            yield f"F54: revision {revision_id} was altered"
    rows = connection.execute(
        "SELECT kind, conversation FROM revisions GROUP BY scope_id, kind, conversation HAVING max(number) <> count(*)"
    )
    yield from (f"F54: {row[0]} {row[1]} has a gap in its numbers" for row in rows)
    seen.revisions, seen.receipt_count = now, receipt_count
