-- The deposit of an agreement that sells nothing was paid by the dealer, so it is not added to what the dealer still pays.
UPDATE agreements SET to_pay = to_pay + 2 * deposit
  WHERE deposit IS NOT NULL AND leg_count > 0 AND legs NOT LIKE '%"Out"%' AND legs NOT LIKE '%"Brokered"%';
UPDATE trash SET content = json_set(content, '$.row.to_pay.number',
    json_extract(content, '$.row.to_pay.number') + 2 * json_extract(content, '$.row.deposit.number'))
  WHERE resource_id = 'agreements' AND json_extract(content, '$.row.deposit.number') IS NOT NULL
    AND json_extract(content, '$.row.leg_count.number') > 0
    AND json_extract(content, '$.row.legs.text') NOT LIKE '%"Out"%' AND json_extract(content, '$.row.legs.text') NOT LIKE '%"Brokered"%';
