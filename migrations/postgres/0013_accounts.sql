-- Whether the person has shown to read the e-mail's mailbox, and how many wrong codes in a row were tried.
ALTER TABLE users ADD COLUMN email_verified_at BIGINT;
ALTER TABLE users ADD COLUMN wrong_codes INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX users_user_id_key ON users (user_id);

-- What a mail is about: a newer mail about the same takes the place of one that still waits.
ALTER TABLE messages ADD COLUMN topic BYTEA;
CREATE INDEX messages_topic ON messages (corp_id, topic) WHERE status = 'queued' AND topic IS NOT NULL;
