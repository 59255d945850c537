-- A search of customers also finds their number and telephone, a search of vehicles their stock number. A job adds the existing rows
-- to the new search indexes; until then, searches compare them one by one. The program creates the index of vehicles, and its
-- triggers, when it starts.
DROP TRIGGER vehicles_insert;
DROP TRIGGER vehicles_update_search;
DROP TRIGGER vehicles_delete;
DROP TABLE vehicles_search;
DROP TRIGGER customers_insert;
DROP TRIGGER customers_update_search;
DROP TABLE customers_search;
UPDATE lists SET searched_doc = first_doc - 1 WHERE kind IN ('customers', 'vehicles');

CREATE VIRTUAL TABLE customers_search USING fts5 (
  name, email, address, customer_number, telephone, telephone_digits,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
-- Reads the row from the table, because another trigger may have given it its number since.
CREATE TRIGGER customers_insert AFTER INSERT ON customers WHEN new.doc = 0 BEGIN
  UPDATE customers SET doc = (SELECT next_doc FROM lists WHERE corp_id = new.corp_id AND kind = 'customers') WHERE doc = 0;
  INSERT INTO customers_search (rowid, name, email, address, customer_number, telephone, telephone_digits)
    SELECT next_doc, r.name_key, r.email_key, r.address_key, coalesce('c-' || r.customer_number, ''), r.telephone_folded, r.telephone_key
    FROM lists l JOIN customers r ON r.corp_id = new.corp_id AND r.customer_id = new.customer_id
    WHERE l.corp_id = new.corp_id AND l.kind = 'customers' AND l.searched_doc = l.next_doc - 1;
  UPDATE lists SET searched_doc = iif(searched_doc = next_doc - 1, next_doc, searched_doc), next_doc = next_doc + 1,
    total = total + 1, changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'customers';
  INSERT INTO list_months (corp_id, kind, month, customer_type, agreement_type, count)
    VALUES (new.corp_id, 'customers', strftime('%Y-%m', new.created_at / 1000000, 'unixepoch'), new.customer_type, coalesce(new.agreement_type, ''), 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER customers_update_search AFTER UPDATE OF name_key, email_key, address_key, customer_number, telephone_folded, telephone_key ON customers
WHEN old.doc = new.doc
AND (old.name_key, old.email_key, old.address_key, old.customer_number, old.telephone_folded, old.telephone_key)
  IS NOT (new.name_key, new.email_key, new.address_key, new.customer_number, new.telephone_folded, new.telephone_key) BEGIN
  -- Changes nothing if the row is not in the index yet.
  UPDATE customers_search SET name = new.name_key, email = new.email_key, address = new.address_key,
    customer_number = coalesce('c-' || new.customer_number, ''), telephone = new.telephone_folded, telephone_digits = new.telephone_key
    WHERE rowid = new.doc;
END;
