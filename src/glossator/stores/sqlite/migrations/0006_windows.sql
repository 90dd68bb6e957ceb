-- The last measure of each conversation's prompt, and what became of each attempt to compact it. Which messages are
-- still sent stands with the messages (window_state). `reason` is a word from a fixed choice, never something said.
CREATE TABLE window_measures (
    conversation_id INTEGER PRIMARY KEY REFERENCES conversations (conversation_id),
    peak_tokens INTEGER NOT NULL CHECK (peak_tokens >= 0),
    window_tokens INTEGER NOT NULL CHECK (window_tokens > 0),
    measured_at INTEGER NOT NULL
);

CREATE TABLE compactions (
    compaction_id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
    attempted_at INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('compacted', 'weak', 'failed')),
    before_tokens INTEGER NOT NULL,
    after_tokens INTEGER NOT NULL,
    reason TEXT NOT NULL DEFAULT ''
);
CREATE INDEX compactions_by_conversation ON compactions (conversation_id, compaction_id);

INSERT INTO migrations (number, name) VALUES (6, 'windows');
PRAGMA user_version = 6;
