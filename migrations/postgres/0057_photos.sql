-- Photos of vehicles (docs/product.md 4.27), written anew as JPEG. A vehicle has their ids and sizes in pixels, in their order.
ALTER TABLE vehicles ADD COLUMN photos TEXT NOT NULL DEFAULT '[]';
CREATE TABLE photos (
  corp_id    UUID NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  photo_id   UUID NOT NULL, -- 128 random bits, so a link can't be guessed
  record_id  UUID NOT NULL, -- the vehicle; no foreign key: the photos stay while the vehicle is in the trash
  size       BIGINT NOT NULL, -- of both pictures, in bytes
  bytes      BYTEA NOT NULL,
  thumbnail  BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (corp_id, photo_id)
);
SELECT forecourt_protect('photos');
CREATE UNIQUE INDEX photos_photo_id_key ON photos (photo_id);
CREATE INDEX photos_vehicle ON photos (corp_id, record_id);
-- What the photos of a corporation take up.
CREATE INDEX photos_size ON photos (corp_id, size);
