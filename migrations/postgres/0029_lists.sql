-- Lists that can be sorted, filtered and searched in any way, however long (docs/decisions/0026-list-engine.md).

-- A node of the older version may still run.
LOCK TABLE corporations, contacts, customers, invoices, tallies, tally_changes IN ACCESS EXCLUSIVE MODE;

-- A corporation's list of one kind. Its rows have numbers (`doc`) in the order in which they were written. The rows up to
-- `searched_doc` are in the search table, those after it are not yet. Every write locks this row first, so that rows become
-- visible in the order of their numbers.
CREATE TABLE lists (
  corp_id      UUID   NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  kind         TEXT   COLLATE "C" NOT NULL, -- the table
  first_doc    BIGINT NOT NULL DEFAULT 1,
  next_doc     BIGINT NOT NULL DEFAULT 1,
  searched_doc BIGINT NOT NULL DEFAULT 0,
  total        BIGINT NOT NULL DEFAULT 0,
  changes      BIGINT NOT NULL DEFAULT 0, -- only grows, with every write
  PRIMARY KEY (corp_id, kind)
) WITH (fillfactor = 50);
-- Sums by month of creation; of invoices, by the month in which the project starts.
CREATE TABLE list_months (
  corp_id        UUID   NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  kind           TEXT   COLLATE "C" NOT NULL,
  month          TEXT   COLLATE "C" NOT NULL, -- yyyy-MM
  customer_type  TEXT   COLLATE "C" NOT NULL DEFAULT '',
  agreement_type TEXT   COLLATE "C" NOT NULL DEFAULT '',
  count          BIGINT NOT NULL,
  amount         BIGINT NOT NULL DEFAULT 0, -- pence
  PRIMARY KEY (corp_id, kind, month, customer_type, agreement_type)
) WITH (fillfactor = 50);
SELECT forecourt_protect('lists');
SELECT forecourt_protect('list_months');

INSERT INTO lists (corp_id, kind) SELECT corp_id, unnest(ARRAY['contacts', 'customers', 'invoices']) FROM corporations;
INSERT INTO list_months (corp_id, kind, month, customer_type, agreement_type, count, amount)
  SELECT corp_id, kind, period, customer_type, agreement_type, sum(count), sum(value)
  FROM (SELECT corp_id, kind, period, customer_type, agreement_type, count, value FROM tallies UNION ALL
    SELECT corp_id, kind, period, customer_type, agreement_type, count, value FROM tally_changes) AS counts
  WHERE kind IN ('contacts', 'customers', 'invoices') GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) > 0;
UPDATE lists l SET total = sums.count
  FROM (SELECT corp_id, kind, sum(count) AS count FROM list_months GROUP BY 1, 2) AS sums
  WHERE l.corp_id = sums.corp_id AND l.kind = sums.kind;
UPDATE lists l SET next_doc = docs.last + 1, searched_doc = docs.first - 1
  FROM (SELECT corp_id, min(doc) AS first, max(doc) AS last FROM contacts GROUP BY corp_id) AS docs
  WHERE l.corp_id = docs.corp_id AND l.kind = 'contacts';
UPDATE lists l SET next_doc = docs.last + 1, searched_doc = docs.first - 1
  FROM (SELECT corp_id, min(doc) AS first, max(doc) AS last FROM customers GROUP BY corp_id) AS docs
  WHERE l.corp_id = docs.corp_id AND l.kind = 'customers';
UPDATE lists l SET next_doc = docs.last + 1, searched_doc = docs.first - 1
  FROM (SELECT corp_id, min(doc) AS first, max(doc) AS last FROM invoices GROUP BY corp_id) AS docs
  WHERE l.corp_id = docs.corp_id AND l.kind = 'invoices';

DROP TRIGGER contacts_insert ON contacts;
DROP TRIGGER contacts_update ON contacts;
DROP TRIGGER contacts_delete ON contacts;
DROP TRIGGER customers_insert ON customers;
DROP TRIGGER customers_update ON customers;
DROP TRIGGER customers_delete ON customers;
DROP TRIGGER invoices_insert ON invoices;
DROP TRIGGER invoices_update ON invoices;
DROP TRIGGER invoices_delete ON invoices;
DROP FUNCTION contacts_follow, customers_follow, invoices_follow, customer_tallies;
DROP TABLE tallies, tally_changes, contacts_search, customers_search, invoices_search;
ALTER TABLE contacts ALTER COLUMN doc DROP IDENTITY, DROP COLUMN search;
ALTER TABLE customers ALTER COLUMN doc DROP IDENTITY, DROP COLUMN search;
ALTER TABLE invoices ALTER COLUMN doc DROP IDENTITY, DROP COLUMN search;
CREATE TABLE contacts_search (corp_id UUID NOT NULL, doc BIGINT NOT NULL, search TEXT COLLATE "C" NOT NULL, PRIMARY KEY (corp_id, doc));
CREATE INDEX contacts_search_text ON contacts_search USING gin (corp_id, search gin_trgm_ops);
CREATE TABLE customers_search (corp_id UUID NOT NULL, doc BIGINT NOT NULL, search TEXT COLLATE "C" NOT NULL, PRIMARY KEY (corp_id, doc));
CREATE INDEX customers_search_text ON customers_search USING gin (corp_id, search gin_trgm_ops);
CREATE TABLE invoices_search (corp_id UUID NOT NULL, doc BIGINT NOT NULL, search TEXT COLLATE "C" NOT NULL, PRIMARY KEY (corp_id, doc));
CREATE INDEX invoices_search_text ON invoices_search USING gin (corp_id, search gin_trgm_ops);

CREATE FUNCTION corporations_lists() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lists (corp_id, kind) SELECT NEW.corp_id, unnest(ARRAY['contacts', 'customers', 'invoices']);
  RETURN NULL;
END $$;
CREATE TRIGGER corporations_lists AFTER INSERT ON corporations FOR EACH ROW EXECUTE FUNCTION corporations_lists();

-- Locks the list that a statement changes, before it locks its rows: otherwise two writers could wait for each other. Deleting a
-- row can change the rows of other lists. A statement for all tenants locks the lists afterwards.
CREATE FUNCTION lists_lock() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM lists WHERE (kind = TG_TABLE_NAME OR TG_OP = 'DELETE')
    AND corp_id = NULLIF(NULLIF(current_setting('forecourt.corp', TRUE), 'all'), '')::UUID
    ORDER BY kind FOR NO KEY UPDATE;
  RETURN NULL;
END $$;
-- Numbers a row that is written singly, with the number 0. Many rows get their numbers from the program (server/src/features/listing/writes.rs).
CREATE FUNCTION lists_number() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE lists SET next_doc = next_doc + 1 WHERE corp_id = NEW.corp_id AND kind = TG_TABLE_NAME
    RETURNING next_doc - 1 INTO NEW.doc;
  RETURN NEW;
END $$;

-- Counts the rows of a statement, however many, and indexes them if they are few and the ones before are indexed. A job indexes
-- the others.
CREATE FUNCTION contacts_written() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      UPDATE lists l SET total = l.total + n.count, changes = l.changes + 1,
          searched_doc = CASE WHEN n.count <= 1000 AND n.first = l.searched_doc + 1 THEN n.last ELSE l.searched_doc END
        FROM (SELECT corp_id, count(*) AS count, min(doc) AS first, max(doc) AS last FROM added GROUP BY corp_id) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'contacts';
      INSERT INTO contacts_search (corp_id, doc, search) SELECT a.corp_id, a.doc, concat_ws(E'\n', a.name_key, a.email_key, a.phone_key, a.address_key)
        FROM added a JOIN lists l ON l.corp_id = a.corp_id AND l.kind = 'contacts' WHERE a.doc <= l.searched_doc;
      INSERT INTO list_months AS m (corp_id, kind, month, count)
        SELECT a.corp_id, 'contacts', month_of(a.created_at), count(*) FROM added a GROUP BY 1, 3
        ON CONFLICT (corp_id, kind, month, customer_type, agreement_type) DO UPDATE SET count = m.count + excluded.count;
    WHEN 'UPDATE' THEN
      UPDATE lists l SET changes = l.changes + 1
        WHERE l.kind = 'contacts' AND l.corp_id IN (SELECT corp_id FROM added);
      -- Changes nothing if the row is not in the table yet.
      UPDATE contacts_search s SET search = concat_ws(E'\n', a.name_key, a.email_key, a.phone_key, a.address_key)
        FROM added a JOIN gone g ON g.corp_id = a.corp_id AND g.doc = a.doc
        WHERE s.corp_id = a.corp_id AND s.doc = a.doc AND (a.name_key, a.email_key, a.phone_key, a.address_key) IS DISTINCT FROM (g.name_key, g.email_key, g.phone_key, g.address_key);
    ELSE
      UPDATE lists l SET total = l.total - d.count, changes = l.changes + 1
        FROM (SELECT corp_id, count(*) AS count FROM gone GROUP BY corp_id) AS d
        WHERE l.corp_id = d.corp_id AND l.kind = 'contacts';
      DELETE FROM contacts_search s USING gone g WHERE s.corp_id = g.corp_id AND s.doc = g.doc;
      UPDATE list_months m SET count = m.count - d.count
        FROM (SELECT g.corp_id, month_of(g.created_at) AS month, count(*) AS count FROM gone g GROUP BY 1, 2) AS d
        WHERE m.corp_id = d.corp_id AND m.kind = 'contacts' AND m.month = d.month;
  END CASE;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_lock BEFORE UPDATE OR DELETE ON contacts FOR EACH STATEMENT EXECUTE FUNCTION lists_lock();
CREATE TRIGGER contacts_number BEFORE INSERT ON contacts FOR EACH ROW WHEN (NEW.doc = 0) EXECUTE FUNCTION lists_number();
CREATE TRIGGER contacts_insert AFTER INSERT ON contacts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION contacts_written();
CREATE TRIGGER contacts_update AFTER UPDATE ON contacts REFERENCING NEW TABLE AS added OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION contacts_written();
CREATE TRIGGER contacts_delete AFTER DELETE ON contacts REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION contacts_written();

CREATE FUNCTION customers_written() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      UPDATE lists l SET total = l.total + n.count, changes = l.changes + 1,
          searched_doc = CASE WHEN n.count <= 1000 AND n.first = l.searched_doc + 1 THEN n.last ELSE l.searched_doc END
        FROM (SELECT corp_id, count(*) AS count, min(doc) AS first, max(doc) AS last FROM added GROUP BY corp_id) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'customers';
      INSERT INTO customers_search (corp_id, doc, search) SELECT a.corp_id, a.doc, concat_ws(E'\n', a.name_key, a.email_key, a.address_key)
        FROM added a JOIN lists l ON l.corp_id = a.corp_id AND l.kind = 'customers' WHERE a.doc <= l.searched_doc;
      INSERT INTO list_months AS m (corp_id, kind, month, customer_type, agreement_type, count)
        SELECT a.corp_id, 'customers', month_of(a.created_at), a.customer_type, coalesce(a.agreement_type, ''), count(*)
        FROM added a GROUP BY 1, 3, 4, 5
        ON CONFLICT (corp_id, kind, month, customer_type, agreement_type) DO UPDATE SET count = m.count + excluded.count;
    WHEN 'UPDATE' THEN
      UPDATE lists l SET changes = l.changes + 1
        WHERE l.kind = 'customers' AND l.corp_id IN (SELECT corp_id FROM added);
      -- Changes nothing if the row is not in the table yet.
      UPDATE customers_search s SET search = concat_ws(E'\n', a.name_key, a.email_key, a.address_key)
        FROM added a JOIN gone g ON g.corp_id = a.corp_id AND g.doc = a.doc
        WHERE s.corp_id = a.corp_id AND s.doc = a.doc AND (a.name_key, a.email_key, a.address_key) IS DISTINCT FROM (g.name_key, g.email_key, g.address_key);
      INSERT INTO list_months AS m (corp_id, kind, month, customer_type, agreement_type, count)
        SELECT r.corp_id, 'customers', r.month, r.customer_type, r.agreement_type, sum(r.sign)
        FROM added a JOIN gone g ON g.corp_id = a.corp_id AND g.doc = a.doc CROSS JOIN LATERAL (VALUES
          (1, a.corp_id, month_of(a.created_at), a.customer_type, coalesce(a.agreement_type, '')),
          (-1, g.corp_id, month_of(g.created_at), g.customer_type, coalesce(g.agreement_type, ''))
        ) AS r (sign, corp_id, month, customer_type, agreement_type)
        WHERE (a.customer_type, a.agreement_type) IS DISTINCT FROM (g.customer_type, g.agreement_type)
        GROUP BY 1, 3, 4, 5 ORDER BY 1, 3, 4, 5
        ON CONFLICT (corp_id, kind, month, customer_type, agreement_type) DO UPDATE SET count = m.count + excluded.count;
    ELSE
      UPDATE lists l SET total = l.total - d.count, changes = l.changes + 1
        FROM (SELECT corp_id, count(*) AS count FROM gone GROUP BY corp_id) AS d
        WHERE l.corp_id = d.corp_id AND l.kind = 'customers';
      DELETE FROM customers_search s USING gone g WHERE s.corp_id = g.corp_id AND s.doc = g.doc;
      UPDATE list_months m SET count = m.count - d.count
        FROM (SELECT g.corp_id, month_of(g.created_at) AS month, g.customer_type, coalesce(g.agreement_type, '') AS agreement_type,
          count(*) AS count FROM gone g GROUP BY 1, 2, 3, 4) AS d
        WHERE m.corp_id = d.corp_id AND m.kind = 'customers' AND m.month = d.month AND m.customer_type = d.customer_type
          AND m.agreement_type = d.agreement_type;
  END CASE;
  RETURN NULL;
END $$;
CREATE TRIGGER customers_lock BEFORE UPDATE OR DELETE ON customers FOR EACH STATEMENT EXECUTE FUNCTION lists_lock();
CREATE TRIGGER customers_number BEFORE INSERT ON customers FOR EACH ROW WHEN (NEW.doc = 0) EXECUTE FUNCTION lists_number();
CREATE TRIGGER customers_insert AFTER INSERT ON customers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION customers_written();
CREATE TRIGGER customers_update AFTER UPDATE ON customers REFERENCING NEW TABLE AS added OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION customers_written();
CREATE TRIGGER customers_delete AFTER DELETE ON customers REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION customers_written();

CREATE FUNCTION invoices_written() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      UPDATE lists l SET total = l.total + n.count, changes = l.changes + 1,
          searched_doc = CASE WHEN n.count <= 1000 AND n.first = l.searched_doc + 1 THEN n.last ELSE l.searched_doc END
        FROM (SELECT corp_id, count(*) AS count, min(doc) AS first, max(doc) AS last FROM added GROUP BY corp_id) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'invoices';
      INSERT INTO invoices_search (corp_id, doc, search) SELECT a.corp_id, a.doc, concat_ws(E'\n', a.customer_key, a.website_key, a.email_key)
        FROM added a JOIN lists l ON l.corp_id = a.corp_id AND l.kind = 'invoices' WHERE a.doc <= l.searched_doc;
      INSERT INTO list_months AS m (corp_id, kind, month, count, amount)
        SELECT a.corp_id, 'invoices', substr(a.start_date, 1, 7), count(*), sum(a.project_price) FROM added a GROUP BY 1, 3
        ON CONFLICT (corp_id, kind, month, customer_type, agreement_type)
        DO UPDATE SET count = m.count + excluded.count, amount = m.amount + excluded.amount;
    WHEN 'UPDATE' THEN
      UPDATE lists l SET changes = l.changes + 1
        WHERE l.kind = 'invoices' AND l.corp_id IN (SELECT corp_id FROM added);
      -- Changes nothing if the row is not in the table yet.
      UPDATE invoices_search s SET search = concat_ws(E'\n', a.customer_key, a.website_key, a.email_key)
        FROM added a JOIN gone g ON g.corp_id = a.corp_id AND g.doc = a.doc
        WHERE s.corp_id = a.corp_id AND s.doc = a.doc AND (a.customer_key, a.website_key, a.email_key) IS DISTINCT FROM (g.customer_key, g.website_key, g.email_key);
      INSERT INTO list_months AS m (corp_id, kind, month, count, amount)
        SELECT r.corp_id, 'invoices', r.month, sum(r.sign), sum(r.sign * r.project_price)
        FROM added a JOIN gone g ON g.corp_id = a.corp_id AND g.doc = a.doc CROSS JOIN LATERAL (VALUES
          (1, a.corp_id, substr(a.start_date, 1, 7), a.project_price),
          (-1, g.corp_id, substr(g.start_date, 1, 7), g.project_price)
        ) AS r (sign, corp_id, month, project_price)
        WHERE (a.start_date, a.project_price) IS DISTINCT FROM (g.start_date, g.project_price)
        GROUP BY 1, 3 ORDER BY 1, 3
        ON CONFLICT (corp_id, kind, month, customer_type, agreement_type)
        DO UPDATE SET count = m.count + excluded.count, amount = m.amount + excluded.amount;
    ELSE
      UPDATE lists l SET total = l.total - d.count, changes = l.changes + 1
        FROM (SELECT corp_id, count(*) AS count FROM gone GROUP BY corp_id) AS d
        WHERE l.corp_id = d.corp_id AND l.kind = 'invoices';
      DELETE FROM invoices_search s USING gone g WHERE s.corp_id = g.corp_id AND s.doc = g.doc;
      UPDATE list_months m SET count = m.count - d.count, amount = m.amount - d.amount
        FROM (SELECT g.corp_id, substr(g.start_date, 1, 7) AS month, count(*) AS count, sum(g.project_price) AS amount
          FROM gone g GROUP BY 1, 2) AS d
        WHERE m.corp_id = d.corp_id AND m.kind = 'invoices' AND m.month = d.month;
  END CASE;
  RETURN NULL;
END $$;
CREATE TRIGGER invoices_lock BEFORE UPDATE OR DELETE ON invoices FOR EACH STATEMENT EXECUTE FUNCTION lists_lock();
CREATE TRIGGER invoices_number BEFORE INSERT ON invoices FOR EACH ROW WHEN (NEW.doc = 0) EXECUTE FUNCTION lists_number();
CREATE TRIGGER invoices_insert AFTER INSERT ON invoices REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION invoices_written();
CREATE TRIGGER invoices_update AFTER UPDATE ON invoices REFERENCING NEW TABLE AS added OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION invoices_written();
CREATE TRIGGER invoices_delete AFTER DELETE ON invoices REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION invoices_written();
