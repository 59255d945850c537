-- A customer's number, as users read it. Numbers are counted per corporation and never given again.
ALTER TABLE corporations ADD COLUMN last_customer_number BIGINT NOT NULL DEFAULT 1000;
ALTER TABLE customers ADD COLUMN customer_number BIGINT;
UPDATE customers c SET customer_number = 1000 + n.place
  FROM (SELECT corp_id, customer_id, row_number() OVER (PARTITION BY corp_id ORDER BY created_at, doc) AS place FROM customers) n
  WHERE c.corp_id = n.corp_id AND c.customer_id = n.customer_id;
UPDATE corporations c SET last_customer_number = n.last
  FROM (SELECT corp_id, max(customer_number) AS last FROM customers GROUP BY corp_id) n WHERE c.corp_id = n.corp_id;
ALTER TABLE customers ALTER COLUMN customer_number SET NOT NULL;
CREATE UNIQUE INDEX customers_number ON customers (corp_id, customer_number);

-- The corporation's row stays locked until the transaction ends, so that two customers never get the same number.
CREATE FUNCTION customers_take_number() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE corporations SET last_customer_number = last_customer_number + 1 WHERE corp_id = NEW.corp_id
    RETURNING last_customer_number INTO NEW.customer_number;
  RETURN NEW;
END $$;
CREATE TRIGGER customers_take_number BEFORE INSERT ON customers
  FOR EACH ROW WHEN (NEW.customer_number IS NULL) EXECUTE FUNCTION customers_take_number();
