-- name: settings
SELECT
    set_config('search_path', %(schema)s || ', pg_temp', false),
    set_config('lock_timeout', %(lock_ms)s, false),
    set_config('TimeZone', 'UTC', false)

-- name: server_encoding
SELECT current_setting('server_encoding')

-- name: lock_schema
SELECT pg_advisory_xact_lock(hashtextextended('glossator ' || %(schema)s, 0))

-- name: schema_state
SELECT
    to_regnamespace(%(schema)s) IS NOT NULL,
    to_regclass(%(schema)s || '.versions') IS NOT NULL,
    EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace(%(schema)s))

-- name: create_schema
CREATE SCHEMA {schema}

-- name: schema_version
SELECT coalesce(max(number), 0) FROM versions

-- name: add_version
INSERT INTO versions (number, name) VALUES (%(number)s, %(name)s)

-- name: add_scope
-- An update that changes nothing: it gives the id also when another session was faster.
INSERT INTO scopes (workspace_id, agent_id, owner_id) VALUES (%(workspace)s, %(agent)s, %(owner)s)
ON CONFLICT (workspace_id, agent_id, owner_id) DO UPDATE SET owner_id = excluded.owner_id
RETURNING scope_id

-- name: scope_row
SELECT scope_id FROM scopes WHERE workspace_id = %(workspace)s AND agent_id = %(agent)s AND owner_id = %(owner)s

-- name: put_step
INSERT INTO steps (
    scope_id, conversation, run_id, number, thought, action, observation, verified, evidence, at, term_count, created_at
) VALUES (
    %(scope_id)s, %(conversation)s, %(run_id)s, %(number)s, %(thought)s, %(action)s, %(observation)s, %(verified)s,
    %(evidence)s, %(at)s, %(term_count)s, %(now)s
)
ON CONFLICT (scope_id, run_id, number) DO UPDATE SET
    conversation = excluded.conversation, thought = excluded.thought, action = excluded.action,
    observation = excluded.observation, verified = excluded.verified, evidence = excluded.evidence,
    at = excluded.at, term_count = excluded.term_count
RETURNING step_id

-- name: drop_words
DELETE FROM step_words
WHERE step_id = ANY(%(step_ids)s)
    AND step_id IN (SELECT step_id FROM steps WHERE scope_id = %(scope_id)s)

-- name: put_words
INSERT INTO step_words (step_id, part, words) VALUES (%(step_id)s, %(part)s, %(words)s)

-- name: steps
SELECT run_id, number, thought, action, observation, verified, evidence, at FROM steps
WHERE scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = %(workspace)s AND agent_id = %(agent)s AND owner_id = %(owner)s
    )
    AND (%(conversation)s::text IS NULL OR conversation = %(conversation)s)
    AND run_id = %(run_id)s
ORDER BY number

-- name: count_steps
SELECT count(*), coalesce(sum(term_count), 0)::bigint FROM steps
WHERE scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = %(workspace)s AND agent_id = %(agent)s AND owner_id = %(owner)s
    )
    AND (%(conversation)s::text IS NULL OR conversation = %(conversation)s)
    AND (%(run_id)s::text IS NULL OR run_id = %(run_id)s)

-- name: matching_words
-- The index first, always: a word stands under its scope, so few rows are left, whatever the planner knows of the tables.
WITH hits AS MATERIALIZED (
    SELECT step_id, words FROM step_words WHERE lexemes @@ to_tsquery('pg_catalog.simple', %(any_word)s)
)
SELECT s.step_id, s.run_id, s.number, s.term_count, w.word, count(*)
FROM hits
JOIN steps AS s ON s.step_id = hits.step_id
CROSS JOIN LATERAL unnest(string_to_array(hits.words, ' ')) AS w (word)
WHERE w.word = ANY(%(words)s)
    AND s.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = %(workspace)s AND agent_id = %(agent)s AND owner_id = %(owner)s
    )
    AND (%(conversation)s::text IS NULL OR s.conversation = %(conversation)s)
    AND (%(run_id)s::text IS NULL OR s.run_id = %(run_id)s)
GROUP BY s.step_id, w.word

-- name: steps_by_id
SELECT run_id, number, thought, action, observation, verified, evidence, at, step_id FROM steps
WHERE scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = %(workspace)s AND agent_id = %(agent)s AND owner_id = %(owner)s
    )
    AND (%(conversation)s::text IS NULL OR conversation = %(conversation)s)
    AND step_id = ANY(%(step_ids)s)

-- name: drop_steps
DELETE FROM steps
WHERE scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = %(workspace)s AND agent_id = %(agent)s AND owner_id = %(owner)s
    )
    AND (%(conversation)s::text IS NULL OR conversation = %(conversation)s)
    AND run_id = %(run_id)s
    AND (%(numbers)s::bigint[] IS NULL OR number = ANY(%(numbers)s::bigint[]))
