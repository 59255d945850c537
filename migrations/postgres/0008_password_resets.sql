-- The one reset link that works for a person: the newest, kept as the hash of its token.
CREATE TABLE password_resets (
  corp_id    UUID NOT NULL,
  user_id    UUID NOT NULL,
  token_hash BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (corp_id, user_id),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX password_resets_token_key ON password_resets (token_hash);

-- Links that were asked for. A job finds out whether there is an account, so that a request tells nothing by its time;
-- `sealed` holds the e-mail.
CREATE TABLE reset_requests (
  request_id UUID NOT NULL PRIMARY KEY,
  sealed     BYTEA NOT NULL,
  created_at BIGINT NOT NULL
);
