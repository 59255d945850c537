-- Companies that were loaded from a list, for looking one up by its number. They belong to no corporation.
CREATE TABLE directory_entries (
  number_key          TEXT    NOT NULL PRIMARY KEY, -- the number as it is compared: letters and digits, upper case
  organization_number TEXT    NOT NULL,
  corp_name           TEXT    NOT NULL,
  street_address      TEXT    NOT NULL,
  registered_city     TEXT    NOT NULL,
  postal_code         TEXT    NOT NULL,
  city                TEXT    NOT NULL,
  company_email       TEXT    NOT NULL,
  company_phone       TEXT    NOT NULL,
  loaded_at           BIGINT  NOT NULL
);

-- The same key of the corporations' own numbers.
ALTER TABLE organizations ADD COLUMN number_key TEXT NOT NULL DEFAULT '';
UPDATE organizations SET number_key = upper(replace(replace(replace(organization_number, '-', ''), ' ', ''), '.', ''));
CREATE INDEX organizations_number_key ON organizations (number_key);

-- The platform's corporation has a company record too, to be filled in.
INSERT INTO organizations (corp_id, organization_number, created_at, updated_at)
  SELECT corp_id, '', created_at, created_at FROM corporations
  WHERE is_platform AND corp_id NOT IN (SELECT corp_id FROM organizations);
