-- What imports store is bounded and can be deleted, and tenants take turns.
ALTER TABLE imports
  ADD COLUMN delimiter    TEXT,                      -- a text file's
  ADD COLUMN kept_bytes   BIGINT NOT NULL DEFAULT 0, -- of the parts that wait to be imported
  ADD COLUMN report_bytes BIGINT NOT NULL DEFAULT 0, -- of the failed rows
  ADD COLUMN claimed_at   BIGINT NOT NULL DEFAULT 0, -- the tenant whose claim is oldest is next
  -- A deleted import stays as an empty row for as long as a contact refers to it.
  ADD COLUMN deleted_at   BIGINT;
UPDATE imports SET kept_bytes = file_size WHERE status IN ('receiving', 'pending', 'processing');
UPDATE imports SET report_bytes = f.bytes FROM (
  SELECT corp_id, import_id, sum(96 + pg_column_size(problems) + pg_column_size(cells)) AS bytes
  FROM import_failures GROUP BY corp_id, import_id
) f WHERE f.corp_id = imports.corp_id AND f.import_id = imports.import_id;
CREATE INDEX imports_claimed ON imports (corp_id, claimed_at);
