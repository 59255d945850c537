-- The position in the chain of the newest history entry whose values FORECOURT_HISTORY_MONTHS has erased; 0 for none.
ALTER TABLE corporations ADD COLUMN history_pruned BIGINT NOT NULL DEFAULT 0;
