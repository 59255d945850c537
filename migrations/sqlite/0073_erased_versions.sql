-- The version that the last erasure of personal data gave a record (docs/decisions/0031-erasure.md). NULL if it was never erased.
ALTER TABLE contacts ADD COLUMN erased_version INTEGER;
ALTER TABLE customers ADD COLUMN erased_version INTEGER;
ALTER TABLE invoices ADD COLUMN erased_version INTEGER;
ALTER TABLE vehicles ADD COLUMN erased_version INTEGER;
ALTER TABLE agreements ADD COLUMN erased_version INTEGER;
