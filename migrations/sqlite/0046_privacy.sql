-- Erasure of personal data (docs/decisions/0031-erasure.md).
-- For an entry with erased values, 32 bytes for its label and for each value: the salted digest of an erased one, which the chain
-- contains, and zeros for one that is still there.
ALTER TABLE history ADD COLUMN erased BLOB;

-- What was erased and kept, without saying whose data it was.
CREATE TABLE erasures (
  corp_id    BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  erasure_id BLOB    NOT NULL, -- a UUID of version 7, so that newer ones are higher
  at         INTEGER NOT NULL,
  erased_by  BLOB    NOT NULL, -- no foreign key: the certificate stays when the user is deleted
  parts      TEXT    NOT NULL, -- as JSON
  PRIMARY KEY (corp_id, erasure_id)
) STRICT, WITHOUT ROWID;
