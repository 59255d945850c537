-- If all changes of an entry are of fields that only some users see: the resource that a user must be able to read for the entry to
-- exist for that user. Earlier entries about the vehicles of agreements stay without it.
ALTER TABLE history ADD COLUMN needed_resource_id TEXT;
UPDATE history SET needed_resource_id = 'vehicles.costs'
  WHERE resource_id IN ('vehicles', 'agreements') AND changes <> '[]' AND NOT EXISTS (SELECT 1 FROM json_each(changes)
    WHERE json_extract(value, '$.field') NOT IN ('purchase_price', 'minimum_price', 'costs'));
DROP INDEX history_corporation;
CREATE INDEX history_corporation ON history (corp_id, at, history_id, resource_id, action, actor_id, record_id, batch_id,
  needed_resource_id) WHERE batch_id IS NULL;
