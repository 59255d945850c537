-- The history of a whole corporation, and the entries of a batch.
ALTER TABLE history ADD COLUMN actor_kind TEXT NOT NULL DEFAULT 'user'; -- or platform (its administrators in another corporation), system
-- With all columns that the list filters by.
CREATE INDEX history_corporation ON history (corp_id, at, history_id, resource_id, action, actor_id, record_id, batch_id)
  WHERE batch_id IS NULL;
CREATE INDEX history_batch ON history (corp_id, batch_id, resource_id, at, history_id, action, actor_id, record_id) WHERE batch_id IS NOT NULL;

-- The resource whose permission to read lets a user see it.
INSERT INTO resources (resource_id, parent_id) VALUES ('history', NULL);
