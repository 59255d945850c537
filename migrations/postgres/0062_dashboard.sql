-- For the dashboard (docs/product.md 5.2): invoices by day, the vehicles in stock by their first day, sold vehicles by day, and open
-- agreements.
CREATE INDEX invoices_day ON invoices (corp_id, start_date) INCLUDE (project_price);
CREATE INDEX vehicles_stock ON vehicles (corp_id, in_stock_on) INCLUDE (asking_price) WHERE status IN ('In stock', 'Reserved');
CREATE INDEX agreements_delivered ON agreements (corp_id, delivered_on) WHERE delivered_on IS NOT NULL;
CREATE INDEX agreements_open ON agreements (corp_id, state, agreed_on) WHERE state IN ('Offered', 'Signed');
