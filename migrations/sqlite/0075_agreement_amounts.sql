-- The rate of VAT at the delivery of an agreement, in hundredths of a percent. NULL before it.
ALTER TABLE agreements ADD COLUMN vat_rate INTEGER;
UPDATE agreements SET vat_rate = (SELECT c.vat_rate FROM corporations c WHERE c.corp_id = agreements.corp_id)
  WHERE state IN ('Delivered', 'Closed');
