-- The one reset link that works for a person: the newest, kept as the hash of its token.
CREATE TABLE password_resets (
  corp_id    BLOB NOT NULL,
  user_id    BLOB NOT NULL,
  token_hash BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (corp_id, user_id),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX password_resets_token_key ON password_resets (token_hash);

-- Links that were asked for. A job finds out whether there is an account, so that a request tells nothing by its time;
-- `sealed` holds the e-mail.
CREATE TABLE reset_requests (
  request_id BLOB NOT NULL PRIMARY KEY,
  sealed     BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
