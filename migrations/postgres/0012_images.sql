-- Pictures as they are served: decoded and written anew. The id is 128 random bits, so a link can't be guessed.
CREATE TABLE images (
  corp_id    UUID NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  image_id   UUID NOT NULL,
  user_id    UUID, -- whose picture it is; without one it is the corporation's logo
  mime       TEXT NOT NULL CHECK (mime IN ('image/png', 'image/jpeg', 'image/svg+xml')),
  bytes      BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (corp_id, image_id),
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX images_image_id_key ON images (image_id);
CREATE UNIQUE INDEX images_user_key ON images (corp_id, user_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX images_logo_key ON images (corp_id) WHERE user_id IS NULL;
