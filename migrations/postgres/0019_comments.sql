CREATE TABLE comments (
  corp_id    UUID   NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  comment_id UUID   NOT NULL,
  contact_id UUID   NOT NULL,
  user_id    UUID, -- forgotten when the person is deleted; what they wrote stays
  comment    TEXT   NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (corp_id, comment_id),
  FOREIGN KEY (corp_id, contact_id) REFERENCES contacts (corp_id, contact_id) ON DELETE CASCADE,
  FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE SET NULL (user_id)
);
CREATE INDEX comments_contact ON comments (corp_id, contact_id, comment_id);
CREATE INDEX comments_user ON comments (corp_id, user_id);
SELECT forecourt_protect('comments');
