-- How far the background reviewer has read each conversation. A conversation's row is of one owner with one agent, so
-- two owners in one chat are reviewed apart from each other.
-- Messages up to and with `last_reviewed_message_id` are read, and `last_reviewed_offset` characters of the message with
-- the next id. Ids are never given twice, so that a message which is erased changes nothing.
-- `claim_count` rises with each claim and tells who holds the review; the lease ends a claim whose process has died.
CREATE TABLE reviews (
    conversation_id INTEGER PRIMARY KEY REFERENCES conversations (conversation_id) ON DELETE CASCADE,
    last_reviewed_message_id INTEGER NOT NULL DEFAULT 0,
    last_reviewed_offset INTEGER NOT NULL DEFAULT 0 CHECK (last_reviewed_offset >= 0),
    last_reviewed_at INTEGER,
    started_at INTEGER,
    completed_at INTEGER,
    status TEXT CHECK (status IN ('ok', 'nothing_to_save', 'failed')),
    failed_at INTEGER,
    failure_count INTEGER NOT NULL DEFAULT 0,
    claim_count INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER,
    updated_at INTEGER NOT NULL
);
CREATE INDEX messages_by_review ON messages (conversation_id, id)
WHERE role = 'user' AND kind IN ('chat', 'voice_turn') AND state = 'live';

INSERT INTO migrations (number, name) VALUES (4, 'reviews');
PRAGMA user_version = 4;
