-- Who a person is at the provider that one can sign in with. Without a subject the person has disconnected: their e-mail
-- alone connects them no more.
CREATE TABLE identities (
  corp_id    UUID NOT NULL,
  user_id    UUID NOT NULL,
  issuer     TEXT NOT NULL,
  subject    TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (corp_id, user_id, issuer),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX identities_subject_key ON identities (issuer, subject);

-- Journeys to the provider that have not come back. `sealed` holds the nonce and the PKCE verifier, and whose session is
-- to be connected.
CREATE TABLE journeys (
  state_hash BYTEA NOT NULL PRIMARY KEY,
  sealed     BYTEA NOT NULL,
  expires_at BIGINT NOT NULL
);

-- One-time values that the callback's address carries instead of tokens; both are in the one hash, and the browser's
-- cookie with them.
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
