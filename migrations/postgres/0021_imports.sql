-- What a person chose and corrected, what the list of imports shows, and what a second sending of a file is told by. What
-- they corrected is kept beside the file, as its part -1, and goes with it.
ALTER TABLE imports
  ADD COLUMN options      TEXT    NOT NULL DEFAULT '{}',
  ADD COLUMN columns      JSONB   NOT NULL DEFAULT '[]',  -- those that stand in the file, in its order
  ADD COLUMN header_key   TEXT,                           -- files with the same headers have the same
  ADD COLUMN left_out     BIGINT  NOT NULL DEFAULT 0,
  ADD COLUMN duplicates   BIGINT  NOT NULL DEFAULT 0,     -- imported, though they repeat an earlier row
  ADD COLUMN verdict      TEXT,                           -- the browser's
  ADD COLUMN digest       TEXT,                           -- the server's
  ADD COLUMN differs      BOOLEAN NOT NULL DEFAULT FALSE,
  ADD COLUMN fingerprint  BYTEA,                          -- of all that was sent, while a second sending is none
  ADD COLUMN started_at   BIGINT,
  ADD COLUMN ended_at     BIGINT,
  ADD COLUMN cancelled_at BIGINT;                         -- a failed import that a person ended
UPDATE imports SET ended_at = updated_at WHERE status IN ('completed', 'failed');
CREATE UNIQUE INDEX imports_sent ON imports (corp_id, user_id, fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX imports_headers ON imports (corp_id, header_key, import_id) WHERE header_key IS NOT NULL;

ALTER TABLE import_failures ADD COLUMN cells JSONB NOT NULL DEFAULT '[]'; -- the row as it stands in the file
