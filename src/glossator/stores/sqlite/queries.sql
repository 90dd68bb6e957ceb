-- Every statement that the store runs, one per need. Lists of ids come as one JSON parameter. What reads by message,
-- chunk or vector carries a scope condition, but for the worker's and the doctor's, which serve all scopes.

-- name: add_scope
INSERT INTO scopes (workspace_id, agent_id, owner_id) VALUES (?, ?, ?)

-- name: scope_state
SELECT scope_id, revision, erasure_count FROM scopes WHERE workspace_id = ? AND agent_id = ? AND owner_id = ?

-- name: revise_scopes
UPDATE scopes SET revision = revision + 1 WHERE scope_id IN (SELECT value FROM json_each(?))

-- name: revise_scopes_erased
UPDATE scopes SET revision = revision + 1, erasure_count = erasure_count + 1
WHERE scope_id IN (SELECT value FROM json_each(?))

-- name: revise_all_erased
UPDATE scopes SET revision = revision + 1, erasure_count = erasure_count + 1

-- name: add_conversation
INSERT INTO conversations (scope_id, key, channel, chat_id, thread_scope) VALUES (?, ?, ?, ?, ?)

-- name: conversation_id
SELECT conversation_id FROM conversations WHERE scope_id = ? AND key = ?

-- name: add_session
INSERT INTO sessions (conversation_id, name) VALUES (?, ?)

-- name: session_id
SELECT session_id FROM sessions WHERE conversation_id = ? AND name = ?

-- name: next_position
UPDATE sessions SET next_position = next_position + 1 WHERE conversation_id = ? AND name = ?
RETURNING session_id, next_position - 1

-- name: recorded_before
SELECT id, content, state FROM messages WHERE conversation_id = ? AND external_id = ?

-- name: chunk_ids_of_message
SELECT chunk_id FROM chunks WHERE message_id = ? AND scope_id = ? ORDER BY place

-- name: add_message
INSERT INTO messages (
    workspace_id, agent_id, owner_id, channel, chat_id, thread_scope, sender, role, kind, content, metadata_json,
    created_at, scope_id, conversation_id, session_id, position, external_id, said_at, said_offset, said_precision,
    said_given
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: add_chunk
INSERT INTO chunks (
    message_id, scope_id, conversation_id, session_id, position, place, start_offset, end_offset, namespace, strategy,
    role, speaker, said_at, event_start, event_end, event_precision, event_source, event_words, project, tags_json,
    weight, term_count, marks, text
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: add_terms
INSERT INTO chunk_terms (chunk_id, body, speaker) VALUES (?, ?, ?)

-- name: add_work
INSERT INTO work (kind, chunk_id, scope_id, due_at, created_at) VALUES ('embed', ?, ?, ?, ?)

-- name: messages
SELECT m.id, m.external_id, m.workspace_id, m.agent_id, m.owner_id, c.key, m.channel, m.chat_id, m.thread_scope,
    s.name, m.role, m.sender, m.kind, m.content, m.said_at, m.said_offset, m.said_precision, m.said_given,
    m.metadata_json
FROM messages AS m
JOIN conversations AS c USING (conversation_id)
JOIN sessions AS s USING (session_id)
WHERE m.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)
    AND (:session IS NULL OR s.name = :session)
    AND m.state = 'live' AND m.id > :after_id
ORDER BY m.id LIMIT :limit

-- name: message
SELECT m.id, m.external_id, m.workspace_id, m.agent_id, m.owner_id, c.key, m.channel, m.chat_id, m.thread_scope,
    s.name, m.role, m.sender, m.kind, m.content, m.said_at, m.said_offset, m.said_precision, m.said_given,
    m.metadata_json
FROM conversations AS c
JOIN messages AS m ON m.conversation_id = c.conversation_id AND m.external_id = :external_id
JOIN sessions AS s USING (session_id)
WHERE c.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)
    AND (:named IS NULL OR c.key = :named)
    AND m.state = 'live'
ORDER BY m.id LIMIT 1

-- name: chunks
SELECT k.chunk_id, k.message_id, m.external_id, m.workspace_id, m.agent_id, m.owner_id, c.key, s.name, k.position,
    k.place, k.start_offset, k.end_offset, k.text, k.role, k.speaker, m.said_at, m.said_offset, m.said_precision,
    m.said_given, k.event_start, k.event_end, k.event_precision, k.event_source, k.event_words, k.namespace,
    k.strategy, k.project, k.tags_json, k.weight, NULL, NULL
FROM chunks AS k
JOIN messages AS m ON m.id = k.message_id
JOIN conversations AS c ON c.conversation_id = k.conversation_id
JOIN sessions AS s ON s.session_id = k.session_id
WHERE k.chunk_id IN (SELECT value FROM json_each(:chunk_ids))
    AND k.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)
    AND m.state = 'live'

-- name: work_chunks
SELECT k.chunk_id, k.message_id, m.external_id, m.workspace_id, m.agent_id, m.owner_id, c.key, s.name, k.position,
    k.place, k.start_offset, k.end_offset, k.text, k.role, k.speaker, m.said_at, m.said_offset, m.said_precision,
    m.said_given, k.event_start, k.event_end, k.event_precision, k.event_source, k.event_words, k.namespace,
    k.strategy, k.project, k.tags_json, k.weight, coalesce(p.speaker, b.sender), coalesce(p.text, b.content)
FROM chunks AS k
JOIN messages AS m ON m.id = k.message_id
JOIN conversations AS c ON c.conversation_id = k.conversation_id
JOIN sessions AS s ON s.session_id = k.session_id
LEFT JOIN messages AS b ON b.id = (
    SELECT id FROM messages WHERE session_id = k.session_id AND position < k.position
    ORDER BY position DESC LIMIT 1
)
LEFT JOIN chunks AS p ON p.message_id = k.message_id AND p.place = k.place - 1
WHERE k.chunk_id IN (SELECT value FROM json_each(:chunk_ids)) AND m.state = 'live'

-- name: scope_columns
SELECT chunk_id, message_id, namespace, session_id, position, place, speaker, role, said_at, event_start, event_end,
    event_source = 'own', term_count, marks, weight, conversation_id, project, tags_json
FROM chunks WHERE scope_id = ? AND chunk_id > ? ORDER BY chunk_id

-- name: count_scope_chunks
SELECT count(*) FROM chunks WHERE scope_id = ? AND chunk_id > ?

-- name: scope_vectors
SELECT vector_id, chunk_id, vector FROM vectors
WHERE scope_id = ? AND model_id = ? AND vector_id > ? AND dimension = ? AND length(vector) = 2 * dimension
ORDER BY vector_id

-- name: postings
SELECT rowid FROM messages_fts WHERE messages_fts MATCH ? AND rowid > ? ORDER BY rowid

-- name: add_model
INSERT INTO models (name) VALUES (?)

-- name: model_id
SELECT model_id FROM models WHERE name = ?

-- name: chunk_scopes
SELECT chunk_id, scope_id FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?))

-- name: put_vector
INSERT OR REPLACE INTO vectors (chunk_id, scope_id, model_id, dimension, text_hash, vector) VALUES (?, ?, ?, ?, ?, ?)

-- name: put_signs
INSERT INTO signs (vector_id, signs) SELECT vector_id, ? FROM vectors WHERE chunk_id = ? AND model_id = ?

-- name: signs
SELECT v.chunk_id, v.dimension, g.signs
FROM json_each(:chunk_ids) AS asked
CROSS JOIN vectors AS v ON v.chunk_id = asked.value AND v.model_id = (SELECT model_id FROM models WHERE name = :model)
CROSS JOIN signs AS g ON g.vector_id = v.vector_id
WHERE v.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR EXISTS (
        SELECT 1 FROM chunks AS k JOIN conversations AS c ON c.conversation_id = k.conversation_id
        WHERE k.chunk_id = v.chunk_id AND c.key = :conversation
    ))

-- name: unembedded
SELECT chunk_id FROM chunks AS k
WHERE NOT EXISTS (
    SELECT 1 FROM vectors AS v JOIN models AS o USING (model_id) WHERE v.chunk_id = k.chunk_id AND o.name = ?
)
ORDER BY chunk_id LIMIT ?

-- name: drop_vectors
DELETE FROM vectors WHERE model_id NOT IN (SELECT model_id FROM models WHERE name = ?)

-- name: drop_models
DELETE FROM models WHERE name <> ?

-- name: due_work
SELECT work_id, kind, chunk_id, attempt + 1, created_at FROM work
WHERE state = 'open' AND due_at <= ? ORDER BY work_id LIMIT ?

-- name: lease_work
UPDATE work SET attempt = attempt + 1, due_at = ? WHERE work_id = ?

-- name: settle_work
DELETE FROM work WHERE work_id = ? AND attempt = ? AND state = 'open'

-- name: retry_work
UPDATE work SET due_at = ?, reason = ? WHERE work_id = ? AND attempt = ? AND state = 'open'

-- name: park_work
UPDATE work SET state = 'failed', reason = ? WHERE work_id = ? AND attempt = ? AND state = 'open'

-- name: drop_failed_work
DELETE FROM work WHERE state = 'failed' AND chunk_id IN (SELECT value FROM json_each(?))

-- name: enqueue_work
INSERT INTO work (kind, chunk_id, scope_id, due_at, created_at)
SELECT 'embed', chunk_id, scope_id, :now, :now FROM chunks
WHERE chunk_id IN (SELECT value FROM json_each(:chunk_ids))
    AND NOT EXISTS (SELECT 1 FROM work AS w WHERE w.kind = 'embed' AND w.chunk_id = chunks.chunk_id)
ORDER BY chunk_id

-- name: pending
SELECT count(*) FROM work WHERE state = 'open'

-- name: pending_in_scope
SELECT count(*) FROM work
JOIN chunks USING (chunk_id)
JOIN conversations USING (conversation_id)
WHERE work.state = 'open'
    AND work.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR conversations.key = :conversation)

-- name: named_messages
SELECT m.id, m.external_id, c.key, m.session_id, m.scope_id, substr(m.content, 1, 200)
FROM messages AS m
JOIN conversations AS c USING (conversation_id)
JOIN sessions AS s USING (session_id)
WHERE m.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)
    AND (:named IS NULL OR c.key = :named)
    AND (:session IS NULL OR s.name = :session)
    AND (:message_ids IS NULL OR m.external_id IN (SELECT value FROM json_each(:message_ids)))
    AND m.state = 'live'
ORDER BY m.id

-- name: chunk_ids_of_messages
SELECT chunk_id FROM chunks WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY chunk_id

-- name: words_of_chunks
SELECT body, speaker FROM chunk_terms WHERE chunk_id IN (SELECT value FROM json_each(?))

-- name: erase_work
DELETE FROM work WHERE chunk_id IN (SELECT value FROM json_each(?))

-- name: erase_vectors
DELETE FROM vectors WHERE chunk_id IN (SELECT value FROM json_each(?))

-- name: erase_terms
DELETE FROM chunk_terms WHERE chunk_id IN (SELECT value FROM json_each(?))

-- name: erase_chunks
DELETE FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?))

-- name: erase_messages
UPDATE messages
SET state = 'erased', content = '', sender = '', metadata_json = '{}', session_id = NULL, position = 0,
    role = 'user', said_at = 0, said_offset = 0
WHERE id IN (SELECT value FROM json_each(?))

-- name: erase_empty_sessions
DELETE FROM sessions
WHERE session_id IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM messages AS m WHERE m.session_id = sessions.session_id)

-- name: optimize_fts
INSERT INTO messages_fts (messages_fts) VALUES ('optimize')

-- name: remaining_rows
SELECT (SELECT count(*) FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(:chunk_ids)))
    + (SELECT count(*) FROM chunk_terms WHERE chunk_id IN (SELECT value FROM json_each(:chunk_ids)))
    + (SELECT count(*) FROM vectors WHERE chunk_id IN (SELECT value FROM json_each(:chunk_ids)))
    + (SELECT count(*) FROM work WHERE chunk_id IN (SELECT value FROM json_each(:chunk_ids)))
    + (SELECT count(*) FROM chunks WHERE message_id IN (SELECT value FROM json_each(:message_ids)))
    + (SELECT count(*) FROM messages WHERE id IN (SELECT value FROM json_each(:message_ids)) AND state = 'live')

-- name: remaining_words
SELECT rowid FROM messages_fts WHERE messages_fts MATCH ? AND rowid BETWEEN ? AND ?

-- name: status
WITH seen AS (
    SELECT m.id, m.conversation_id, m.session_id, m.said_at
    FROM messages AS m
    JOIN conversations AS c USING (conversation_id)
    WHERE m.state = 'live'
        AND (:workspace IS NULL OR m.scope_id = (
            SELECT scope_id FROM scopes
            WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
        ))
        AND (:conversation IS NULL OR c.key = :conversation)
)
SELECT count(*), count(DISTINCT conversation_id), count(DISTINCT session_id), min(said_at), max(said_at) FROM seen

-- name: status_chunks
WITH seen AS (
    SELECT k.chunk_id
    FROM chunks AS k
    JOIN conversations AS c USING (conversation_id)
    WHERE (:workspace IS NULL OR k.scope_id = (
            SELECT scope_id FROM scopes
            WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
        ))
        AND (:conversation IS NULL OR c.key = :conversation)
)
SELECT (SELECT count(*) FROM seen),
    (SELECT count(*) FROM vectors WHERE chunk_id IN (SELECT chunk_id FROM seen)),
    (SELECT count(*) FROM work WHERE state = 'open' AND chunk_id IN (SELECT chunk_id FROM seen)),
    (SELECT count(*) FROM work WHERE state = 'failed' AND chunk_id IN (SELECT chunk_id FROM seen))

-- name: main_model
SELECT name FROM models
ORDER BY (SELECT count(*) FROM vectors WHERE vectors.model_id = models.model_id) DESC, model_id DESC LIMIT 1

-- name: chunks_without_terms
SELECT chunk_id, scope_id, text, speaker FROM chunks
WHERE NOT EXISTS (SELECT 1 FROM chunk_terms AS t WHERE t.chunk_id = chunks.chunk_id)

-- name: terms_without_chunk
SELECT chunk_id FROM chunk_terms WHERE chunk_id NOT IN (SELECT chunk_id FROM chunks)

-- name: check_fts
INSERT INTO messages_fts (messages_fts, rank) VALUES ('integrity-check', 1)

-- name: rebuild_fts
INSERT INTO messages_fts (messages_fts) VALUES ('rebuild')

-- name: moved_chunks
SELECT k.chunk_id, k.scope_id, substr(m.content, k.start_offset + 1, k.end_offset - k.start_offset), k.speaker
FROM chunks AS k
JOIN messages AS m ON m.id = k.message_id
WHERE k.text <> substr(m.content, k.start_offset + 1, k.end_offset - k.start_offset)

-- name: set_chunk_text
UPDATE chunks SET text = ?, term_count = ? WHERE chunk_id = ?

-- name: set_terms
INSERT OR REPLACE INTO chunk_terms (chunk_id, body, speaker) VALUES (?, ?, ?)

-- name: vectors_without_chunk
SELECT chunk_id FROM vectors WHERE chunk_id NOT IN (SELECT chunk_id FROM chunks)

-- name: vector_rows
SELECT vector_id, chunk_id, model_id, dimension, vector FROM vectors ORDER BY vector_id

-- name: drop_vector_rows
DELETE FROM vectors WHERE vector_id IN (SELECT value FROM json_each(?))

-- name: count_other_models
SELECT count(*) FROM vectors WHERE model_id NOT IN (SELECT model_id FROM models WHERE name = ?)

-- name: unembedded_without_work
SELECT chunk_id FROM chunks AS k
WHERE NOT EXISTS (
        SELECT 1 FROM vectors AS v JOIN models AS o USING (model_id) WHERE v.chunk_id = k.chunk_id AND o.name = ?
    )
    AND NOT EXISTS (SELECT 1 FROM work AS w WHERE w.chunk_id = k.chunk_id)
ORDER BY chunk_id

-- name: failed_work
SELECT chunk_id, reason FROM work WHERE state = 'failed' ORDER BY work_id

-- name: backlog
SELECT count(*), min(created_at) FROM work WHERE state = 'open'
