-- Keys of callers and what they were answered. These rows belong to no scope: they are the operator's.

-- name: api_key_named
SELECT 1 FROM api_keys
WHERE workspace_id = :workspace AND name = :name AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)

-- name: add_api_key
INSERT INTO api_keys (name, workspace_id, agent_id, owner_id, trust, tier, created_at, expires_at)
VALUES (:name, :workspace, :agent, :owner, :trust, :tier, :now, :expires_at)

-- name: api_keys
SELECT key_row, name, workspace_id, agent_id, owner_id, trust, tier, created_at, expires_at, revoked_at, last_used_at
FROM api_keys
WHERE (:workspace IS NULL OR workspace_id = :workspace) AND (:key_row IS NULL OR key_row = :key_row)
ORDER BY key_row

-- name: add_key_secret
INSERT INTO key_secrets (sha256, key_row) VALUES (?, ?)

-- name: end_key_secrets
UPDATE key_secrets SET ends_at = min(coalesce(ends_at, :ends_at), :ends_at) WHERE key_row = :key_row

-- name: drop_ended_secrets
DELETE FROM key_secrets WHERE key_row = :key_row AND ends_at <= :now

-- name: drop_key_secrets
DELETE FROM key_secrets WHERE key_row = ?

-- name: revoke_api_key
UPDATE api_keys SET revoked_at = :now WHERE key_row = :key_row AND revoked_at IS NULL

-- name: key_of
SELECT k.key_row, k.name, k.workspace_id, k.agent_id, k.owner_id, k.trust, k.tier, k.created_at, k.expires_at,
    k.revoked_at, k.last_used_at
FROM key_secrets AS s
JOIN api_keys AS k USING (key_row)
WHERE s.sha256 = :sha256 AND (s.ends_at IS NULL OR s.ends_at > :now)
    AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > :now)

-- name: key_used
UPDATE api_keys SET last_used_at = ? WHERE key_row = ?

-- name: drop_old_replies
DELETE FROM replies WHERE sha256 IN (
    SELECT sha256 FROM replies WHERE created_at <= :oldest ORDER BY created_at LIMIT :limit
)

-- name: reply
SELECT fingerprint, status, body, headers_json, not_kept, claimed_until, created_at FROM replies WHERE sha256 = ?

-- name: claim_reply
INSERT OR REPLACE INTO replies (sha256, fingerprint, claimed_until, created_at)
VALUES (:sha256, :fingerprint, :claimed_until, :now)

-- name: keep_reply
UPDATE replies
SET status = :status,
    body = CASE WHEN not_kept = '' THEN :body ELSE '' END,
    headers_json = CASE WHEN not_kept = '' THEN :headers_json ELSE '{}' END,
    not_kept = CASE WHEN not_kept = '' THEN :not_kept ELSE not_kept END
WHERE sha256 = :sha256 AND status IS NULL

-- name: drop_reply
DELETE FROM replies WHERE sha256 = ? AND status IS NULL

-- name: erase_replies
UPDATE replies SET fingerprint = '', body = '', headers_json = '{}', not_kept = 'erased' WHERE not_kept <> 'erased'
