-- The purchase price, the minimum price and the costs of a vehicle, and the day from which it is in stock (docs/product.md 4.28).
ALTER TABLE vehicles
  ADD COLUMN purchase_price BIGINT, -- in hundredths of the currency
  ADD COLUMN minimum_price BIGINT,
  ADD COLUMN costs TEXT NOT NULL DEFAULT '[]', -- JSON: date, kind, net, VAT and note of each
  ADD COLUMN costs_net BIGINT, -- their total
  ADD COLUMN in_stock_on TEXT COLLATE "C"; -- yyyy-MM-dd
ALTER TABLE vehicles DISABLE TRIGGER USER;
UPDATE vehicles SET in_stock_on = to_char(to_timestamp(created_at / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') WHERE status <> 'Expected';
ALTER TABLE vehicles ENABLE TRIGGER USER;
CREATE INDEX vehicles_by_in_stock_on ON vehicles (corp_id, in_stock_on NULLS FIRST, doc) INCLUDE (vehicle_id);
