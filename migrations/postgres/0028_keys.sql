-- Folded texts, by which lists are sorted and filtered. SQL can't fold texts, so the program fills the existing rows before it
-- serves (server/src/features/listing/keys.rs). A row is unfilled while its first key is NULL.
ALTER TABLE contacts
  ADD COLUMN name_key TEXT COLLATE "C",
  ADD COLUMN email_key TEXT COLLATE "C",
  ADD COLUMN phone_key TEXT COLLATE "C",
  ADD COLUMN website_key TEXT COLLATE "C",
  ADD COLUMN address_key TEXT COLLATE "C",
  ADD COLUMN import_source_key TEXT COLLATE "C";
CREATE INDEX contacts_unfilled ON contacts (corp_id, doc) WHERE name_key IS NULL;
ALTER TABLE customers
  ADD COLUMN name_key TEXT COLLATE "C",
  ADD COLUMN email_key TEXT COLLATE "C",
  ADD COLUMN telephone_folded TEXT COLLATE "C",
  ADD COLUMN address_key TEXT COLLATE "C",
  ADD COLUMN postal_code_key TEXT COLLATE "C",
  ADD COLUMN location_key TEXT COLLATE "C",
  ADD COLUMN role_key TEXT COLLATE "C",
  ADD COLUMN organization_number_key TEXT COLLATE "C",
  ADD COLUMN company_name_key TEXT COLLATE "C",
  ADD COLUMN warranty_key TEXT COLLATE "C",
  ADD COLUMN warranty_period_key TEXT COLLATE "C";
CREATE INDEX customers_unfilled ON customers (corp_id, doc) WHERE name_key IS NULL;
ALTER TABLE invoices
  ADD COLUMN customer_key TEXT COLLATE "C",
  ADD COLUMN website_key TEXT COLLATE "C",
  ADD COLUMN email_key TEXT COLLATE "C",
  ADD COLUMN customer_requirements_key TEXT COLLATE "C";
CREATE INDEX invoices_unfilled ON invoices (corp_id, doc) WHERE customer_key IS NULL;
