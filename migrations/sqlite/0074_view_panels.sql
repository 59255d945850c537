-- The filter by type and date that a view of customers stores. Empty texts do not filter.
ALTER TABLE views ADD COLUMN customer_type TEXT NOT NULL DEFAULT '';
ALTER TABLE views ADD COLUMN from_date TEXT NOT NULL DEFAULT '';
ALTER TABLE views ADD COLUMN to_date TEXT NOT NULL DEFAULT '';
