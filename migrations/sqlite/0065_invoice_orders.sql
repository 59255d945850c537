-- A list of invoices is sorted by the customer's requirements without reading the whole rows.
DROP TRIGGER invoices_sort_insert;
DROP TRIGGER invoices_sort_update;
DROP TRIGGER invoices_sort_delete;
CREATE TRIGGER invoices_sort_insert AFTER UPDATE OF doc ON invoices WHEN old.doc = 0
AND EXISTS (SELECT 1 FROM lists WHERE corp_id = new.corp_id AND kind = 'invoices' AND sorted_doc = new.doc - 1) BEGIN
  INSERT INTO sort_rows (list, field, key, doc) SELECT new.doc >> 32, column1, column2, new.doc FROM (VALUES
    (1, coalesce(new.customer_key, -1)),
    (2, coalesce(new.website_key, -1)),
    (3, coalesce(new.email_key, -1)),
    (4, new.start_date),
    (5, new.end_date),
    (6, new.project_price),
    (7, new.created_at / 1000 * 1000),
    (8, new.updated_at / 1000 * 1000),
    (9, coalesce(substr(new.customer_requirements_key, 1, 100), -1))
  );
  UPDATE lists SET sorted_doc = new.doc WHERE corp_id = new.corp_id AND kind = 'invoices';
END;
CREATE TRIGGER invoices_sort_update AFTER UPDATE ON invoices WHEN old.doc = new.doc BEGIN
  UPDATE sort_rows SET key = column3 FROM (VALUES
    (1, coalesce(old.customer_key, -1), coalesce(new.customer_key, -1)),
    (2, coalesce(old.website_key, -1), coalesce(new.website_key, -1)),
    (3, coalesce(old.email_key, -1), coalesce(new.email_key, -1)),
    (4, old.start_date, new.start_date),
    (5, old.end_date, new.end_date),
    (6, old.project_price, new.project_price),
    (7, old.created_at / 1000 * 1000, new.created_at / 1000 * 1000),
    (8, old.updated_at / 1000 * 1000, new.updated_at / 1000 * 1000),
    (9, coalesce(substr(old.customer_requirements_key, 1, 100), -1), coalesce(substr(new.customer_requirements_key, 1, 100), -1))
  ) WHERE list = new.doc >> 32 AND field = column1 AND key = column2 AND doc = new.doc AND column2 <> column3;
END;
CREATE TRIGGER invoices_sort_delete AFTER DELETE ON invoices BEGIN
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 1 AND key = coalesce(old.customer_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 2 AND key = coalesce(old.website_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 3 AND key = coalesce(old.email_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 4 AND key = old.start_date AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 5 AND key = old.end_date AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 6 AND key = old.project_price AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 7 AND key = old.created_at / 1000 * 1000 AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 8 AND key = old.updated_at / 1000 * 1000 AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 9 AND key = coalesce(substr(old.customer_requirements_key, 1, 100), -1) AND doc = old.doc;
END;
-- The rows get sort rows for the new field.
UPDATE lists SET sorted_doc = first_doc - 1 WHERE kind = 'invoices';
