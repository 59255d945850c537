-- The customer that an invoice belongs to. The text stays when the customer is deleted.
ALTER TABLE invoices ADD COLUMN customer_id UUID;
ALTER TABLE invoices ADD FOREIGN KEY (corp_id, customer_id) REFERENCES customers (corp_id, customer_id)
  ON DELETE SET NULL (customer_id);
CREATE INDEX invoices_customer ON invoices (corp_id, customer_id, doc) WHERE customer_id IS NOT NULL;
