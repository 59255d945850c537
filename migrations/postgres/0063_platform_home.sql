-- Whether a corporation signed up and has not been activated yet (docs/product.md 2.9). Version 1 was never changed.
ALTER TABLE corporations ADD COLUMN awaits_approval BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE corporations SET awaits_approval = TRUE WHERE NOT active AND version = 1;
