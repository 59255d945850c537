-- Agreements (docs/product.md 4.30). The module is allowed to no existing corporation.
INSERT INTO resources (resource_id, parent_id) VALUES ('agreements', NULL);
ALTER TABLE corporations
  ADD COLUMN last_sales_number BIGINT NOT NULL DEFAULT 1000,
  ADD COLUMN last_purchase_number BIGINT NOT NULL DEFAULT 1000,
  ADD COLUMN last_agency_number BIGINT NOT NULL DEFAULT 1000;
CREATE TABLE agreements (
  corp_id            UUID    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  doc                BIGINT  NOT NULL,
  agreement_id       UUID    NOT NULL,
  number             TEXT    COLLATE "C", -- given by a trigger
  agreement_type     TEXT    COLLATE "C" NOT NULL DEFAULT 'Sales',
  state              TEXT    COLLATE "C" NOT NULL DEFAULT 'Draft',
  customer_id        UUID,
  customer_name      TEXT    NOT NULL DEFAULT '', -- when the agreement was last saved
  contact_id         UUID,
  vehicle_names      TEXT    NOT NULL DEFAULT '', -- their names then
  legs               TEXT    NOT NULL DEFAULT '[]', -- JSON: vehicle, direction, price and VAT scheme of each
  leg_count          BIGINT, -- NULL for none
  out_total          BIGINT  NOT NULL DEFAULT 0, -- in hundredths of the currency
  in_total           BIGINT  NOT NULL DEFAULT 0,
  to_pay             BIGINT  NOT NULL DEFAULT 0,
  deposit            BIGINT,
  commission         BIGINT,
  commission_percent BIGINT, -- in hundredths of a percent
  minimum_price      BIGINT,
  exclusive_until    TEXT    COLLATE "C", -- yyyy-MM-dd
  warranty           TEXT    COLLATE "C" NOT NULL DEFAULT 'None',
  warranty_months    BIGINT,
  warranty_distance  BIGINT,
  agreed_on          TEXT    COLLATE "C",
  delivered_on       TEXT    COLLATE "C",
  notes              TEXT    NOT NULL DEFAULT '',
  customer_name_key  TEXT    COLLATE "C" NOT NULL DEFAULT '',
  vehicle_names_key  TEXT    COLLATE "C" NOT NULL DEFAULT '',
  notes_key          TEXT    COLLATE "C" NOT NULL DEFAULT '',
  created_at         BIGINT  NOT NULL,
  updated_at         BIGINT  NOT NULL,
  version            BIGINT  NOT NULL DEFAULT 1,
  PRIMARY KEY (corp_id, agreement_id),
  FOREIGN KEY (corp_id, customer_id) REFERENCES customers (corp_id, customer_id) ON DELETE SET NULL (customer_id),
  FOREIGN KEY (corp_id, contact_id) REFERENCES contacts (corp_id, contact_id) ON DELETE SET NULL (contact_id)
);
SELECT forecourt_protect('agreements');
CREATE UNIQUE INDEX agreements_list ON agreements (corp_id, doc) INCLUDE (agreement_id);
CREATE UNIQUE INDEX agreements_number_key ON agreements (corp_id, number);
CREATE INDEX agreements_customer ON agreements (corp_id, customer_id, doc) WHERE customer_id IS NOT NULL;
CREATE INDEX agreements_contact ON agreements (corp_id, contact_id, doc) WHERE contact_id IS NOT NULL;
-- The order of a list by a field is `key NULLS FIRST, doc`, or the reverse.
CREATE INDEX agreements_by_number ON agreements (corp_id, lower(number) NULLS FIRST, doc) INCLUDE (agreement_id, number);
CREATE INDEX agreements_by_state ON agreements (corp_id, state NULLS FIRST, doc) INCLUDE (agreement_id);
CREATE INDEX agreements_by_customer_name ON agreements (corp_id, customer_name_key NULLS FIRST, doc) INCLUDE (agreement_id);
CREATE INDEX agreements_by_out_total ON agreements (corp_id, out_total NULLS FIRST, doc) INCLUDE (agreement_id);
CREATE INDEX agreements_by_delivered_on ON agreements (corp_id, delivered_on NULLS FIRST, doc) INCLUDE (agreement_id);
CREATE INDEX agreements_by_created_at ON agreements (corp_id, (created_at / 1000 * 1000) NULLS FIRST, doc) INCLUDE (agreement_id, created_at);
CREATE INDEX agreements_by_updated_at ON agreements (corp_id, (updated_at / 1000 * 1000) NULLS FIRST, doc) INCLUDE (agreement_id, updated_at);
CREATE TABLE agreements_search (corp_id UUID NOT NULL, doc BIGINT NOT NULL, search TEXT COLLATE "C" NOT NULL, PRIMARY KEY (corp_id, doc));
CREATE INDEX agreements_search_text ON agreements_search USING gin (corp_id, search gin_trgm_ops);

INSERT INTO lists (corp_id, kind) SELECT corp_id, 'agreements' FROM corporations;
CREATE OR REPLACE FUNCTION corporations_lists() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lists (corp_id, kind)
    SELECT NEW.corp_id, unnest(ARRAY['contacts', 'customers', 'invoices', 'vehicles', 'agreements']);
  RETURN NULL;
END $$;

-- Each type has a series of its own: SA-1001, PA-1001, AA-1001. The corporation's row stays locked until the transaction ends, so
-- that two agreements never get the same number.
CREATE FUNCTION agreements_take_number() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  CASE NEW.agreement_type
    WHEN 'Sales' THEN
      UPDATE corporations SET last_sales_number = last_sales_number + 1 WHERE corp_id = NEW.corp_id
        RETURNING 'SA-' || last_sales_number INTO NEW.number;
    WHEN 'Purchase' THEN
      UPDATE corporations SET last_purchase_number = last_purchase_number + 1 WHERE corp_id = NEW.corp_id
        RETURNING 'PA-' || last_purchase_number INTO NEW.number;
    ELSE
      UPDATE corporations SET last_agency_number = last_agency_number + 1 WHERE corp_id = NEW.corp_id
        RETURNING 'AA-' || last_agency_number INTO NEW.number;
  END CASE;
  RETURN NEW;
END $$;
CREATE TRIGGER agreements_take_number BEFORE INSERT ON agreements
  FOR EACH ROW WHEN (NEW.number IS NULL) EXECUTE FUNCTION agreements_take_number();

CREATE FUNCTION agreements_written() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      UPDATE lists l SET total = l.total + n.count, changes = l.changes + 1,
          searched_doc = CASE WHEN n.count <= 1000 AND n.first = l.searched_doc + 1 THEN n.last ELSE l.searched_doc END
        FROM (SELECT corp_id, count(*) AS count, min(doc) AS first, max(doc) AS last FROM added GROUP BY corp_id) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'agreements';
      INSERT INTO agreements_search (corp_id, doc, search) SELECT a.corp_id, a.doc, concat_ws(E'\n', a.customer_name_key, a.vehicle_names_key, lower(a.number))
        FROM added a JOIN lists l ON l.corp_id = a.corp_id AND l.kind = 'agreements' WHERE a.doc <= l.searched_doc;
    WHEN 'UPDATE' THEN
      UPDATE lists l SET changes = l.changes + 1
        FROM (SELECT DISTINCT corp_id FROM added) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = 'agreements';
      -- Changes nothing if the row is not in the table yet.
      UPDATE agreements_search s SET search = concat_ws(E'\n', a.customer_name_key, a.vehicle_names_key, lower(a.number))
        FROM added a WHERE s.corp_id = a.corp_id AND s.doc = a.doc AND s.search <> concat_ws(E'\n', a.customer_name_key, a.vehicle_names_key, lower(a.number));
    ELSE
      UPDATE lists l SET total = l.total - d.count, changes = l.changes + 1
        FROM (SELECT corp_id, count(*) AS count FROM gone GROUP BY corp_id) AS d
        WHERE l.corp_id = d.corp_id AND l.kind = 'agreements';
      DELETE FROM agreements_search s USING gone g WHERE s.corp_id = g.corp_id AND s.doc = g.doc;
  END CASE;
  RETURN NULL;
END $$;
CREATE TRIGGER agreements_lock BEFORE UPDATE OR DELETE ON agreements FOR EACH STATEMENT EXECUTE FUNCTION lists_lock();
CREATE TRIGGER agreements_number BEFORE INSERT ON agreements FOR EACH ROW WHEN (NEW.doc = 0) EXECUTE FUNCTION lists_number();
CREATE TRIGGER agreements_insert AFTER INSERT ON agreements REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION agreements_written();
CREATE TRIGGER agreements_update AFTER UPDATE ON agreements REFERENCING NEW TABLE AS added OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION agreements_written();
CREATE TRIGGER agreements_delete AFTER DELETE ON agreements REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION agreements_written();

-- The vehicles of each agreement, kept by triggers.
CREATE TABLE agreement_vehicles (
  corp_id      UUID NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  agreement    UUID NOT NULL, -- ids; no foreign keys: a vehicle may be deleted
  vehicle      UUID NOT NULL,
  direction    TEXT COLLATE "C" NOT NULL,
  state        TEXT COLLATE "C" NOT NULL, -- of the agreement
  PRIMARY KEY (corp_id, agreement, vehicle)
);
SELECT forecourt_protect('agreement_vehicles');
CREATE INDEX agreement_vehicles_vehicle ON agreement_vehicles (corp_id, vehicle);
-- A vehicle is promised only once.
CREATE UNIQUE INDEX agreement_vehicles_promised ON agreement_vehicles (corp_id, vehicle)
  WHERE direction = 'Out' AND state = 'Signed';
CREATE FUNCTION agreements_vehicles() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM agreement_vehicles WHERE corp_id = OLD.corp_id AND agreement = OLD.agreement_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO agreement_vehicles (corp_id, agreement, vehicle, direction, state)
      SELECT NEW.corp_id, NEW.agreement_id, (leg ->> 0)::UUID, leg ->> 1, NEW.state
      FROM jsonb_array_elements(NEW.legs::JSONB) AS leg;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER agreements_vehicles_insert AFTER INSERT ON agreements
  FOR EACH ROW WHEN (NEW.legs <> '[]') EXECUTE FUNCTION agreements_vehicles();
CREATE TRIGGER agreements_vehicles_update AFTER UPDATE OF legs, state ON agreements
  FOR EACH ROW WHEN (OLD.legs <> NEW.legs OR OLD.state <> NEW.state) EXECUTE FUNCTION agreements_vehicles();
CREATE TRIGGER agreements_vehicles_delete AFTER DELETE ON agreements
  FOR EACH ROW WHEN (OLD.legs <> '[]') EXECUTE FUNCTION agreements_vehicles();

-- In how many signed agreements a vehicle is.
ALTER TABLE vehicles ADD COLUMN signed_count BIGINT NOT NULL DEFAULT 0;
CREATE FUNCTION agreement_vehicles_signed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE vehicles SET signed_count = signed_count + 1 WHERE corp_id = NEW.corp_id AND vehicle_id = NEW.vehicle;
  ELSE
    UPDATE vehicles SET signed_count = signed_count - 1 WHERE corp_id = OLD.corp_id AND vehicle_id = OLD.vehicle;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER agreement_vehicles_sign AFTER INSERT ON agreement_vehicles
  FOR EACH ROW WHEN (NEW.state = 'Signed') EXECUTE FUNCTION agreement_vehicles_signed();
CREATE TRIGGER agreement_vehicles_release AFTER DELETE ON agreement_vehicles
  FOR EACH ROW WHEN (OLD.state = 'Signed') EXECUTE FUNCTION agreement_vehicles_signed();

-- What users typed for a customer whose shown values follow from agreements (docs/product.md 4.31). All are NULL for others.
ALTER TABLE customers
  ADD COLUMN typed_latest_purchase TEXT COLLATE "C",
  ADD COLUMN typed_agreement_type TEXT,
  ADD COLUMN typed_number_of_orders BIGINT, -- NULL only if none of them follows
  ADD COLUMN typed_total_spent BIGINT,
  ADD COLUMN typed_warranty TEXT,
  ADD COLUMN typed_warranty_period TEXT;
