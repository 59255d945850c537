-- Vehicles (docs/product.md 4.26). The module is allowed to no existing corporation.
INSERT INTO resources (resource_id, parent_id) VALUES ('vehicles', NULL);
ALTER TABLE corporations ADD COLUMN last_stock_number INTEGER NOT NULL DEFAULT 1000;
CREATE TABLE vehicles (
  doc                      INTEGER PRIMARY KEY, -- what the search index points at
  corp_id                  BLOB    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  vehicle_id               BLOB    NOT NULL,
  stock_number             INTEGER, -- given by a trigger
  name                     TEXT    NOT NULL DEFAULT '', -- make, model and number
  vin                      TEXT    NOT NULL DEFAULT '',
  registration_number      TEXT    NOT NULL DEFAULT '',
  registration_country     TEXT    NOT NULL DEFAULT 'GB',
  make                     TEXT    NOT NULL DEFAULT '',
  model                    TEXT    NOT NULL DEFAULT '',
  variant                  TEXT    NOT NULL DEFAULT '',
  model_year               INTEGER,
  first_registered         TEXT, -- yyyy-MM-dd
  body                     TEXT    NOT NULL DEFAULT '',
  fuel                     TEXT,
  transmission             TEXT,
  colour                   TEXT    NOT NULL DEFAULT '',
  mileage                  INTEGER,
  mileage_unit             TEXT    NOT NULL DEFAULT 'mi',
  mileage_remark           TEXT    NOT NULL DEFAULT '',
  status                   TEXT    NOT NULL DEFAULT 'In stock',
  ownership                TEXT    NOT NULL DEFAULT 'Own',
  vat_scheme               TEXT    NOT NULL DEFAULT 'Margin',
  asking_price             INTEGER, -- pence
  location                 TEXT    NOT NULL DEFAULT '',
  notes                    TEXT    NOT NULL DEFAULT '',
  name_key                 TEXT    NOT NULL DEFAULT '',
  vin_key                  TEXT    NOT NULL DEFAULT '',
  registration_number_key  TEXT    NOT NULL DEFAULT '',
  registration_country_key TEXT    NOT NULL DEFAULT 'gb',
  make_key                 TEXT    NOT NULL DEFAULT '',
  model_key                TEXT    NOT NULL DEFAULT '',
  variant_key              TEXT    NOT NULL DEFAULT '',
  body_key                 TEXT    NOT NULL DEFAULT '',
  colour_key               TEXT    NOT NULL DEFAULT '',
  mileage_remark_key       TEXT    NOT NULL DEFAULT '',
  location_key             TEXT    NOT NULL DEFAULT '',
  notes_key                TEXT    NOT NULL DEFAULT '',
  created_at               INTEGER NOT NULL,
  updated_at               INTEGER NOT NULL,
  version                  INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX vehicles_key ON vehicles (corp_id, vehicle_id);
-- The numbers are part of every index.
CREATE INDEX vehicles_list ON vehicles (corp_id);
-- One vehicle in stock per VIN and per registration number of a country.
CREATE UNIQUE INDEX vehicles_vin ON vehicles (corp_id, vin) WHERE vin <> '' AND status IN ('Expected', 'In stock', 'Reserved');
CREATE UNIQUE INDEX vehicles_plate ON vehicles (corp_id, registration_country, registration_number)
  WHERE registration_number <> '' AND status IN ('Expected', 'In stock', 'Reserved');
CREATE UNIQUE INDEX vehicles_stock_number ON vehicles (corp_id, stock_number);

INSERT INTO lists (corp_id, kind, first_doc, next_doc, searched_doc, sorted_doc)
  SELECT corp_id, 'vehicles', first << 32, first << 32, (first << 32) - 1, (first << 32) - 1 FROM (
    SELECT corp_id, (SELECT coalesce(max(first_doc), 0) >> 32 FROM lists) + row_number() OVER (ORDER BY corp_id) AS first
    FROM corporations
  );
DROP TRIGGER corporations_lists;
CREATE TRIGGER corporations_lists AFTER INSERT ON corporations BEGIN
  INSERT INTO lists (corp_id, kind, first_doc, next_doc, searched_doc, sorted_doc)
    SELECT new.corp_id, kind, first << 32, first << 32, (first << 32) - 1, (first << 32) - 1 FROM (
      SELECT column1 AS kind, (SELECT coalesce(max(first_doc), 0) >> 32 FROM lists) + column2 AS first
      FROM (VALUES ('contacts', 1), ('customers', 2), ('invoices', 3), ('vehicles', 4))
    );
END;

CREATE TRIGGER vehicles_take_number AFTER INSERT ON vehicles BEGIN
  UPDATE corporations
    SET last_stock_number = max(last_stock_number, coalesce(new.stock_number, last_stock_number + 1))
    WHERE corp_id = new.corp_id;
  UPDATE vehicles SET stock_number = (SELECT last_stock_number FROM corporations WHERE corp_id = new.corp_id)
    WHERE corp_id = new.corp_id AND vehicle_id = new.vehicle_id AND stock_number IS NULL;
END;

CREATE VIRTUAL TABLE vehicles_search USING fts5 (
  name, vin, registration_number, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER vehicles_insert AFTER INSERT ON vehicles WHEN new.doc = 0 BEGIN
  UPDATE vehicles SET doc = (SELECT next_doc FROM lists WHERE corp_id = new.corp_id AND kind = 'vehicles') WHERE doc = 0;
  INSERT INTO vehicles_search (rowid, name, vin, registration_number)
    SELECT next_doc, new.name_key, new.vin_key, new.registration_number_key FROM lists WHERE corp_id = new.corp_id AND kind = 'vehicles' AND searched_doc = next_doc - 1;
  UPDATE lists SET searched_doc = iif(searched_doc = next_doc - 1, next_doc, searched_doc), next_doc = next_doc + 1,
    total = total + 1, changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'vehicles';
END;
CREATE TRIGGER vehicles_update AFTER UPDATE ON vehicles WHEN old.doc = new.doc BEGIN
  UPDATE lists SET changes = changes + 1 WHERE corp_id = new.corp_id AND kind = 'vehicles';
END;
CREATE TRIGGER vehicles_update_search AFTER UPDATE OF name_key, vin_key, registration_number_key ON vehicles
WHEN old.doc = new.doc AND (old.name_key, old.vin_key, old.registration_number_key) IS NOT (new.name_key, new.vin_key, new.registration_number_key) BEGIN
  -- Changes nothing if the row is not in the index yet.
  UPDATE vehicles_search SET name = new.name_key, vin = new.vin_key, registration_number = new.registration_number_key WHERE rowid = new.doc;
END;
CREATE TRIGGER vehicles_delete AFTER DELETE ON vehicles BEGIN
  DELETE FROM vehicles_search WHERE rowid = old.doc;
  UPDATE lists SET total = total - 1, changes = changes + 1 WHERE corp_id = old.corp_id AND kind = 'vehicles';
END;

CREATE TRIGGER vehicles_sort_insert AFTER UPDATE OF doc ON vehicles WHEN old.doc = 0
AND EXISTS (SELECT 1 FROM lists WHERE corp_id = new.corp_id AND kind = 'vehicles' AND sorted_doc = new.doc - 1) BEGIN
  INSERT INTO sort_rows (list, field, key, doc) SELECT new.doc >> 32, column1, column2, new.doc FROM (VALUES
    (1, coalesce(new.stock_number, -1)),
    (2, new.name_key),
    (3, new.vin_key),
    (4, new.registration_number_key),
    (5, new.registration_country_key),
    (6, new.make_key),
    (7, new.model_key),
    (8, new.variant_key),
    (9, coalesce(new.model_year, -1)),
    (10, coalesce(new.first_registered, -1)),
    (11, new.body_key),
    (12, coalesce(new.fuel, -1)),
    (13, coalesce(new.transmission, -1)),
    (14, new.colour_key),
    (15, coalesce(new.mileage, -1)),
    (16, new.mileage_unit),
    (17, new.status),
    (18, new.ownership),
    (19, new.vat_scheme),
    (20, coalesce(new.asking_price, -1)),
    (21, new.location_key),
    (22, new.created_at / 1000 * 1000),
    (23, new.updated_at / 1000 * 1000)
  );
  UPDATE lists SET sorted_doc = new.doc WHERE corp_id = new.corp_id AND kind = 'vehicles';
END;
CREATE TRIGGER vehicles_sort_update AFTER UPDATE ON vehicles WHEN old.doc = new.doc BEGIN
  UPDATE sort_rows SET key = column3 FROM (VALUES
    (1, coalesce(old.stock_number, -1), coalesce(new.stock_number, -1)),
    (2, old.name_key, new.name_key),
    (3, old.vin_key, new.vin_key),
    (4, old.registration_number_key, new.registration_number_key),
    (5, old.registration_country_key, new.registration_country_key),
    (6, old.make_key, new.make_key),
    (7, old.model_key, new.model_key),
    (8, old.variant_key, new.variant_key),
    (9, coalesce(old.model_year, -1), coalesce(new.model_year, -1)),
    (10, coalesce(old.first_registered, -1), coalesce(new.first_registered, -1)),
    (11, old.body_key, new.body_key),
    (12, coalesce(old.fuel, -1), coalesce(new.fuel, -1)),
    (13, coalesce(old.transmission, -1), coalesce(new.transmission, -1)),
    (14, old.colour_key, new.colour_key),
    (15, coalesce(old.mileage, -1), coalesce(new.mileage, -1)),
    (16, old.mileage_unit, new.mileage_unit),
    (17, old.status, new.status),
    (18, old.ownership, new.ownership),
    (19, old.vat_scheme, new.vat_scheme),
    (20, coalesce(old.asking_price, -1), coalesce(new.asking_price, -1)),
    (21, old.location_key, new.location_key),
    (22, old.created_at / 1000 * 1000, new.created_at / 1000 * 1000),
    (23, old.updated_at / 1000 * 1000, new.updated_at / 1000 * 1000)
  ) WHERE list = new.doc >> 32 AND field = column1 AND key = column2 AND doc = new.doc AND column2 <> column3;
END;
CREATE TRIGGER vehicles_sort_delete AFTER DELETE ON vehicles BEGIN
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 1 AND key = coalesce(old.stock_number, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 2 AND key = old.name_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 3 AND key = old.vin_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 4 AND key = old.registration_number_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 5 AND key = old.registration_country_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 6 AND key = old.make_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 7 AND key = old.model_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 8 AND key = old.variant_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 9 AND key = coalesce(old.model_year, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 10 AND key = coalesce(old.first_registered, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 11 AND key = old.body_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 12 AND key = coalesce(old.fuel, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 13 AND key = coalesce(old.transmission, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 14 AND key = old.colour_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 15 AND key = coalesce(old.mileage, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 16 AND key = old.mileage_unit AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 17 AND key = old.status AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 18 AND key = old.ownership AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 19 AND key = old.vat_scheme AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 20 AND key = coalesce(old.asking_price, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 21 AND key = old.location_key AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 22 AND key = old.created_at / 1000 * 1000 AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 23 AND key = old.updated_at / 1000 * 1000 AND doc = old.doc;
END;
