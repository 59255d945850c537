-- Mail that waits to be sent, and mail kept in the outbox. `sealed` is encrypted: it may hold a code.
CREATE TABLE messages (
  corp_id     UUID    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  message_id  UUID    NOT NULL,
  sealed      BYTEA   NOT NULL,
  status      TEXT    NOT NULL CHECK (status IN ('queued', 'sent', 'kept', 'failed')),
  attempts    INTEGER NOT NULL DEFAULT 0,
  due_at      BIGINT  NOT NULL,
  expires_at  BIGINT  NOT NULL,
  created_at  BIGINT  NOT NULL,
  last_error  TEXT,
  PRIMARY KEY (corp_id, message_id)
);
CREATE INDEX messages_due ON messages (due_at) WHERE status = 'queued';
