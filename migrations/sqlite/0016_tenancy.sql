-- What else a corporation's rows refer to has a key too. SQLite adds one to a table only by making the table anew; the
-- tables that refer to it go first, since dropping theirs would empty them.
CREATE TABLE new_imports (
  corp_id      BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  import_id    BLOB    NOT NULL,
  user_id      BLOB, -- forgotten when the person is deleted; what became of the import stays
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
  PRIMARY KEY (corp_id, import_id),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO new_imports
  SELECT i.corp_id, i.import_id, u.user_id, file_name, file_size, mapping, status, total, processed, succeeded, failed,
    last_row, message, attempt, tries, leased_until, i.created_at, i.updated_at
  FROM imports i LEFT JOIN users u ON u.corp_id = i.corp_id AND u.user_id = i.user_id;
CREATE TABLE new_import_parts (
  corp_id   BLOB    NOT NULL,
  import_id BLOB    NOT NULL,
  part      INTEGER NOT NULL,
  bytes     BLOB    NOT NULL,
  PRIMARY KEY (corp_id, import_id, part),
  FOREIGN KEY (corp_id, import_id) REFERENCES new_imports (corp_id, import_id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_import_parts SELECT * FROM import_parts;
CREATE TABLE new_import_failures (
  corp_id    BLOB    NOT NULL,
  import_id  BLOB    NOT NULL,
  row_number INTEGER NOT NULL,
  problems   TEXT    NOT NULL,
  PRIMARY KEY (corp_id, import_id, row_number),
  FOREIGN KEY (corp_id, import_id) REFERENCES new_imports (corp_id, import_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO new_import_failures SELECT * FROM import_failures;
DROP TABLE import_parts;
DROP TABLE import_failures;
DROP TABLE imports;
ALTER TABLE new_imports RENAME TO imports;
ALTER TABLE new_import_parts RENAME TO import_parts;
ALTER TABLE new_import_failures RENAME TO import_failures;
CREATE INDEX imports_due ON imports (leased_until, import_id) WHERE status IN ('pending', 'processing');
CREATE INDEX imports_user ON imports (corp_id, user_id);
-- ON DELETE SET NULL would unset corp_id with it.
CREATE TRIGGER imports_user_delete BEFORE DELETE ON users BEGIN
  UPDATE imports SET user_id = NULL WHERE corp_id = old.corp_id AND user_id = old.user_id;
END;

CREATE TABLE new_contacts (
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
  version       INTEGER NOT NULL DEFAULT 1,
  FOREIGN KEY (corp_id, import_id) REFERENCES imports (corp_id, import_id)
) STRICT;
INSERT INTO new_contacts SELECT * FROM contacts;
DROP TABLE contacts;
ALTER TABLE new_contacts RENAME TO contacts;
CREATE UNIQUE INDEX contacts_key ON contacts (corp_id, contact_id);
-- A row of a file becomes one contact, however often its batch is tried.
CREATE UNIQUE INDEX contacts_import_key ON contacts (corp_id, import_id, import_row) WHERE import_id IS NOT NULL;
CREATE TRIGGER contacts_search_insert AFTER INSERT ON contacts BEGIN
  INSERT INTO contacts_search (rowid, search) VALUES (new.doc, new.search);
END;
CREATE TRIGGER contacts_search_delete AFTER DELETE ON contacts BEGIN
  DELETE FROM contacts_search WHERE rowid = old.doc;
END;
CREATE TRIGGER contacts_search_update AFTER UPDATE OF search ON contacts WHEN old.search <> new.search BEGIN
  UPDATE contacts_search SET search = new.search WHERE rowid = new.doc;
END;
