-- The texts of an agent's prompt and the checkpoints of its conversations, every revision of each. A row is added and
-- never changed, but for an erasure, which takes its words and their fingerprint and leaves its number.
-- `conversation` is the key of a checkpoint's conversation, '' for every other kind.
CREATE TABLE revisions (
    revision_id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    kind TEXT NOT NULL CHECK (kind IN ('rules', 'soul', 'user_md', 'memory_md', 'checkpoint')),
    conversation TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 1),
    parent INTEGER,
    sha256 TEXT NOT NULL,
    byte_count INTEGER NOT NULL,
    content TEXT NOT NULL,
    source TEXT NOT NULL CHECK (
        source IN (
            'seed', 'imported', 'manual_edit', 'extraction_rebuild', 'scheduler_rebuild', 'compaction', 'rollback'
        )
    ),
    cause TEXT NOT NULL,
    memory_ids_json TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(memory_ids_json)),
    message_ids_json TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(message_ids_json)),
    target INTEGER,
    origin INTEGER,
    written_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    erased_at INTEGER,
    UNIQUE (scope_id, kind, conversation, number),
    CHECK ((kind = 'checkpoint') = (conversation <> '')),
    CHECK (parent IS CASE WHEN number > 1 THEN number - 1 END),
    CHECK (byte_count = length(CAST(content AS BLOB))),
    CHECK ((erased_at IS NULL) = (length(sha256) = 64)),
    CHECK (erased_at IS NULL OR (content = '' AND sha256 = '' AND cause = '')),
    CHECK ((source = 'rollback') = (target IS NOT NULL AND origin IS NOT NULL)),
    CHECK (target IS NULL OR (target < number AND origin = number - 1))
);

INSERT INTO migrations (number, name) VALUES (5, 'resources');
PRAGMA user_version = 5;
