-- name: vitals_counts
SELECT
    (SELECT count(*) FROM messages WHERE session_id IS NOT NULL),
    (SELECT count(*) FROM chunks),
    (SELECT count(*) FROM vectors),
    (SELECT count(*) FROM memories WHERE state = 'active'),
    (SELECT max(completed_at) FROM reviews)

-- name: vitals_recorded
SELECT count(*) FROM (SELECT created_at FROM messages ORDER BY id DESC LIMIT :rows_max) WHERE created_at > :since

-- name: vitals_decided
SELECT decision, count(*)
FROM (SELECT decision, decided_at FROM decisions ORDER BY decision_id DESC LIMIT :rows_max)
WHERE decided_at > :since
GROUP BY decision

-- name: vitals_work
SELECT kind,
    count(*) FILTER (WHERE state = 'open'),
    count(*) FILTER (WHERE state = 'failed'),
    min(created_at) FILTER (WHERE state = 'open')
FROM work
GROUP BY kind
