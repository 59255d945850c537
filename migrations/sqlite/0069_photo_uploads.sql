-- The id that a client gives an upload, so that a photo which is sent again, because the response was lost, is stored once.
ALTER TABLE photos ADD COLUMN upload_id BLOB;
CREATE UNIQUE INDEX photos_upload_key ON photos (corp_id, record_id, upload_id) WHERE upload_id IS NOT NULL;
