-- name: window_conversation
SELECT c.conversation_id, c.scope_id FROM conversations AS c
WHERE c.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND c.key = :key AND (:conversation IS NULL OR c.key = :conversation)

-- name: window_messages
SELECT m.id, m.external_id, m.workspace_id, m.agent_id, m.owner_id, c.key, m.channel, m.chat_id, m.thread_scope,
    s.name, m.role, m.sender, m.kind, m.content, m.said_at, m.said_offset, m.said_precision, m.said_given,
    m.metadata_json, m.trust, m.window_state, m.tier
FROM messages AS m
JOIN conversations AS c USING (conversation_id)
JOIN sessions AS s USING (session_id)
WHERE m.conversation_id = :conversation_id AND m.scope_id = :scope_id AND m.window_state = 'live' AND m.state = 'live'
ORDER BY m.id

-- name: window_last_id
SELECT coalesce(max(id), 0) FROM messages WHERE conversation_id = ?

-- name: leave_window
UPDATE messages INDEXED BY messages_by_window SET window_state = :window_state
WHERE conversation_id = :conversation_id AND window_state = 'live' AND state = 'live'
    AND id IN (SELECT value FROM json_each(:message_ids))

-- name: put_window_measure
INSERT INTO window_measures (conversation_id, peak_tokens, window_tokens, measured_at) VALUES (?, ?, ?, ?)
ON CONFLICT (conversation_id) DO UPDATE SET
    peak_tokens = excluded.peak_tokens, window_tokens = excluded.window_tokens, measured_at = excluded.measured_at

-- name: spend_window_measure
UPDATE window_measures SET peak_tokens = 0 WHERE conversation_id = ?

-- name: window_measure
SELECT peak_tokens, window_tokens, measured_at FROM window_measures WHERE conversation_id = ?

-- name: add_compaction
INSERT INTO compactions (conversation_id, attempted_at, outcome, before_tokens, after_tokens, reason)
VALUES (?, ?, ?, ?, ?, ?)

-- name: compactions
SELECT attempted_at, outcome, before_tokens, after_tokens, reason FROM compactions
WHERE conversation_id = ? ORDER BY compaction_id DESC LIMIT ?
