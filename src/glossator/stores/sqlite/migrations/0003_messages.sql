-- More kinds of messages, how far each speaker was believed, and whether a message is still sent to the model.
-- `window_state` says what compaction and /clear did: the row stays, searchable and open to review.
CREATE TABLE new_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    chat_id TEXT NOT NULL,
    thread_scope TEXT NOT NULL,
    sender TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    kind TEXT NOT NULL CHECK (kind IN ('chat', 'document', 'voice_turn', 'tool', 'checkpoint_summary', 'marker')),
    content TEXT NOT NULL,
    metadata_json TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL,
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
    session_id INTEGER REFERENCES sessions (session_id),
    position INTEGER NOT NULL,
    external_id TEXT NOT NULL,
    said_at INTEGER NOT NULL,
    said_offset INTEGER NOT NULL,
    said_precision TEXT NOT NULL,
    said_given INTEGER NOT NULL CHECK (said_given IN (0, 1)),
    state TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'erased')),
    extract_due INTEGER NOT NULL DEFAULT 0 CHECK (extract_due IN (0, 1)),
    trust TEXT NOT NULL CHECK (trust IN ('operator', 'owner', 'guest', 'tool', 'unknown')),
    window_state TEXT NOT NULL DEFAULT 'live' CHECK (window_state IN ('live', 'compacted', 'cleared')),
    UNIQUE (conversation_id, external_id),
    CHECK ((state = 'live') = (session_id IS NOT NULL)),
    CHECK (state = 'live' OR (content = '' AND sender = '' AND metadata_json = '{}'))
);
INSERT INTO new_messages
SELECT *, CASE role WHEN 'user' THEN 'owner' WHEN 'tool' THEN 'tool' ELSE 'unknown' END, 'live' FROM messages;
DELETE FROM sqlite_sequence WHERE name = 'new_messages';
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_messages', seq FROM sqlite_sequence WHERE name = 'messages';
DROP TABLE messages;
ALTER TABLE new_messages RENAME TO messages;
CREATE INDEX messages_by_chat ON messages (agent_id, channel, chat_id, thread_scope, created_at, id);
CREATE INDEX messages_by_scope ON messages (scope_id);
CREATE INDEX messages_by_session ON messages (session_id, position);
CREATE INDEX messages_by_window ON messages (conversation_id, window_state, id);

INSERT INTO migrations (number, name) VALUES (3, 'messages');
PRAGMA user_version = 3;
