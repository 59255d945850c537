-- Lists, searches and counts that stay quick however many rows a corporation has (docs/decisions/0009-lists-at-scale.md).

-- How many rows there are of a kind, kept by the triggers below. A block is 4,096 rows as they were made.
CREATE TABLE tallies (
  corp_id        BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  kind           TEXT    NOT NULL, -- contacts, customers, customers.blocks, customers.days, invoices
  block          INTEGER NOT NULL DEFAULT 0,
  period         TEXT    NOT NULL DEFAULT '', -- a month, of customers.days a day
  customer_type  TEXT    NOT NULL DEFAULT '',
  agreement_type TEXT    NOT NULL DEFAULT '',
  status         TEXT    NOT NULL DEFAULT '',
  count          INTEGER NOT NULL,
  value          INTEGER NOT NULL DEFAULT 0, -- pence
  changes        INTEGER NOT NULL,           -- only grows, with whatever a list or a search might tell
  PRIMARY KEY (corp_id, kind, block, period, customer_type, agreement_type, status)
) STRICT, WITHOUT ROWID;

CREATE INDEX contacts_list ON contacts (corp_id, doc, contact_id);
CREATE INDEX customers_list ON customers (corp_id, doc, customer_id);
CREATE INDEX customers_types ON customers (corp_id, customer_type, doc, status, customer_id);
CREATE INDEX customers_statuses ON customers (corp_id, status, doc, customer_id);
CREATE INDEX customers_days ON customers (corp_id, active_on, doc, customer_type, status, customer_id);
CREATE INDEX invoices_list ON invoices (corp_id, doc, invoice_id);

CREATE TRIGGER contacts_tally_insert AFTER INSERT ON contacts BEGIN
  INSERT INTO tallies (corp_id, kind, block, period, count, changes)
    VALUES (new.corp_id, 'contacts', new.doc / 4096, strftime('%Y-%m', new.created_at / 1000000, 'unixepoch'), 1, 1)
    ON CONFLICT DO UPDATE SET count = count + 1, changes = changes + 1;
END;
CREATE TRIGGER contacts_tally_update AFTER UPDATE OF search ON contacts WHEN old.search <> new.search BEGIN
  UPDATE tallies SET changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'contacts'
    AND block = old.doc / 4096 AND period = strftime('%Y-%m', old.created_at / 1000000, 'unixepoch');
END;
CREATE TRIGGER contacts_tally_delete AFTER DELETE ON contacts BEGIN
  UPDATE tallies SET count = count - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'contacts'
    AND block = old.doc / 4096 AND period = strftime('%Y-%m', old.created_at / 1000000, 'unixepoch');
END;

CREATE TRIGGER invoices_tally_insert AFTER INSERT ON invoices BEGIN
  INSERT INTO tallies (corp_id, kind, block, period, count, value, changes)
    VALUES (new.corp_id, 'invoices', new.doc / 4096, substr(new.start_date, 1, 7), 1, new.project_price, 1)
    ON CONFLICT DO UPDATE SET count = count + 1, value = value + excluded.value, changes = changes + 1;
END;
CREATE TRIGGER invoices_tally_update AFTER UPDATE OF search, start_date, project_price ON invoices
WHEN old.search <> new.search OR old.start_date <> new.start_date OR old.project_price <> new.project_price BEGIN
  UPDATE tallies SET count = count - 1, value = value - old.project_price, changes = changes + 1
    WHERE corp_id = old.corp_id AND kind = 'invoices' AND block = old.doc / 4096 AND period = substr(old.start_date, 1, 7);
  INSERT INTO tallies (corp_id, kind, block, period, count, value, changes)
    VALUES (new.corp_id, 'invoices', new.doc / 4096, substr(new.start_date, 1, 7), 1, new.project_price, 1)
    ON CONFLICT DO UPDATE SET count = count + 1, value = value + excluded.value, changes = changes + 1;
END;
CREATE TRIGGER invoices_tally_delete AFTER DELETE ON invoices BEGIN
  UPDATE tallies SET count = count - 1, value = value - old.project_price, changes = changes + 1
    WHERE corp_id = old.corp_id AND kind = 'invoices' AND block = old.doc / 4096 AND period = substr(old.start_date, 1, 7);
END;

CREATE TRIGGER customers_tally_insert AFTER INSERT ON customers BEGIN
  INSERT INTO tallies (corp_id, kind, block, period, customer_type, agreement_type, status, count, changes) VALUES
    (new.corp_id, 'customers', 0, strftime('%Y-%m', new.created_at / 1000000, 'unixepoch'), new.customer_type,
      coalesce(new.agreement_type, ''), new.status, 1, 1),
    (new.corp_id, 'customers.blocks', new.doc / 4096, '', new.customer_type, '', new.status, 1, 1),
    (new.corp_id, 'customers.days', 0, new.active_on, new.customer_type, '', new.status, 1, 1)
    ON CONFLICT DO UPDATE SET count = count + 1, changes = changes + 1;
END;
CREATE TRIGGER customers_tally_update AFTER UPDATE OF search, customer_type, agreement_type, status, active_on ON customers
WHEN (old.search, old.customer_type, old.status, old.active_on) <> (new.search, new.customer_type, new.status, new.active_on)
  OR old.agreement_type IS NOT new.agreement_type BEGIN
  UPDATE tallies SET count = count - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'customers'
    AND block = 0 AND period = strftime('%Y-%m', old.created_at / 1000000, 'unixepoch')
    AND customer_type = old.customer_type AND agreement_type = coalesce(old.agreement_type, '') AND status = old.status;
  UPDATE tallies SET count = count - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'customers.blocks'
    AND block = old.doc / 4096 AND period = '' AND customer_type = old.customer_type AND agreement_type = ''
    AND status = old.status;
  UPDATE tallies SET count = count - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'customers.days'
    AND block = 0 AND period = old.active_on AND customer_type = old.customer_type AND agreement_type = ''
    AND status = old.status;
  INSERT INTO tallies (corp_id, kind, block, period, customer_type, agreement_type, status, count, changes) VALUES
    (new.corp_id, 'customers', 0, strftime('%Y-%m', new.created_at / 1000000, 'unixepoch'), new.customer_type,
      coalesce(new.agreement_type, ''), new.status, 1, 1),
    (new.corp_id, 'customers.blocks', new.doc / 4096, '', new.customer_type, '', new.status, 1, 1),
    (new.corp_id, 'customers.days', 0, new.active_on, new.customer_type, '', new.status, 1, 1)
    ON CONFLICT DO UPDATE SET count = count + 1, changes = changes + 1;
END;
CREATE TRIGGER customers_tally_delete AFTER DELETE ON customers BEGIN
  UPDATE tallies SET count = count - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'customers'
    AND block = 0 AND period = strftime('%Y-%m', old.created_at / 1000000, 'unixepoch')
    AND customer_type = old.customer_type AND agreement_type = coalesce(old.agreement_type, '') AND status = old.status;
  UPDATE tallies SET count = count - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'customers.blocks'
    AND block = old.doc / 4096 AND period = '' AND customer_type = old.customer_type AND agreement_type = ''
    AND status = old.status;
  UPDATE tallies SET count = count - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'customers.days'
    AND block = 0 AND period = old.active_on AND customer_type = old.customer_type AND agreement_type = ''
    AND status = old.status;
END;

-- What is there already.
INSERT INTO tallies (corp_id, kind, block, period, count, changes)
  SELECT corp_id, 'contacts', doc / 4096, strftime('%Y-%m', created_at / 1000000, 'unixepoch'), count(*), 1
  FROM contacts GROUP BY 1, 3, 4;
INSERT INTO tallies (corp_id, kind, block, period, count, value, changes)
  SELECT corp_id, 'invoices', doc / 4096, substr(start_date, 1, 7), count(*), sum(project_price), 1
  FROM invoices GROUP BY 1, 3, 4;
INSERT INTO tallies (corp_id, kind, period, customer_type, agreement_type, status, count, changes)
  SELECT corp_id, 'customers', strftime('%Y-%m', created_at / 1000000, 'unixepoch'), customer_type,
    coalesce(agreement_type, ''), status, count(*), 1
  FROM customers GROUP BY 1, 3, 4, 5, 6;
INSERT INTO tallies (corp_id, kind, block, customer_type, status, count, changes)
  SELECT corp_id, 'customers.blocks', doc / 4096, customer_type, status, count(*), 1 FROM customers GROUP BY 1, 3, 4, 5;
INSERT INTO tallies (corp_id, kind, period, customer_type, status, count, changes)
  SELECT corp_id, 'customers.days', active_on, customer_type, status, count(*), 1 FROM customers GROUP BY 1, 3, 4, 5;

-- One index of texts serves every corporation. Three private-use characters stand for each, no two the same, and lead its
-- texts, with a fourth between, which is in no mark; no text that anybody typed holds such a character. So a question that
-- begins with a mark walks through no other's rows and needs no second look at the rows themselves.
CREATE TABLE search_marks (
  number  INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice
  corp_id BLOB NOT NULL UNIQUE REFERENCES corporations (corp_id) ON DELETE CASCADE,
  mark    TEXT NOT NULL GENERATED ALWAYS AS
    (char(57344 + number / 40947201 % 6399, 57344 + number / 6399 % 6399, 57344 + number % 6399)) VIRTUAL
) STRICT;
INSERT INTO search_marks (corp_id) SELECT corp_id FROM corporations;
CREATE TRIGGER corporations_search_mark AFTER INSERT ON corporations BEGIN
  INSERT INTO search_marks (corp_id) VALUES (new.corp_id);
END;

DROP TRIGGER contacts_search_insert;
DROP TRIGGER contacts_search_delete;
DROP TRIGGER contacts_search_update;
DROP TABLE contacts_search;
-- Two corporations could have the same mark before, and it stood in the text.
UPDATE contacts SET search = substr(search, 5) WHERE unicode(search) BETWEEN 57344 AND 63743;

CREATE VIRTUAL TABLE contacts_search USING fts5 (
  search, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE customers_search USING fts5 (
  search, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE invoices_search USING fts5 (
  search, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO contacts_search (rowid, search)
  SELECT doc, mark || char(63743) || search FROM contacts JOIN search_marks USING (corp_id) ORDER BY doc;
INSERT INTO customers_search (rowid, search)
  SELECT doc, mark || char(63743) || search FROM customers JOIN search_marks USING (corp_id) ORDER BY doc;
INSERT INTO invoices_search (rowid, search)
  SELECT doc, mark || char(63743) || search FROM invoices JOIN search_marks USING (corp_id) ORDER BY doc;

CREATE TRIGGER contacts_search_insert AFTER INSERT ON contacts BEGIN
  INSERT INTO contacts_search (rowid, search)
    SELECT new.doc, mark || char(63743) || new.search FROM search_marks WHERE corp_id = new.corp_id;
END;
CREATE TRIGGER contacts_search_delete AFTER DELETE ON contacts BEGIN
  DELETE FROM contacts_search WHERE rowid = old.doc;
END;
CREATE TRIGGER contacts_search_update AFTER UPDATE OF search ON contacts WHEN old.search <> new.search BEGIN
  UPDATE contacts_search SET search =
    (SELECT mark || char(63743) || new.search FROM search_marks WHERE corp_id = new.corp_id) WHERE rowid = new.doc;
END;
CREATE TRIGGER customers_search_insert AFTER INSERT ON customers BEGIN
  INSERT INTO customers_search (rowid, search)
    SELECT new.doc, mark || char(63743) || new.search FROM search_marks WHERE corp_id = new.corp_id;
END;
CREATE TRIGGER customers_search_delete AFTER DELETE ON customers BEGIN
  DELETE FROM customers_search WHERE rowid = old.doc;
END;
CREATE TRIGGER customers_search_update AFTER UPDATE OF search ON customers WHEN old.search <> new.search BEGIN
  UPDATE customers_search SET search =
    (SELECT mark || char(63743) || new.search FROM search_marks WHERE corp_id = new.corp_id) WHERE rowid = new.doc;
END;
CREATE TRIGGER invoices_search_insert AFTER INSERT ON invoices BEGIN
  INSERT INTO invoices_search (rowid, search)
    SELECT new.doc, mark || char(63743) || new.search FROM search_marks WHERE corp_id = new.corp_id;
END;
CREATE TRIGGER invoices_search_delete AFTER DELETE ON invoices BEGIN
  DELETE FROM invoices_search WHERE rowid = old.doc;
END;
CREATE TRIGGER invoices_search_update AFTER UPDATE OF search ON invoices WHEN old.search <> new.search BEGIN
  UPDATE invoices_search SET search =
    (SELECT mark || char(63743) || new.search FROM search_marks WHERE corp_id = new.corp_id) WHERE rowid = new.doc;
END;
