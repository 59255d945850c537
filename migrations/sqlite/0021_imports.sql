-- What a person chose and corrected, what the list of imports shows, and what a second sending of a file is told by. What
-- they corrected is kept beside the file, as its part -1, and goes with it: here it would be written anew with every batch.
ALTER TABLE imports ADD COLUMN options TEXT NOT NULL DEFAULT '{}';
ALTER TABLE imports ADD COLUMN columns TEXT NOT NULL DEFAULT '[]';    -- those that stand in the file, in its order
ALTER TABLE imports ADD COLUMN header_key TEXT;                       -- files with the same headers have the same
ALTER TABLE imports ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN duplicates INTEGER NOT NULL DEFAULT 0; -- imported, though they repeat an earlier row
ALTER TABLE imports ADD COLUMN verdict TEXT;                          -- the browser's
ALTER TABLE imports ADD COLUMN digest TEXT;                           -- the server's
ALTER TABLE imports ADD COLUMN differs INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN fingerprint BLOB;                      -- of all that was sent, while a second sending is none
ALTER TABLE imports ADD COLUMN started_at INTEGER;
ALTER TABLE imports ADD COLUMN ended_at INTEGER;
ALTER TABLE imports ADD COLUMN cancelled_at INTEGER;                  -- a failed import that a person ended
UPDATE imports SET ended_at = updated_at WHERE status IN ('completed', 'failed');
CREATE UNIQUE INDEX imports_sent ON imports (corp_id, user_id, fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX imports_headers ON imports (corp_id, header_key, import_id) WHERE header_key IS NOT NULL;

ALTER TABLE import_failures ADD COLUMN cells TEXT NOT NULL DEFAULT '[]'; -- the row as it stands in the file
