-- Indexes in the order of a field, and statements behind the writes that take the same time for each row
-- (docs/decisions/0026-list-engine.md).

-- The order of a list by a field is `key NULLS FIRST, doc`, or the reverse. With the ids, pages are read from the index alone; with
-- the time too, because PostgreSQL does not recognise it in an expression.
CREATE INDEX contacts_by_name ON contacts (corp_id, name_key NULLS FIRST, doc) INCLUDE (contact_id);
CREATE INDEX contacts_by_created_at ON contacts (corp_id, (created_at / 1000 * 1000) NULLS FIRST, doc) INCLUDE (contact_id, created_at);
CREATE INDEX contacts_by_updated_at ON contacts (corp_id, (updated_at / 1000 * 1000) NULLS FIRST, doc) INCLUDE (contact_id, updated_at);
CREATE INDEX customers_by_name ON customers (corp_id, name_key NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_latest_purchase ON customers (corp_id, latest_purchase NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_total_spent ON customers (corp_id, total_spent NULLS FIRST, doc) INCLUDE (customer_id);
CREATE INDEX customers_by_created_at ON customers (corp_id, (created_at / 1000 * 1000) NULLS FIRST, doc) INCLUDE (customer_id, created_at);
CREATE INDEX customers_by_updated_at ON customers (corp_id, (updated_at / 1000 * 1000) NULLS FIRST, doc) INCLUDE (customer_id, updated_at);
CREATE INDEX invoices_by_customer ON invoices (corp_id, customer_key NULLS FIRST, doc) INCLUDE (invoice_id);
CREATE INDEX invoices_by_start_date ON invoices (corp_id, start_date NULLS FIRST, doc) INCLUDE (invoice_id);
CREATE INDEX invoices_by_end_date ON invoices (corp_id, end_date NULLS FIRST, doc) INCLUDE (invoice_id);
CREATE INDEX invoices_by_project_price ON invoices (corp_id, project_price NULLS FIRST, doc) INCLUDE (invoice_id);
CREATE INDEX invoices_by_created_at ON invoices (corp_id, (created_at / 1000 * 1000) NULLS FIRST, doc) INCLUDE (invoice_id, created_at);
CREATE INDEX invoices_by_updated_at ON invoices (corp_id, (updated_at / 1000 * 1000) NULLS FIRST, doc) INCLUDE (invoice_id, updated_at);

-- The plans of these statements are cached, perhaps from a statement that wrote one row. So they never join the written rows with
-- each other, and use the indexes of the other tables: without these settings, a write of one row could read a whole table after a
-- write of many, and a write of many rows could take a time that grows with their square.
CREATE OR REPLACE FUNCTION contacts_written() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
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
        FROM (SELECT DISTINCT corp_id FROM added) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'contacts';
      -- Changes nothing if the row is not in the table yet.
      UPDATE contacts_search s SET search = concat_ws(E'\n', a.name_key, a.email_key, a.phone_key, a.address_key)
        FROM added a WHERE s.corp_id = a.corp_id AND s.doc = a.doc
          AND s.search <> concat_ws(E'\n', a.name_key, a.email_key, a.phone_key, a.address_key);
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

CREATE OR REPLACE FUNCTION customers_written() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
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
        FROM (SELECT DISTINCT corp_id FROM added) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'customers';
      -- Changes nothing if the row is not in the table yet.
      UPDATE customers_search s SET search = concat_ws(E'\n', a.name_key, a.email_key, a.address_key)
        FROM added a WHERE s.corp_id = a.corp_id AND s.doc = a.doc
          AND s.search <> concat_ws(E'\n', a.name_key, a.email_key, a.address_key);
      INSERT INTO list_months AS m (corp_id, kind, month, customer_type, agreement_type, count)
        SELECT r.corp_id, 'customers', r.month, r.customer_type, r.agreement_type, sum(r.sign) FROM (
          SELECT 1 AS sign, corp_id, month_of(created_at) AS month, customer_type, coalesce(agreement_type, '') AS agreement_type FROM added
          UNION ALL SELECT -1, corp_id, month_of(created_at), customer_type, coalesce(agreement_type, '') FROM gone
        ) AS r GROUP BY 1, 3, 4, 5 HAVING sum(r.sign) <> 0 ORDER BY 1, 3, 4, 5
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

CREATE OR REPLACE FUNCTION invoices_written() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
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
        FROM (SELECT DISTINCT corp_id FROM added) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'invoices';
      -- Changes nothing if the row is not in the table yet.
      UPDATE invoices_search s SET search = concat_ws(E'\n', a.customer_key, a.website_key, a.email_key)
        FROM added a WHERE s.corp_id = a.corp_id AND s.doc = a.doc
          AND s.search <> concat_ws(E'\n', a.customer_key, a.website_key, a.email_key);
      INSERT INTO list_months AS m (corp_id, kind, month, count, amount)
        SELECT r.corp_id, 'invoices', r.month, sum(r.sign), sum(r.sign * r.project_price) FROM (
          SELECT 1 AS sign, corp_id, substr(start_date, 1, 7) AS month, project_price FROM added
          UNION ALL SELECT -1, corp_id, substr(start_date, 1, 7), project_price FROM gone
        ) AS r GROUP BY 1, 3 HAVING sum(r.sign) <> 0 OR sum(r.sign * r.project_price) <> 0 ORDER BY 1, 3
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
