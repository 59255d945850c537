-- Deleted records, until they are restored or purged (docs/product.md 4.21).
CREATE TABLE trash (
  corp_id             UUID   NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  resource_id         TEXT   NOT NULL REFERENCES resources (resource_id),
  record_id           UUID   NOT NULL,
  label               TEXT   NOT NULL,
  label_key           TEXT   NOT NULL, -- as it is searched
  deleted_at          BIGINT NOT NULL,
  deleted_by          UUID   NOT NULL, -- no foreign key: the record stays when the user is deleted
  batch_id            UUID, -- the entry in the history of the bulk deletion, if one deleted the record
  content             TEXT   NOT NULL, -- the record's row, and what was deleted with it, as JSON
  -- As in customers, and not in the content, because a rotation of the keys encrypts it again.
  social_security     BYTEA,
  social_security_key TEXT REFERENCES data_keys (key_id),
  PRIMARY KEY (corp_id, resource_id, record_id)
);
CREATE INDEX trash_list ON trash (corp_id, deleted_at, record_id);
CREATE INDEX trash_batch ON trash (corp_id, batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX trash_expired ON trash (deleted_at);
CREATE INDEX trash_encrypted ON trash (social_security_key, corp_id, record_id) WHERE social_security_key IS NOT NULL;
SELECT forecourt_protect('trash');
