-- Who a person is at the provider that one can sign in with.
CREATE TABLE identities (
  corp_id    UUID NOT NULL,
  issuer     TEXT NOT NULL,
  subject    TEXT NOT NULL,
  user_id    UUID NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (corp_id, issuer, subject),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX identities_subject_key ON identities (issuer, subject);
CREATE UNIQUE INDEX identities_user_key ON identities (corp_id, user_id, issuer);

-- Journeys to the provider that have not come back. `sealed` holds the nonce and the PKCE verifier, and whom to connect.
CREATE TABLE journeys (
  state_hash BYTEA NOT NULL PRIMARY KEY,
  sealed     BYTEA NOT NULL,
  expires_at BIGINT NOT NULL
);

-- One-time values that the callback's address carries instead of tokens; both are in the one hash.
CREATE TABLE handoffs (
  corp_id      UUID NOT NULL,
  handoff_hash BYTEA NOT NULL,
  user_id      UUID NOT NULL,
  device_name  TEXT NOT NULL,
  expires_at   BIGINT NOT NULL,
  PRIMARY KEY (corp_id, handoff_hash),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX handoffs_hash_key ON handoffs (handoff_hash);
