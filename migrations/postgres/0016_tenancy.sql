-- The database itself keeps corporations apart (docs/decisions/0007-row-level-security.md). A migration that makes a table
-- with a corp_id calls this function for it.
CREATE FUNCTION forecourt_protect(tenant_table REGCLASS) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  -- Forced, so that it holds for the table's owner too, who is the program.
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', tenant_table);
  -- In subselects, so that a statement reads the setting once and not for every row. Where it is unset, or empty as a
  -- transaction leaves it behind, nothing is visible.
  EXECUTE format(
    'CREATE POLICY tenant ON %s USING ((SELECT current_setting(''forecourt.corp'', TRUE) = ''all'') OR corp_id = '
    '(SELECT NULLIF(NULLIF(current_setting(''forecourt.corp'', TRUE), ''all''), '''')::UUID))', tenant_table);
END $$;

-- Who imported is forgotten when they are deleted; what became of the import stays.
ALTER TABLE imports ALTER COLUMN user_id DROP NOT NULL;
UPDATE imports SET user_id = NULL WHERE NOT EXISTS
  (SELECT 1 FROM users u WHERE u.corp_id = imports.corp_id AND u.user_id = imports.user_id);
ALTER TABLE imports ADD FOREIGN KEY (corp_id, user_id) REFERENCES users (corp_id, user_id) ON DELETE SET NULL (user_id);
CREATE INDEX imports_user ON imports (corp_id, user_id);
ALTER TABLE contacts ADD FOREIGN KEY (corp_id, import_id) REFERENCES imports (corp_id, import_id);

-- Row level security keeps LIKE from every index of a table: it might tell of rows that aren't visible. So the search has a
-- table of its own without, as it has on SQLite. Only ids leave it; the rows to them come from contacts.
DROP INDEX contacts_search;
CREATE TABLE contacts_search (
  corp_id    UUID NOT NULL,
  contact_id UUID NOT NULL,
  search     TEXT NOT NULL,
  PRIMARY KEY (corp_id, contact_id)
);
INSERT INTO contacts_search (corp_id, contact_id, search) SELECT corp_id, contact_id, search FROM contacts;
CREATE INDEX contacts_search_text ON contacts_search USING gin (corp_id, search gin_trgm_ops);

-- Once for a statement, however many rows it has. A contact never changes its key.
CREATE FUNCTION contacts_search_follow() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      INSERT INTO contacts_search (corp_id, contact_id, search) SELECT corp_id, contact_id, search FROM changed;
    WHEN 'UPDATE' THEN
      UPDATE contacts_search s SET search = c.search FROM changed c
        WHERE s.corp_id = c.corp_id AND s.contact_id = c.contact_id AND s.search <> c.search;
    ELSE
      DELETE FROM contacts_search s USING changed c WHERE s.corp_id = c.corp_id AND s.contact_id = c.contact_id;
  END CASE;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_search_insert AFTER INSERT ON contacts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION contacts_search_follow();
CREATE TRIGGER contacts_search_update AFTER UPDATE ON contacts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION contacts_search_follow();
CREATE TRIGGER contacts_search_delete AFTER DELETE ON contacts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION contacts_search_follow();

SELECT forecourt_protect(tenant_table) FROM unnest(ARRAY[
  'corporations', 'corporation_resources', 'organizations', 'roles', 'role_permissions', 'users', 'sessions',
  'refresh_tokens', 'login_codes', 'trusted_devices', 'password_resets', 'identities', 'handoffs', 'messages', 'images',
  'contacts', 'imports', 'import_parts', 'import_failures'
]::REGCLASS[]) AS tenant_table;
