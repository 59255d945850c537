-- An import is one entry of the history, with the import's id. The contacts that it created refer to it (import_id), so they need no
-- entries of their own. This adds those of the imports so far.
INSERT INTO history (corp_id, history_id, at, actor_id, action, resource_id, label, changes)
  SELECT corp_id, import_id, created_at, user_id, 'imported', 'contacts', file_name, '[]' FROM imports
  WHERE succeeded > 0 AND deleted_at IS NULL AND user_id IS NOT NULL;
