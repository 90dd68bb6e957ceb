-- How far each conversation is reviewed. What is open to review is said by the same words as the index messages_by_review.

-- name: review_state
SELECT c.conversation_id, c.key, coalesce(r.last_reviewed_message_id, 0), coalesce(r.last_reviewed_offset, 0),
    r.last_reviewed_at, r.started_at, r.completed_at, r.status, r.failed_at, coalesce(r.failure_count, 0),
    coalesce(r.claim_count, 0), r.lease_until, r.updated_at
FROM conversations AS c
LEFT JOIN reviews AS r USING (conversation_id)
WHERE c.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND c.key = :conversation

-- name: messages_to_review
SELECT m.id, m.external_id, m.workspace_id, m.agent_id, m.owner_id, c.key, m.channel, m.chat_id, m.thread_scope,
    s.name, m.role, m.sender, m.kind, m.content, m.said_at, m.said_offset, m.said_precision, m.said_given,
    m.metadata_json, m.trust, m.window_state, m.tier
FROM conversations AS c
JOIN messages AS m USING (conversation_id)
JOIN sessions AS s USING (session_id)
WHERE c.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND c.key = :conversation
    AND m.role = 'user' AND m.kind IN ('chat', 'voice_turn') AND m.state = 'live'
    AND m.id > :after_id
ORDER BY m.id LIMIT :limit

-- name: unreviewed
SELECT s.workspace_id, s.agent_id, s.owner_id, c.key
FROM conversations AS c
JOIN scopes AS s USING (scope_id)
LEFT JOIN reviews AS r USING (conversation_id)
WHERE (:workspace IS NULL OR (s.workspace_id = :workspace AND s.agent_id = :agent AND s.owner_id = :owner))
    AND (:conversation IS NULL OR c.key = :conversation)
    AND (:before IS NULL OR r.last_reviewed_at IS NULL OR r.last_reviewed_at <= :before
        OR r.last_reviewed_at >= :or_after)
    AND EXISTS (
        SELECT 1 FROM messages AS m
        WHERE m.conversation_id = c.conversation_id AND m.id > coalesce(r.last_reviewed_message_id, 0)
            AND m.role = 'user' AND m.kind IN ('chat', 'voice_turn') AND m.state = 'live'
    )
ORDER BY max(coalesce(r.last_reviewed_at, 0), coalesce(r.failed_at, 0)), c.conversation_id LIMIT :limit

-- name: claim_review
INSERT INTO reviews (conversation_id, started_at, claim_count, lease_until, updated_at)
VALUES (:conversation_id, :now, 1, :lease_until, :now)
ON CONFLICT (conversation_id) DO UPDATE
SET started_at = :now, claim_count = claim_count + 1, lease_until = :lease_until, updated_at = :now

-- name: finish_review
UPDATE reviews
SET last_reviewed_message_id = :message_id, last_reviewed_offset = :offset, last_reviewed_at = :now,
    completed_at = :now, status = :status, failed_at = NULL, failure_count = 0, lease_until = NULL, updated_at = :now
WHERE conversation_id = :conversation_id

-- name: fail_review
UPDATE reviews
SET completed_at = :now, status = 'failed', failed_at = :now, failure_count = failure_count + 1, lease_until = NULL,
    updated_at = :now
WHERE conversation_id = :conversation_id
