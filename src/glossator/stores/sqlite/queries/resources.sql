-- Revisions of an agent's texts: one owner's with one agent, never another's.

-- name: revisions
SELECT r.revision_id, s.workspace_id, s.agent_id, s.owner_id, r.kind, r.conversation, r.number, r.parent, r.sha256,
    r.byte_count, r.content, r.source, r.cause, r.memory_ids_json, r.message_ids_json, r.target, r.origin,
    r.written_by, r.created_at, r.erased_at
FROM revisions AS r JOIN scopes AS s ON s.scope_id = r.scope_id
WHERE s.workspace_id = :workspace AND s.agent_id = :agent AND s.owner_id = :owner
    AND r.kind = :kind AND r.conversation = :place
    AND (:number IS NULL OR r.number = :number)
ORDER BY r.number DESC
LIMIT :limit

-- name: newest_revisions
SELECT r.revision_id, s.workspace_id, s.agent_id, s.owner_id, r.kind, r.conversation, r.number, r.parent, r.sha256,
    r.byte_count, r.content, r.source, r.cause, r.memory_ids_json, r.message_ids_json, r.target, r.origin,
    r.written_by, r.created_at, r.erased_at
FROM revisions AS r JOIN scopes AS s ON s.scope_id = r.scope_id
WHERE s.workspace_id = :workspace AND s.agent_id = :agent AND s.owner_id = :owner
    AND (r.kind <> 'checkpoint' OR :conversation IS NULL OR r.conversation = :conversation)
    AND r.number = (
        SELECT max(other.number) FROM revisions AS other
        WHERE other.scope_id = r.scope_id AND other.kind = r.kind AND other.conversation = r.conversation
    )
ORDER BY
    CASE r.kind WHEN 'rules' THEN 1 WHEN 'soul' THEN 2 WHEN 'user_md' THEN 3 WHEN 'memory_md' THEN 4 ELSE 5 END,
    r.revision_id DESC
LIMIT :limit

-- name: add_revision
INSERT INTO revisions (
    scope_id, kind, conversation, number, parent, sha256, byte_count, content, source, cause, memory_ids_json,
    message_ids_json, target, origin, written_by, created_at
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: revisions_that_go
SELECT revision_id, kind, content FROM revisions
WHERE scope_id = :scope_id AND erased_at IS NULL AND (
    :whole
    OR (kind = 'checkpoint' AND conversation = :conversation)
    OR EXISTS (
        SELECT 1 FROM json_each(memory_ids_json) WHERE value IN (SELECT value FROM json_each(:memory_ids))
    )
    OR EXISTS (
        SELECT 1 FROM json_each(message_ids_json) WHERE value IN (SELECT value FROM json_each(:message_ids))
    )
)
ORDER BY revision_id

-- name: erase_revisions
UPDATE revisions SET content = '', sha256 = '', byte_count = 0, cause = '', erased_at = :now
WHERE scope_id = :scope_id AND erased_at IS NULL AND revision_id IN (SELECT value FROM json_each(:revision_ids))

-- name: prompt_folder
SELECT folder FROM prompt_folders WHERE store_path = ?

-- name: keep_prompt_folder
INSERT INTO prompt_folders (store_path, folder) VALUES (?, ?)
ON CONFLICT (store_path) DO UPDATE SET folder = excluded.folder
