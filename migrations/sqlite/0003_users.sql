-- E-mails are kept in lower case: one person, one account on an installation.
CREATE TABLE users (
  corp_id       BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  user_id       BLOB    NOT NULL,
  email         TEXT    NOT NULL,
  first_name    TEXT    NOT NULL,
  last_name     TEXT    NOT NULL,
  mobile        TEXT    NOT NULL,
  user_type     TEXT    NOT NULL CHECK (user_type IN ('User', 'Admin', 'Super Admin')),
  role_id       BLOB,
  password_hash TEXT    NOT NULL,
  is_active     INTEGER NOT NULL DEFAULT 1,
  banned_at     INTEGER,
  ban_reason    TEXT,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  PRIMARY KEY (corp_id, user_id),
  FOREIGN KEY (corp_id, role_id) REFERENCES roles (corp_id, role_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX users_email_key ON users (email);
CREATE INDEX users_role ON users (corp_id, role_id);
