-- The company record of a corporation.
CREATE TABLE organizations (
  corp_id             UUID NOT NULL PRIMARY KEY REFERENCES corporations (corp_id) ON DELETE CASCADE,
  organization_number TEXT NOT NULL,
  street_address      TEXT NOT NULL DEFAULT '',
  registered_city     TEXT NOT NULL DEFAULT '',
  postal_code         TEXT NOT NULL DEFAULT '',
  city                TEXT NOT NULL DEFAULT '',
  company_email       TEXT NOT NULL DEFAULT '',
  company_phone       TEXT NOT NULL DEFAULT '',
  business_category   TEXT NOT NULL DEFAULT '',
  legal_form          TEXT NOT NULL DEFAULT '',
  created_at          BIGINT NOT NULL,
  updated_at          BIGINT NOT NULL
);
CREATE INDEX organizations_number ON organizations (organization_number);
