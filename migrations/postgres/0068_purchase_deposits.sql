-- The deposit of an agreement that sells nothing was paid by the dealer, so it is not added to what the dealer still pays.
UPDATE agreements SET to_pay = to_pay + 2 * deposit
  WHERE deposit IS NOT NULL AND leg_count > 0 AND legs NOT LIKE '%"Out"%' AND legs NOT LIKE '%"Brokered"%';
