-- The journal is the truth; chunks, chunk_terms, messages_fts and vectors can be rebuilt from it.
-- Times are integer microseconds since 1970 in UTC: exact, and comparable without parsing.

CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);

-- `revision` rises with every write in the scope, `erasure_count` when something went: readers in any process compare
-- them with what they hold in memory.
CREATE TABLE scopes (
    scope_id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    erasure_count INTEGER NOT NULL DEFAULT 0,
    UNIQUE (workspace_id, agent_id, owner_id)
);

CREATE TABLE conversations (
    conversation_id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    key TEXT NOT NULL,
    channel TEXT NOT NULL,
    chat_id TEXT NOT NULL,
    thread_scope TEXT NOT NULL,
    UNIQUE (scope_id, key)
);

-- Sessions rise in the order of their first message; positions are given once and never reused.
CREATE TABLE sessions (
    session_id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
    name TEXT NOT NULL,
    next_position INTEGER NOT NULL DEFAULT 0,
    UNIQUE (conversation_id, name)
);

CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    chat_id TEXT NOT NULL,
    thread_scope TEXT NOT NULL,
    sender TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    kind TEXT NOT NULL CHECK (kind IN ('chat', 'document')),
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
    UNIQUE (conversation_id, external_id),
    CHECK ((state = 'live') = (session_id IS NOT NULL)),
    CHECK (state = 'live' OR (content = '' AND sender = '' AND metadata_json = '{}'))
);
CREATE INDEX messages_by_chat ON messages (agent_id, channel, chat_id, thread_scope, created_at, id);
CREATE INDEX messages_by_scope ON messages (scope_id);
CREATE INDEX messages_by_session ON messages (session_id, position);

-- Chunks carry what the columns of a scope need, so that loading a scope reads one table.
CREATE TABLE chunks (
    chunk_id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id INTEGER NOT NULL REFERENCES messages (id),
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    conversation_id INTEGER NOT NULL,
    session_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    place INTEGER NOT NULL,
    start_offset INTEGER NOT NULL,
    end_offset INTEGER NOT NULL,
    namespace TEXT NOT NULL CHECK (namespace IN ('episodic', 'knowledge', 'preference')),
    strategy TEXT NOT NULL,
    role TEXT NOT NULL,
    speaker TEXT NOT NULL,
    said_at INTEGER NOT NULL,
    event_start INTEGER,
    event_end INTEGER,
    event_precision TEXT NOT NULL,
    event_source TEXT NOT NULL CHECK (event_source IN ('own', 'source', 'session', 'ingest')),
    event_words TEXT NOT NULL,
    project TEXT,
    tags_json TEXT NOT NULL DEFAULT '[]',
    weight REAL NOT NULL,
    term_count INTEGER NOT NULL,
    marks INTEGER NOT NULL DEFAULT 0,
    text TEXT NOT NULL,
    UNIQUE (message_id, place)
);
CREATE INDEX chunks_by_scope ON chunks (scope_id, chunk_id);
CREATE INDEX chunks_by_project ON chunks (scope_id, project) WHERE project IS NOT NULL;

-- Index words as terms.py writes them: the scope's id is the beginning of each word, so a search of one scope cannot
-- meet another's rows.
CREATE TABLE chunk_terms (
    chunk_id INTEGER PRIMARY KEY REFERENCES chunks (chunk_id),
    body TEXT NOT NULL,
    speaker TEXT NOT NULL
);
CREATE VIRTUAL TABLE messages_fts USING fts5 (
    body, speaker, content = 'chunk_terms', content_rowid = 'chunk_id', detail = none, tokenize = 'ascii'
);
CREATE TRIGGER chunk_terms_inserted AFTER INSERT ON chunk_terms BEGIN
    INSERT INTO messages_fts (rowid, body, speaker) VALUES (new.chunk_id, new.body, new.speaker);
END;
CREATE TRIGGER chunk_terms_deleted AFTER DELETE ON chunk_terms BEGIN
    INSERT INTO messages_fts (messages_fts, rowid, body, speaker)
    VALUES ('delete', old.chunk_id, old.body, old.speaker);
END;
CREATE TRIGGER chunk_terms_updated AFTER UPDATE ON chunk_terms BEGIN
    INSERT INTO messages_fts (messages_fts, rowid, body, speaker)
    VALUES ('delete', old.chunk_id, old.body, old.speaker);
    INSERT INTO messages_fts (rowid, body, speaker) VALUES (new.chunk_id, new.body, new.speaker);
END;

CREATE TABLE models (
    model_id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
);

-- float16, unit length. A replaced vector gets a new vector_id, so that readers load only what is larger.
CREATE TABLE vectors (
    vector_id INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk_id INTEGER NOT NULL REFERENCES chunks (chunk_id),
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    model_id INTEGER NOT NULL REFERENCES models (model_id),
    dimension INTEGER NOT NULL,
    text_hash BLOB NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (chunk_id, model_id)
);
CREATE INDEX vectors_by_scope ON vectors (scope_id, model_id, vector_id);

-- Sign bits of the vectors of a chunk's word pieces, read for the best candidates only; apart, so that loading the
-- vectors of a scope does not read them.
CREATE TABLE signs (
    vector_id INTEGER PRIMARY KEY REFERENCES vectors (vector_id) ON DELETE CASCADE,
    signs BLOB NOT NULL
);

-- An open row is due at `due_at`; claiming it moves `due_at` to the end of the lease.
CREATE TABLE work (
    work_id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('embed')),
    chunk_id INTEGER NOT NULL REFERENCES chunks (chunk_id),
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'failed')),
    attempt INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    UNIQUE (chunk_id, kind)
);
CREATE INDEX work_by_state ON work (state, work_id);
CREATE INDEX work_by_scope ON work (scope_id, state);

INSERT INTO migrations (number, name) VALUES (1, 'first');
PRAGMA application_id = 1196184403; -- "GLSS"
PRAGMA user_version = 1;
