-- Lists of what is there. Each reads indexes alone, but for the last words of the conversations of one page.

-- name: newest_message_id
SELECT coalesce(max(id), 0) FROM messages WHERE scope_id = (
    SELECT scope_id FROM scopes
    WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
)

-- name: talks
WITH talks AS MATERIALIZED (
    SELECT c.conversation_id, c.key, (
        SELECT m.said_at FROM messages AS m
        WHERE m.conversation_id = c.conversation_id AND m.state = 'live' AND m.id <= :as_of
        ORDER BY m.said_at DESC LIMIT 1
    ) AS newest
    FROM conversations AS c
    WHERE c.scope_id = (
            SELECT scope_id FROM scopes
            WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
        )
        AND (:conversation IS NULL OR c.key = :conversation)
)
SELECT conversation_id, key, newest FROM talks
WHERE newest < :newest OR (newest = :newest AND conversation_id < :conversation_id)
ORDER BY newest DESC, conversation_id DESC LIMIT :limit

-- name: talk_counts
SELECT count(*), count(*) FILTER (WHERE window_state = 'live'), min(said_at), max(said_at), (
    SELECT count(*) FROM sessions AS s
    WHERE s.conversation_id = :conversation_id
        AND EXISTS (SELECT 1 FROM messages AS m WHERE m.session_id = s.session_id)
)
FROM messages WHERE conversation_id = :conversation_id AND state = 'live'

-- name: last_words
SELECT substr(content, 1, :characters) FROM messages
WHERE conversation_id = :conversation_id AND state = 'live' AND kind IN ('chat', 'voice_turn', 'document')
ORDER BY said_at DESC, id DESC LIMIT 1

-- name: kept_scopes
WITH kept AS MATERIALIZED (
    SELECT s.agent_id, s.owner_id, (
        SELECT count(*) FROM conversations AS c
        JOIN messages AS m ON m.conversation_id = c.conversation_id AND m.state = 'live'
        WHERE c.scope_id = s.scope_id AND (:conversation IS NULL OR c.key = :conversation)
    ) AS message_count, (
        SELECT count(*) FROM memories AS f
        LEFT JOIN conversations AS k USING (conversation_id)
        WHERE f.owner_scope = s.scope_id AND f.state = 'active' AND (:conversation IS NULL OR k.key = :conversation)
    ) AS fact_count, (
        SELECT max((
            SELECT m.said_at FROM messages AS m
            WHERE m.conversation_id = c.conversation_id AND m.state = 'live'
            ORDER BY m.said_at DESC LIMIT 1
        ))
        FROM conversations AS c
        WHERE c.scope_id = s.scope_id AND (:conversation IS NULL OR c.key = :conversation)
    ) AS newest
    FROM scopes AS s
    WHERE s.workspace_id = :workspace AND (:everybody OR (s.agent_id = :agent AND s.owner_id = :owner))
)
SELECT agent_id, owner_id, message_count, fact_count, newest FROM kept
WHERE message_count > 0 OR fact_count > 0
ORDER BY agent_id, owner_id

-- name: work_counts
SELECT kind, state, count(*), min(due_at), min(work_id)
FROM work GROUP BY kind, state

-- name: work_counts_in_scope
SELECT kind, state, count(*), min(due_at), min(work_id)
FROM work
WHERE scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR conversation_id = (
        SELECT c.conversation_id FROM conversations AS c WHERE c.scope_id = work.scope_id AND c.key = :conversation
    ))
GROUP BY kind, state

-- name: work_began
SELECT created_at FROM work WHERE work_id = ?

-- name: work_failed
SELECT reason FROM work WHERE kind = :kind AND reason <> '' ORDER BY due_at DESC, work_id DESC LIMIT 1

-- name: work_failed_in_scope
SELECT reason FROM work
LEFT JOIN conversations AS c USING (conversation_id)
WHERE work.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND kind = :kind AND reason <> ''
    AND (:conversation IS NULL OR c.key = :conversation)
ORDER BY due_at DESC, work_id DESC LIMIT 1

-- name: review_states
SELECT c.conversation_id, c.key, r.last_reviewed_message_id, r.last_reviewed_offset, r.last_reviewed_at, r.started_at,
    r.completed_at, r.status, r.failed_at, r.failure_count, r.claim_count, r.lease_until, r.updated_at
FROM conversations AS c
JOIN reviews AS r USING (conversation_id)
WHERE c.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)
ORDER BY r.updated_at DESC, c.conversation_id DESC LIMIT :limit
