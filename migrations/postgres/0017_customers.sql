-- The keys that something may be sealed with, by their ids (docs/decisions/0008-data-keys.md).
CREATE TABLE data_keys (
  key_id TEXT NOT NULL PRIMARY KEY
);

CREATE TABLE customers (
  corp_id             UUID    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  customer_id         UUID    NOT NULL,
  name                TEXT    NOT NULL,
  email               TEXT    NOT NULL,
  telephone           TEXT    NOT NULL,
  telephone_key       TEXT    NOT NULL, -- as it is compared
  address             TEXT    NOT NULL,
  postal_code         TEXT    NOT NULL,
  location            TEXT    NOT NULL,
  customer_type       TEXT    NOT NULL,
  status              TEXT    NOT NULL,
  role                TEXT    NOT NULL,
  organization_number TEXT    NOT NULL,
  social_security     BYTEA,            -- sealed
  social_security_key TEXT REFERENCES data_keys (key_id), -- what it is sealed with
  agreement_type      TEXT,
  latest_purchase     TEXT    COLLATE "C", -- yyyy-MM-dd
  active_on           TEXT    COLLATE "C" NOT NULL, -- the day of the latest purchase, or of the creation where there is none
  company_name        TEXT    NOT NULL,
  number_of_orders    BIGINT  NOT NULL,
  total_spent         BIGINT  NOT NULL, -- pence
  warranty            TEXT    NOT NULL,
  warranty_period     TEXT    NOT NULL,
  search              TEXT    NOT NULL, -- folded name, e-mail and address
  created_at          BIGINT  NOT NULL,
  updated_at          BIGINT  NOT NULL,
  version             BIGINT  NOT NULL DEFAULT 1,
  PRIMARY KEY (corp_id, customer_id)
);
CREATE INDEX customers_telephone ON customers (corp_id, telephone_key);
CREATE INDEX customers_sealed ON customers (social_security_key, corp_id, customer_id);
SELECT forecourt_protect('customers');
