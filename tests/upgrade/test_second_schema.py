"""Does a file of the second schema, with talk and facts, open as it was: nothing lost, nothing renumbered?"""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from glossator.model import FACT_STATES, WORK_KINDS, ClosedSpan, FactAsk, FactFilter
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.stores.sqlite.migrate import migrate, shipped_migrations
from glossator.testing.contract.base import MODEL, NOW, commit, fact, found, record
from glossator.testing.drafts import SCOPE, admitted, entry

AT = 1767258000000000
MESSAGE = (
    "INSERT INTO messages (id, workspace_id, agent_id, owner_id, channel, chat_id, thread_scope, sender, role, kind,"
    " content, metadata_json, created_at, scope_id, conversation_id, session_id, position, external_id, said_at,"
    " said_offset, said_precision, said_given, state, extract_due)"
    " VALUES (?, 'acme', 'helper', 'u1', 'telegram', '42', 'root', ?, ?, ?, ?, '{}', ?, 1, 1, ?, ?, ?, ?, 60, 'second',"
    " 1, ?, 1)"
)
MESSAGES = (
    (3, "Ann", "user", "chat", "I like tea", AT, 1, 0, "m3", AT, "live"),
    (4, "bot", "assistant", "chat", "Noted.", AT, 1, 1, "m4", AT, "live"),
    (5, "search", "tool", "chat", "rows: 2", AT, 1, 2, "m5", AT, "live"),
    (6, "", "user", "chat", "", AT, None, 0, "m6", 0, "erased"),
    (7, "Ann", "user", "document", "I like milk", AT, 1, 3, "m7", AT, "live"),
)
FACT = (
    "INSERT INTO memories (id, agent_id, owner_id, scope_type, scope_id, category, key, value, confidence,"
    " promote_target, source_id, source_type, source_name, source_message_id, created_at, updated_at, workspace_id,"
    " owner_scope, conversation_id, text, indexed_text, subject, polarity, epistemic, content_hash, state, weight,"
    " event_precision, event_source, event_words, valid_from, last_seen_at, source_trust, domain, sensitivity, reason,"
    " term_count, revision, superseded_by, parent_id, kind)"
    " VALUES (?, 'helper', 'u1', 'owner', 'u1', 'preference', ?, 'likes', 0.8, 'user_md', 'm3', 'turn', 'Ann', 3, ?, ?,"
    " 'acme', 1, 1, ?, ?, 'user', 'positive', 'stated', ?, ?, 1.0, 'day', 'session', '', ?, ?, 'owner', 'general',"
    " 'internal', '', 3, 2, ?, ?, 'implicit_pref')"
)
OTHERS = """
INSERT INTO scopes (workspace_id, agent_id, owner_id, revision) VALUES ('acme', 'helper', 'u1', 2);
INSERT INTO conversations (scope_id, key, channel, chat_id, thread_scope)
VALUES (1, 'telegram:42:root', 'telegram', '42', 'root');
INSERT INTO sessions (conversation_id, name, next_position) VALUES (1, 's1', 4);
"""
REST = """
INSERT INTO chunks VALUES (5, 3, 1, 1, 1, 0, 0, 0, 10, 'episodic', 'message', 'user', 'Ann', 1767258000000000, NULL,
    NULL, 'second', 'session', '', NULL, '[]', 1.0, 3, 0, 'I like tea');
INSERT INTO chunks VALUES (6, 7, 1, 1, 1, 3, 0, 0, 11, 'episodic', 'paragraphs', 'user', 'Ann', 1767258000000000, NULL,
    NULL, 'second', 'session', '', NULL, '[]', 1.0, 3, 0, 'I like milk');
INSERT INTO chunk_terms VALUES (5, '1si 1slike 1stea', '1pann');
INSERT INTO chunk_terms VALUES (6, '1si 1slike 1smilk', '1pann');
INSERT INTO evidence (memory_id, message_id, external_id, conversation, session, source, speaker, role, said_at,
    said_offset, said_precision, said_given, start, stop, quote)
VALUES (11, 3, 'm3', 'telegram:42:root', 's1', 'turn', 'Ann', 'user', 1767258000000000, 60, 'second', 1, 0, 10,
    'I like tea'),
    (12, 3, 'm3', 'telegram:42:root', 's1', 'turn', 'Ann', 'user', 1767258000000000, 60, 'second', 1, 2, 10,
    'like tea'),
    (13, NULL, NULL, NULL, NULL, 'explicit', 'user', 'user', 1767258000000000, 60, 'second', 1, 0, 3, 'oat');
INSERT INTO decisions (scope_id, conversation, decided_at, decided_by, decision, reason, text, quote, source, memory_id,
    message_id, external_id)
VALUES (1, 'telegram:42:root', 1, 'offline', 'admit', 'new', 'I like tea', 'I like tea', 'turn', 11, 3, 'm3');
INSERT INTO state_changes (memory_id, changed_at, changed_by, from_state, to_state, reason)
VALUES (12, 1, 'owner', 'active', 'invalidated', 'asked');
INSERT INTO fact_terms VALUES (11, '1slike 1stea');
INSERT INTO fact_terms VALUES (12, '1slike 1stea');
INSERT INTO fact_terms VALUES (13, '1soat');
INSERT INTO models (name) VALUES ('test-model');
INSERT INTO fact_vectors VALUES (1, 11, 1, 1, 2, x'00', x'003c0000');
INSERT INTO steps (scope_id, run_id, number, thought, action, observation, verified, evidence, thought_words,
    observation_words, term_count, created_at)
VALUES (1, 'r1', 1, 'tea', '', '', 0, '', '1stea', '', 1, 1);
INSERT INTO work (work_id, kind, memory_id, scope_id, conversation_id, due_at, created_at)
VALUES (21, 'embed_fact', 13, 1, 1, 0, 1767268800000000);
"""


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """A file as schema 2 left it: talk of three roles, one message forgotten, facts in several states, work open."""
    path = tmp_path / "memory.db"
    migrate(path, shipped_migrations()[:2], busy_timeout_s=5)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(OTHERS)
        connection.executemany(MESSAGE, MESSAGES)
        for fact_id, key, text, state in (
            (11, "taste:tea", "I like tea", "active"),
            (12, "taste:tea", "like tea", "invalidated"),
            (13, "taste:oat", "oat", "archived"),
        ):
            connection.execute(
                FACT, (fact_id, key, AT, AT, text, f"[2026-01-01] {text}", text, state, AT, AT, None, None)
            )
        connection.execute("UPDATE memories SET archived_at = 1, archived_by = 'owner', archive_reason = 'x'"
                           " WHERE id = 13")  # fmt: skip
        connection.executescript(REST)
        connection.commit()
    return path


def test_talk_and_facts_of_the_second_schema_are_as_they_were(second: Path) -> None:
    # proves: F2, O26
    store = SqliteStore(second, options=Options())
    messages = {message.external_id: message for message in store.messages(SCOPE)}
    assert {name: (each.message_id, each.trust, each.window_state) for name, each in messages.items()} == {
        "m3": (3, "owner", "live"), "m4": (4, "unknown", "live"), "m5": (5, "tool", "live"), "m7": (7, "owner", "live"),
    }  # fmt: skip
    assert (messages["m7"].kind, found(store, "milk")) == ("document", ["m7"])
    facts = store.facts(SCOPE, FactFilter(states=FACT_STATES, order="fact_id"))
    assert [(each.fact_id, each.text, each.state, each.expires_at) for each in facts] == [
        (11, "I like tea", "active", None), (12, "like tea", "invalidated", None), (13, "oat", "archived", None),
    ]  # fmt: skip
    ask = FactAsk(scope=SCOPE, filters=FactFilter(), terms=("tea",), vector=np.array([1, 0], np.float32), model=MODEL)
    assert [(each.fact.fact_id, each.similarity) for each in store.match_facts(ask).matches] == [(11, 1.0)]
    assert [each.quote for each in store.evidence(SCOPE, fact_ids=[11, 12, 13])] == ["oat", "I like tea", "like tea"]
    assert [each.text for each in store.decisions(SCOPE)] == ["I like tea"]
    assert [each.to_state for each in store.changes(SCOPE, [12])] == ["invalidated"]
    assert [each.thought for each in store.steps(SCOPE, "r1")] == ["tea"]
    assert all(each.ok for each in store.examine(model="", repair=False, now=NOW))
    store.close()


def test_ids_go_on_from_where_they_were_and_the_forgotten_stays_so(second: Path) -> None:
    # proves: F6, K21
    store = SqliteStore(second, options=Options())
    assert [each.outcome for each in record(store, entry("m3", "I like tea"), entry("m6", "x"))] == [
        "duplicate", "erased",
    ]  # fmt: skip
    (row,) = store.claim(WORK_KINDS, now=NOW, lease_s=9, limit=9)
    assert (row.work_id, row.kind, row.fact_id) == (21, "embed_fact", 13)
    (new,) = record(store, entry("m8", "bread"))
    assert new.message_id == 8
    (decided,) = commit(store, admitted("I like bread", recorded=new))
    assert decided.fact_id == 14
    (work, *_) = store.claim(WORK_KINDS, now=NOW, lease_s=9, limit=9)
    assert work.work_id == 22
    # what had been invalidated before there were tombstones has one now
    assert store.closed_spans(SCOPE, [3]) == (ClosedSpan(message_id=3, start=2, stop=10, state="erased"),)
    assert fact(store, 11).state == "active"
    store.close()


def test_every_reference_of_the_migrated_file_leads_somewhere(second: Path) -> None:
    SqliteStore(second, options=Options()).close()
    assert second.with_name("memory.db.before-0003.backup").exists()
    with closing(sqlite3.connect(second)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        numbers = [row[0] for row in connection.execute("SELECT number FROM migrations ORDER BY number")]
    assert version == shipped_migrations()[-1].number
    assert numbers == [each.number for each in shipped_migrations()]
    before = second.read_bytes()
    SqliteStore(second, options=Options()).close()
    assert second.read_bytes() == before
