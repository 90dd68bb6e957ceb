-- What keeps the forgotten away, proves that it went, and moves facts by themselves.

-- When a fact stops to hold, and the words that bring a deprioritised one back. Both go with the fact's words.
ALTER TABLE memories ADD COLUMN reinstate_hints_json TEXT NOT NULL DEFAULT '[]'
CHECK (state <> 'erased' OR reinstate_hints_json = '[]');
ALTER TABLE memories ADD COLUMN expires_at INTEGER CHECK (state <> 'erased' OR expires_at IS NULL);
CREATE INDEX memories_with_hints ON memories (owner_scope, id)
WHERE state = 'deprioritised' AND reinstate_hints_json <> '[]';
CREATE INDEX memories_to_expire ON memories (expires_at, id)
WHERE expires_at IS NOT NULL AND state IN ('active', 'deprioritised');

-- Spans that must not be learned from again. No words. Facts may be dropped and learned anew: `memory_id` only tells
-- which one it was, so that restoring that fact opens its spans.
CREATE TABLE tombstones (
    memory_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL REFERENCES messages (id),
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    erased_at INTEGER NOT NULL,
    PRIMARY KEY (memory_id, message_id, start, stop)
) WITHOUT ROWID;
CREATE INDEX tombstones_by_message ON tombstones (message_id, start, stop);
INSERT INTO tombstones (memory_id, message_id, start, stop, scope_id, erased_at)
SELECT e.memory_id, e.message_id, e.start, e.stop, f.owner_scope, f.updated_at
FROM evidence AS e JOIN memories AS f ON f.id = e.memory_id
WHERE f.state = 'invalidated' AND e.message_id IS NOT NULL;

-- One row per forgetting: `body` is written with it, `signed` when it is signed.
CREATE TABLE receipts (
    receipt_id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    conversation TEXT,
    made_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    signed TEXT NOT NULL DEFAULT ''
);
CREATE INDEX receipts_by_scope ON receipts (scope_id, receipt_id);

-- The store's own key pair, made when the first receipt is signed.
CREATE TABLE signing_keys (
    key_id INTEGER PRIMARY KEY CHECK (key_id = 1),
    private_key BLOB NOT NULL,
    made_at INTEGER NOT NULL
);

-- Copies that were asked for: what was erased later may still be in them.
CREATE TABLE backups (
    backup_id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL,
    made_at INTEGER NOT NULL
);

INSERT INTO migrations (number, name) VALUES (8, 'erasures');
PRAGMA user_version = 8;
