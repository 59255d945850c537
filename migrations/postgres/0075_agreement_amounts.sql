-- The rate of VAT at the delivery of an agreement, in hundredths of a percent, and the commission of an agency as an amount.
ALTER TABLE agreements ADD COLUMN vat_rate BIGINT;
ALTER TABLE agreements ADD COLUMN commission_amount BIGINT;
UPDATE agreements SET vat_rate = (SELECT c.vat_rate FROM corporations c WHERE c.corp_id = agreements.corp_id)
  WHERE state IN ('Delivered', 'Closed');
UPDATE agreements SET commission_amount = coalesce(commission, (out_total * commission_percent + 5000) / 10000)
  WHERE agreement_type = 'Agency';
UPDATE trash SET content = jsonb_set(content::JSONB, '{row,commission_amount}', jsonb_build_object('number',
    coalesce((content::JSONB #>> '{row,commission,number}')::BIGINT, ((content::JSONB #>> '{row,out_total,number}')::BIGINT
      * (content::JSONB #>> '{row,commission_percent,number}')::BIGINT + 5000) / 10000)))::TEXT
  WHERE resource_id = 'agreements' AND content::JSONB #>> '{row,agreement_type,text}' = 'Agency';
