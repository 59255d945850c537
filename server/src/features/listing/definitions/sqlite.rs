//! On SQLite: a full-text index, the triggers of its rows, and the triggers of the sort rows.

use super::super::sort_rows::sorted_columns;
use super::super::{LISTINGS, Listing};
use super::of_row;
use crate::platform::db::schema::Definition;

/// Returns the search index of a list, and the triggers that number, count and index rows that are written singly.
pub fn rows(listing: &'static Listing) -> Vec<Definition> {
    let Listing { table, id, search, search_columns, search_keys, .. } = listing;
    let keys = |row| search_keys.iter().map(|key| of_row(row, key)).collect::<Vec<_>>();
    let (old_keys, new_keys) = (keys("old").join(", "), keys("new").join(", "));
    let set: Vec<_> =
        search_columns.split(", ").zip(keys("new")).map(|(column, key)| format!("{column} = {key}")).collect();
    let set = set.join(", ");
    let key_texts: Vec<_> = keys("r").into_iter().map(|key| format!("coalesce({key}, '')")).collect();
    let key_texts = key_texts.join(", ");
    let list = |row| format!("corp_id = {row}.corp_id AND kind = '{table}'");
    let (new_list, old_list) = (list("new"), list("old"));
    let search_index = format!(
        "CREATE VIRTUAL TABLE {search} USING fts5 (
  {search_columns}, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
)"
    );
    vec![
        Definition { name: (*search).into(), text: None, create: search_index, replace: String::new() },
        // Reads the row from the table, because another trigger may have set columns of it since, such as its number.
        trigger(
            table,
            "insert",
            &format!(
                "AFTER INSERT ON {table} WHEN new.doc = 0 BEGIN
  UPDATE {table} SET doc = (SELECT next_doc FROM lists WHERE {new_list}) WHERE doc = 0;
  INSERT INTO {search} (rowid, {search_columns}) SELECT next_doc, {key_texts}
    FROM lists l JOIN {table} r ON r.corp_id = new.corp_id AND r.{id} = new.{id}
    WHERE l.corp_id = new.corp_id AND l.kind = '{table}' AND l.searched_doc = l.next_doc - 1;
  UPDATE lists SET searched_doc = iif(searched_doc = next_doc - 1, next_doc, searched_doc), next_doc = next_doc + 1,
    total = total + 1, changes = changes + 1 WHERE {new_list};
END"
            ),
        ),
        trigger(
            table,
            "update",
            &format!(
                "AFTER UPDATE ON {table} WHEN old.doc = new.doc BEGIN
  UPDATE lists SET changes = changes + 1 WHERE {new_list};
END"
            ),
        ),
        // Changes nothing if the row is not in the index yet.
        trigger(
            table,
            "update_search",
            &format!(
                "AFTER UPDATE ON {table} WHEN old.doc = new.doc AND ({old_keys}) IS NOT ({new_keys}) BEGIN
  UPDATE {search} SET {set} WHERE rowid = new.doc;
END"
            ),
        ),
        trigger(
            table,
            "delete",
            &format!(
                "AFTER DELETE ON {table} BEGIN
  DELETE FROM {search} WHERE rowid = old.doc;
  UPDATE lists SET total = total - 1, changes = changes + 1 WHERE {old_list};
END"
            ),
        ),
    ]
}

/// Returns the triggers of the sort rows. A row that is written singly gets its sort rows when it is numbered, if all
/// rows before it have theirs; a job adds those of the others (`sort_rows.rs`). Until it has, an update of them changes
/// nothing here.
pub fn sort_rows(listing: &'static Listing) -> Vec<Definition> {
    let table = listing.table;
    // -1 is the key of NULL (migrations/sqlite/0034_sort_rows.sql).
    let keys = |row: &'static str| {
        sorted_columns(listing)
            .map(move |(column, number)| (number, format!("coalesce({}, -1)", of_row(row, column.sort_key))))
    };
    let inserted: Vec<_> = keys("new").map(|(number, key)| format!("({number}, {key})")).collect();
    let inserted = inserted.join(",\n    ");
    let updated: Vec<_> =
        keys("old").zip(keys("new")).map(|((number, old), (_, new))| format!("({number}, {old}, {new})")).collect();
    let updated = updated.join(",\n    ");
    let deleted: Vec<_> = keys("old")
        .map(|(number, key)| {
            format!(
                "\n  DELETE FROM sort_rows WHERE list = old.doc >> 32 AND field = {number} AND key = {key} AND doc = old.doc;"
            )
        })
        .collect();
    let deleted = deleted.concat();
    let numbers: Vec<_> = sorted_columns(listing).map(|(_, number)| format!("({number})")).collect();
    let numbers = numbers.join(", ");
    let insert = trigger(
        table,
        "sort_insert",
        &format!(
            "AFTER UPDATE OF doc ON {table} WHEN old.doc = 0
AND EXISTS (SELECT 1 FROM lists WHERE corp_id = new.corp_id AND kind = '{table}' AND sorted_doc = new.doc - 1) BEGIN
  INSERT INTO sort_rows (list, field, key, doc) SELECT new.doc >> 32, column1, column2, new.doc FROM (VALUES
    {inserted}
  );
  UPDATE lists SET sorted_doc = new.doc WHERE corp_id = new.corp_id AND kind = '{table}';
END"
        ),
    );
    // The job adds the sort rows of a field that had none until now.
    let sort_again = format!(
        "UPDATE lists SET sorted_doc = first_doc - 1 WHERE kind = '{table}' AND total > 0 AND EXISTS (
  SELECT 1 FROM (VALUES {numbers})
  WHERE NOT EXISTS (SELECT 1 FROM sort_rows WHERE list = first_doc >> 32 AND field = column1)
)"
    );
    vec![
        insert.then(&sort_again),
        trigger(
            table,
            "sort_update",
            &format!(
                "AFTER UPDATE ON {table} WHEN old.doc = new.doc BEGIN
  UPDATE sort_rows SET key = column3 FROM (VALUES
    {updated}
  ) WHERE list = new.doc >> 32 AND field = column1 AND key = column2 AND doc = new.doc AND column2 <> column3;
END"
            ),
        ),
        trigger(table, "sort_delete", &format!("AFTER DELETE ON {table} BEGIN{deleted}\nEND")),
    ]
}

/// Returns the trigger that adds the lists of a new corporation. Existing corporations get the lists that they lack.
pub fn lists() -> Definition {
    let kinds: Vec<_> =
        LISTINGS.iter().enumerate().map(|(at, listing)| format!("('{}', {})", listing.table, at + 1)).collect();
    let kinds = kinds.join(", ");
    let columns = "INSERT INTO lists (corp_id, kind, first_doc, next_doc, searched_doc, sorted_doc)";
    let last = "(SELECT coalesce(max(first_doc), 0) >> 32 FROM lists)";
    let numbers = "kind, first << 32, first << 32, (first << 32) - 1, (first << 32) - 1";
    let added = trigger(
        "corporations",
        "lists",
        &format!(
            "AFTER INSERT ON corporations BEGIN
  {columns}
    SELECT new.corp_id, {numbers} FROM (SELECT column1 AS kind, {last} + column2 AS first FROM (VALUES {kinds}));
END"
        ),
    );
    added.then(&format!(
        "{columns} SELECT corp_id, {numbers} FROM (
  SELECT corp_id, column1 AS kind, {last} + row_number() OVER (ORDER BY column2, corp_id) AS first
  FROM corporations c JOIN (VALUES {kinds})
  WHERE NOT EXISTS (SELECT 1 FROM lists l WHERE l.corp_id = c.corp_id AND l.kind = column1)
)"
    ))
}

/// Returns a trigger of a table. SQLite keeps the text that created it.
fn trigger(table: &str, name: &str, body: &str) -> Definition {
    let name = format!("{table}_{name}");
    let create = format!("CREATE TRIGGER {name} {body}");
    Definition { replace: format!("DROP TRIGGER {name}; {create}"), text: Some(create.clone()), name, create }
}
