-- The list of imports shows which were undone. Undoings that end within their request are in the table, too, from now on.
CREATE INDEX reverts_entry ON reverts (corp_id, history_id);
