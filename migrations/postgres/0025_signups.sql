-- Sign-ups that wait for their confirmation. None reserves an e-mail or a company number, so nothing but the token is unique.
-- `email_key` is a keyed hash, and `sealed` contains the form and the password's hash.
CREATE TABLE signups (
  signup_id  UUID   NOT NULL PRIMARY KEY,
  token_hash BYTEA  NOT NULL,
  email_key  BYTEA  NOT NULL,
  sealed     BYTEA  NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX signups_token_key ON signups (token_hash);
CREATE INDEX signups_email ON signups (email_key);
CREATE INDEX signups_created ON signups (created_at);

-- A token that names its session tells its reuse without its row; the rows of older tokens are kept until the session ends.
ALTER TABLE refresh_tokens ADD COLUMN names_session BOOLEAN NOT NULL DEFAULT FALSE;
