-- Scheduled jobs, the memory sources that they stand on, and their runs. The runner is the host's.
-- A job cannot be without its source: the reference is checked at once, so that the pair is written in one transaction.
CREATE TABLE memory_sources (
    source_row INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id INTEGER NOT NULL REFERENCES scopes (scope_id),
    source_id TEXT NOT NULL,
    source_type TEXT NOT NULL CHECK (source_type IN ('job')),
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (scope_id, source_id)
);

CREATE TABLE scheduled_jobs (
    job_row INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id INTEGER NOT NULL,
    job_id TEXT NOT NULL,
    source_id TEXT NOT NULL,
    schedule TEXT NOT NULL DEFAULT '',
    next_run_at INTEGER,
    enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (scope_id, job_id),
    CHECK (source_id = 'job:' || job_id),
    FOREIGN KEY (scope_id, source_id) REFERENCES memory_sources (scope_id, source_id)
);

CREATE TABLE job_runs (
    run_id INTEGER PRIMARY KEY AUTOINCREMENT,
    job_row INTEGER NOT NULL REFERENCES scheduled_jobs (job_row),
    session TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
    final_text TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '',
    delivered INTEGER NOT NULL DEFAULT 0 CHECK (delivered IN (0, 1)),
    UNIQUE (job_row, session),
    CHECK ((status = 'running') = (finished_at IS NULL))
);

INSERT INTO migrations (number, name) VALUES (7, 'jobs');
PRAGMA user_version = 7;
