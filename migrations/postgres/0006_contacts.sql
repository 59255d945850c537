CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE contacts (
  corp_id       UUID    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  contact_id    UUID    NOT NULL,
  name          TEXT    NOT NULL,
  email         TEXT    NOT NULL,
  phone         TEXT    NOT NULL,
  website       TEXT    NOT NULL,
  address       TEXT    NOT NULL,
  other_details JSONB   NOT NULL,
  search        TEXT    NOT NULL, -- folded name, e-mail, phone and address
  import_id     UUID,
  import_row    BIGINT,
  import_source TEXT,
  imported_at   BIGINT,
  created_at    BIGINT  NOT NULL,
  updated_at    BIGINT  NOT NULL,
  version       BIGINT  NOT NULL DEFAULT 1,
  PRIMARY KEY (corp_id, contact_id)
);
-- A row of a file becomes one contact, however often its batch is tried.
CREATE UNIQUE INDEX contacts_import_key ON contacts (corp_id, import_id, import_row) WHERE import_id IS NOT NULL;

CREATE INDEX contacts_search ON contacts USING gin (corp_id, search gin_trgm_ops);
