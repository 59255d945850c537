CREATE TABLE sessions (
  corp_id     UUID    NOT NULL,
  session_id  UUID    NOT NULL,
  user_id     UUID    NOT NULL,
  device_name TEXT    NOT NULL,
  remember    BOOLEAN NOT NULL,
  created_at  BIGINT  NOT NULL,
  expires_at  BIGINT  NOT NULL,
  PRIMARY KEY (corp_id, session_id),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX sessions_session_id_key ON sessions (session_id);
CREATE INDEX sessions_user ON sessions (corp_id, user_id);

-- A session's chain of refresh tokens, each kept as its hash. A spent one stays, so that its reuse is seen.
CREATE TABLE refresh_tokens (
  corp_id    UUID    NOT NULL,
  token_hash BYTEA   NOT NULL,
  session_id UUID    NOT NULL,
  created_at BIGINT  NOT NULL,
  spent_at   BIGINT,
  PRIMARY KEY (corp_id, token_hash),
  FOREIGN KEY (corp_id, session_id) REFERENCES sessions (corp_id, session_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX refresh_tokens_hash_key ON refresh_tokens (token_hash);
CREATE INDEX refresh_tokens_session ON refresh_tokens (corp_id, session_id);

-- The code that a device waits for after the right password: one per person and device.
CREATE TABLE login_codes (
  corp_id     UUID    NOT NULL,
  user_id     UUID    NOT NULL,
  device_hash BYTEA   NOT NULL,
  code_hash   BYTEA   NOT NULL,
  device_name TEXT    NOT NULL,
  remember    BOOLEAN NOT NULL,
  tries       INTEGER NOT NULL DEFAULT 0,
  sent_at     BIGINT  NOT NULL,
  expires_at  BIGINT  NOT NULL,
  PRIMARY KEY (corp_id, user_id, device_hash),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE
);

CREATE TABLE trusted_devices (
  corp_id       UUID    NOT NULL,
  user_id       UUID    NOT NULL,
  device_hash   BYTEA   NOT NULL,
  trusted_until BIGINT  NOT NULL,
  PRIMARY KEY (corp_id, user_id, device_hash),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE
);

-- Counters that hold across server nodes. The key is a keyed hash: neither an address nor an e-mail can be read from it.
CREATE TABLE throttles (
  throttle_key BYTEA   NOT NULL PRIMARY KEY,
  uses         INTEGER NOT NULL,
  resets_at    BIGINT  NOT NULL
);
CREATE INDEX throttles_resets_at ON throttles (resets_at);
