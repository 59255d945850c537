-- Folded texts, by which lists are sorted and filtered. SQL can't fold texts, so the program fills the existing rows before it
-- serves (server/src/features/listing/keys.rs). A row is unfilled while its first key is NULL.
ALTER TABLE contacts ADD COLUMN name_key TEXT;
ALTER TABLE contacts ADD COLUMN email_key TEXT;
ALTER TABLE contacts ADD COLUMN phone_key TEXT;
ALTER TABLE contacts ADD COLUMN website_key TEXT;
ALTER TABLE contacts ADD COLUMN address_key TEXT;
ALTER TABLE contacts ADD COLUMN import_source_key TEXT;
CREATE INDEX contacts_unfilled ON contacts (corp_id, doc) WHERE name_key IS NULL;
ALTER TABLE customers ADD COLUMN name_key TEXT;
ALTER TABLE customers ADD COLUMN email_key TEXT;
ALTER TABLE customers ADD COLUMN telephone_folded TEXT;
ALTER TABLE customers ADD COLUMN address_key TEXT;
ALTER TABLE customers ADD COLUMN postal_code_key TEXT;
ALTER TABLE customers ADD COLUMN location_key TEXT;
ALTER TABLE customers ADD COLUMN role_key TEXT;
ALTER TABLE customers ADD COLUMN organization_number_key TEXT;
ALTER TABLE customers ADD COLUMN company_name_key TEXT;
ALTER TABLE customers ADD COLUMN warranty_key TEXT;
ALTER TABLE customers ADD COLUMN warranty_period_key TEXT;
CREATE INDEX customers_unfilled ON customers (corp_id, doc) WHERE name_key IS NULL;
ALTER TABLE invoices ADD COLUMN customer_key TEXT;
ALTER TABLE invoices ADD COLUMN website_key TEXT;
ALTER TABLE invoices ADD COLUMN email_key TEXT;
ALTER TABLE invoices ADD COLUMN customer_requirements_key TEXT;
CREATE INDEX invoices_unfilled ON invoices (corp_id, doc) WHERE customer_key IS NULL;
