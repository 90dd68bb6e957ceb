"""Does a file of the first release open as it was, with room for facts and none made up?"""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from glossator.model import FACT_STATES, WORK_KINDS, FactFilter
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.stores.sqlite.migrate import migrate, shipped_migrations
from glossator.testing.contract.base import MODEL, NOW, commit, found, record, survey, texts
from glossator.testing.drafts import SCOPE, admitted, entry

ROWS = """
INSERT INTO scopes (workspace_id, agent_id, owner_id, revision) VALUES ('acme', 'helper', 'u1', 2);
INSERT INTO conversations (scope_id, key, channel, chat_id, thread_scope)
VALUES (1, 'telegram:42:root', 'telegram', '42', 'root');
INSERT INTO sessions (conversation_id, name, next_position) VALUES (1, 's1', 3);
INSERT INTO messages VALUES (1, 'acme', 'helper', 'u1', 'telegram', '42', 'root', 'Ann', 'user', 'chat', 'I like tea',
    '{}', 1767268800000000, 1, 1, 1, 0, 'm1', 1767258000000000, 60, 'second', 1, 'live');
INSERT INTO messages VALUES (2, 'acme', 'helper', 'u1', 'telegram', '42', 'root', 'Bob', 'user', 'chat', 'milk',
    '{}', 1767268800000000, 1, 1, 1, 1, 'm2', 1767258000000000, 60, 'second', 1, 'live');
INSERT INTO messages VALUES (3, 'acme', 'helper', 'u1', 'telegram', '42', 'root', '', 'user', 'chat', '',
    '{}', 1767268800000000, 1, 1, NULL, 0, 'm3', 0, 0, 'second', 1, 'erased');
INSERT INTO chunks VALUES (1, 1, 1, 1, 1, 0, 0, 0, 10, 'episodic', 'message', 'user', 'Ann', 1767258000000000, NULL,
    NULL, 'second', 'session', '', NULL, '[]', 1.0, 3, 0, 'I like tea');
INSERT INTO chunks VALUES (2, 2, 1, 1, 1, 1, 0, 0, 4, 'episodic', 'message', 'user', 'Bob', 1767258000000000, NULL,
    NULL, 'second', 'session', '', NULL, '[]', 1.0, 1, 0, 'milk');
INSERT INTO chunk_terms VALUES (1, '1si 1slike 1stea', '1pann');
INSERT INTO chunk_terms VALUES (2, '1smilk', '1pbob');
INSERT INTO models (name) VALUES ('test-model');
INSERT INTO vectors VALUES (1, 1, 1, 1, 2, x'00', x'003c0000');
INSERT INTO work (work_id, kind, chunk_id, scope_id, attempt, due_at, created_at)
VALUES (7, 'embed', 2, 1, 3, 1767268800000000, 1767268800000000);
INSERT INTO work (work_id, kind, chunk_id, scope_id, state, due_at, reason, created_at)
VALUES (9, 'embed', 1, 1, 'failed', 0, 'bad', 1767268800000000);
DELETE FROM work WHERE work_id = 9;
"""


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A file as the first release left it, with work open and one message forgotten."""
    path = tmp_path / "memory.db"
    migrate(path, shipped_migrations()[:1], busy_timeout_s=5)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(ROWS)
        connection.commit()
    return path


def test_rows_of_the_first_schema_are_there_and_found(first: Path) -> None:
    # proves: O9, O26
    store = SqliteStore(first, options=Options())
    assert [message.external_id for message in store.messages(SCOPE)] == ["m1", "m2"]
    assert (found(store, "tea"), found(store, "milk")) == (["m1"], ["m2"])
    similarity = survey(store, vector=np.array([1, 0], np.float32)).similarity
    assert similarity is not None
    assert similarity.tolist()[0] == 1
    assert [each.outcome for each in record(store, entry("m1", "I like tea"), entry("m3", "x"))] == [
        "duplicate", "erased",
    ]  # fmt: skip
    # and the open work goes on where it was, under ids that go on too
    (row,) = store.claim(WORK_KINDS, now=NOW, lease_s=9, limit=9)
    assert (row.work_id, row.kind, row.chunk_ids, row.attempt) == (7, "embed", (2,), 4)
    record(store, entry("m4", "bread"))
    (new,) = store.claim(WORK_KINDS, now=NOW, lease_s=9, limit=9)
    assert new.work_id == 10
    assert first.with_name("memory.db.before-0002.backup").exists()
    assert all(each.ok for each in store.examine(model="", repair=False, now=NOW))
    store.close()


def test_opening_makes_no_facts(first: Path) -> None:
    # proves: A47
    store = SqliteStore(first, options=Options())
    assert store.facts(SCOPE, FactFilter(states=FACT_STATES)) == ()
    assert store.pending(kinds=["extract", "pre_compress", "session_end", "embed_fact"]) == 0
    assert [each.state for each in store.learning(SCOPE, [1, 2, 3])] == ["none", "none"]
    commit(store, admitted("I like tea", project="p"))
    assert texts(store, project="p") == ["I like tea"]
    assert store.unembedded_facts(MODEL, limit=9) == (1,)
    store.close()


def test_the_second_start_is_no_change(first: Path) -> None:
    # proves: O26
    SqliteStore(first, options=Options()).close()
    before, names = first.read_bytes(), sorted(each.name for each in first.parent.iterdir())
    SqliteStore(first, options=Options()).close()
    assert (first.read_bytes(), sorted(each.name for each in first.parent.iterdir())) == (before, names)
