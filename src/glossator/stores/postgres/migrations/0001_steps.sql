-- Which migrations this schema has seen; the runner adds a row after each.
CREATE TABLE versions (
    number integer PRIMARY KEY,
    name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- Collation "C": ids are compared as they are written, on every server.
CREATE TABLE scopes (
    scope_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    owner_id text COLLATE "C" NOT NULL,
    UNIQUE (workspace_id, agent_id, owner_id)
);

CREATE TABLE steps (
    step_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scope_id bigint NOT NULL REFERENCES scopes (scope_id),
    conversation text COLLATE "C",
    run_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    thought text NOT NULL,
    action text NOT NULL,
    observation text NOT NULL,
    verified boolean NOT NULL,
    evidence text NOT NULL,
    at timestamptz,
    term_count integer NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (scope_id, run_id, number)
);

-- The index words of thought and observation, in order and with repeats. In as many parts as it takes: a tsvector holds
-- at most 1 MB. The server itself derives the lexemes, so they cannot drift from the words.
CREATE TABLE step_words (
    step_id bigint NOT NULL REFERENCES steps (step_id) ON DELETE CASCADE,
    part integer NOT NULL,
    words text NOT NULL,
    lexemes tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('pg_catalog.simple', words)) STORED,
    PRIMARY KEY (step_id, part)
);
-- Without fastupdate: else every search walks the rows that wait for the next vacuum.
CREATE INDEX step_words_by_lexeme ON step_words USING gin (lexemes) WITH (fastupdate = off);
