-- Agreements (docs/product.md 4.30). The module is allowed to no existing corporation.
INSERT INTO resources (resource_id, parent_id) VALUES ('agreements', NULL);
ALTER TABLE corporations ADD COLUMN last_sales_number INTEGER NOT NULL DEFAULT 1000;
ALTER TABLE corporations ADD COLUMN last_purchase_number INTEGER NOT NULL DEFAULT 1000;
ALTER TABLE corporations ADD COLUMN last_agency_number INTEGER NOT NULL DEFAULT 1000;
CREATE TABLE agreements (
  doc                INTEGER PRIMARY KEY, -- what the search index points at
  corp_id            BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  agreement_id       BLOB    NOT NULL,
  number             TEXT, -- given by a trigger
  agreement_type     TEXT    NOT NULL DEFAULT 'Sales',
  state              TEXT    NOT NULL DEFAULT 'Draft',
  customer_id        BLOB,
  customer_name      TEXT    NOT NULL DEFAULT '', -- when the agreement was last saved
  contact_id         BLOB,
  vehicle_names      TEXT    NOT NULL DEFAULT '', -- their names then
  legs               TEXT    NOT NULL DEFAULT '[]', -- JSON: vehicle, direction, price and VAT scheme of each
  leg_count          INTEGER, -- NULL for none
  out_total          INTEGER NOT NULL DEFAULT 0, -- in hundredths of the currency
  in_total           INTEGER NOT NULL DEFAULT 0,
  to_pay             INTEGER NOT NULL DEFAULT 0,
  deposit            INTEGER,
  commission         INTEGER,
  commission_percent INTEGER, -- in hundredths of a percent
  minimum_price      INTEGER,
  exclusive_until    TEXT, -- yyyy-MM-dd
  warranty           TEXT    NOT NULL DEFAULT 'None',
  warranty_months    INTEGER,
  warranty_distance  INTEGER,
  agreed_on          TEXT,
  delivered_on       TEXT,
  notes              TEXT    NOT NULL DEFAULT '',
  customer_name_key  TEXT    NOT NULL DEFAULT '',
  vehicle_names_key  TEXT    NOT NULL DEFAULT '',
  notes_key          TEXT    NOT NULL DEFAULT '',
  created_at         INTEGER NOT NULL,
  updated_at         INTEGER NOT NULL,
  version            INTEGER NOT NULL DEFAULT 1,
  FOREIGN KEY (corp_id, customer_id) REFERENCES customers (corp_id, customer_id),
  FOREIGN KEY (corp_id, contact_id) REFERENCES contacts (corp_id, contact_id)
) STRICT;
CREATE UNIQUE INDEX agreements_key ON agreements (corp_id, agreement_id);
-- The numbers are part of every index.
CREATE INDEX agreements_list ON agreements (corp_id);
CREATE UNIQUE INDEX agreements_number ON agreements (corp_id, number);
CREATE INDEX agreements_customer ON agreements (corp_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX agreements_contact ON agreements (corp_id, contact_id) WHERE contact_id IS NOT NULL;
-- ON DELETE SET NULL would unset corp_id too.
CREATE TRIGGER customers_agreements_delete BEFORE DELETE ON customers BEGIN
  UPDATE agreements SET customer_id = NULL WHERE corp_id = old.corp_id AND customer_id = old.customer_id;
END;
CREATE TRIGGER contacts_agreements_delete BEFORE DELETE ON contacts BEGIN
  UPDATE agreements SET contact_id = NULL WHERE corp_id = old.corp_id AND contact_id = old.contact_id;
END;

INSERT INTO lists (corp_id, kind, first_doc, next_doc, searched_doc, sorted_doc)
  SELECT corp_id, 'agreements', first << 32, first << 32, (first << 32) - 1, (first << 32) - 1 FROM (
    SELECT corp_id, (SELECT coalesce(max(first_doc), 0) >> 32 FROM lists) + row_number() OVER (ORDER BY corp_id) AS first
    FROM corporations
  );
DROP TRIGGER corporations_lists;
CREATE TRIGGER corporations_lists AFTER INSERT ON corporations BEGIN
  INSERT INTO lists (corp_id, kind, first_doc, next_doc, searched_doc, sorted_doc)
    SELECT new.corp_id, kind, first << 32, first << 32, (first << 32) - 1, (first << 32) - 1 FROM (
      SELECT column1 AS kind, (SELECT coalesce(max(first_doc), 0) >> 32 FROM lists) + column2 AS first
      FROM (VALUES ('contacts', 1), ('customers', 2), ('invoices', 3), ('vehicles', 4), ('agreements', 5))
    );
END;

-- Each type has a series of its own: SA-1001, PA-1001, AA-1001.
CREATE TRIGGER agreements_take_number AFTER INSERT ON agreements BEGIN
  UPDATE corporations SET last_sales_number =
      max(last_sales_number, coalesce(CAST(substr(new.number, 4) AS INTEGER), last_sales_number + 1))
    WHERE corp_id = new.corp_id AND new.agreement_type = 'Sales';
  UPDATE corporations SET last_purchase_number =
      max(last_purchase_number, coalesce(CAST(substr(new.number, 4) AS INTEGER), last_purchase_number + 1))
    WHERE corp_id = new.corp_id AND new.agreement_type = 'Purchase';
  UPDATE corporations SET last_agency_number =
      max(last_agency_number, coalesce(CAST(substr(new.number, 4) AS INTEGER), last_agency_number + 1))
    WHERE corp_id = new.corp_id AND new.agreement_type = 'Agency';
  UPDATE agreements SET number = (SELECT CASE new.agreement_type WHEN 'Sales' THEN 'SA-' || last_sales_number
      WHEN 'Purchase' THEN 'PA-' || last_purchase_number ELSE 'AA-' || last_agency_number END
      FROM corporations WHERE corp_id = new.corp_id)
    WHERE corp_id = new.corp_id AND agreement_id = new.agreement_id AND number IS NULL;
END;

CREATE VIRTUAL TABLE agreements_search USING fts5 (
  customer_name, vehicle_names, number, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER agreements_insert AFTER INSERT ON agreements WHEN new.doc = 0 BEGIN
  UPDATE agreements SET doc = (SELECT next_doc FROM lists WHERE corp_id = new.corp_id AND kind = 'agreements') WHERE doc = 0;
  -- The row may have got its number since.
  INSERT INTO agreements_search (rowid, customer_name, vehicle_names, number)
    SELECT next_doc, a.customer_name_key, a.vehicle_names_key, coalesce(lower(a.number), '')
    FROM lists l JOIN agreements a ON a.corp_id = new.corp_id AND a.agreement_id = new.agreement_id
    WHERE l.corp_id = new.corp_id AND l.kind = 'agreements' AND l.searched_doc = l.next_doc - 1;
  UPDATE lists SET searched_doc = iif(searched_doc = next_doc - 1, next_doc, searched_doc), next_doc = next_doc + 1,
    total = total + 1, changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'agreements';
END;
CREATE TRIGGER agreements_update AFTER UPDATE ON agreements WHEN old.doc = new.doc BEGIN
  UPDATE lists SET changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'agreements';
END;
CREATE TRIGGER agreements_update_search AFTER UPDATE OF customer_name_key, vehicle_names_key, number ON agreements
WHEN old.doc = new.doc AND (old.customer_name_key, old.vehicle_names_key, old.number) IS NOT (new.customer_name_key, new.vehicle_names_key, new.number) BEGIN
  -- Changes nothing if the row is not in the index yet.
  UPDATE agreements_search SET customer_name = new.customer_name_key, vehicle_names = new.vehicle_names_key, number = lower(new.number)
    WHERE rowid = new.doc;
END;
CREATE TRIGGER agreements_delete AFTER DELETE ON agreements BEGIN
  DELETE FROM agreements_search WHERE rowid = old.doc;
  UPDATE lists SET total = total - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'agreements';
END;

CREATE TRIGGER agreements_sort_insert AFTER UPDATE OF doc ON agreements WHEN old.doc = 0
AND EXISTS (SELECT 1 FROM lists WHERE corp_id = new.corp_id AND kind = 'agreements' AND sorted_doc = new.doc - 1) BEGIN
  INSERT INTO sort_rows (list, field, key, doc) SELECT new.doc >> 32, column1, column2, new.doc FROM (VALUES
    (1, coalesce(lower(new.number), -1)),
    (2, new.agreement_type),
    (3, new.state),
    (4, new.customer_name_key),
    (5, new.vehicle_names_key),
    (6, coalesce(new.leg_count, -1)),
    (7, new.out_total),
    (8, new.in_total),
    (9, new.to_pay),
    (10, coalesce(new.deposit, -1)),
    (11, coalesce(new.commission, -1)),
    (12, coalesce(new.commission_percent, -1)),
    (13, coalesce(new.minimum_price, -1)),
    (14, coalesce(new.exclusive_until, -1)),
    (15, new.warranty),
    (16, coalesce(new.warranty_months, -1)),
    (17, coalesce(new.warranty_distance, -1)),
    (18, coalesce(new.agreed_on, -1)),
    (19, coalesce(new.delivered_on, -1)),
    (20, new.created_at / 1000 * 1000),
    (21, new.updated_at / 1000 * 1000)
  );
  UPDATE lists SET sorted_doc = new.doc WHERE corp_id = new.corp_id AND kind = 'agreements';
END;
CREATE TRIGGER agreements_sort_update AFTER UPDATE ON agreements WHEN old.doc = new.doc BEGIN
  UPDATE sort_rows SET key = column3 FROM (VALUES
    (1, coalesce(lower(old.number), -1), coalesce(lower(new.number), -1)),
    (2, old.agreement_type, new.agreement_type),
    (3, old.state, new.state),
    (4, old.customer_name_key, new.customer_name_key),
    (5, old.vehicle_names_key, new.vehicle_names_key),
    (6, coalesce(old.leg_count, -1), coalesce(new.leg_count, -1)),
    (7, old.out_total, new.out_total),
    (8, old.in_total, new.in_total),
    (9, old.to_pay, new.to_pay),
    (10, coalesce(old.deposit, -1), coalesce(new.deposit, -1)),
    (11, coalesce(old.commission, -1), coalesce(new.commission, -1)),
    (12, coalesce(old.commission_percent, -1), coalesce(new.commission_percent, -1)),
    (13, coalesce(old.minimum_price, -1), coalesce(new.minimum_price, -1)),
    (14, coalesce(old.exclusive_until, -1), coalesce(new.exclusive_until, -1)),
    (15, old.warranty, new.warranty),
    (16, coalesce(old.warranty_months, -1), coalesce(new.warranty_months, -1)),
    (17, coalesce(old.warranty_distance, -1), coalesce(new.warranty_distance, -1)),
    (18, coalesce(old.agreed_on, -1), coalesce(new.agreed_on, -1)),
    (19, coalesce(old.delivered_on, -1), coalesce(new.delivered_on, -1)),
    (20, old.created_at / 1000 * 1000, new.created_at / 1000 * 1000),
    (21, old.updated_at / 1000 * 1000, new.updated_at / 1000 * 1000)
  ) WHERE list = new.doc >> 32 AND field = column1 AND key = column2 AND doc = new.doc AND column2 <> column3;
END;
CREATE TRIGGER agreements_sort_delete AFTER DELETE ON agreements BEGIN
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 1 AND key = coalesce(lower(old.number), -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 2 AND key = old.agreement_type AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 3 AND key = old.state AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 4 AND key = old.customer_name_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 5 AND key = old.vehicle_names_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 6 AND key = coalesce(old.leg_count, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 7 AND key = old.out_total AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 8 AND key = old.in_total AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 9 AND key = old.to_pay AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 10 AND key = coalesce(old.deposit, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 11 AND key = coalesce(old.commission, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 12 AND key = coalesce(old.commission_percent, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 13 AND key = coalesce(old.minimum_price, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 14 AND key = coalesce(old.exclusive_until, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 15 AND key = old.warranty AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 16 AND key = coalesce(old.warranty_months, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 17 AND key = coalesce(old.warranty_distance, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 18 AND key = coalesce(old.agreed_on, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 19 AND key = coalesce(old.delivered_on, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 20 AND key = old.created_at / 1000 * 1000 AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 21 AND key = old.updated_at / 1000 * 1000 AND doc = old.doc;
END;

-- The vehicles of each agreement, kept by triggers.
CREATE TABLE agreement_vehicles (
  corp_id      BLOB NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  agreement    BLOB NOT NULL, -- ids; no foreign keys: a vehicle may be deleted
  vehicle      BLOB NOT NULL,
  direction    TEXT NOT NULL,
  state        TEXT NOT NULL, -- of the agreement
  PRIMARY KEY (corp_id, agreement, vehicle)
) STRICT, WITHOUT ROWID;
CREATE INDEX agreement_vehicles_vehicle ON agreement_vehicles (corp_id, vehicle);
-- A vehicle is promised only once.
CREATE UNIQUE INDEX agreement_vehicles_promised ON agreement_vehicles (corp_id, vehicle)
  WHERE direction = 'Out' AND state = 'Signed';
CREATE TRIGGER agreements_vehicles_insert AFTER INSERT ON agreements BEGIN
  INSERT INTO agreement_vehicles (corp_id, agreement, vehicle, direction, state)
    SELECT new.corp_id, new.agreement_id, unhex(replace(value ->> 0, '-', '')), value ->> 1, new.state FROM json_each(new.legs);
END;
CREATE TRIGGER agreements_vehicles_update AFTER UPDATE OF legs, state ON agreements
WHEN old.legs <> new.legs OR old.state <> new.state BEGIN
  DELETE FROM agreement_vehicles WHERE corp_id = new.corp_id AND agreement = new.agreement_id;
  INSERT INTO agreement_vehicles (corp_id, agreement, vehicle, direction, state)
    SELECT new.corp_id, new.agreement_id, unhex(replace(value ->> 0, '-', '')), value ->> 1, new.state FROM json_each(new.legs);
END;
CREATE TRIGGER agreements_vehicles_delete AFTER DELETE ON agreements BEGIN
  DELETE FROM agreement_vehicles WHERE corp_id = old.corp_id AND agreement = old.agreement_id;
END;

-- In how many signed agreements a vehicle is.
ALTER TABLE vehicles ADD COLUMN signed_count INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER agreement_vehicles_sign AFTER INSERT ON agreement_vehicles WHEN new.state = 'Signed' BEGIN
  UPDATE vehicles SET signed_count = signed_count + 1 WHERE corp_id = new.corp_id AND vehicle_id = new.vehicle;
END;
CREATE TRIGGER agreement_vehicles_release AFTER DELETE ON agreement_vehicles WHEN old.state = 'Signed' BEGIN
  UPDATE vehicles SET signed_count = signed_count - 1 WHERE corp_id = old.corp_id AND vehicle_id = old.vehicle;
END;

-- What users typed for a customer whose shown values follow from agreements (docs/product.md 4.31). All are NULL for others.
ALTER TABLE customers ADD COLUMN typed_latest_purchase TEXT;
ALTER TABLE customers ADD COLUMN typed_agreement_type TEXT;
ALTER TABLE customers ADD COLUMN typed_number_of_orders INTEGER; -- NULL only if none of them follows
ALTER TABLE customers ADD COLUMN typed_total_spent INTEGER;
ALTER TABLE customers ADD COLUMN typed_warranty TEXT;
ALTER TABLE customers ADD COLUMN typed_warranty_period TEXT;
