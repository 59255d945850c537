CREATE TABLE roles (
  corp_id     UUID    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  role_id     UUID    NOT NULL,
  name        TEXT    NOT NULL,
  description TEXT    NOT NULL,
  created_at  BIGINT  NOT NULL,
  updated_at  BIGINT  NOT NULL,
  PRIMARY KEY (corp_id, role_id)
);
CREATE UNIQUE INDEX roles_name_key ON roles (corp_id, name);

CREATE TABLE role_permissions (
  corp_id     UUID    NOT NULL,
  role_id     UUID    NOT NULL,
  resource_id TEXT    NOT NULL REFERENCES resources (resource_id),
  can_read    BOOLEAN NOT NULL,
  can_create  BOOLEAN NOT NULL,
  can_update  BOOLEAN NOT NULL,
  can_delete  BOOLEAN NOT NULL,
  PRIMARY KEY (corp_id, role_id, resource_id),
  FOREIGN KEY (corp_id, role_id) REFERENCES roles (corp_id, role_id) ON DELETE CASCADE
);
