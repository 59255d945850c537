-- Lists, searches and counts that stay quick however many rows a corporation has (docs/decisions/0009-lists-at-scale.md).

DROP TRIGGER contacts_search_insert ON contacts;
DROP TRIGGER contacts_search_update ON contacts;
DROP TRIGGER contacts_search_delete ON contacts;
DROP FUNCTION contacts_search_follow;
DROP TABLE contacts_search;

-- The order in which rows were made, which lists turn round, and what the search points at; as SQLite has it.
ALTER TABLE contacts ADD COLUMN doc BIGINT;
ALTER TABLE customers ADD COLUMN doc BIGINT;
ALTER TABLE invoices ADD COLUMN doc BIGINT;
-- A corporation's mark, which SQLite alone needs, stood in the text.
UPDATE contacts c SET doc = n.doc,
    search = CASE WHEN ascii(search) BETWEEN 57344 AND 63743 THEN substr(search, 5) ELSE search END
  FROM (SELECT corp_id, contact_id, row_number() OVER (ORDER BY contact_id) AS doc FROM contacts) n
  WHERE c.corp_id = n.corp_id AND c.contact_id = n.contact_id;
UPDATE customers c SET doc = n.doc
  FROM (SELECT corp_id, customer_id, row_number() OVER (ORDER BY customer_id) AS doc FROM customers) n
  WHERE c.corp_id = n.corp_id AND c.customer_id = n.customer_id;
UPDATE invoices i SET doc = n.doc
  FROM (SELECT corp_id, invoice_id, row_number() OVER (ORDER BY invoice_id) AS doc FROM invoices) n
  WHERE i.corp_id = n.corp_id AND i.invoice_id = n.invoice_id;
ALTER TABLE contacts ALTER COLUMN doc SET NOT NULL, ALTER COLUMN doc ADD GENERATED ALWAYS AS IDENTITY;
ALTER TABLE customers ALTER COLUMN doc SET NOT NULL, ALTER COLUMN doc ADD GENERATED ALWAYS AS IDENTITY;
ALTER TABLE invoices ALTER COLUMN doc SET NOT NULL, ALTER COLUMN doc ADD GENERATED ALWAYS AS IDENTITY;
SELECT setval(pg_get_serial_sequence('contacts', 'doc'), (SELECT coalesce(max(doc), 0) + 1 FROM contacts), FALSE);
SELECT setval(pg_get_serial_sequence('customers', 'doc'), (SELECT coalesce(max(doc), 0) + 1 FROM customers), FALSE);
SELECT setval(pg_get_serial_sequence('invoices', 'doc'), (SELECT coalesce(max(doc), 0) + 1 FROM invoices), FALSE);

CREATE UNIQUE INDEX contacts_list ON contacts (corp_id, doc) INCLUDE (contact_id);
CREATE UNIQUE INDEX customers_list ON customers (corp_id, doc) INCLUDE (customer_id);
CREATE INDEX customers_types ON customers (corp_id, customer_type, doc) INCLUDE (status, customer_id);
CREATE INDEX customers_statuses ON customers (corp_id, status, doc) INCLUDE (customer_id);
CREATE INDEX customers_days ON customers (corp_id, active_on, doc) INCLUDE (customer_type, status, customer_id);
CREATE UNIQUE INDEX invoices_list ON invoices (corp_id, doc) INCLUDE (invoice_id);

-- How many rows there are of a kind. A block is 4,096 rows as they were made.
CREATE TABLE tallies (
  corp_id        UUID   NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  kind           TEXT   COLLATE "C" NOT NULL, -- contacts, customers, customers.blocks, customers.days, invoices
  block          BIGINT NOT NULL DEFAULT 0,
  period         TEXT   COLLATE "C" NOT NULL DEFAULT '', -- a month, of customers.days a day
  customer_type  TEXT   COLLATE "C" NOT NULL DEFAULT '',
  agreement_type TEXT   COLLATE "C" NOT NULL DEFAULT '',
  status         TEXT   COLLATE "C" NOT NULL DEFAULT '',
  count          BIGINT NOT NULL,
  value          BIGINT NOT NULL DEFAULT 0, -- pence
  changes        BIGINT NOT NULL,           -- only grows, with whatever a list or a search might tell
  PRIMARY KEY (corp_id, kind, block, period, customer_type, agreement_type, status)
);
-- What is to be added to them. Every writer of a corporation would wait for the one before, did they change the same tally;
-- so each adds a row of its own, whoever reads adds both up, and a job folds them in.
CREATE TABLE tally_changes (
  corp_id        UUID   NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  kind           TEXT   COLLATE "C" NOT NULL,
  number         BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  block          BIGINT NOT NULL DEFAULT 0,
  period         TEXT   COLLATE "C" NOT NULL DEFAULT '',
  customer_type  TEXT   COLLATE "C" NOT NULL DEFAULT '',
  agreement_type TEXT   COLLATE "C" NOT NULL DEFAULT '',
  status         TEXT   COLLATE "C" NOT NULL DEFAULT '',
  count          BIGINT NOT NULL,
  value          BIGINT NOT NULL DEFAULT 0,
  changes        BIGINT NOT NULL,
  PRIMARY KEY (corp_id, kind, number)
);
SELECT forecourt_protect('tallies');
SELECT forecourt_protect('tally_changes');

-- What the search looks through, without row level security (docs/decisions/0007-row-level-security.md).
CREATE TABLE contacts_search  (corp_id UUID NOT NULL, doc BIGINT NOT NULL, search TEXT NOT NULL, PRIMARY KEY (corp_id, doc));
CREATE TABLE customers_search (corp_id UUID NOT NULL, doc BIGINT NOT NULL, search TEXT NOT NULL, PRIMARY KEY (corp_id, doc));
CREATE TABLE invoices_search  (corp_id UUID NOT NULL, doc BIGINT NOT NULL, search TEXT NOT NULL, PRIMARY KEY (corp_id, doc));
INSERT INTO contacts_search SELECT corp_id, doc, search FROM contacts ORDER BY doc;
INSERT INTO customers_search SELECT corp_id, doc, search FROM customers ORDER BY doc;
INSERT INTO invoices_search SELECT corp_id, doc, search FROM invoices ORDER BY doc;
CREATE INDEX contacts_search_text ON contacts_search USING gin (corp_id, search gin_trgm_ops);
CREATE INDEX customers_search_text ON customers_search USING gin (corp_id, search gin_trgm_ops);
CREATE INDEX invoices_search_text ON invoices_search USING gin (corp_id, search gin_trgm_ops);

CREATE FUNCTION month_of(micros BIGINT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT to_char(to_timestamp(micros / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM') $$;

-- What the triggers do, once for a statement, however many rows it has. Rows that go with their corporation are not
-- counted down: its tallies go with it too.
CREATE FUNCTION contacts_follow() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      INSERT INTO contacts_search (corp_id, doc, search) SELECT corp_id, doc, search FROM added;
      INSERT INTO tally_changes (corp_id, kind, block, period, count, changes)
        SELECT corp_id, 'contacts', doc / 4096, month_of(created_at), count(*), count(*) FROM added GROUP BY 1, 3, 4;
    WHEN 'UPDATE' THEN
      UPDATE contacts_search s SET search = a.search FROM added a
        WHERE s.corp_id = a.corp_id AND s.doc = a.doc AND s.search <> a.search;
      INSERT INTO tally_changes (corp_id, kind, block, period, count, changes)
        SELECT a.corp_id, 'contacts', a.doc / 4096, month_of(a.created_at), 0, count(*)
        FROM added a JOIN gone g ON g.corp_id = a.corp_id AND g.doc = a.doc WHERE g.search <> a.search GROUP BY 1, 3, 4;
    ELSE
      DELETE FROM contacts_search s USING gone g WHERE s.corp_id = g.corp_id AND s.doc = g.doc;
      INSERT INTO tally_changes (corp_id, kind, block, period, count, changes)
        SELECT corp_id, 'contacts', doc / 4096, month_of(created_at), -count(*), count(*) FROM gone
        WHERE EXISTS (SELECT 1 FROM corporations c WHERE c.corp_id = gone.corp_id) GROUP BY 1, 3, 4;
  END CASE;
  RETURN NULL;
END $$;

CREATE FUNCTION invoices_follow() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      INSERT INTO invoices_search (corp_id, doc, search) SELECT corp_id, doc, search FROM added;
      INSERT INTO tally_changes (corp_id, kind, block, period, count, value, changes)
        SELECT corp_id, 'invoices', doc / 4096, substr(start_date, 1, 7), count(*), sum(project_price), count(*)
        FROM added GROUP BY 1, 3, 4;
    WHEN 'UPDATE' THEN
      UPDATE invoices_search s SET search = a.search FROM added a
        WHERE s.corp_id = a.corp_id AND s.doc = a.doc AND s.search <> a.search;
      INSERT INTO tally_changes (corp_id, kind, block, period, count, value, changes)
        SELECT r.corp_id, 'invoices', r.doc / 4096, substr(r.start_date, 1, 7), sum(r.sign), sum(r.sign * r.project_price),
          count(*)
        FROM added a JOIN gone g ON g.corp_id = a.corp_id AND g.doc = a.doc CROSS JOIN LATERAL (VALUES
          (1, a.corp_id, a.doc, a.start_date, a.project_price), (-1, g.corp_id, g.doc, g.start_date, g.project_price)
        ) AS r (sign, corp_id, doc, start_date, project_price)
        WHERE (a.search, a.start_date, a.project_price) <> (g.search, g.start_date, g.project_price) GROUP BY 1, 3, 4;
    ELSE
      DELETE FROM invoices_search s USING gone g WHERE s.corp_id = g.corp_id AND s.doc = g.doc;
      INSERT INTO tally_changes (corp_id, kind, block, period, count, value, changes)
        SELECT corp_id, 'invoices', doc / 4096, substr(start_date, 1, 7), -count(*), -sum(project_price), count(*) FROM gone
        WHERE EXISTS (SELECT 1 FROM corporations c WHERE c.corp_id = gone.corp_id) GROUP BY 1, 3, 4;
  END CASE;
  RETURN NULL;
END $$;

-- The tallies that a customer counts for.
CREATE FUNCTION customer_tallies(c customers)
  RETURNS TABLE (kind TEXT, block BIGINT, period TEXT, customer_type TEXT, agreement_type TEXT, status TEXT)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  VALUES
    ('customers', 0, month_of(c.created_at), c.customer_type, coalesce(c.agreement_type, ''), c.status),
    ('customers.blocks', c.doc / 4096, '', c.customer_type, '', c.status),
    ('customers.days', 0, c.active_on, c.customer_type, '', c.status)
$$;
CREATE FUNCTION customers_follow() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      INSERT INTO customers_search (corp_id, doc, search) SELECT corp_id, doc, search FROM added;
      INSERT INTO tally_changes (corp_id, kind, block, period, customer_type, agreement_type, status, count, changes)
        SELECT a.corp_id, t.kind, t.block, t.period, t.customer_type, t.agreement_type, t.status, count(*), count(*)
        FROM added a CROSS JOIN LATERAL customer_tallies(a) AS t GROUP BY 1, 2, 3, 4, 5, 6, 7;
    WHEN 'UPDATE' THEN
      UPDATE customers_search s SET search = a.search FROM added a
        WHERE s.corp_id = a.corp_id AND s.doc = a.doc AND s.search <> a.search;
      INSERT INTO tally_changes (corp_id, kind, block, period, customer_type, agreement_type, status, count, changes)
        SELECT a.corp_id, t.kind, t.block, t.period, t.customer_type, t.agreement_type, t.status, sum(t.sign), count(*)
        FROM added a JOIN gone g ON g.corp_id = a.corp_id AND g.doc = a.doc CROSS JOIN LATERAL (
          SELECT 1 AS sign, n.* FROM customer_tallies(a) AS n UNION ALL SELECT -1, o.* FROM customer_tallies(g) AS o
        ) AS t
        WHERE (a.search, a.customer_type, a.agreement_type, a.status, a.active_on)
          IS DISTINCT FROM (g.search, g.customer_type, g.agreement_type, g.status, g.active_on)
        GROUP BY 1, 2, 3, 4, 5, 6, 7;
    ELSE
      DELETE FROM customers_search s USING gone g WHERE s.corp_id = g.corp_id AND s.doc = g.doc;
      INSERT INTO tally_changes (corp_id, kind, block, period, customer_type, agreement_type, status, count, changes)
        SELECT g.corp_id, t.kind, t.block, t.period, t.customer_type, t.agreement_type, t.status, -count(*), count(*)
        FROM gone g CROSS JOIN LATERAL customer_tallies(g) AS t
        WHERE EXISTS (SELECT 1 FROM corporations c WHERE c.corp_id = g.corp_id) GROUP BY 1, 2, 3, 4, 5, 6, 7;
  END CASE;
  RETURN NULL;
END $$;

CREATE TRIGGER contacts_insert AFTER INSERT ON contacts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION contacts_follow();
CREATE TRIGGER contacts_update AFTER UPDATE ON contacts REFERENCING NEW TABLE AS added OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION contacts_follow();
CREATE TRIGGER contacts_delete AFTER DELETE ON contacts REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION contacts_follow();
CREATE TRIGGER customers_insert AFTER INSERT ON customers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION customers_follow();
CREATE TRIGGER customers_update AFTER UPDATE ON customers REFERENCING NEW TABLE AS added OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION customers_follow();
CREATE TRIGGER customers_delete AFTER DELETE ON customers REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION customers_follow();
CREATE TRIGGER invoices_insert AFTER INSERT ON invoices REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION invoices_follow();
CREATE TRIGGER invoices_update AFTER UPDATE ON invoices REFERENCING NEW TABLE AS added OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION invoices_follow();
CREATE TRIGGER invoices_delete AFTER DELETE ON invoices REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION invoices_follow();

-- What is there already.
INSERT INTO tallies (corp_id, kind, block, period, count, changes)
  SELECT corp_id, 'contacts', doc / 4096, month_of(created_at), count(*), 1 FROM contacts GROUP BY 1, 3, 4;
INSERT INTO tallies (corp_id, kind, block, period, count, value, changes)
  SELECT corp_id, 'invoices', doc / 4096, substr(start_date, 1, 7), count(*), sum(project_price), 1
  FROM invoices GROUP BY 1, 3, 4;
INSERT INTO tallies (corp_id, kind, block, period, customer_type, agreement_type, status, count, changes)
  SELECT c.corp_id, t.kind, t.block, t.period, t.customer_type, t.agreement_type, t.status, count(*), 1
  FROM customers c CROSS JOIN LATERAL customer_tallies(c) AS t GROUP BY 1, 2, 3, 4, 5, 6, 7;
