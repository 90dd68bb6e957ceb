"""Does a file of the ninth schema open as it was, and can what came with the tenth be asked of it?"""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from glossator.model import KeptReply
from glossator.options import Options
from glossator.stores.sqlite import SqliteStore
from glossator.stores.sqlite.migrate import migrate, shipped_migrations
from glossator.testing.contract.base import NOW
from glossator.testing.contract.replies import begin
from glossator.testing.drafts import SCOPE

AT = 1767258000000000
ROWS = f"""
INSERT INTO scopes (workspace_id, agent_id, owner_id, revision) VALUES ('acme', 'helper', 'u1', 2);
INSERT INTO conversations (scope_id, key, channel, chat_id, thread_scope)
VALUES (1, 'telegram:42:root', 'telegram', '42', 'root'), (1, 'telegram:43:root', 'telegram', '43', 'root');
INSERT INTO sessions (conversation_id, name, next_position) VALUES (1, 's1', 3), (2, 's1', 1);
INSERT INTO messages (
    id, workspace_id, agent_id, owner_id, channel, chat_id, thread_scope, sender, role, kind, content, created_at,
    scope_id, conversation_id, session_id, position, external_id, said_at, said_offset, said_precision, said_given,
    state, extract_due, trust, window_state
) VALUES
    (3, 'acme', 'helper', 'u1', 'telegram', '42', 'root', 'Ann', 'user', 'chat', 'I like tea', {AT}, 1, 1, 1, 0, 'm3',
        {AT}, 60, 'second', 1, 'live', 1, 'owner', 'cleared'),
    (4, 'acme', 'helper', 'u1', 'telegram', '42', 'root', 'bot', 'assistant', 'chat', 'Noted.', {AT}, 1, 1, 1, 1, 'm4',
        {AT + 1_000_000}, 60, 'second', 1, 'live', 0, 'unknown', 'live'),
    (5, 'acme', 'helper', 'u1', 'telegram', '42', 'root', '', 'user', 'chat', '', {AT}, 1, 1, NULL, 0, 'm5',
        0, 0, 'second', 1, 'erased', 0, 'unknown', 'live'),
    (6, 'acme', 'helper', 'u1', 'telegram', '43', 'root', 'Ann', 'user', 'chat', 'Hello', {AT}, 1, 2, 2, 0, 'm6',
        {AT + 9_000_000}, 60, 'second', 1, 'live', 0, 'owner', 'live');
INSERT INTO chunks VALUES (5, 3, 1, 1, 1, 0, 0, 0, 10, 'episodic', 'message', 'user', 'Ann', {AT}, NULL,
    NULL, 'second', 'session', '', NULL, '[]', 1.0, 3, 0, 'I like tea');
INSERT INTO chunk_terms VALUES (5, '1si 1slike 1stea', '1pann');
INSERT INTO work (work_id, kind, chunk_id, scope_id, conversation_id, state, attempt, due_at, reason, created_at)
VALUES (1, 'embed', 5, 1, 1, 'failed', 5, {AT}, 'the model said: I like tea', {AT});
"""


@pytest.fixture
def upgraded(tmp_path: Path) -> SqliteStore:
    path = tmp_path / "memory.db"
    assert migrate(path, shipped_migrations()[:9], busy_timeout_s=5) == 9
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(ROWS)
    return SqliteStore(path, options=Options())


def test_the_talk_of_the_ninth_schema_is_there_and_listed(upgraded: SqliteStore) -> None:
    # proves: K35
    assert [each.external_id for each in upgraded.messages(SCOPE)] == ["m3", "m4", "m6"]
    assert {each.tier for each in upgraded.messages(SCOPE)} == {None}
    newer, older = upgraded.conversations(SCOPE, limit=9)
    assert (newer.conversation, newer.message_count, newer.last_words) == ("telegram:43:root", 1, "Hello")
    assert (older.message_count, older.live_count, older.last_words) == (2, 1, "Noted.")
    assert older.first_said_at == datetime(2026, 1, 1, 9, tzinfo=UTC)
    assert [each.message_count for each in upgraded.scopes(SCOPE)] == [3]
    assert all(each.ok for each in upgraded.examine(model="", repair=False, now=NOW) if each.check != "failed work")
    upgraded.close()


def test_why_work_failed_before_is_told_without_its_words(upgraded: SqliteStore) -> None:
    (told,) = [each for each in upgraded.open_work() if each.kind == "embed"]
    assert (told.failed_count, told.last_error) == (1, "failed")
    upgraded.close()


def test_keys_and_answers_can_be_kept_in_it(upgraded: SqliteStore) -> None:
    assert upgraded.keys() == ()
    assert begin(upgraded) is None
    upgraded.keep_reply("k1", "r1", KeptReply(status=204))
    assert begin(upgraded) == KeptReply(status=204)
    upgraded.close()
