CREATE TABLE comments (
  corp_id    BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  comment_id BLOB    NOT NULL,
  contact_id BLOB    NOT NULL,
  user_id    BLOB, -- forgotten when the person is deleted; what they wrote stays
  comment    TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (corp_id, comment_id),
  FOREIGN KEY (corp_id, contact_id) REFERENCES contacts (corp_id, contact_id) ON DELETE CASCADE,
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX comments_contact ON comments (corp_id, contact_id, comment_id);
CREATE INDEX comments_user ON comments (corp_id, user_id);
-- ON DELETE SET NULL would unset corp_id with it.
CREATE TRIGGER comments_user_delete BEFORE DELETE ON users BEGIN
  UPDATE comments SET user_id = NULL WHERE corp_id = old.corp_id AND user_id = old.user_id;
END;
