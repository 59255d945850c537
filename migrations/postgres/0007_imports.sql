CREATE TABLE imports (
  corp_id      UUID    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  import_id    UUID    NOT NULL,
  user_id      UUID    NOT NULL,
  file_name    TEXT    NOT NULL,
  file_size    BIGINT  NOT NULL,
  mapping      JSONB   NOT NULL,
  status       TEXT    NOT NULL CHECK (status IN ('receiving', 'pending', 'processing', 'completed', 'failed')),
  total        BIGINT  NOT NULL DEFAULT 0,
  processed    BIGINT  NOT NULL DEFAULT 0,
  succeeded    BIGINT  NOT NULL DEFAULT 0,
  failed       BIGINT  NOT NULL DEFAULT 0,
  last_row     BIGINT  NOT NULL DEFAULT 0, -- the checkpoint: every row up to this one is done
  message      TEXT,
  attempt      INTEGER NOT NULL DEFAULT 0, -- the fencing token: a worker that lost its lease writes nothing
  tries        INTEGER NOT NULL DEFAULT 0, -- claims in a row that came to nothing
  leased_until BIGINT  NOT NULL DEFAULT 0,
  created_at   BIGINT  NOT NULL,
  updated_at   BIGINT  NOT NULL,
  PRIMARY KEY (corp_id, import_id)
);
CREATE INDEX imports_due ON imports (leased_until, import_id) WHERE status IN ('pending', 'processing');

-- The uploaded file in pieces, so that any node can take the import over; gone when it is done.
CREATE TABLE import_parts (
  corp_id   UUID    NOT NULL,
  import_id UUID    NOT NULL,
  part      INTEGER NOT NULL,
  bytes     BYTEA   NOT NULL,
  PRIMARY KEY (corp_id, import_id, part),
  FOREIGN KEY (corp_id, import_id) REFERENCES imports (corp_id, import_id) ON DELETE CASCADE
);

CREATE TABLE import_failures (
  corp_id    UUID    NOT NULL,
  import_id  UUID    NOT NULL,
  row_number BIGINT  NOT NULL,
  problems   JSONB   NOT NULL,
  PRIMARY KEY (corp_id, import_id, row_number),
  FOREIGN KEY (corp_id, import_id) REFERENCES imports (corp_id, import_id) ON DELETE CASCADE
);
