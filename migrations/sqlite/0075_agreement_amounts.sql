-- The rate of VAT at the delivery of an agreement, in hundredths of a percent, and the commission of an agency as an amount.
ALTER TABLE agreements ADD COLUMN vat_rate INTEGER;
ALTER TABLE agreements ADD COLUMN commission_amount INTEGER;
UPDATE agreements SET vat_rate = (SELECT c.vat_rate FROM corporations c WHERE c.corp_id = agreements.corp_id)
  WHERE state IN ('Delivered', 'Closed');
UPDATE agreements SET commission_amount = coalesce(commission, (out_total * commission_percent + 5000) / 10000)
  WHERE agreement_type = 'Agency';
UPDATE trash SET content = json_set(content, '$.row.commission_amount', json_object('number',
    coalesce(json_extract(content, '$.row.commission.number'), (json_extract(content, '$.row.out_total.number')
      * json_extract(content, '$.row.commission_percent.number') + 5000) / 10000)))
  WHERE resource_id = 'agreements' AND json_extract(content, '$.row.agreement_type.text') = 'Agency';
