-- Whether a corporation signed up and has not been activated yet (docs/product.md 2.9). Of the existing
-- ones, these are the inactive ones that were never updated: their version is still 1, and `updated_at` is still the time
-- of creation.
ALTER TABLE corporations ADD COLUMN awaits_approval INTEGER NOT NULL DEFAULT 0;
UPDATE corporations SET awaits_approval = 1 WHERE NOT active AND version = 1 AND updated_at = created_at;
