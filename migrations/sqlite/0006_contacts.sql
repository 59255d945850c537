CREATE TABLE contacts (
  doc           INTEGER PRIMARY KEY, -- what the search index points at
  corp_id       BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  contact_id    BLOB    NOT NULL,
  name          TEXT    NOT NULL,
  email         TEXT    NOT NULL,
  phone         TEXT    NOT NULL,
  website       TEXT    NOT NULL,
  address       TEXT    NOT NULL,
  other_details TEXT    NOT NULL,
  search        TEXT    NOT NULL, -- folded name, e-mail, phone and address, led by the tenant's tag
  import_id     BLOB,
  import_row    INTEGER,
  import_source TEXT,
  imported_at   INTEGER,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  version       INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX contacts_key ON contacts (corp_id, contact_id);
-- A row of a file becomes one contact, however often its batch is tried.
CREATE UNIQUE INDEX contacts_import_key ON contacts (corp_id, import_id, import_row) WHERE import_id IS NOT NULL;

CREATE VIRTUAL TABLE contacts_search USING fts5 (
  search, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER contacts_search_insert AFTER INSERT ON contacts BEGIN
  INSERT INTO contacts_search (rowid, search) VALUES (new.doc, new.search);
END;
CREATE TRIGGER contacts_search_delete AFTER DELETE ON contacts BEGIN
  DELETE FROM contacts_search WHERE rowid = old.doc;
END;
CREATE TRIGGER contacts_search_update AFTER UPDATE OF search ON contacts WHEN old.search <> new.search BEGIN
  UPDATE contacts_search SET search = new.search WHERE rowid = new.doc;
END;
