-- A search of customers also finds their number and telephone, a search of vehicles their stock number. A job adds the existing rows
-- to the search tables; until then, searches compare them one by one. The program replaces the function of vehicles when it starts.
-- First the lists, which every write locks first.
UPDATE lists SET searched_doc = first_doc - 1 WHERE kind IN ('customers', 'vehicles');
TRUNCATE customers_search, vehicles_search;

CREATE OR REPLACE FUNCTION customers_written() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      UPDATE lists l SET total = l.total + n.count, changes = l.changes + 1,
          searched_doc = CASE WHEN n.count <= 1000 AND n.first = l.searched_doc + 1 THEN n.last ELSE l.searched_doc END
        FROM (SELECT corp_id, count(*) AS count, min(doc) AS first, max(doc) AS last FROM added GROUP BY corp_id) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'customers';
      INSERT INTO customers_search (corp_id, doc, search) SELECT a.corp_id, a.doc, concat_ws(E'\n', a.name_key, a.email_key, a.address_key, 'c-' || a.customer_number, a.telephone_folded, a.telephone_key)
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
      UPDATE customers_search s SET search = concat_ws(E'\n', a.name_key, a.email_key, a.address_key, 'c-' || a.customer_number, a.telephone_folded, a.telephone_key)
        FROM added a WHERE s.corp_id = a.corp_id AND s.doc = a.doc
          AND s.search <> concat_ws(E'\n', a.name_key, a.email_key, a.address_key, 'c-' || a.customer_number, a.telephone_folded, a.telephone_key);
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
