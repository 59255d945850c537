CREATE TABLE invoices (
  corp_id               UUID    NOT NULL REFERENCES corporations (corp_id) ON DELETE CASCADE,
  invoice_id            UUID    NOT NULL,
  customer              TEXT    NOT NULL,
  website               TEXT    NOT NULL,
  email                 TEXT    NOT NULL,
  customer_requirements TEXT    NOT NULL,
  start_date            TEXT    COLLATE "C" NOT NULL, -- yyyy-MM-dd
  end_date              TEXT    COLLATE "C" NOT NULL,
  project_price         BIGINT  NOT NULL, -- pence
  search                TEXT    NOT NULL, -- folded customer, website and e-mail
  created_at            BIGINT  NOT NULL,
  updated_at            BIGINT  NOT NULL,
  version               BIGINT  NOT NULL DEFAULT 1,
  PRIMARY KEY (corp_id, invoice_id)
);
SELECT forecourt_protect('invoices');
