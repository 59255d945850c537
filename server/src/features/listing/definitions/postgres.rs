//! On PostgreSQL: a table with the texts of the rows and its trigram index, and a trigger that counts and indexes the
//! rows of each statement.

use super::super::{LISTINGS, Listing};
use super::of_row;
use crate::platform::db::schema::Definition;

/// Returns the function that counts the rows of a statement, however many, and indexes them if they are few and the
/// ones before are indexed; a job indexes the others. With its first version, the search table and the triggers are
/// created.
pub fn rows(listing: &Listing) -> Definition {
    let Listing { table, search, search_keys, .. } = listing;
    let keys: Vec<_> = search_keys.iter().map(|key| of_row("a", key)).collect();
    let text = format!("concat_ws(E'\\n', {})", keys.join(", "));
    // A transition table has no statistics, and no other plan reads only the rows that changed.
    let settings = "SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off";
    // With the settings in the body, which the database keeps, a change of them replaces the function.
    let body = format!(
        "
-- {settings}
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      UPDATE lists l SET total = l.total + n.count, changes = l.changes + 1,
          searched_doc = CASE WHEN n.count <= 1000 AND n.first = l.searched_doc + 1 THEN n.last ELSE l.searched_doc END
        FROM (SELECT corp_id, count(*) AS count, min(doc) AS first, max(doc) AS last FROM added GROUP BY corp_id) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = '{table}';
      INSERT INTO {search} (corp_id, doc, search) SELECT a.corp_id, a.doc, {text}
        FROM added a JOIN lists l ON l.corp_id = a.corp_id AND l.kind = '{table}' WHERE a.doc <= l.searched_doc;
    WHEN 'UPDATE' THEN
      UPDATE lists l SET changes = l.changes + 1
        FROM (SELECT DISTINCT corp_id FROM added) AS n
        WHERE l.corp_id = n.corp_id AND l.kind = '{table}';
      -- Changes nothing if the row is not in the table yet.
      UPDATE {search} s SET search = {text}
        FROM added a WHERE s.corp_id = a.corp_id AND s.doc = a.doc AND s.search <> {text};
    ELSE
      UPDATE lists l SET total = l.total - d.count, changes = l.changes + 1
        FROM (SELECT corp_id, count(*) AS count FROM gone GROUP BY corp_id) AS d
        WHERE l.corp_id = d.corp_id AND l.kind = '{table}';
      DELETE FROM {search} s USING gone g WHERE s.corp_id = g.corp_id AND s.doc = g.doc;
  END CASE;
  RETURN NULL;
END "
    );
    let written = function(&format!("{table}_written"), settings, body);
    let create = format!(
        "CREATE TABLE {search} (corp_id UUID NOT NULL, doc BIGINT NOT NULL, search TEXT COLLATE \"C\" NOT NULL, PRIMARY KEY (corp_id, doc));
CREATE INDEX {search}_text ON {search} USING gin (corp_id, search gin_trgm_ops);
{}
CREATE TRIGGER {table}_lock BEFORE UPDATE OR DELETE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION lists_lock();
CREATE TRIGGER {table}_number BEFORE INSERT ON {table} FOR EACH ROW WHEN (NEW.doc = 0) EXECUTE FUNCTION lists_number();
CREATE TRIGGER {table}_insert AFTER INSERT ON {table} REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION {table}_written();
CREATE TRIGGER {table}_update AFTER UPDATE ON {table} REFERENCING NEW TABLE AS added OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION {table}_written();
CREATE TRIGGER {table}_delete AFTER DELETE ON {table} REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION {table}_written()",
        written.create
    );
    Definition { create, ..written }
}

/// Returns the function that adds the lists of a new corporation. Existing corporations get the lists that they lack.
pub fn lists() -> Definition {
    let kinds: Vec<_> = LISTINGS.iter().map(|listing| format!("'{}'", listing.table)).collect();
    let kinds = format!("unnest(ARRAY[{}])", kinds.join(", "));
    let body = format!(
        "
BEGIN
  INSERT INTO lists (corp_id, kind) SELECT NEW.corp_id, {kinds};
  RETURN NULL;
END "
    );
    function("corporations_lists", "", body).then(&format!(
        "INSERT INTO lists (corp_id, kind) SELECT corp_id, {kinds} FROM corporations ON CONFLICT DO NOTHING"
    ))
}

/// Returns the function of a trigger. PostgreSQL keeps its body.
fn function(name: &str, settings: &str, body: String) -> Definition {
    let create =
        format!("CREATE OR REPLACE FUNCTION {name}() RETURNS TRIGGER LANGUAGE plpgsql {settings} AS $${body}$$;");
    Definition { name: name.into(), text: Some(body), replace: create.clone(), create }
}
