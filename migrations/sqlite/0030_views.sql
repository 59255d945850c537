-- Saved views of lists. A view of everyone's stays when its owner is deleted.
CREATE TABLE views (
  corp_id     BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  view_id     BLOB    NOT NULL,
  user_id     BLOB, -- the owner
  resource_id TEXT    NOT NULL REFERENCES resources (resource_id),
  name        TEXT    NOT NULL,
  search      TEXT    NOT NULL,
  sort        TEXT    NOT NULL,
  conditions  TEXT    NOT NULL, -- the filter as JSON
  columns     TEXT    NOT NULL, -- as JSON
  density     TEXT    NOT NULL,
  is_shared   INTEGER NOT NULL,
  version     INTEGER NOT NULL DEFAULT 1,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  PRIMARY KEY (corp_id, view_id),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX views_list ON views (corp_id, resource_id, user_id);
CREATE INDEX views_user ON views (corp_id, user_id);
-- ON DELETE SET NULL would unset corp_id with it.
CREATE TRIGGER views_user_delete BEFORE DELETE ON users BEGIN
  DELETE FROM views WHERE corp_id = old.corp_id AND user_id = old.user_id AND NOT is_shared;
  UPDATE views SET user_id = NULL WHERE corp_id = old.corp_id AND user_id = old.user_id;
END;

-- The view with which a user's list opens.
CREATE TABLE view_defaults (
  corp_id     BLOB NOT NULL,
  user_id     BLOB NOT NULL,
  resource_id TEXT NOT NULL REFERENCES resources (resource_id),
  view_id     BLOB NOT NULL,
  PRIMARY KEY (corp_id, user_id, resource_id),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE,
  FOREIGN KEY (corp_id, view_id) REFERENCES views (corp_id, view_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX view_defaults_view ON view_defaults (corp_id, view_id);
