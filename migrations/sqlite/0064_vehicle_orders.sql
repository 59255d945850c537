-- A list of vehicles is sorted by any of its fields except the id without reading the whole rows.
DROP TRIGGER vehicles_sort_insert;
DROP TRIGGER vehicles_sort_update;
DROP TRIGGER vehicles_sort_delete;
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
    (23, new.updated_at / 1000 * 1000),
    (24, coalesce(new.purchase_price, -1)),
    (25, coalesce(new.minimum_price, -1)),
    (26, coalesce(new.costs_net, -1)),
    (27, coalesce(new.in_stock_on, -1)),
    (28, substr(new.mileage_remark_key, 1, 100)),
    (29, substr(new.notes_key, 1, 100)),
    (30, new.version)
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
    (23, old.updated_at / 1000 * 1000, new.updated_at / 1000 * 1000),
    (24, coalesce(old.purchase_price, -1), coalesce(new.purchase_price, -1)),
    (25, coalesce(old.minimum_price, -1), coalesce(new.minimum_price, -1)),
    (26, coalesce(old.costs_net, -1), coalesce(new.costs_net, -1)),
    (27, coalesce(old.in_stock_on, -1), coalesce(new.in_stock_on, -1)),
    (28, substr(old.mileage_remark_key, 1, 100), substr(new.mileage_remark_key, 1, 100)),
    (29, substr(old.notes_key, 1, 100), substr(new.notes_key, 1, 100)),
    (30, old.version, new.version)
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
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 24 AND key = coalesce(old.purchase_price, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 25 AND key = coalesce(old.minimum_price, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 26 AND key = coalesce(old.costs_net, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 27 AND key = coalesce(old.in_stock_on, -1) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 28 AND key = substr(old.mileage_remark_key, 1, 100) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 29 AND key = substr(old.notes_key, 1, 100) AND doc = old.doc;
  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = 30 AND key = old.version AND doc = old.doc;
END;
-- The rows get sort rows for the new fields.
UPDATE lists SET sorted_doc = first_doc - 1 WHERE kind = 'vehicles';
