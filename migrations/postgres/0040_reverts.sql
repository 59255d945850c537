-- Undoings that go on after their response (docs/product.md 4.22).
CREATE TABLE reverts (
  corp_id          UUID    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  batch_id         UUID    NOT NULL, -- the entry in the history of the undoing
  history_id       UUID    NOT NULL, -- the entry that is undone
  actor_id         UUID    NOT NULL, -- no foreign key: the undoing goes on when the user is deleted
  should_overwrite BOOLEAN NOT NULL, -- whether contacts of an import that were changed since are deleted, too
  last_row         BIGINT  NOT NULL, -- of an import: the number of the last row that is done
  total            BIGINT  NOT NULL, -- records that the undone entry changed, as far as they were left at the beginning
  reverted         BIGINT  NOT NULL,
  kept             BIGINT  NOT NULL, -- contacts that stay because they were changed since
  started_at       BIGINT  NOT NULL,
  ended_at         BIGINT ,
  PRIMARY KEY (corp_id, batch_id),
  FOREIGN KEY (corp_id, history_id) REFERENCES history (corp_id, history_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX reverts_running ON reverts (corp_id, history_id) WHERE ended_at IS NULL;
SELECT forecourt_protect('reverts');

-- The records of a batch are restored in the order of their ids.
DROP INDEX trash_batch;
CREATE INDEX trash_batch ON trash (corp_id, batch_id, resource_id, record_id) WHERE batch_id IS NOT NULL;
