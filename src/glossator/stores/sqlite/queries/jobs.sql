-- Jobs, their sources and their runs. Each read has the condition on the scope; a job's scope sees that job alone.

-- name: put_source
INSERT INTO memory_sources (scope_id, source_id, source_type, name, description, created_at, updated_at)
VALUES (:scope_id, :source_id, 'job', :name, :description, :now, :now)
ON CONFLICT (scope_id, source_id) DO UPDATE SET
    name = excluded.name, description = excluded.description, updated_at = excluded.updated_at

-- name: put_job
INSERT INTO scheduled_jobs (scope_id, job_id, source_id, schedule, next_run_at, enabled, created_at, updated_at)
VALUES (:scope_id, :job_id, :source_id, :schedule, :next_run_at, :enabled, :now, :now)
ON CONFLICT (scope_id, job_id) DO UPDATE SET
    schedule = excluded.schedule, next_run_at = excluded.next_run_at, enabled = excluded.enabled,
    updated_at = excluded.updated_at

-- name: jobs
SELECT j.job_row, j.job_id, m.name, m.description, j.schedule, j.next_run_at, j.enabled,
    (SELECT count(*) FROM job_runs AS r WHERE r.job_row = j.job_row), l.started_at, l.status
FROM scheduled_jobs AS j
JOIN memory_sources AS m ON m.scope_id = j.scope_id AND m.source_id = j.source_id
LEFT JOIN job_runs AS l ON l.run_id = (SELECT max(run_id) FROM job_runs WHERE job_row = j.job_row)
WHERE j.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:job IS NULL OR j.job_id = :job)
ORDER BY j.job_id

-- name: plan_job
UPDATE scheduled_jobs SET next_run_at = :next_run_at, updated_at = :now WHERE job_row = :job_row

-- name: add_job_run
INSERT INTO job_runs (job_row, session, started_at, status) VALUES (:job_row, :session, :now, 'running')

-- name: is_job_run
SELECT 1 FROM job_runs WHERE job_row = :job_row AND session = :session

-- name: finish_job_run
UPDATE job_runs
SET finished_at = :now, status = :status, final_text = :final_text, error = :error, delivered = :delivered
WHERE run_id = :run_id

-- name: job_runs
SELECT r.run_id, j.job_id, r.session, r.started_at, r.status, r.finished_at, r.final_text, r.error, r.delivered
FROM job_runs AS r
JOIN scheduled_jobs AS j USING (job_row)
WHERE j.scope_id = (
        SELECT scope_id FROM scopes
        WHERE workspace_id = :workspace AND agent_id = :agent AND owner_id = :owner
    )
    AND (:job IS NULL OR j.job_id = :job)
    AND (:job_ids IS NULL OR j.job_id IN (SELECT value FROM json_each(:job_ids)))
    AND (:run_id IS NULL OR r.run_id = :run_id)
ORDER BY r.run_id DESC LIMIT :limit
