-- Lists that can be sorted, filtered and searched in any way, however long (docs/decisions/0026-list-engine.md).

-- A corporation's list of one kind. Its rows have the numbers (`doc`) from `first_doc`, a multiple of 2^32, in the order in which
-- they were written, so they are one range of the table. The rows up to `searched_doc` are in the search index, those after it
-- are not yet.
CREATE TABLE lists (
  corp_id      BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  kind         TEXT    NOT NULL, -- the table
  first_doc    INTEGER NOT NULL UNIQUE,
  next_doc     INTEGER NOT NULL,
  searched_doc INTEGER NOT NULL,
  total        INTEGER NOT NULL DEFAULT 0,
  changes      INTEGER NOT NULL DEFAULT 0, -- only grows, with every write
  PRIMARY KEY (corp_id, kind)
) STRICT, WITHOUT ROWID;

-- Sums by month of creation; of invoices, by the month in which the project starts.
CREATE TABLE list_months (
  corp_id        BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  kind           TEXT    NOT NULL,
  month          TEXT    NOT NULL,            -- yyyy-MM
  customer_type  TEXT    NOT NULL DEFAULT '',
  agreement_type TEXT    NOT NULL DEFAULT '',
  count          INTEGER NOT NULL,
  amount         INTEGER NOT NULL DEFAULT 0,  -- pence
  PRIMARY KEY (corp_id, kind, month, customer_type, agreement_type)
) STRICT, WITHOUT ROWID;

-- The existing rows keep their order.
INSERT INTO lists (corp_id, kind, first_doc, next_doc, searched_doc)
  SELECT corp_id, kind, first << 32, first << 32, (first << 32) - 1 FROM (
    SELECT corp_id, column1 AS kind, row_number() OVER (ORDER BY corp_id, column1) AS first
    FROM corporations CROSS JOIN (VALUES ('contacts'), ('customers'), ('invoices'))
  );
INSERT INTO list_months (corp_id, kind, month, customer_type, agreement_type, count, amount)
  SELECT corp_id, kind, period, customer_type, agreement_type, sum(count), sum(value) FROM tallies
  WHERE kind IN ('contacts', 'customers', 'invoices') GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) > 0;
UPDATE lists SET total = sums.count
  FROM (SELECT corp_id, kind, sum(count) AS count FROM list_months GROUP BY 1, 2) AS sums
  WHERE lists.corp_id = sums.corp_id AND lists.kind = sums.kind;

DROP TRIGGER corporations_search_mark;
DROP TABLE search_marks;
DROP TABLE tallies;
DROP TRIGGER contacts_tally_insert;
DROP TRIGGER contacts_tally_update;
DROP TRIGGER contacts_tally_delete;
DROP TRIGGER contacts_search_insert;
DROP TRIGGER contacts_search_delete;
DROP TRIGGER contacts_search_update;
DROP TRIGGER customers_tally_insert;
DROP TRIGGER customers_tally_update;
DROP TRIGGER customers_tally_delete;
DROP TRIGGER customers_search_insert;
DROP TRIGGER customers_search_delete;
DROP TRIGGER customers_search_update;
DROP TRIGGER invoices_tally_insert;
DROP TRIGGER invoices_tally_update;
DROP TRIGGER invoices_tally_delete;
DROP TRIGGER invoices_search_insert;
DROP TRIGGER invoices_search_delete;
DROP TRIGGER invoices_search_update;
DROP TABLE contacts_search;
DROP INDEX contacts_list;
DROP TABLE customers_search;
DROP INDEX customers_list;
DROP TABLE invoices_search;
DROP INDEX invoices_list;
UPDATE contacts SET doc = doc + (SELECT first_doc FROM lists l WHERE l.corp_id = contacts.corp_id AND l.kind = 'contacts');
UPDATE customers SET doc = doc + (SELECT first_doc FROM lists l WHERE l.corp_id = customers.corp_id AND l.kind = 'customers');
UPDATE invoices SET doc = doc + (SELECT first_doc FROM lists l WHERE l.corp_id = invoices.corp_id AND l.kind = 'invoices');
ALTER TABLE contacts DROP COLUMN search;
ALTER TABLE customers DROP COLUMN search;
ALTER TABLE invoices DROP COLUMN search;
-- The numbers are part of every index.
CREATE INDEX contacts_list ON contacts (corp_id);
CREATE INDEX customers_list ON customers (corp_id);
CREATE INDEX invoices_list ON invoices (corp_id);
UPDATE lists SET next_doc = last + 1, searched_doc = first - 1
  FROM (SELECT corp_id, min(doc) AS first, max(doc) AS last FROM contacts GROUP BY corp_id) AS docs
  WHERE lists.corp_id = docs.corp_id AND lists.kind = 'contacts';
UPDATE lists SET next_doc = last + 1, searched_doc = first - 1
  FROM (SELECT corp_id, min(doc) AS first, max(doc) AS last FROM customers GROUP BY corp_id) AS docs
  WHERE lists.corp_id = docs.corp_id AND lists.kind = 'customers';
UPDATE lists SET next_doc = last + 1, searched_doc = first - 1
  FROM (SELECT corp_id, min(doc) AS first, max(doc) AS last FROM invoices GROUP BY corp_id) AS docs
  WHERE lists.corp_id = docs.corp_id AND lists.kind = 'invoices';

CREATE TRIGGER corporations_lists AFTER INSERT ON corporations BEGIN
  INSERT INTO lists (corp_id, kind, first_doc, next_doc, searched_doc)
    SELECT new.corp_id, kind, first << 32, first << 32, (first << 32) - 1 FROM (
      SELECT column1 AS kind, (SELECT coalesce(max(first_doc), 0) >> 32 FROM lists) + column2 AS first
      FROM (VALUES ('contacts', 1), ('customers', 2), ('invoices', 3))
    );
END;

-- A row that is written singly, with the number 0, is numbered, counted and indexed by a trigger. Many rows get their numbers from
-- the program, which counts them (server/src/features/listing/writes.rs); a job indexes them. While it has not, it also indexes
-- the single rows that follow, so that the rows that are not indexed are always the last ones.

CREATE VIRTUAL TABLE contacts_search USING fts5 (
  name, email, phone, address, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER contacts_insert AFTER INSERT ON contacts WHEN new.doc = 0 BEGIN
  UPDATE contacts SET doc = (SELECT next_doc FROM lists WHERE corp_id = new.corp_id AND kind = 'contacts') WHERE doc = 0;
  INSERT INTO contacts_search (rowid, name, email, phone, address)
    SELECT next_doc, new.name_key, new.email_key, new.phone_key, new.address_key FROM lists WHERE corp_id = new.corp_id AND kind = 'contacts' AND searched_doc = next_doc - 1;
  UPDATE lists SET searched_doc = iif(searched_doc = next_doc - 1, next_doc, searched_doc), next_doc = next_doc + 1,
    total = total + 1, changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'contacts';
  INSERT INTO list_months (corp_id, kind, month, count) VALUES (new.corp_id, 'contacts', strftime('%Y-%m', new.created_at / 1000000, 'unixepoch'), 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER contacts_update AFTER UPDATE ON contacts WHEN old.doc = new.doc BEGIN
  UPDATE lists SET changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'contacts';
END;
CREATE TRIGGER contacts_update_search AFTER UPDATE OF name_key, email_key, phone_key, address_key ON contacts
WHEN old.doc = new.doc AND (old.name_key, old.email_key, old.phone_key, old.address_key) IS NOT (new.name_key, new.email_key, new.phone_key, new.address_key) BEGIN
  -- Changes nothing if the row is not in the index yet.
  UPDATE contacts_search SET name = new.name_key, email = new.email_key, phone = new.phone_key, address = new.address_key WHERE rowid = new.doc;
END;
CREATE TRIGGER contacts_delete AFTER DELETE ON contacts BEGIN
  DELETE FROM contacts_search WHERE rowid = old.doc;
  UPDATE lists SET total = total - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'contacts';
  UPDATE list_months SET count = count - 1 WHERE corp_id = old.corp_id AND kind = 'contacts'
    AND month = strftime('%Y-%m', old.created_at / 1000000, 'unixepoch');
END;

CREATE VIRTUAL TABLE customers_search USING fts5 (
  name, email, address, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER customers_insert AFTER INSERT ON customers WHEN new.doc = 0 BEGIN
  UPDATE customers SET doc = (SELECT next_doc FROM lists WHERE corp_id = new.corp_id AND kind = 'customers') WHERE doc = 0;
  INSERT INTO customers_search (rowid, name, email, address)
    SELECT next_doc, new.name_key, new.email_key, new.address_key FROM lists WHERE corp_id = new.corp_id AND kind = 'customers' AND searched_doc = next_doc - 1;
  UPDATE lists SET searched_doc = iif(searched_doc = next_doc - 1, next_doc, searched_doc), next_doc = next_doc + 1,
    total = total + 1, changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'customers';
  INSERT INTO list_months (corp_id, kind, month, customer_type, agreement_type, count)
    VALUES (new.corp_id, 'customers', strftime('%Y-%m', new.created_at / 1000000, 'unixepoch'), new.customer_type, coalesce(new.agreement_type, ''), 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER customers_update AFTER UPDATE ON customers WHEN old.doc = new.doc BEGIN
  UPDATE lists SET changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'customers';
END;
CREATE TRIGGER customers_update_search AFTER UPDATE OF name_key, email_key, address_key ON customers
WHEN old.doc = new.doc AND (old.name_key, old.email_key, old.address_key) IS NOT (new.name_key, new.email_key, new.address_key) BEGIN
  -- Changes nothing if the row is not in the index yet.
  UPDATE customers_search SET name = new.name_key, email = new.email_key, address = new.address_key WHERE rowid = new.doc;
END;
CREATE TRIGGER customers_update_months AFTER UPDATE OF customer_type, agreement_type ON customers
WHEN old.doc = new.doc AND (old.customer_type, old.agreement_type) IS NOT (new.customer_type, new.agreement_type) BEGIN
  UPDATE list_months SET count = count - 1 WHERE corp_id = old.corp_id AND kind = 'customers'
    AND month = strftime('%Y-%m', old.created_at / 1000000, 'unixepoch') AND customer_type = old.customer_type AND agreement_type = coalesce(old.agreement_type, '');
  INSERT INTO list_months (corp_id, kind, month, customer_type, agreement_type, count)
    VALUES (new.corp_id, 'customers', strftime('%Y-%m', new.created_at / 1000000, 'unixepoch'), new.customer_type, coalesce(new.agreement_type, ''), 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER customers_delete AFTER DELETE ON customers BEGIN
  DELETE FROM customers_search WHERE rowid = old.doc;
  UPDATE lists SET total = total - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'customers';
  UPDATE list_months SET count = count - 1 WHERE corp_id = old.corp_id AND kind = 'customers'
    AND month = strftime('%Y-%m', old.created_at / 1000000, 'unixepoch') AND customer_type = old.customer_type AND agreement_type = coalesce(old.agreement_type, '');
END;

CREATE VIRTUAL TABLE invoices_search USING fts5 (
  customer, website, email, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER invoices_insert AFTER INSERT ON invoices WHEN new.doc = 0 BEGIN
  UPDATE invoices SET doc = (SELECT next_doc FROM lists WHERE corp_id = new.corp_id AND kind = 'invoices') WHERE doc = 0;
  INSERT INTO invoices_search (rowid, customer, website, email)
    SELECT next_doc, new.customer_key, new.website_key, new.email_key FROM lists WHERE corp_id = new.corp_id AND kind = 'invoices' AND searched_doc = next_doc - 1;
  UPDATE lists SET searched_doc = iif(searched_doc = next_doc - 1, next_doc, searched_doc), next_doc = next_doc + 1,
    total = total + 1, changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'invoices';
  INSERT INTO list_months (corp_id, kind, month, count, amount)
    VALUES (new.corp_id, 'invoices', substr(new.start_date, 1, 7), 1, new.project_price)
    ON CONFLICT DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
END;
CREATE TRIGGER invoices_update AFTER UPDATE ON invoices WHEN old.doc = new.doc BEGIN
  UPDATE lists SET changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'invoices';
END;
CREATE TRIGGER invoices_update_search AFTER UPDATE OF customer_key, website_key, email_key ON invoices
WHEN old.doc = new.doc AND (old.customer_key, old.website_key, old.email_key) IS NOT (new.customer_key, new.website_key, new.email_key) BEGIN
  -- Changes nothing if the row is not in the index yet.
  UPDATE invoices_search SET customer = new.customer_key, website = new.website_key, email = new.email_key WHERE rowid = new.doc;
END;
CREATE TRIGGER invoices_update_months AFTER UPDATE OF start_date, project_price ON invoices
WHEN old.doc = new.doc AND (old.start_date, old.project_price) IS NOT (new.start_date, new.project_price) BEGIN
  UPDATE list_months SET count = count - 1, amount = amount - old.project_price WHERE corp_id = old.corp_id AND kind = 'invoices'
    AND month = substr(old.start_date, 1, 7);
  INSERT INTO list_months (corp_id, kind, month, count, amount)
    VALUES (new.corp_id, 'invoices', substr(new.start_date, 1, 7), 1, new.project_price)
    ON CONFLICT DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
END;
CREATE TRIGGER invoices_delete AFTER DELETE ON invoices BEGIN
  DELETE FROM invoices_search WHERE rowid = old.doc;
  UPDATE lists SET total = total - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'invoices';
  UPDATE list_months SET count = count - 1, amount = amount - old.project_price WHERE corp_id = old.corp_id AND kind = 'invoices'
    AND month = substr(old.start_date, 1, 7);
END;
