-- What keeps the forgotten away, proves that it went, and moves facts by themselves.

-- name: add_tombstones
INSERT OR IGNORE INTO tombstones (memory_id, message_id, start, stop, scope_id, erased_at)
SELECT e.memory_id, e.message_id, e.start, e.stop, f.owner_scope, :now
FROM evidence AS e
JOIN memories AS f ON f.id = e.memory_id
WHERE e.memory_id IN (SELECT value FROM json_each(:fact_ids)) AND e.message_id IS NOT NULL

-- name: same_statements
SELECT id FROM memories WHERE owner_scope = ? AND content_hash = ? AND state <> 'erased' ORDER BY id

-- name: drop_tombstones_of_facts
DELETE FROM tombstones WHERE memory_id IN (SELECT value FROM json_each(?))

-- name: drop_tombstones_of_messages
DELETE FROM tombstones WHERE message_id IN (SELECT value FROM json_each(?))

-- name: tombstone_over
SELECT 1 FROM tombstones WHERE message_id = ? AND start < ? AND stop > ? LIMIT 1

-- name: closed_spans
SELECT t.message_id, t.start, t.stop, 'erased' AS state, '' AS content_hash
FROM tombstones AS t
LEFT JOIN messages AS m ON m.id = t.message_id
LEFT JOIN conversations AS c USING (conversation_id)
WHERE t.message_id IN (SELECT value FROM json_each(:message_ids))
    AND t.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)
UNION
SELECT e.message_id, e.start, e.stop, f.state, f.content_hash
FROM evidence AS e
JOIN memories AS f ON f.id = e.memory_id
WHERE e.message_id IN (SELECT value FROM json_each(:message_ids))
    AND f.state IN ('superseded', 'archived', 'expired', 'quarantined')
    AND f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR e.conversation = :conversation)
ORDER BY 1, 2, 3, 4, 5

-- name: drop_failed_extractions
DELETE FROM work
WHERE kind = 'extract' AND state = 'failed' AND chunk_id IN (SELECT value FROM json_each(?))

-- name: to_relearn
SELECT min(k.chunk_id)
FROM messages AS m
JOIN chunks AS k ON k.message_id = m.id
JOIN conversations AS c ON c.conversation_id = m.conversation_id
WHERE m.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR c.key = :conversation)
    AND m.state = 'live'
    AND (m.extract_due = 1 OR (m.role = 'user' AND m.kind IN ('chat', 'voice_turn')))
    AND NOT EXISTS (
        SELECT 1 FROM chunks AS other
        JOIN work AS w ON w.chunk_id = other.chunk_id
        WHERE other.message_id = m.id AND w.kind = 'extract' AND w.state = 'open'
    )
GROUP BY m.id
ORDER BY m.id

-- name: queue_extraction
INSERT INTO work (kind, chunk_id, scope_id, conversation_id, due_at, created_at)
SELECT 'extract', chunk_id, scope_id, conversation_id, :now, :now FROM chunks
WHERE chunk_id IN (SELECT value FROM json_each(:chunk_ids))
ORDER BY message_id

-- name: mark_due
UPDATE messages SET extract_due = 1
WHERE id IN (SELECT message_id FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?)))

-- name: blank_payload
UPDATE work SET payload = ?, attempt = attempt + 1 WHERE work_id = ?

-- name: set_hints
UPDATE memories SET reinstate_hints_json = ? WHERE id = ?

-- name: set_expiry
UPDATE memories SET expires_at = ? WHERE id = ?

-- name: clear_expiry
UPDATE memories SET expires_at = NULL WHERE id = ? AND expires_at <= ?

-- name: blank_kept_words
UPDATE memories SET reinstate_hints_json = '[]', expires_at = NULL
WHERE id IN (SELECT value FROM json_each(?))

-- name: hints
SELECT id, reinstate_hints_json FROM memories
WHERE state = 'deprioritised' AND reinstate_hints_json <> '[]'
    AND owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
ORDER BY id

-- name: due_to_expire
SELECT f.id, f.workspace_id, f.agent_id, f.owner_id
FROM memories AS f
LEFT JOIN conversations AS c USING (conversation_id)
WHERE f.expires_at <= :now AND f.state IN ('active', 'deprioritised')
    AND (:workspace IS NULL OR f.owner_scope = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    ))
    AND (:conversation IS NULL OR c.key = :conversation)
ORDER BY f.expires_at, f.id LIMIT :limit

-- name: add_receipt
INSERT INTO receipts (scope_id, conversation, made_at, body) VALUES (?, ?, ?, ?)

-- name: set_receipt_body
UPDATE receipts SET body = ? WHERE receipt_id = ? AND signed = ''

-- name: receipts
SELECT r.receipt_id, r.made_at, r.body, r.signed, r.conversation
FROM receipts AS r
WHERE r.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:conversation IS NULL OR r.conversation = :conversation)
ORDER BY r.receipt_id DESC LIMIT :newest

-- name: seal_receipt
UPDATE receipts SET signed = :text
WHERE receipt_id = :number AND signed = ''
    AND scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )

-- name: signing_key
SELECT private_key FROM signing_keys WHERE key_id = 1

-- name: add_signing_key
INSERT OR IGNORE INTO signing_keys (key_id, private_key, made_at) VALUES (1, ?, ?)

-- name: add_backup
INSERT INTO backups (path, made_at) VALUES (?, ?)

-- name: backups
SELECT path, made_at FROM backups ORDER BY backup_id

-- name: open_receipts
SELECT receipt_id, body FROM receipts WHERE signed = '' AND instr(body, ?) > 0 ORDER BY receipt_id

-- name: checkpoints_over
SELECT DISTINCT k.id, k.external_id, k.session_id
FROM messages AS m
JOIN messages AS k ON k.conversation_id = m.conversation_id AND k.id > m.id
WHERE m.id IN (SELECT value FROM json_each(:message_ids)) AND m.window_state = 'compacted'
    AND k.kind = 'checkpoint_summary' AND k.state = 'live' AND k.id NOT IN (SELECT value FROM json_each(:message_ids))
ORDER BY k.id

-- name: job_runs_that_may_go
SELECT r.run_id, r.final_text, r.error
FROM job_runs AS r
JOIN scheduled_jobs AS j USING (job_row)
WHERE j.scope_id = :scope_id AND (r.final_text <> '' OR r.error <> '') AND (
    :whole
    OR EXISTS (
        SELECT 1 FROM messages AS m
        WHERE m.id IN (SELECT value FROM json_each(:message_ids)) AND trim(m.content) <> ''
            AND (instr(r.final_text, trim(m.content)) > 0 OR instr(r.error, trim(m.content)) > 0)
    )
)
ORDER BY r.run_id

-- name: blank_job_runs
UPDATE job_runs SET final_text = '', error = '' WHERE run_id IN (SELECT value FROM json_each(?))

-- name: remaining_kept_words
SELECT (SELECT count(*) FROM revisions WHERE erased_at IS NULL AND revision_id IN (
        SELECT value FROM json_each(:revision_ids)
    ))
    + (SELECT count(*) FROM job_runs WHERE (final_text <> '' OR error <> '') AND run_id IN (
        SELECT value FROM json_each(:run_ids)
    ))
