-- Sort rows: the rows of every list in the order of each field (docs/decisions/0026-list-engine.md).

-- A row's key in a field: texts are folded, times have the precision of the API, and -1 stands for NULL. It is lower than any text
-- and any blob, and no field that can be NULL has negative numbers.
-- `list` is the upper half of `doc`. server/src/features/listing/columns.rs has the numbers of the fields.
CREATE TABLE sort_rows (
  list  INTEGER NOT NULL,
  field INTEGER NOT NULL,
  key   ANY     NOT NULL,
  doc   INTEGER NOT NULL,
  PRIMARY KEY (list, field, key, doc)
) STRICT, WITHOUT ROWID;

-- The rows up to this number have sort rows, those behind it not yet.
ALTER TABLE lists ADD COLUMN sorted_doc INTEGER NOT NULL DEFAULT 0;
UPDATE lists SET sorted_doc = first_doc - 1;
DROP TRIGGER corporations_lists;
CREATE TRIGGER corporations_lists AFTER INSERT ON corporations BEGIN
  INSERT INTO lists (corp_id, kind, first_doc, next_doc, searched_doc, sorted_doc)
    SELECT new.corp_id, kind, first << 32, first << 32, (first << 32) - 1, (first << 32) - 1 FROM (
      SELECT column1 AS kind, (SELECT coalesce(max(first_doc), 0) >> 32 FROM lists) + column2 AS first
      FROM (VALUES ('contacts', 1), ('customers', 2), ('invoices', 3))
    );
END;
-- Much faster than one by one, when the corporation's rows are deleted.
CREATE TRIGGER corporations_sort_rows BEFORE DELETE ON corporations BEGIN
  DELETE FROM sort_rows WHERE list IN (SELECT first_doc >> 32 FROM lists WHERE corp_id = old.corp_id);
END;

-- A row that is written singly gets its sort rows when it is numbered, if all rows before it have theirs. A job adds those of
-- the others. Until it has, an update of them changes nothing here.

CREATE TRIGGER contacts_sort_insert AFTER UPDATE OF doc ON contacts WHEN old.doc = 0
AND EXISTS (SELECT 1 FROM lists WHERE corp_id = new.corp_id AND kind = 'contacts' AND sorted_doc = new.doc - 1) BEGIN
  INSERT INTO sort_rows (list, field, key, doc) SELECT new.doc >> 32, column1, column2, new.doc FROM (VALUES
    (1, coalesce(new.name_key, -1)),
    (2, coalesce(new.email_key, -1)),
    (3, coalesce(new.phone_key, -1)),
    (4, coalesce(new.website_key, -1)),
    (5, coalesce(new.address_key, -1)),
    (6, coalesce(nullif(new.import_source_key, ''), -1)),
    (7, coalesce(new.imported_at / 1000 * 1000, -1)),
    (8, new.created_at / 1000 * 1000),
    (9, new.updated_at / 1000 * 1000)
  );
  UPDATE lists SET sorted_doc = new.doc WHERE corp_id = new.corp_id AND kind = 'contacts';
END;
CREATE TRIGGER contacts_sort_update AFTER UPDATE ON contacts WHEN old.doc = new.doc BEGIN
  UPDATE sort_rows SET key = column3 FROM (VALUES
    (1, coalesce(old.name_key, -1), coalesce(new.name_key, -1)),
    (2, coalesce(old.email_key, -1), coalesce(new.email_key, -1)),
    (3, coalesce(old.phone_key, -1), coalesce(new.phone_key, -1)),
    (4, coalesce(old.website_key, -1), coalesce(new.website_key, -1)),
    (5, coalesce(old.address_key, -1), coalesce(new.address_key, -1)),
    (6, coalesce(nullif(old.import_source_key, ''), -1), coalesce(nullif(new.import_source_key, ''), -1)),
    (7, coalesce(old.imported_at / 1000 * 1000, -1), coalesce(new.imported_at / 1000 * 1000, -1)),
    (8, old.created_at / 1000 * 1000, new.created_at / 1000 * 1000),
    (9, old.updated_at / 1000 * 1000, new.updated_at / 1000 * 1000)
  ) WHERE list = new.doc >> 32 AND field = column1 AND key = column2 AND doc = new.doc AND column2 <> column3;
END;
CREATE TRIGGER contacts_sort_delete AFTER DELETE ON contacts BEGIN
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 1 AND key = coalesce(old.name_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 2 AND key = coalesce(old.email_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 3 AND key = coalesce(old.phone_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 4 AND key = coalesce(old.website_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 5 AND key = coalesce(old.address_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 6 AND key = coalesce(nullif(old.import_source_key, ''), -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 7 AND key = coalesce(old.imported_at / 1000 * 1000, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 8 AND key = old.created_at / 1000 * 1000 AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 9 AND key = old.updated_at / 1000 * 1000 AND doc = old.doc;
END;

CREATE TRIGGER customers_sort_insert AFTER UPDATE OF doc ON customers WHEN old.doc = 0
AND EXISTS (SELECT 1 FROM lists WHERE corp_id = new.corp_id AND kind = 'customers' AND sorted_doc = new.doc - 1) BEGIN
  INSERT INTO sort_rows (list, field, key, doc) SELECT new.doc >> 32, column1, column2, new.doc FROM (VALUES
    (1, coalesce(new.customer_number, -1)),
    (2, coalesce(new.name_key, -1)),
    (3, coalesce(new.email_key, -1)),
    (4, coalesce(new.telephone_folded, -1)),
    (5, coalesce(new.address_key, -1)),
    (6, coalesce(new.postal_code_key, -1)),
    (7, coalesce(new.location_key, -1)),
    (8, new.customer_type),
    (9, new.status),
    (10, coalesce(new.organization_number_key, -1)),
    (11, coalesce(new.latest_purchase, -1)),
    (12, coalesce(new.agreement_type, -1)),
    (13, coalesce(new.role_key, -1)),
    (14, coalesce(new.company_name_key, -1)),
    (15, new.number_of_orders),
    (16, new.total_spent),
    (17, coalesce(new.warranty_key, -1)),
    (18, coalesce(new.warranty_period_key, -1)),
    (19, new.created_at / 1000 * 1000),
    (20, new.updated_at / 1000 * 1000)
  );
  UPDATE lists SET sorted_doc = new.doc WHERE corp_id = new.corp_id AND kind = 'customers';
END;
CREATE TRIGGER customers_sort_update AFTER UPDATE ON customers WHEN old.doc = new.doc BEGIN
  UPDATE sort_rows SET key = column3 FROM (VALUES
    (1, coalesce(old.customer_number, -1), coalesce(new.customer_number, -1)),
    (2, coalesce(old.name_key, -1), coalesce(new.name_key, -1)),
    (3, coalesce(old.email_key, -1), coalesce(new.email_key, -1)),
    (4, coalesce(old.telephone_folded, -1), coalesce(new.telephone_folded, -1)),
    (5, coalesce(old.address_key, -1), coalesce(new.address_key, -1)),
    (6, coalesce(old.postal_code_key, -1), coalesce(new.postal_code_key, -1)),
    (7, coalesce(old.location_key, -1), coalesce(new.location_key, -1)),
    (8, old.customer_type, new.customer_type),
    (9, old.status, new.status),
    (10, coalesce(old.organization_number_key, -1), coalesce(new.organization_number_key, -1)),
    (11, coalesce(old.latest_purchase, -1), coalesce(new.latest_purchase, -1)),
    (12, coalesce(old.agreement_type, -1), coalesce(new.agreement_type, -1)),
    (13, coalesce(old.role_key, -1), coalesce(new.role_key, -1)),
    (14, coalesce(old.company_name_key, -1), coalesce(new.company_name_key, -1)),
    (15, old.number_of_orders, new.number_of_orders),
    (16, old.total_spent, new.total_spent),
    (17, coalesce(old.warranty_key, -1), coalesce(new.warranty_key, -1)),
    (18, coalesce(old.warranty_period_key, -1), coalesce(new.warranty_period_key, -1)),
    (19, old.created_at / 1000 * 1000, new.created_at / 1000 * 1000),
    (20, old.updated_at / 1000 * 1000, new.updated_at / 1000 * 1000)
  ) WHERE list = new.doc >> 32 AND field = column1 AND key = column2 AND doc = new.doc AND column2 <> column3;
END;
CREATE TRIGGER customers_sort_delete AFTER DELETE ON customers BEGIN
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 1 AND key = coalesce(old.customer_number, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 2 AND key = coalesce(old.name_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 3 AND key = coalesce(old.email_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 4 AND key = coalesce(old.telephone_folded, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 5 AND key = coalesce(old.address_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 6 AND key = coalesce(old.postal_code_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 7 AND key = coalesce(old.location_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 8 AND key = old.customer_type AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 9 AND key = old.status AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 10 AND key = coalesce(old.organization_number_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 11 AND key = coalesce(old.latest_purchase, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 12 AND key = coalesce(old.agreement_type, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 13 AND key = coalesce(old.role_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 14 AND key = coalesce(old.company_name_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 15 AND key = old.number_of_orders AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 16 AND key = old.total_spent AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 17 AND key = coalesce(old.warranty_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 18 AND key = coalesce(old.warranty_period_key, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 19 AND key = old.created_at / 1000 * 1000 AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 20 AND key = old.updated_at / 1000 * 1000 AND doc = old.doc;
END;

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
    (8, new.updated_at / 1000 * 1000)
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
    (8, old.updated_at / 1000 * 1000, new.updated_at / 1000 * 1000)
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
END;
