-- The keyed digest of the body of the request with `request_id`, which shows whether another request has the same id. NULL in the
-- entries of older versions, and after an erasure.
ALTER TABLE history ADD COLUMN request_digest BYTEA;
