-- A list of invoices is sorted by the customer's requirements without reading all rows. By their beginning, because an
-- index can't contain long texts.
CREATE INDEX invoices_by_customer_requirements
  ON invoices (corp_id, substr(customer_requirements_key, 1, 100) NULLS FIRST, doc);
