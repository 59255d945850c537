CREATE TABLE roles (
  corp_id     BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  role_id     BLOB    NOT NULL,
  name        TEXT    NOT NULL,
  description TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  PRIMARY KEY (corp_id, role_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX roles_name_key ON roles (corp_id, name);

CREATE TABLE role_permissions (
  corp_id     BLOB    NOT NULL,
  role_id     BLOB    NOT NULL,
  resource_id TEXT    NOT NULL REFERENCES resources (resource_id),
  can_read    INTEGER NOT NULL,
  can_create  INTEGER NOT NULL,
  can_update  INTEGER NOT NULL,
  can_delete  INTEGER NOT NULL,
  PRIMARY KEY (corp_id, role_id, resource_id),
  FOREIGN KEY (corp_id, role_id) REFERENCES roles (corp_id, role_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
