-- The customer that an invoice belongs to. The text stays when the customer is deleted.
ALTER TABLE invoices ADD COLUMN customer_id BLOB;

-- SQLite can't add a foreign key of two columns to a table. Every value is NULL yet, so it is enough to add it to the table's
-- definition (https://sqlite.org/lang_altertable.html#otheralter); RESET makes this connection read it again.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = substr(sql, 1, length(sql) - length(') STRICT'))
    || ', FOREIGN KEY (corp_id, customer_id) REFERENCES customers (corp_id, customer_id)) STRICT'
  WHERE type = 'table' AND name = 'invoices' AND sql LIKE '%) STRICT';
PRAGMA writable_schema = RESET;

CREATE INDEX invoices_customer ON invoices (corp_id, customer_id, doc) WHERE customer_id IS NOT NULL;
-- ON DELETE SET NULL would unset corp_id too.
CREATE TRIGGER customers_invoices_delete BEFORE DELETE ON customers BEGIN
  UPDATE invoices SET customer_id = NULL WHERE corp_id = old.corp_id AND customer_id = old.customer_id;
END;
