CREATE TABLE imports (
  corp_id      BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  import_id    BLOB    NOT NULL,
  user_id      BLOB    NOT NULL,
  file_name    TEXT    NOT NULL,
  file_size    INTEGER NOT NULL,
  mapping      TEXT    NOT NULL,
  status       TEXT    NOT NULL CHECK (status IN ('receiving', 'pending', 'processing', 'completed', 'failed')),
  total        INTEGER NOT NULL DEFAULT 0,
  processed    INTEGER NOT NULL DEFAULT 0,
  succeeded    INTEGER NOT NULL DEFAULT 0,
  failed       INTEGER NOT NULL DEFAULT 0,
  last_row     INTEGER NOT NULL DEFAULT 0, -- the checkpoint: every row up to this one is done
  message      TEXT,
  attempt      INTEGER NOT NULL DEFAULT 0, -- the fencing token: a worker that lost its lease writes nothing
  tries        INTEGER NOT NULL DEFAULT 0, -- claims in a row that came to nothing
  leased_until INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  PRIMARY KEY (corp_id, import_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX imports_due ON imports (leased_until, import_id) WHERE status IN ('pending', 'processing');

-- The uploaded file in pieces, so that any node can take the import over; gone when it is done.
CREATE TABLE import_parts (
  corp_id   BLOB    NOT NULL,
  import_id BLOB    NOT NULL,
  part      INTEGER NOT NULL,
  bytes     BLOB    NOT NULL,
  PRIMARY KEY (corp_id, import_id, part),
  FOREIGN KEY (corp_id, import_id) REFERENCES imports (corp_id, import_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE import_failures (
  corp_id    BLOB    NOT NULL,
  import_id  BLOB    NOT NULL,
  row_number INTEGER NOT NULL,
  problems   TEXT    NOT NULL,
  PRIMARY KEY (corp_id, import_id, row_number),
  FOREIGN KEY (corp_id, import_id) REFERENCES imports (corp_id, import_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
