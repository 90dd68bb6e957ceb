-- Facts stand beside the journal: admitted statements, the words they rest on, why each was let in, and what waits.
-- fact_terms, memories_fts and fact_vectors can be rebuilt from `memories`.

-- One row per fact. `owner_scope` is the row of `scopes` that every read is bound to; `scope_type` and `scope_id` say for
-- whom the fact holds. `revision` is that of the scope when the row last changed: readers load what is larger.
CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent_id TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    scope_type TEXT NOT NULL CHECK (scope_type IN ('workspace', 'owner', 'agent', 'conversation', 'job')),
    scope_id TEXT NOT NULL,
    category TEXT NOT NULL CHECK (category IN (
        'identity', 'preference', 'interest', 'goal', 'context', 'directive', 'note', 'summary'
    )),
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    promote_target TEXT,
    source_id TEXT NOT NULL,
    source_type TEXT NOT NULL CHECK (source_type IN (
        'turn', 'session_end', 'pre_compress', 'explicit', 'review', 'document', 'job', 'import'
    )),
    source_name TEXT NOT NULL,
    source_description TEXT NOT NULL DEFAULT '',
    session_id TEXT,
    run_id TEXT,
    source_message_id INTEGER REFERENCES messages (id),
    archived_at INTEGER,
    archived_by TEXT,
    archive_reason TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    workspace_id TEXT NOT NULL,
    owner_scope INTEGER NOT NULL REFERENCES scopes (scope_id),
    conversation_id INTEGER REFERENCES conversations (conversation_id),
    text TEXT NOT NULL,
    indexed_text TEXT NOT NULL,
    kind TEXT CHECK (kind IN (
        'exact_value', 'hard_constraint', 'decision_reason', 'cross_task_dep', 'implicit_pref'
    )),
    subject TEXT NOT NULL,
    polarity TEXT NOT NULL CHECK (polarity IN ('positive', 'negative')),
    epistemic TEXT NOT NULL CHECK (epistemic IN ('stated', 'inferred')),
    content_hash TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN (
        'active', 'deprioritised', 'superseded', 'archived', 'invalidated', 'expired', 'quarantined', 'erased'
    )),
    weight REAL NOT NULL,
    event_start INTEGER,
    event_end INTEGER,
    event_precision TEXT NOT NULL,
    event_source TEXT NOT NULL CHECK (event_source IN ('own', 'source', 'session', 'ingest')),
    event_words TEXT NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_to INTEGER,
    last_seen_at INTEGER NOT NULL,
    seen_count INTEGER NOT NULL DEFAULT 1 CHECK (seen_count >= 1),
    version INTEGER NOT NULL DEFAULT 1,
    parent_id INTEGER REFERENCES memories (id),
    superseded_by INTEGER REFERENCES memories (id),
    source_trust TEXT NOT NULL CHECK (source_trust IN ('operator', 'owner', 'guest', 'tool', 'unknown')),
    project TEXT,
    tags_json TEXT NOT NULL DEFAULT '[]',
    domain TEXT NOT NULL,
    sensitivity TEXT NOT NULL CHECK (sensitivity IN ('public', 'internal', 'confidential', 'restricted')),
    reason TEXT NOT NULL DEFAULT '',
    term_count INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    CHECK (promote_target IS CASE
        WHEN category IN ('identity', 'preference', 'interest', 'goal') THEN 'user_md'
        WHEN category IN ('context', 'directive') THEN 'memory_md'
    END),
    CHECK ((archived_at IS NULL) = (archived_by IS NULL) AND (archived_at IS NULL) = (archive_reason IS NULL)),
    CHECK (valid_to IS NULL OR valid_to >= valid_from),
    CHECK (state <> 'erased' OR (
        text = '' AND indexed_text = '' AND value = '' AND subject = '' AND key = '' AND content_hash = ''
        AND event_words = '' AND reason = '' AND source_id = '' AND source_name = '' AND source_description = ''
        AND tags_json = '[]' AND project IS NULL AND session_id IS NULL AND run_id IS NULL AND term_count = 0
        AND archived_at IS NULL AND source_message_id IS NULL
    ))
);
-- The durable facts of a scope, latest seen first.
CREATE INDEX turn_facts ON memories (owner_scope, state, last_seen_at DESC, id DESC);
CREATE INDEX memories_by_scope ON memories (owner_scope, id);
CREATE INDEX memories_by_revision ON memories (owner_scope, revision);
CREATE INDEX memories_by_hash ON memories (owner_scope, content_hash);
CREATE INDEX memories_by_key ON memories (owner_scope, key, subject);
CREATE INDEX memories_by_value ON memories (owner_scope, value);
CREATE INDEX memories_by_project ON memories (owner_scope, project) WHERE project IS NOT NULL;
CREATE INDEX memories_by_parent ON memories (parent_id) WHERE parent_id IS NOT NULL;
CREATE UNIQUE INDEX one_fact_per_hash ON memories (owner_scope, scope_type, scope_id, content_hash)
WHERE state IN ('active', 'deprioritised');
CREATE UNIQUE INDEX one_fact_per_key ON memories (owner_scope, scope_type, scope_id, subject, key)
WHERE key <> '' AND state IN ('active', 'deprioritised');

-- The words a fact rests on: message[start:stop], or a quote alone where only the caller had the text.
CREATE TABLE evidence (
    evidence_id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_id INTEGER NOT NULL REFERENCES memories (id),
    message_id INTEGER REFERENCES messages (id),
    external_id TEXT,
    conversation TEXT,
    session TEXT,
    source TEXT NOT NULL,
    speaker TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    said_at INTEGER NOT NULL,
    said_offset INTEGER NOT NULL,
    said_precision TEXT NOT NULL,
    said_given INTEGER NOT NULL CHECK (said_given IN (0, 1)),
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    quote TEXT NOT NULL
);
CREATE UNIQUE INDEX evidence_by_offsets ON evidence (memory_id, message_id, start, stop) WHERE message_id IS NOT NULL;
CREATE UNIQUE INDEX evidence_by_quote ON evidence (memory_id, quote) WHERE message_id IS NULL;
CREATE INDEX evidence_by_fact ON evidence (memory_id);
CREATE INDEX evidence_by_message ON evidence (message_id);

-- What was decided about each draft. Words go when they are erased; the decision stays.
CREATE TABLE decisions (
    decision_id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    conversation TEXT,
    decided_at INTEGER NOT NULL,
    decided_by TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('admit', 'merge', 'supersede', 'hold', 'refuse')),
    reason TEXT NOT NULL,
    text TEXT NOT NULL,
    quote TEXT NOT NULL,
    source TEXT NOT NULL,
    memory_id INTEGER REFERENCES memories (id),
    message_id INTEGER REFERENCES messages (id),
    external_id TEXT
);
CREATE INDEX decisions_by_scope ON decisions (scope_id, decision_id);
CREATE INDEX decisions_by_fact ON decisions (memory_id);
CREATE INDEX decisions_by_message ON decisions (message_id);

-- The audit: each change of a fact's state.
CREATE TABLE state_changes (
    change_id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_id INTEGER NOT NULL REFERENCES memories (id),
    changed_at INTEGER NOT NULL,
    changed_by TEXT NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    reason TEXT NOT NULL
);
CREATE INDEX state_changes_by_fact ON state_changes (memory_id, change_id);

-- Index words of facts, as terms.py writes them: the scope's id is the beginning of each word.
CREATE TABLE fact_terms (
    memory_id INTEGER PRIMARY KEY REFERENCES memories (id),
    body TEXT NOT NULL
);
CREATE VIRTUAL TABLE memories_fts USING fts5 (
    body, content = 'fact_terms', content_rowid = 'memory_id', detail = none, tokenize = 'ascii'
);
CREATE TRIGGER fact_terms_inserted AFTER INSERT ON fact_terms BEGIN
    INSERT INTO memories_fts (rowid, body) VALUES (new.memory_id, new.body);
END;
CREATE TRIGGER fact_terms_deleted AFTER DELETE ON fact_terms BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, body) VALUES ('delete', old.memory_id, old.body);
END;
CREATE TRIGGER fact_terms_updated AFTER UPDATE ON fact_terms BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, body) VALUES ('delete', old.memory_id, old.body);
    INSERT INTO memories_fts (rowid, body) VALUES (new.memory_id, new.body);
END;

-- As `vectors`: float16, unit length; a replaced vector gets a new vector_id.
CREATE TABLE fact_vectors (
    vector_id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_id INTEGER NOT NULL REFERENCES memories (id),
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    model_id INTEGER NOT NULL REFERENCES models (model_id),
    dimension INTEGER NOT NULL,
    text_hash BLOB NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (memory_id, model_id)
);
CREATE INDEX fact_vectors_by_scope ON fact_vectors (scope_id, model_id, vector_id);

-- The reasoning steps of runs. The *_words columns are index words of thought and observation, each under its scope.
CREATE TABLE steps (
    step_id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    conversation TEXT,
    run_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    thought TEXT NOT NULL,
    action TEXT NOT NULL,
    observation TEXT NOT NULL,
    verified INTEGER NOT NULL CHECK (verified IN (0, 1)),
    evidence TEXT NOT NULL,
    at INTEGER,
    thought_words TEXT NOT NULL,
    observation_words TEXT NOT NULL,
    term_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (scope_id, run_id, number)
);
CREATE VIRTUAL TABLE steps_fts USING fts5 (
    thought_words, observation_words, content = 'steps', content_rowid = 'step_id', detail = none, tokenize = 'ascii'
);
CREATE TRIGGER steps_inserted AFTER INSERT ON steps BEGIN
    INSERT INTO steps_fts (rowid, thought_words, observation_words)
    VALUES (new.step_id, new.thought_words, new.observation_words);
END;
CREATE TRIGGER steps_deleted AFTER DELETE ON steps BEGIN
    INSERT INTO steps_fts (steps_fts, rowid, thought_words, observation_words)
    VALUES ('delete', old.step_id, old.thought_words, old.observation_words);
END;
CREATE TRIGGER steps_updated AFTER UPDATE ON steps BEGIN
    INSERT INTO steps_fts (steps_fts, rowid, thought_words, observation_words)
    VALUES ('delete', old.step_id, old.thought_words, old.observation_words);
    INSERT INTO steps_fts (rowid, thought_words, observation_words)
    VALUES (new.step_id, new.thought_words, new.observation_words);
END;

-- Was the message ever due for extraction? Its work row goes when that is done.
ALTER TABLE messages ADD COLUMN extract_due INTEGER NOT NULL DEFAULT 0 CHECK (extract_due IN (0, 1));

-- More kinds of work. Rows keep their ids, and ids go on from where they were.
CREATE TABLE new_work (
    work_id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('embed', 'extract', 'pre_compress', 'session_end', 'embed_fact')),
    chunk_id INTEGER REFERENCES chunks (chunk_id),
    memory_id INTEGER REFERENCES memories (id),
    payload TEXT,
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    conversation_id INTEGER REFERENCES conversations (conversation_id),
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'failed')),
    attempt INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    UNIQUE (chunk_id, kind),
    UNIQUE (memory_id, kind),
    CHECK ((kind IN ('embed', 'extract')) = (chunk_id IS NOT NULL)),
    CHECK ((kind = 'embed_fact') = (memory_id IS NOT NULL)),
    CHECK ((kind IN ('pre_compress', 'session_end')) = (payload IS NOT NULL))
);
INSERT INTO new_work (
    work_id, kind, chunk_id, scope_id, conversation_id, state, attempt, due_at, reason, created_at
)
SELECT w.work_id, w.kind, w.chunk_id, w.scope_id, k.conversation_id, w.state, w.attempt, w.due_at, w.reason,
    w.created_at
FROM work AS w JOIN chunks AS k USING (chunk_id);
DELETE FROM sqlite_sequence WHERE name = 'new_work';
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_work', seq FROM sqlite_sequence WHERE name = 'work';
DROP TABLE work;
ALTER TABLE new_work RENAME TO work;
CREATE INDEX work_by_kind ON work (kind, state, work_id, due_at);
CREATE INDEX work_by_scope ON work (scope_id, state);

INSERT INTO migrations (number, name) VALUES (2, 'facts');
PRAGMA user_version = 2;
