-- Mail that waits to be sent, and mail kept in the outbox. `sealed` is encrypted: it may hold a code.
CREATE TABLE messages (
  corp_id     BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  message_id  BLOB    NOT NULL,
  sealed      BLOB    NOT NULL,
  status      TEXT    NOT NULL CHECK (status IN ('queued', 'sent', 'kept', 'failed')),
  attempts    INTEGER NOT NULL DEFAULT 0,
  due_at      INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  last_error  TEXT,
  PRIMARY KEY (corp_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_due ON messages (due_at) WHERE status = 'queued';
