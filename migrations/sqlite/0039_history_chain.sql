-- The chain of a corporation's entries (docs/decisions/0030-history-chain.md). A job adds entries some seconds after they were written.
ALTER TABLE history ADD COLUMN position INTEGER; -- from 1; NULL for an entry that is not in the chain yet
ALTER TABLE history ADD COLUMN salts BLOB; -- of the label and of each value
ALTER TABLE history ADD COLUMN hash BLOB;      -- of this entry and of the hash before it
CREATE UNIQUE INDEX history_chain ON history (corp_id, position) WHERE position IS NOT NULL;
CREATE INDEX history_unchained ON history (corp_id, history_id) WHERE position IS NULL;
