-- Who may come in through a server, what they were answered, how far their agents had matured, and indexes for lists.

-- Of a secret only its SHA-256: the file opens no door. The row of a revoked key stays and tells that there was one.
CREATE TABLE api_keys (
    key_row INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    agent_id TEXT,
    owner_id TEXT,
    trust TEXT NOT NULL CHECK (trust IN ('operator', 'owner', 'guest', 'tool', 'unknown')),
    tier TEXT CHECK (tier IN ('STUDENT', 'INTERN', 'SUPERVISED', 'AUTONOMOUS')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
);
-- A key that was rotated has two secrets until the grace of the old one is over.
CREATE TABLE key_secrets (
    sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32),
    key_row INTEGER NOT NULL REFERENCES api_keys (key_row),
    ends_at INTEGER
) WITHOUT ROWID;

-- Answers for whoever asks again. `sha256` is of the caller and the key that they sent. Words that were forgotten leave
-- the status alone (`not_kept` says why), also of an answer that is still being made.
CREATE TABLE replies (
    sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32),
    fingerprint TEXT NOT NULL,
    status INTEGER,
    body TEXT NOT NULL DEFAULT '',
    headers_json TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(headers_json)),
    not_kept TEXT NOT NULL DEFAULT '' CHECK (not_kept IN ('', 'too_large', 'erased')),
    claimed_until INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    CHECK (not_kept = '' OR (body = '' AND headers_json = '{}')),
    CHECK (not_kept <> 'erased' OR fingerprint = '')
) WITHOUT ROWID;
CREATE INDEX replies_by_age ON replies (created_at);

-- The tier that the caller's agent had at most when it recorded the message; NULL where the caller named none.
ALTER TABLE messages ADD COLUMN tier TEXT;

-- When something was said in a conversation, with all that its line in a list counts. Not for live rows alone: a
-- smaller index would be taken where a better one is there.
CREATE INDEX messages_by_talk ON messages (conversation_id, said_at, id, window_state, state);
-- What is open in one scope, counted without its rows.
DROP INDEX work_by_scope;
CREATE INDEX work_by_scope ON work (scope_id, kind, state, due_at, work_id, conversation_id);
-- What has failed, the latest last.
CREATE INDEX work_with_reason ON work (kind, due_at, work_id) WHERE reason <> '';

INSERT INTO migrations (number, name) VALUES (10, 'access');
PRAGMA user_version = 10;
