-- The history of records (docs/product.md 4.20). Entries are never changed: they stay when their record is deleted, or the user
-- who made the change (actor_id), so these are no foreign keys.
CREATE TABLE history (
  corp_id     UUID   NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  history_id  UUID   NOT NULL, -- of version 7, so that newer entries are higher
  at          BIGINT NOT NULL,
  actor_id    UUID   NOT NULL,
  action      TEXT   NOT NULL,
  resource_id TEXT   NOT NULL REFERENCES resources (resource_id),
  record_id   UUID,            -- NULL in the entry of a batch
  batch_id    UUID,            -- the entry of the batch that changed the record, if one did
  label       TEXT   NOT NULL,
  changes     TEXT   NOT NULL, -- as JSON
  PRIMARY KEY (corp_id, history_id)
);
CREATE INDEX history_record ON history (corp_id, record_id, resource_id, history_id);
SELECT forecourt_protect('history');
