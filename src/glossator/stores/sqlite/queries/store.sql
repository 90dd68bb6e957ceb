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
    said_given, extract_due, trust, tier
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: add_chunk
INSERT INTO chunks (
    message_id, scope_id, conversation_id, session_id, position, place, start_offset, end_offset, namespace, strategy,
    role, speaker, said_at, event_start, event_end, event_precision, event_source, event_words, project, tags_json,
    weight, term_count, marks, text
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: add_terms
INSERT INTO chunk_terms (chunk_id, body, speaker) VALUES (?, ?, ?)

-- name: add_work
INSERT INTO work (kind, chunk_id, memory_id, payload, scope_id, conversation_id, due_at, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)

-- name: messages
SELECT m.id, m.external_id, m.workspace_id, m.agent_id, m.owner_id, c.key, m.channel, m.chat_id, m.thread_scope,
    s.name, m.role, m.sender, m.kind, m.content, m.said_at, m.said_offset, m.said_precision, m.said_given,
    m.metadata_json, m.trust, m.window_state, m.tier
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

-- name: messages_before
SELECT m.id, m.external_id, m.workspace_id, m.agent_id, m.owner_id, c.key, m.channel, m.chat_id, m.thread_scope,
    s.name, m.role, m.sender, m.kind, m.content, m.said_at, m.said_offset, m.said_precision, m.said_given,
    m.metadata_json, m.trust, m.window_state, m.tier
FROM messages AS m
JOIN conversations AS c USING (conversation_id)
JOIN sessions AS s USING (session_id)
WHERE m.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)
    AND (:session IS NULL OR s.name = :session)
    AND m.state = 'live' AND m.id > :after_id AND m.id < :before_id
ORDER BY m.id DESC LIMIT :limit

-- name: message
SELECT m.id, m.external_id, m.workspace_id, m.agent_id, m.owner_id, c.key, m.channel, m.chat_id, m.thread_scope,
    s.name, m.role, m.sender, m.kind, m.content, m.said_at, m.said_offset, m.said_precision, m.said_given,
    m.metadata_json, m.trust, m.window_state, m.tier
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

-- name: fact_postings
SELECT rowid FROM memories_fts WHERE memories_fts MATCH ? AND rowid > ? ORDER BY rowid

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
SELECT work_id, kind, chunk_id, attempt + 1, created_at, memory_id FROM work
WHERE kind = ? AND state = 'open' AND due_at <= ? ORDER BY work_id LIMIT ?

-- name: lease_work
UPDATE work SET attempt = attempt + 1, due_at = ? WHERE work_id = ?

-- name: settle_work
DELETE FROM work WHERE work_id = ? AND attempt = ? AND state = 'open'

-- name: retry_work
UPDATE work SET due_at = ?, reason = ? WHERE work_id = ? AND attempt = ? AND state = 'open'

-- name: park_work
UPDATE work SET state = 'failed', reason = ? WHERE work_id = ? AND attempt = ? AND state = 'open'

-- name: drop_failed_work
DELETE FROM work
WHERE state = 'failed' AND (
    (kind = 'embed' AND chunk_id IN (SELECT value FROM json_each(:chunk_ids)))
    OR (kind = 'embed_fact' AND memory_id IN (SELECT value FROM json_each(:fact_ids)))
)

-- name: enqueue_work
INSERT INTO work (kind, chunk_id, scope_id, conversation_id, due_at, created_at)
SELECT 'embed', chunk_id, scope_id, conversation_id, :now, :now FROM chunks
WHERE chunk_id IN (SELECT value FROM json_each(:chunk_ids))
    AND NOT EXISTS (SELECT 1 FROM work AS w WHERE w.kind = 'embed' AND w.chunk_id = chunks.chunk_id)
ORDER BY chunk_id

-- name: enqueue_fact_work
INSERT INTO work (kind, memory_id, scope_id, conversation_id, due_at, created_at)
SELECT 'embed_fact', id, owner_scope, conversation_id, :now, :now FROM memories
WHERE id IN (SELECT value FROM json_each(:fact_ids)) AND state <> 'erased'
    AND NOT EXISTS (SELECT 1 FROM work AS w WHERE w.kind = 'embed_fact' AND w.memory_id = memories.id)
ORDER BY id

-- name: pending
SELECT count(*) FROM work WHERE state = 'open' AND kind IN (SELECT value FROM json_each(:kinds))

-- name: pending_in_scope
SELECT count(*) FROM work
LEFT JOIN conversations USING (conversation_id)
WHERE work.state = 'open' AND kind IN (SELECT value FROM json_each(:kinds))
    AND work.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR conversations.key = :conversation)

-- name: held_work
SELECT 1 FROM work WHERE work_id = ? AND attempt = ? AND state = 'open'

-- name: failed_rows
SELECT kind, chunk_id, memory_id, payload, scope_id, conversation_id, created_at FROM work
WHERE state = 'failed' ORDER BY work_id

-- name: drop_all_failed_work
DELETE FROM work WHERE state = 'failed'

-- name: count_open_work
SELECT count(*) FROM work WHERE kind = ? AND state = 'open'

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
    role = 'user', said_at = 0, said_offset = 0, trust = 'unknown'
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
    (SELECT count(*) FROM vectors WHERE chunk_id IN (SELECT chunk_id FROM seen))

-- name: status_work
SELECT count(*) FILTER (WHERE work.state = 'open'), count(*) FILTER (WHERE work.state = 'failed')
FROM work
LEFT JOIN conversations AS c USING (conversation_id)
WHERE (:workspace IS NULL OR work.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    ))
    AND (:conversation IS NULL OR c.key = :conversation)

-- name: status_facts
SELECT count(*)
FROM memories AS f
LEFT JOIN conversations AS c USING (conversation_id)
WHERE f.state = 'active'
    AND (:workspace IS NULL OR f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    ))
    AND (:conversation IS NULL OR c.key = :conversation)
    AND (:trusted OR f.category <> 'directive')

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
    AND NOT EXISTS (SELECT 1 FROM work AS w WHERE w.chunk_id = k.chunk_id AND w.kind = 'embed')
ORDER BY chunk_id

-- name: failed_work
SELECT kind, coalesce(chunk_id, memory_id, work_id), reason FROM work WHERE state = 'failed' ORDER BY work_id

-- name: backlog
SELECT kind, count(*), min(created_at) FROM work WHERE state = 'open' GROUP BY kind

-- name: scope_row
SELECT scope_id FROM scopes WHERE workspace_id = ? AND agent_id = ? AND owner_id = ?

-- name: scope_revision
SELECT revision FROM scopes WHERE scope_id = ?

-- name: live_message
SELECT 1 FROM messages WHERE id = ? AND scope_id = ? AND state = 'live'

-- name: named_fact
SELECT version, state, valid_from FROM memories WHERE id = ? AND owner_scope = ?

-- name: add_fact
INSERT INTO memories (
    workspace_id, agent_id, owner_id, owner_scope, conversation_id, scope_type, scope_id, category, key, value,
    confidence, promote_target, source_id, source_type, source_name, session_id, run_id, source_message_id,
    created_at, updated_at, text, indexed_text, kind, subject, polarity, epistemic, content_hash, state, weight,
    event_start, event_end, event_precision, event_source, event_words, valid_from, last_seen_at, parent_id,
    source_trust, project, tags_json, domain, sensitivity, reason, term_count, revision
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
    ?, ?, ?, ?, ?
)

-- name: close_fact
UPDATE memories
SET state = 'superseded', valid_to = max(valid_from, :closed_at), version = version + 1, updated_at = :now,
    reason = :reason, revision = :revision
WHERE id = :fact_id

-- name: point_to_newer
UPDATE memories SET superseded_by = ? WHERE id IN (SELECT value FROM json_each(?))

-- name: see_again
UPDATE memories
SET seen_count = seen_count + 1, last_seen_at = max(last_seen_at, :said_at), confidence = :confidence,
    version = version + 1, updated_at = :now, revision = :revision
WHERE id = :fact_id

-- name: add_evidence
INSERT INTO evidence (
    memory_id, message_id, external_id, conversation, session, source, speaker, role, said_at, said_offset,
    said_precision, said_given, start, stop, quote
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING

-- name: add_decision
INSERT INTO decisions (
    scope_id, conversation, decided_at, decided_by, decision, reason, text, quote, source, memory_id, message_id,
    external_id
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: add_change
INSERT INTO state_changes (memory_id, changed_at, changed_by, from_state, to_state, reason) VALUES (?, ?, ?, ?, ?, ?)

-- name: add_fact_terms
INSERT INTO fact_terms (memory_id, body) VALUES (?, ?)

-- name: fact_ids_newest
SELECT f.id, f.last_seen_at FROM memories AS f INDEXED BY turn_facts
WHERE f.state = 'active' AND 'active' IN (SELECT value FROM json_each(:states))
    AND f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR f.conversation_id = (
        SELECT conversation_id FROM conversations AS c WHERE c.scope_id = f.owner_scope AND c.key = :conversation
    ))
    AND +f.id > :after_id
    AND (:categories IS NULL OR f.category IN (SELECT value FROM json_each(:categories)))
    AND (:scope_types IS NULL OR f.scope_type IN (SELECT value FROM json_each(:scope_types)))
    AND (:scope_ids IS NULL OR f.scope_id IN (SELECT value FROM json_each(:scope_ids)))
    AND (:sensitivities IS NULL OR f.sensitivity IN (SELECT value FROM json_each(:sensitivities)))
    AND (:as_of IS NULL OR (f.valid_from <= :as_of AND (f.valid_to IS NULL OR f.valid_to > :as_of)))
    AND (:project IS NULL OR f.project = :project)
    AND (:tags IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(:tags) AS t
        WHERE NOT EXISTS (SELECT 1 FROM json_each(f.tags_json) AS has WHERE has.value = t.value)
    ))
UNION ALL
SELECT f.id, f.last_seen_at FROM memories AS f INDEXED BY turn_facts
WHERE f.state = 'deprioritised' AND 'deprioritised' IN (SELECT value FROM json_each(:states))
    AND f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR f.conversation_id = (
        SELECT conversation_id FROM conversations AS c WHERE c.scope_id = f.owner_scope AND c.key = :conversation
    ))
    AND +f.id > :after_id
    AND (:categories IS NULL OR f.category IN (SELECT value FROM json_each(:categories)))
    AND (:scope_types IS NULL OR f.scope_type IN (SELECT value FROM json_each(:scope_types)))
    AND (:scope_ids IS NULL OR f.scope_id IN (SELECT value FROM json_each(:scope_ids)))
    AND (:sensitivities IS NULL OR f.sensitivity IN (SELECT value FROM json_each(:sensitivities)))
    AND (:as_of IS NULL OR (f.valid_from <= :as_of AND (f.valid_to IS NULL OR f.valid_to > :as_of)))
    AND (:project IS NULL OR f.project = :project)
    AND (:tags IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(:tags) AS t
        WHERE NOT EXISTS (SELECT 1 FROM json_each(f.tags_json) AS has WHERE has.value = t.value)
    ))
ORDER BY 2 DESC, 1 DESC LIMIT :limit

-- name: fact_ids_last_seen
SELECT f.id FROM memories AS f
WHERE f.state IN (SELECT value FROM json_each(:states))
    AND f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR f.conversation_id = (
        SELECT conversation_id FROM conversations AS c WHERE c.scope_id = f.owner_scope AND c.key = :conversation
    ))
    AND +f.id > :after_id
    AND (:categories IS NULL OR f.category IN (SELECT value FROM json_each(:categories)))
    AND (:scope_types IS NULL OR f.scope_type IN (SELECT value FROM json_each(:scope_types)))
    AND (:scope_ids IS NULL OR f.scope_id IN (SELECT value FROM json_each(:scope_ids)))
    AND (:sensitivities IS NULL OR f.sensitivity IN (SELECT value FROM json_each(:sensitivities)))
    AND (:as_of IS NULL OR (f.valid_from <= :as_of AND (f.valid_to IS NULL OR f.valid_to > :as_of)))
    AND (:project IS NULL OR f.project = :project)
    AND (:tags IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(:tags) AS t
        WHERE NOT EXISTS (SELECT 1 FROM json_each(f.tags_json) AS has WHERE has.value = t.value)
    ))
ORDER BY f.last_seen_at DESC, f.id DESC LIMIT :limit

-- name: fact_ids_in_order
SELECT f.id FROM memories AS f
WHERE +f.state IN (SELECT value FROM json_each(:states))
    AND f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR f.conversation_id = (
        SELECT conversation_id FROM conversations AS c WHERE c.scope_id = f.owner_scope AND c.key = :conversation
    ))
    AND f.id > :after_id
    AND (:categories IS NULL OR f.category IN (SELECT value FROM json_each(:categories)))
    AND (:scope_types IS NULL OR f.scope_type IN (SELECT value FROM json_each(:scope_types)))
    AND (:scope_ids IS NULL OR f.scope_id IN (SELECT value FROM json_each(:scope_ids)))
    AND (:sensitivities IS NULL OR f.sensitivity IN (SELECT value FROM json_each(:sensitivities)))
    AND (:as_of IS NULL OR (f.valid_from <= :as_of AND (f.valid_to IS NULL OR f.valid_to > :as_of)))
    AND (:project IS NULL OR f.project = :project)
    AND (:tags IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(:tags) AS t
        WHERE NOT EXISTS (SELECT 1 FROM json_each(f.tags_json) AS has WHERE has.value = t.value)
    ))
ORDER BY f.id LIMIT :limit

-- name: fact_ids_by_hash
SELECT f.id FROM json_each(:hashes) AS asked
CROSS JOIN memories AS f ON f.content_hash = asked.value AND f.owner_scope = (
    SELECT scope_id FROM scopes
    WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
)

-- name: fact_ids_by_key
SELECT f.id FROM json_each(:keys) AS asked
CROSS JOIN memories AS f ON f.key = json_extract(asked.value, '$[1]')
    AND f.subject = json_extract(asked.value, '$[0]')
    AND f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )

-- name: fact_ids_by_value
SELECT f.id FROM json_each(:values) AS asked
CROSS JOIN memories AS f ON f.value = asked.value AND f.owner_scope = (
    SELECT scope_id FROM scopes
    WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
)

-- name: facts
SELECT f.id, f.workspace_id, f.agent_id, f.owner_id, c.key, f.scope_type, f.scope_id, f.text, f.category, f.kind,
    f.subject, f.key, f.value, f.polarity, f.epistemic, f.confidence, f.content_hash, f.state, f.weight,
    f.event_start, f.event_end, f.event_precision, f.event_source, f.event_words, f.valid_from, f.valid_to,
    f.created_at, f.last_seen_at, f.updated_at, f.seen_count, f.version, f.parent_id, f.superseded_by,
    f.source_type, f.source_trust, f.project, f.tags_json, f.domain, f.sensitivity, f.session_id, f.run_id, f.reason,
    f.expires_at
FROM memories AS f
LEFT JOIN conversations AS c USING (conversation_id)
WHERE f.id IN (SELECT value FROM json_each(:fact_ids))
    AND +f.state IN (SELECT value FROM json_each(:states))
    AND f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)

-- name: move_fact
UPDATE memories
SET state = :state, weight = :weight, reason = :reason, valid_to = :valid_to, superseded_by = :superseded_by,
    last_seen_at = max(last_seen_at, :seen_at),
    archived_at = :archived_at, archived_by = :archived_by, archive_reason = :archive_reason,
    version = version + 1, updated_at = :now, revision = :revision
WHERE id = :fact_id

-- name: leave_parent
UPDATE memories SET parent_id = NULL, version = version + 1, updated_at = :now, revision = :revision
WHERE parent_id = :fact_id

-- name: fact_scopes
SELECT id, owner_scope FROM memories WHERE id IN (SELECT value FROM json_each(?)) AND state <> 'erased'

-- name: put_fact_vector
INSERT OR REPLACE INTO fact_vectors (memory_id, scope_id, model_id, dimension, text_hash, vector)
VALUES (?, ?, ?, ?, ?, ?)

-- name: facts_to_embed
SELECT id, indexed_text FROM memories WHERE id IN (SELECT value FROM json_each(?)) AND state <> 'erased'

-- name: unembedded_facts
SELECT id FROM memories AS f
WHERE f.state <> 'erased' AND NOT EXISTS (
    SELECT 1 FROM fact_vectors AS v JOIN models AS o USING (model_id) WHERE v.memory_id = f.id AND o.name = ?
)
ORDER BY id LIMIT ?

-- name: drop_fact_vectors
DELETE FROM fact_vectors WHERE model_id NOT IN (SELECT model_id FROM models WHERE name = ?)

-- name: fact_columns
SELECT id, state, category, project, tags_json, conversation_id, valid_from, valid_to, term_count, scope_type, scope_id,
    sensitivity
FROM memories WHERE owner_scope = ? AND revision > ? ORDER BY id

-- name: scope_fact_vectors
SELECT vector_id, memory_id, vector FROM fact_vectors
WHERE scope_id = ? AND model_id = ? AND vector_id > ? AND dimension = ? AND length(vector) = 2 * dimension
ORDER BY vector_id

-- name: evidence
SELECT e.memory_id, e.quote, e.speaker, e.role, e.said_at, e.said_offset, e.said_precision, e.said_given, e.start,
    e.stop, e.message_id, e.external_id, e.conversation, e.session
FROM evidence AS e
CROSS JOIN memories AS f ON f.id = e.memory_id
LEFT JOIN conversations AS c USING (conversation_id)
WHERE f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR (c.key = :conversation AND e.conversation = :conversation))
    AND (
        e.memory_id IN (SELECT value FROM json_each(:fact_ids))
        OR e.message_id IN (SELECT value FROM json_each(:message_ids))
    )
ORDER BY e.said_at, coalesce(e.message_id, 0), e.start, e.evidence_id

-- name: decisions
SELECT d.decision_id, d.decided_at, d.decided_by, d.decision, d.reason, d.text, d.memory_id, d.message_id,
    d.external_id
FROM decisions AS d
WHERE d.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR d.conversation = :conversation)
ORDER BY d.decision_id LIMIT :limit

-- name: decisions_about
SELECT d.decision_id, d.decided_at, d.decided_by, d.decision, d.reason, d.text, d.memory_id, d.message_id,
    d.external_id
FROM decisions AS d
WHERE (
        d.memory_id IN (SELECT value FROM json_each(:fact_ids))
        OR d.message_id IN (SELECT value FROM json_each(:message_ids))
    )
    AND +d.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR d.conversation = :conversation)
ORDER BY d.decision_id LIMIT :limit

-- name: changes
SELECT s.memory_id, s.changed_at, s.changed_by, s.from_state, s.to_state, s.reason
FROM state_changes AS s
JOIN memories AS f ON f.id = s.memory_id
LEFT JOIN conversations AS c USING (conversation_id)
WHERE s.memory_id IN (SELECT value FROM json_each(:fact_ids))
    AND f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)
ORDER BY s.change_id

-- name: queued_payloads
SELECT work_id, payload FROM work WHERE work_id IN (SELECT value FROM json_each(?)) AND payload IS NOT NULL

-- name: extract_turns
SELECT w.work_id, m.id, m.external_id, m.workspace_id, m.agent_id, m.owner_id, c.key, s.name, m.role, m.sender,
    m.content, m.said_at, m.said_offset, m.said_precision, m.said_given, k.project, k.tags_json,
    b.id, b.external_id, b.role, b.sender, b.content, b.said_at, b.said_offset, b.said_precision, b.said_given,
    m.kind, m.trust, b.trust
FROM work AS w
JOIN chunks AS k ON k.chunk_id = w.chunk_id
JOIN messages AS m ON m.id = k.message_id
JOIN conversations AS c ON c.conversation_id = m.conversation_id
JOIN sessions AS s ON s.session_id = m.session_id
LEFT JOIN messages AS b ON b.id = (
    SELECT id FROM messages WHERE session_id = m.session_id AND position < m.position
    ORDER BY position DESC LIMIT 1
)
WHERE w.work_id IN (SELECT value FROM json_each(?)) AND w.kind = 'extract' AND m.state = 'live'

-- name: learning
SELECT m.id, m.external_id, m.extract_due, w.state, w.reason
FROM messages AS m
JOIN conversations AS c USING (conversation_id)
LEFT JOIN work AS w ON w.kind = 'extract' AND w.chunk_id IN (SELECT chunk_id FROM chunks WHERE message_id = m.id)
WHERE m.id IN (SELECT value FROM json_each(:message_ids))
    AND m.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)
    AND m.state = 'live'

-- name: put_step
INSERT INTO steps (
    scope_id, conversation, run_id, number, thought, action, observation, verified, evidence, at, thought_words,
    observation_words, term_count, created_at
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (scope_id, run_id, number) DO UPDATE SET
    conversation = excluded.conversation, thought = excluded.thought, action = excluded.action,
    observation = excluded.observation, verified = excluded.verified, evidence = excluded.evidence,
    at = excluded.at, thought_words = excluded.thought_words, observation_words = excluded.observation_words,
    term_count = excluded.term_count

-- name: steps
SELECT run_id, number, thought, action, observation, verified, evidence, at FROM steps
WHERE scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR conversation = :conversation)
    AND run_id = :run_id
ORDER BY number

-- name: count_steps
SELECT count(*), coalesce(sum(term_count), 0) FROM steps
WHERE scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR conversation = :conversation)
    AND (:run_id IS NULL OR run_id = :run_id)

-- name: matching_steps
SELECT run_id, number, thought, action, observation, verified, evidence, at, thought_words, observation_words,
    term_count
FROM steps
WHERE step_id IN (SELECT rowid FROM steps_fts WHERE steps_fts MATCH :words)
    AND scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR conversation = :conversation)
    AND (:run_id IS NULL OR run_id = :run_id)

-- name: drop_steps
DELETE FROM steps
WHERE scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR conversation = :conversation)
    AND run_id = :run_id
    AND (:numbers IS NULL OR number IN (SELECT value FROM json_each(:numbers)))

-- name: facts_that_go
SELECT id, state, text, value, subject FROM memories
WHERE id IN (SELECT value FROM json_each(?)) AND state <> 'erased'

-- name: erase_evidence_of_facts
DELETE FROM evidence WHERE memory_id IN (SELECT value FROM json_each(?))

-- name: erase_fact_terms
DELETE FROM fact_terms WHERE memory_id IN (SELECT value FROM json_each(?))

-- name: erase_fact_vectors
DELETE FROM fact_vectors WHERE memory_id IN (SELECT value FROM json_each(?))

-- name: erase_fact_work
DELETE FROM work WHERE memory_id IN (SELECT value FROM json_each(?))

-- name: bury_facts
UPDATE memories
SET state = 'erased', text = '', indexed_text = '', value = '', subject = '', key = '', content_hash = '',
    event_start = NULL, event_end = NULL, event_words = '', reason = '', source_id = '', source_name = '',
    source_description = '', source_message_id = NULL, tags_json = '[]', project = NULL, domain = '',
    session_id = NULL, run_id = NULL, term_count = 0, archived_at = NULL, archived_by = NULL, archive_reason = NULL,
    version = version + 1, updated_at = :now, revision = :revision
WHERE id IN (SELECT value FROM json_each(:fact_ids))

-- name: quotes_of_facts
SELECT memory_id, quote FROM evidence WHERE memory_id IN (SELECT value FROM json_each(?))

-- name: decisions_that_go
SELECT decision_id, reason, text, quote, memory_id FROM decisions
WHERE decision_id IN (SELECT value FROM json_each(:decision_ids))
    OR memory_id IN (SELECT value FROM json_each(:fact_ids))

-- name: blank_decision
UPDATE decisions SET text = '', quote = '', reason = ? WHERE decision_id = ?

-- name: reasons_of_scope
SELECT reason FROM decisions WHERE scope_id = :scope_id
UNION
SELECT s.reason FROM state_changes AS s JOIN memories AS f ON f.id = s.memory_id WHERE f.owner_scope = :scope_id
UNION
SELECT reason FROM memories WHERE owner_scope = :scope_id
UNION
SELECT archive_reason FROM memories WHERE owner_scope = :scope_id AND archive_reason IS NOT NULL

-- name: blank_reasons_of_decisions
UPDATE decisions SET reason = '' WHERE scope_id = :scope_id AND reason IN (SELECT value FROM json_each(:reasons))

-- name: blank_reasons_of_changes
UPDATE state_changes SET reason = ''
WHERE reason IN (SELECT value FROM json_each(:reasons))
    AND memory_id IN (SELECT id FROM memories WHERE owner_scope = :scope_id)

-- name: blank_reasons_of_facts
UPDATE memories SET reason = '' WHERE owner_scope = :scope_id AND reason IN (SELECT value FROM json_each(:reasons))

-- name: blank_reasons_of_archived
UPDATE memories SET archive_reason = ''
WHERE owner_scope = :scope_id AND archive_reason IN (SELECT value FROM json_each(:reasons))

-- name: changes_with_reasons
SELECT change_id, memory_id, reason FROM state_changes WHERE memory_id IN (SELECT value FROM json_each(?)) AND reason <> ''

-- name: blank_change
UPDATE state_changes SET reason = '' WHERE change_id = ?

-- name: optimize_facts_fts
INSERT INTO memories_fts (memories_fts) VALUES ('optimize')

-- name: optimize_steps_fts
INSERT INTO steps_fts (steps_fts) VALUES ('optimize')

-- name: evidence_that_goes
SELECT e.evidence_id, e.memory_id, e.message_id IS NULL AND e.source NOT IN ('pre_compress', 'session_end')
FROM evidence AS e
JOIN memories AS f ON f.id = e.memory_id
WHERE f.owner_scope = :scope_id AND (
    :whole
    OR e.message_id IN (SELECT value FROM json_each(:message_ids))
    OR (e.message_id IS NULL AND e.conversation = :conversation AND e.source IN ('pre_compress', 'session_end'))
    OR (e.message_id IS NULL AND EXISTS (
        SELECT 1 FROM messages AS m
        WHERE m.id IN (SELECT value FROM json_each(:message_ids)) AND instr(m.content, e.quote) > 0
    ))
)
ORDER BY e.evidence_id

-- name: facts_that_lose_all
SELECT f.id FROM memories AS f
WHERE f.owner_scope = :scope_id AND f.state <> 'erased' AND (
    :whole
    OR (f.scope_type = 'conversation' AND f.scope_id = :conversation)
    OR (
        f.id IN (SELECT value FROM json_each(:fact_ids))
        AND NOT EXISTS (
            SELECT 1 FROM evidence AS e
            WHERE e.memory_id = f.id AND e.evidence_id NOT IN (SELECT value FROM json_each(:evidence_ids))
        )
    )
)
ORDER BY f.id

-- name: decisions_of_messages
SELECT d.decision_id FROM decisions AS d
WHERE d.scope_id = :scope_id AND (
    :whole
    OR d.message_id IN (SELECT value FROM json_each(:message_ids))
    OR (d.message_id IS NULL AND d.conversation = :conversation AND d.source IN ('pre_compress', 'session_end'))
    OR (d.message_id IS NULL AND d.quote <> '' AND EXISTS (
        SELECT 1 FROM messages AS m
        WHERE m.id IN (SELECT value FROM json_each(:message_ids)) AND instr(m.content, d.quote) > 0
    ))
)
ORDER BY d.decision_id

-- name: queued_in_scope
SELECT work_id, payload FROM work WHERE scope_id = ? AND payload IS NOT NULL ORDER BY work_id

-- name: steps_that_go
SELECT step_id, thought_words, observation_words FROM steps
WHERE scope_id = :scope_id AND (:whole OR conversation = :conversation)
ORDER BY step_id

-- name: contents
SELECT content FROM messages WHERE id IN (SELECT value FROM json_each(?))

-- name: erase_evidence
DELETE FROM evidence WHERE evidence_id IN (SELECT value FROM json_each(?))

-- name: erase_queued
DELETE FROM work WHERE work_id IN (SELECT value FROM json_each(?))

-- name: erase_steps
DELETE FROM steps WHERE step_id IN (SELECT value FROM json_each(?))

-- name: source_evidence
SELECT e.message_id, coalesce(e.external_id, ''), e.speaker, e.session, e.source, c.conversation_id
FROM evidence AS e
JOIN memories AS f ON f.id = e.memory_id
LEFT JOIN conversations AS c ON c.scope_id = f.owner_scope AND c.key = e.conversation
WHERE e.memory_id = ?
ORDER BY e.said_at, coalesce(e.message_id, 0), e.start, e.evidence_id LIMIT 1

-- name: move_source
UPDATE memories
SET source_message_id = ?, source_id = ?, source_name = ?, session_id = ?, source_type = ?, conversation_id = ?,
    version = version + 1, updated_at = ?, revision = ?
WHERE id = ?

-- name: trusts_left
SELECT f.source_trust, m.trust
FROM evidence AS e
JOIN memories AS f ON f.id = e.memory_id
LEFT JOIN messages AS m ON m.id = e.message_id
WHERE e.memory_id = ?

-- name: lower_trust
UPDATE memories SET source_trust = ? WHERE id = ?

-- name: move_fact_work
UPDATE work SET conversation_id = ? WHERE memory_id = ?

-- name: words_of_facts
SELECT body FROM fact_terms WHERE memory_id IN (SELECT value FROM json_each(?))

-- name: remaining_fact_rows
SELECT (SELECT count(*) FROM memories WHERE id IN (SELECT value FROM json_each(:fact_ids)) AND state <> 'erased')
    + (SELECT count(*) FROM evidence WHERE memory_id IN (SELECT value FROM json_each(:fact_ids)))
    + (SELECT count(*) FROM evidence WHERE message_id IN (SELECT value FROM json_each(:message_ids)))
    + (SELECT count(*) FROM evidence WHERE evidence_id IN (SELECT value FROM json_each(:evidence_ids)))
    + (SELECT count(*) FROM fact_terms WHERE memory_id IN (SELECT value FROM json_each(:fact_ids)))
    + (SELECT count(*) FROM fact_vectors WHERE memory_id IN (SELECT value FROM json_each(:fact_ids)))
    + (SELECT count(*) FROM work WHERE memory_id IN (SELECT value FROM json_each(:fact_ids)))
    + (SELECT count(*) FROM work WHERE work_id IN (SELECT value FROM json_each(:work_ids)))
    + (SELECT count(*) FROM steps WHERE step_id IN (SELECT value FROM json_each(:step_ids)))
    + (SELECT count(*) FROM decisions WHERE (text <> '' OR quote <> '') AND (
        memory_id IN (SELECT value FROM json_each(:fact_ids))
        OR message_id IN (SELECT value FROM json_each(:message_ids))
        OR decision_id IN (SELECT value FROM json_each(:decision_ids))
    ))

-- name: remaining_fact_words
SELECT rowid FROM memories_fts WHERE memories_fts MATCH ? AND rowid BETWEEN ? AND ?

-- name: remaining_step_words
SELECT rowid FROM steps_fts WHERE steps_fts MATCH ? AND rowid BETWEEN ? AND ?

-- name: facts_without_terms
SELECT id, owner_scope, indexed_text FROM memories
WHERE state <> 'erased' AND NOT EXISTS (SELECT 1 FROM fact_terms AS t WHERE t.memory_id = memories.id)

-- name: terms_without_fact
SELECT memory_id FROM fact_terms WHERE memory_id NOT IN (SELECT id FROM memories WHERE state <> 'erased')

-- name: set_fact_terms
INSERT OR REPLACE INTO fact_terms (memory_id, body) VALUES (?, ?)

-- name: set_fact_term_count
UPDATE memories SET term_count = ? WHERE id = ?

-- name: check_facts_fts
INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)

-- name: rebuild_facts_fts
INSERT INTO memories_fts (memories_fts) VALUES ('rebuild')

-- name: check_steps_fts
INSERT INTO steps_fts (steps_fts, rank) VALUES ('integrity-check', 1)

-- name: rebuild_steps_fts
INSERT INTO steps_fts (steps_fts) VALUES ('rebuild')

-- name: vectors_without_fact
SELECT memory_id FROM fact_vectors WHERE memory_id NOT IN (SELECT id FROM memories WHERE state <> 'erased')

-- name: fact_vector_rows
SELECT vector_id, memory_id, model_id, dimension, vector FROM fact_vectors ORDER BY vector_id

-- name: drop_fact_vector_rows
DELETE FROM fact_vectors WHERE vector_id IN (SELECT value FROM json_each(?))

-- name: count_other_fact_models
SELECT count(*) FROM fact_vectors WHERE model_id NOT IN (SELECT model_id FROM models WHERE name = ?)

-- name: unembedded_facts_without_work
SELECT id FROM memories AS f
WHERE f.state <> 'erased'
    AND NOT EXISTS (
        SELECT 1 FROM fact_vectors AS v JOIN models AS o USING (model_id) WHERE v.memory_id = f.id AND o.name = ?
    )
    AND NOT EXISTS (SELECT 1 FROM work AS w WHERE w.memory_id = f.id AND w.kind = 'embed_fact')
ORDER BY id

-- name: facts_without_evidence
SELECT id FROM memories AS f
WHERE f.state <> 'erased' AND NOT EXISTS (SELECT 1 FROM evidence AS e WHERE e.memory_id = f.id)
ORDER BY id
