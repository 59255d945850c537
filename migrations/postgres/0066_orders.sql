-- Contacts, customers and invoices are sorted by these fields too without reading all rows. The order of a list by a field
-- is `key NULLS FIRST, doc`, or the reverse. Addresses and websites may be longer than what a B-tree can contain.
CREATE INDEX contacts_by_email ON contacts (corp_id, email_key NULLS FIRST, doc) INCLUDE (contact_id);
CREATE INDEX contacts_by_phone ON contacts (corp_id, phone_key NULLS FIRST, doc) INCLUDE (contact_id);
CREATE INDEX customers_by_number ON customers (corp_id, customer_number NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_email ON customers (corp_id, email_key NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_telephone ON customers (corp_id, telephone_folded NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_postal_code ON customers (corp_id, postal_code_key NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_location ON customers (corp_id, location_key NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_organization_number ON customers (corp_id, organization_number_key NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_role ON customers (corp_id, role_key NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_company_name ON customers (corp_id, company_name_key NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_number_of_orders ON customers (corp_id, number_of_orders NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_warranty ON customers (corp_id, warranty_key NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_warranty_period ON customers (corp_id, warranty_period_key NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX invoices_by_email ON invoices (corp_id, email_key NULLS FIRST, doc) INCLUDE (invoice_id);

-- Choices are sorted in binary order, so their indexes are in this order.
DROP INDEX customers_types;
DROP INDEX customers_statuses;
ALTER TABLE customers ALTER COLUMN customer_type TYPE TEXT COLLATE "C", ALTER COLUMN status TYPE TEXT COLLATE "C",
  ALTER COLUMN agreement_type TYPE TEXT COLLATE "C";
CREATE INDEX customers_types ON customers (corp_id, customer_type NULLS FIRST, doc) INCLUDE (status, customer_id);
CREATE INDEX customers_statuses ON customers (corp_id, status NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_agreement_type ON customers (corp_id, agreement_type NULLS FIRST, doc) INCLUDE (customer_id);
