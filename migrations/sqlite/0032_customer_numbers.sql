-- A customer's number, as users read it. Numbers are counted per corporation and never given again.
ALTER TABLE corporations ADD COLUMN last_customer_number INTEGER NOT NULL DEFAULT 1000;
ALTER TABLE customers ADD COLUMN customer_number INTEGER;
UPDATE customers SET customer_number = 1000 + numbered.place
  FROM (SELECT doc, row_number() OVER (PARTITION BY corp_id ORDER BY created_at, doc) AS place FROM customers) AS numbered
  WHERE customers.doc = numbered.doc;
UPDATE corporations SET last_customer_number = counted.last
  FROM (SELECT corp_id, max(customer_number) AS last FROM customers GROUP BY corp_id) AS counted
  WHERE corporations.corp_id = counted.corp_id;
CREATE UNIQUE INDEX customers_number ON customers (corp_id, customer_number);

CREATE TRIGGER customers_take_number AFTER INSERT ON customers BEGIN
  UPDATE corporations
    SET last_customer_number = max(last_customer_number, coalesce(new.customer_number, last_customer_number + 1))
    WHERE corp_id = new.corp_id;
  UPDATE customers SET customer_number = (SELECT last_customer_number FROM corporations WHERE corp_id = new.corp_id)
    WHERE corp_id = new.corp_id AND customer_id = new.customer_id AND customer_number IS NULL;
END;
