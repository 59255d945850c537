-- Saved views of lists. A view of everyone's stays when its owner is deleted.
CREATE TABLE views (
  corp_id     UUID    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  view_id     UUID    NOT NULL,
  user_id     UUID, -- the owner
  resource_id TEXT    NOT NULL REFERENCES resources (resource_id),
  name        TEXT    NOT NULL,
  search      TEXT    NOT NULL,
  sort        TEXT    NOT NULL,
  conditions  TEXT    NOT NULL, -- the filter as JSON
  columns     TEXT    NOT NULL, -- as JSON
  density     TEXT    NOT NULL,
  is_shared   BOOLEAN NOT NULL,
  version     BIGINT  NOT NULL DEFAULT 1,
  created_at  BIGINT  NOT NULL,
  updated_at  BIGINT  NOT NULL,
  PRIMARY KEY (corp_id, view_id),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE SET NULL (user_id)
);
CREATE INDEX views_list ON views (corp_id, resource_id, user_id);
CREATE INDEX views_user ON views (corp_id, user_id);
SELECT forecourt_protect('views');
CREATE FUNCTION forecourt_delete_own_views() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM views WHERE corp_id = old.corp_id AND user_id = old.user_id AND NOT is_shared;
  RETURN old;
END $$;
CREATE TRIGGER views_user_delete BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION forecourt_delete_own_views();

-- The view with which a user's list opens.
CREATE TABLE view_defaults (
  corp_id     UUID NOT NULL,
  user_id     UUID NOT NULL,
  resource_id TEXT NOT NULL REFERENCES resources (resource_id),
  view_id     UUID NOT NULL,
  PRIMARY KEY (corp_id, user_id, resource_id),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE,
  FOREIGN KEY (corp_id, view_id) REFERENCES views (corp_id, view_id) ON DELETE CASCADE
);
CREATE INDEX view_defaults_view ON view_defaults (corp_id, view_id);
SELECT forecourt_protect('view_defaults');
