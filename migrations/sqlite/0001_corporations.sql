-- The resource catalogue by its stable ids; titles, routes and places stand in core/src/permissions/catalogue.rs.
CREATE TABLE resources (
  resource_id TEXT NOT NULL PRIMARY KEY,
  parent_id   TEXT REFERENCES resources (resource_id)
) STRICT;
INSERT INTO resources (resource_id, parent_id) VALUES
  ('customers', NULL), ('invoices', NULL), ('contacts', NULL), ('users', NULL), ('roles', NULL), ('corporations', NULL),
  ('contacts.list', 'contacts'), ('contacts.imports', 'contacts');

CREATE TABLE corporations (
  corp_id     BLOB    NOT NULL PRIMARY KEY,
  name        TEXT    NOT NULL,
  is_platform INTEGER NOT NULL DEFAULT 0,
  active      INTEGER NOT NULL DEFAULT 1,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX corporations_platform_key ON corporations (is_platform) WHERE is_platform;

CREATE TABLE corporation_resources (
  corp_id     BLOB NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  resource_id TEXT NOT NULL REFERENCES resources (resource_id),
  PRIMARY KEY (corp_id, resource_id)
) STRICT, WITHOUT ROWID;
