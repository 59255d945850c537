-- What imports store is bounded and can be deleted, and tenants take turns.
ALTER TABLE imports ADD COLUMN delimiter TEXT;                          -- a text file's
ALTER TABLE imports ADD COLUMN kept_bytes INTEGER NOT NULL DEFAULT 0;   -- of the parts that wait to be imported
ALTER TABLE imports ADD COLUMN report_bytes INTEGER NOT NULL DEFAULT 0; -- of the failed rows
ALTER TABLE imports ADD COLUMN claimed_at INTEGER NOT NULL DEFAULT 0;   -- the tenant whose claim is oldest is next
-- A deleted import stays as an empty row for as long as a contact refers to it.
ALTER TABLE imports ADD COLUMN deleted_at INTEGER;
UPDATE imports SET kept_bytes = file_size WHERE status IN ('receiving', 'pending', 'processing');
UPDATE imports SET report_bytes = (SELECT coalesce(sum(96 + length(problems) + length(cells)), 0) FROM import_failures f
  WHERE f.corp_id = imports.corp_id AND f.import_id = imports.import_id);
CREATE INDEX imports_claimed ON imports (corp_id, claimed_at);
