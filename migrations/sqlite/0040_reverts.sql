-- Undoings that go on after their response (docs/product.md 4.22).
CREATE TABLE reverts (
  corp_id          BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  batch_id         BLOB    NOT NULL, -- the entry in the history of the undoing
  history_id       BLOB    NOT NULL, -- the entry that is undone
  actor_id         BLOB    NOT NULL, -- no foreign key: the undoing goes on when the user is deleted
  should_overwrite INTEGER NOT NULL, -- whether contacts of an import that were changed since are deleted, too
  last_row         INTEGER NOT NULL, -- of an import: the number of the last row that is done
  total            INTEGER NOT NULL, -- records that the undone entry changed, as far as they were left at the beginning
  reverted         INTEGER NOT NULL,
  kept             INTEGER NOT NULL, -- contacts that stay because they were changed since
  started_at       INTEGER NOT NULL,
  ended_at         INTEGER,
  PRIMARY KEY (corp_id, batch_id),
  FOREIGN KEY (corp_id, history_id) REFERENCES history (corp_id, history_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX reverts_running ON reverts (corp_id, history_id) WHERE ended_at IS NULL;

-- The records of a batch are restored in the order of their ids.
DROP INDEX trash_batch;
CREATE INDEX trash_batch ON trash (corp_id, batch_id, resource_id, record_id) WHERE batch_id IS NOT NULL;
