-- Whether a corporation signed up and has not been activated yet (docs/product.md 2.9). One that was never
-- changed has version 1 and its first time of change.
ALTER TABLE corporations ADD COLUMN awaits_approval INTEGER NOT NULL DEFAULT 0;
UPDATE corporations SET awaits_approval = 1 WHERE NOT active AND version = 1 AND updated_at = created_at;
