-- Vehicles (docs/product.md 4.26). The module is allowed to no existing corporation.
INSERT INTO resources (resource_id, parent_id) VALUES ('vehicles', NULL);
ALTER TABLE corporations ADD COLUMN last_stock_number BIGINT NOT NULL DEFAULT 1000;
CREATE TABLE vehicles (
  corp_id                  UUID    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  doc                      BIGINT  NOT NULL,
  vehicle_id               UUID    NOT NULL,
  stock_number             BIGINT, -- given by a trigger
  name                     TEXT    NOT NULL DEFAULT '', -- make, model and number
  vin                      TEXT    NOT NULL DEFAULT '',
  registration_number      TEXT    NOT NULL DEFAULT '',
  registration_country     TEXT    NOT NULL DEFAULT 'GB',
  make                     TEXT    NOT NULL DEFAULT '',
  model                    TEXT    NOT NULL DEFAULT '',
  variant                  TEXT    NOT NULL DEFAULT '',
  model_year               BIGINT,
  first_registered         TEXT    COLLATE "C", -- yyyy-MM-dd
  body                     TEXT    NOT NULL DEFAULT '',
  fuel                     TEXT    COLLATE "C",
  transmission             TEXT    COLLATE "C",
  colour                   TEXT    NOT NULL DEFAULT '',
  mileage                  BIGINT,
  mileage_unit             TEXT    COLLATE "C" NOT NULL DEFAULT 'mi',
  mileage_remark           TEXT    NOT NULL DEFAULT '',
  status                   TEXT    COLLATE "C" NOT NULL DEFAULT 'In stock',
  ownership                TEXT    COLLATE "C" NOT NULL DEFAULT 'Own',
  vat_scheme               TEXT    COLLATE "C" NOT NULL DEFAULT 'Margin',
  asking_price             BIGINT, -- pence
  location                 TEXT    NOT NULL DEFAULT '',
  notes                    TEXT    NOT NULL DEFAULT '',
  name_key                 TEXT    COLLATE "C" NOT NULL DEFAULT '',
  vin_key                  TEXT    COLLATE "C" NOT NULL DEFAULT '',
  registration_number_key  TEXT    COLLATE "C" NOT NULL DEFAULT '',
  registration_country_key TEXT    COLLATE "C" NOT NULL DEFAULT 'gb',
  make_key                 TEXT    COLLATE "C" NOT NULL DEFAULT '',
  model_key                TEXT    COLLATE "C" NOT NULL DEFAULT '',
  variant_key              TEXT    COLLATE "C" NOT NULL DEFAULT '',
  body_key                 TEXT    COLLATE "C" NOT NULL DEFAULT '',
  colour_key               TEXT    COLLATE "C" NOT NULL DEFAULT '',
  mileage_remark_key       TEXT    COLLATE "C" NOT NULL DEFAULT '',
  location_key             TEXT    COLLATE "C" NOT NULL DEFAULT '',
  notes_key                TEXT    COLLATE "C" NOT NULL DEFAULT '',
  created_at               BIGINT  NOT NULL,
  updated_at               BIGINT  NOT NULL,
  version                  BIGINT  NOT NULL DEFAULT 1,
  PRIMARY KEY (corp_id, vehicle_id)
);
SELECT forecourt_protect('vehicles');
CREATE UNIQUE INDEX vehicles_list ON vehicles (corp_id, doc) INCLUDE (vehicle_id);
-- One vehicle in stock per VIN and per registration number of a country.
CREATE UNIQUE INDEX vehicles_vin ON vehicles (corp_id, vin) WHERE vin <> '' AND status IN ('Expected', 'In stock', 'Reserved');
CREATE UNIQUE INDEX vehicles_plate ON vehicles (corp_id, registration_country, registration_number)
  WHERE registration_number <> '' AND status IN ('Expected', 'In stock', 'Reserved');
CREATE UNIQUE INDEX vehicles_stock_number ON vehicles (corp_id, stock_number);
-- The order of a list by a field is `key NULLS FIRST, doc`, or the reverse.
CREATE INDEX vehicles_by_name ON vehicles (corp_id, name_key NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_status ON vehicles (corp_id, status NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_asking_price ON vehicles (corp_id, asking_price NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_created_at ON vehicles (corp_id, (created_at / 1000 * 1000) NULLS FIRST, doc) INCLUDE (vehicle_id, created_at);
CREATE INDEX vehicles_by_updated_at ON vehicles (corp_id, (updated_at / 1000 * 1000) NULLS FIRST, doc) INCLUDE (vehicle_id, updated_at);
CREATE TABLE vehicles_search (corp_id UUID NOT NULL, doc BIGINT NOT NULL, search TEXT COLLATE "C" NOT NULL, PRIMARY KEY (corp_id, doc));
CREATE INDEX vehicles_search_text ON vehicles_search USING gin (corp_id, search gin_trgm_ops);

INSERT INTO lists (corp_id, kind) SELECT corp_id, 'vehicles' FROM corporations;
CREATE OR REPLACE FUNCTION corporations_lists() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lists (corp_id, kind) SELECT NEW.corp_id, unnest(ARRAY['contacts', 'customers', 'invoices', 'vehicles']);
  RETURN NULL;
END $$;

-- The corporation's row stays locked until the transaction ends, so that two vehicles never get the same number.
CREATE FUNCTION vehicles_take_number() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE corporations SET last_stock_number = last_stock_number + 1 WHERE corp_id = NEW.corp_id
    RETURNING last_stock_number INTO NEW.stock_number;
  RETURN NEW;
END $$;
CREATE TRIGGER vehicles_take_number BEFORE INSERT ON vehicles
  FOR EACH ROW WHEN (NEW.stock_number IS NULL) EXECUTE FUNCTION vehicles_take_number();

CREATE FUNCTION vehicles_written() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      UPDATE lists l SET total = l.total + n.count, changes = l.changes + 1,
          searched_doc = CASE WHEN n.count <= 1000 AND n.first = l.searched_doc + 1 THEN n.last ELSE l.searched_doc END
        FROM (SELECT corp_id, count(*) AS count, min(doc) AS first, max(doc) AS last FROM added GROUP BY corp_id) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'vehicles';
      INSERT INTO vehicles_search (corp_id, doc, search) SELECT a.corp_id, a.doc, concat_ws(E'\n', a.name_key, a.vin_key, a.registration_number_key)
        FROM added a JOIN lists l ON l.corp_id = a.corp_id AND l.kind = 'vehicles' WHERE a.doc <= l.searched_doc;
    WHEN 'UPDATE' THEN
      UPDATE lists l SET changes = l.changes + 1
        FROM (SELECT DISTINCT corp_id FROM added) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'vehicles';
      -- Changes nothing if the row is not in the table yet.
      UPDATE vehicles_search s SET search = concat_ws(E'\n', a.name_key, a.vin_key, a.registration_number_key)
        FROM added a WHERE s.corp_id = a.corp_id AND s.doc = a.doc AND s.search <> concat_ws(E'\n', a.name_key, a.vin_key, a.registration_number_key);
    ELSE
      UPDATE lists l SET total = l.total - d.count, changes = l.changes + 1
        FROM (SELECT corp_id, count(*) AS count FROM gone GROUP BY corp_id) AS d
        WHERE l.corp_id = d.corp_id AND l.kind = 'vehicles';
      DELETE FROM vehicles_search s USING gone g WHERE s.corp_id = g.corp_id AND s.doc = g.doc;
  END CASE;
  RETURN NULL;
END $$;
CREATE TRIGGER vehicles_lock BEFORE UPDATE OR DELETE ON vehicles FOR EACH STATEMENT EXECUTE FUNCTION lists_lock();
CREATE TRIGGER vehicles_number BEFORE INSERT ON vehicles FOR EACH ROW WHEN (NEW.doc = 0) EXECUTE FUNCTION lists_number();
CREATE TRIGGER vehicles_insert AFTER INSERT ON vehicles REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION vehicles_written();
CREATE TRIGGER vehicles_update AFTER UPDATE ON vehicles REFERENCING NEW TABLE AS added OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION vehicles_written();
CREATE TRIGGER vehicles_delete AFTER DELETE ON vehicles REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION vehicles_written();
