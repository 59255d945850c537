-- The id that a client gives a request, so that a request which is sent again, because the response was lost, creates one record.
ALTER TABLE history ADD COLUMN request_id BLOB;
CREATE UNIQUE INDEX history_request ON history (corp_id, actor_id, request_id) WHERE request_id IS NOT NULL;
