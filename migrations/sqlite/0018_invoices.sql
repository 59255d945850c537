CREATE TABLE invoices (
  doc                   INTEGER PRIMARY KEY, -- what the search index points at
  corp_id               BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  invoice_id            BLOB    NOT NULL,
  customer              TEXT    NOT NULL,
  website               TEXT    NOT NULL,
  email                 TEXT    NOT NULL,
  customer_requirements TEXT    NOT NULL,
  start_date            TEXT    NOT NULL, -- yyyy-MM-dd
  end_date              TEXT    NOT NULL,
  project_price         INTEGER NOT NULL, -- pence
  search                TEXT    NOT NULL, -- folded customer, website and e-mail
  created_at            INTEGER NOT NULL,
  updated_at            INTEGER NOT NULL,
  version               INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX invoices_key ON invoices (corp_id, invoice_id);
