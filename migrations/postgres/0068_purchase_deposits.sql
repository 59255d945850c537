-- The deposit of an agreement that sells nothing was paid by the dealer, so it is not added to what the dealer still pays.
UPDATE agreements SET to_pay = to_pay + 2 * deposit
  WHERE deposit IS NOT NULL AND leg_count > 0 AND legs NOT LIKE '%"Out"%' AND legs NOT LIKE '%"Brokered"%';
UPDATE trash SET content = jsonb_set(content::JSONB, '{row,to_pay,number}', to_jsonb(
    (content::JSONB #>> '{row,to_pay,number}')::BIGINT + 2 * (content::JSONB #>> '{row,deposit,number}')::BIGINT))::TEXT
  WHERE resource_id = 'agreements' AND content::JSONB #>> '{row,deposit,number}' IS NOT NULL
    AND (content::JSONB #>> '{row,leg_count,number}')::BIGINT > 0
    AND content::JSONB #>> '{row,legs,text}' NOT LIKE '%"Out"%' AND content::JSONB #>> '{row,legs,text}' NOT LIKE '%"Brokered"%';
