//! The tables of tenants, read from the database's schema.

use crate::helpers::leak;
use crate::records::RECORDS;
use forecourt::platform::db::Db;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Returns PostgreSQL's search tables. They have a `corp_id`, but are not checked as tables of tenants, because queries
/// get only row numbers and counts from them.
pub fn search_tables() -> Vec<String> {
    RECORDS.iter().map(|record| format!("{}_search", record.list)).collect()
}

#[derive(Debug, Default)]
pub struct Table {
    pub name: String,
    pub columns: Vec<String>,
    /// The primary key and each unique key without a condition: whether it is the primary key, and its columns.
    pub keys: Vec<(bool, Vec<String>)>,
    pub references: Vec<Reference>,
}

#[derive(Debug, Default)]
pub struct Reference {
    pub to: String,
    /// Pairs of a column of this table and the column that it refers to.
    pub columns: Vec<(String, String)>,
}

/// Returns all tables with a `corp_id`, except [`search_tables`].
pub async fn tables(db: &Db) -> Vec<Table> {
    let columns: Vec<(String, String)> = db
        .sql(db.pick(
            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'",
            "SELECT CAST(table_name AS text), CAST(column_name AS text) FROM information_schema.columns \
             WHERE table_schema = 'public'",
        ))
        .all()
        .await
        .unwrap();
    let keys: Vec<(String, String, bool, String)> = db
        .sql(db.pick(
            "SELECT t.name, k.name, k.origin = 'pk', c.name FROM sqlite_schema t, pragma_index_list(t.name) k, \
             pragma_index_info(k.name) c WHERE t.type = 'table' AND k.\"unique\" AND NOT k.partial \
             ORDER BY k.name, c.seqno",
            "SELECT CAST(t.relname AS text), CAST(k.indexrelid AS text), k.indisprimary, CAST(c.attname AS text) \
             FROM pg_class t JOIN pg_index k ON k.indrelid = t.oid AND k.indisunique AND k.indpred IS NULL \
             CROSS JOIN unnest(k.indkey) WITH ORDINALITY AS part (attnum, place) \
             JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum = part.attnum \
             WHERE t.relnamespace = 'public'::regnamespace ORDER BY k.indexrelid, place",
        ))
        .all()
        .await
        .unwrap();
    let references: Vec<(String, String, String, String, String)> = db
        .sql(db.pick(
            "SELECT t.name, t.name || f.id, f.\"table\", f.\"from\", f.\"to\" FROM sqlite_schema t, \
             pragma_foreign_key_list(t.name) f WHERE t.type = 'table' ORDER BY t.name, f.id, f.seq",
            "SELECT CAST(t.relname AS text), CAST(f.oid AS text), CAST(f.confrelid::regclass AS text), \
             CAST(c.attname AS text), CAST(r.attname AS text) FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid \
             CROSS JOIN unnest(f.conkey, f.confkey) WITH ORDINALITY AS part (own, other, place) \
             JOIN pg_attribute c ON c.attrelid = f.conrelid AND c.attnum = part.own \
             JOIN pg_attribute r ON r.attrelid = f.confrelid AND r.attnum = part.other \
             WHERE f.contype = 'f' ORDER BY f.oid, place",
        ))
        .all()
        .await
        .unwrap();
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    for (table, column) in columns {
        tables.entry(table.clone()).or_insert_with(|| Table { name: table, ..Table::default() }).columns.push(column);
    }
    let (mut last_key, mut last_reference) = (String::new(), String::new());
    for (table, key, is_primary, column) in keys {
        let Some(table) = tables.get_mut(&table) else { continue };
        if last_key != key {
            table.keys.push((is_primary, Vec::new()));
            last_key = key;
        }
        table.keys.last_mut().unwrap().1.push(column);
    }
    for (table, reference, to, own, other) in references {
        let Some(table) = tables.get_mut(&table) else { continue };
        if last_reference != reference {
            table.references.push(Reference { to, columns: Vec::new() });
            last_reference = reference;
        }
        table.references.last_mut().unwrap().columns.push((own, other));
    }
    let search = search_tables();
    let is_tenants = |table: &Table| table.columns.iter().any(|c| c == "corp_id") && !search.contains(&table.name);
    tables.into_values().filter(is_tenants).collect()
}

/// Inserts a row with this id into each table of a tenant through `make`. Returns each table's name and the result.
/// `db` is used only for the SQL dialect.
pub async fn fill(
    db: &Db,
    make: &Db,
    corp: Uuid,
    id: Uuid,
) -> Vec<(&'static str, forecourt::platform::db::Result<u64>)> {
    let uuid = |id: Uuid| match db.pick(true, false) {
        true => format!("x'{}'", id.simple()),
        false => format!("'{id}'::uuid"),
    };
    let (corp_text, bytes) =
        (uuid(corp), db.pick(format!("x'{}'", id.simple()), format!("'\\x{}'::bytea", id.simple())));
    let (key, text) = (uuid(id), format!("'{id}'"));
    // `later` is far in the future, so that no job deletes the rows as expired.
    let (mut made, later) = (Vec::new(), i64::MAX);
    for (table, columns, values) in [
        ("corporations", "name, created_at, updated_at", format!("{text}, 0, 0")),
        ("corporation_resources", "resource_id", "'contacts'".to_owned()),
        ("organizations", "organization_number, created_at, updated_at", format!("{text}, 0, 0")),
        ("roles", "role_id, name, description, created_at, updated_at", format!("{key}, {text}, '', 0, 0")),
        (
            "role_permissions",
            "role_id, resource_id, can_read, can_create, can_update, can_delete",
            format!("{key}, 'contacts', TRUE, TRUE, TRUE, TRUE"),
        ),
        (
            "users",
            "user_id, role_id, email, first_name, last_name, mobile, user_type, password_hash, created_at, updated_at",
            format!("{key}, {key}, {text}, '', '', '', 'User', '', 0, 0"),
        ),
        (
            "sessions",
            "session_id, user_id, device_name, remember, created_at, expires_at",
            format!("{key}, {key}, '', FALSE, 0, {later}"),
        ),
        ("refresh_tokens", "token_hash, session_id, created_at", format!("{bytes}, {key}, 0")),
        (
            "login_codes",
            "user_id, device_hash, code_hash, device_name, remember, sent_at, expires_at",
            format!("{key}, {bytes}, {bytes}, '', FALSE, {later}, {later}"),
        ),
        ("trusted_devices", "user_id, device_hash, trusted_until", format!("{key}, {bytes}, {later}")),
        ("password_resets", "user_id, token_hash, created_at, expires_at", format!("{key}, {bytes}, 0, {later}")),
        ("identities", "user_id, issuer, subject, created_at", format!("{key}, '', {text}, 0")),
        ("handoffs", "user_id, handoff_hash, device_name, expires_at", format!("{key}, {bytes}, '', {later}")),
        (
            "messages",
            "message_id, sealed, status, due_at, expires_at, created_at",
            format!("{key}, {bytes}, 'sent', 0, {later}, {later}"),
        ),
        ("images", "image_id, user_id, mime, bytes, created_at", format!("{key}, {key}, 'image/png', {bytes}, 0")),
        (
            "photos",
            "photo_id, record_id, size, bytes, thumbnail, created_at",
            format!("{key}, {key}, 2, {bytes}, {bytes}, 0"),
        ),
        (
            "imports",
            "import_id, user_id, file_name, file_size, mapping, status, created_at, updated_at",
            format!("{key}, {key}, '', 0, '[]', 'receiving', 0, {later}"),
        ),
        ("import_parts", "import_id, part, bytes", format!("{key}, 0, {bytes}")),
        ("import_failures", "import_id, row_number, problems", format!("{key}, 1, '[]'")),
        (
            "contacts",
            "doc, contact_id, name, email, phone, website, address, other_details, name_key, import_id, import_row, \
             created_at, updated_at",
            format!("0, {key}, {text}, '', '', '', '', '{{}}', {text}, {key}, 1, 0, 0"),
        ),
        (
            "lists",
            "kind, first_doc, next_doc, searched_doc",
            "'tests', (SELECT min(first_doc) - 1 FROM lists), 0, 0".to_owned(),
        ),
        ("list_months", "kind, month, count", "'tests', '', 0".to_owned()),
        (
            "views",
            "view_id, user_id, resource_id, name, search, sort, conditions, columns, density, is_shared, created_at, \
             updated_at",
            format!("{key}, {key}, 'contacts', {text}, '', '', '[]', '[]', 'compact', FALSE, 0, 0"),
        ),
        (
            "history",
            "history_id, at, actor_id, action, resource_id, label, changes",
            format!("{key}, 0, {key}, 'created', 'contacts', {text}, '[]'"),
        ),
        (
            "trash",
            "resource_id, record_id, label, label_key, deleted_at, deleted_by, content",
            format!("'contacts', {key}, {text}, {text}, {later}, {key}, '{{}}'"),
        ),
        (
            "reverts",
            "batch_id, history_id, actor_id, should_overwrite, last_row, total, reverted, kept, started_at, ended_at",
            format!("{key}, {key}, {key}, FALSE, 0, 0, 0, 0, 0, 0"),
        ),
        ("erasures", "erasure_id, at, erased_by, parts", format!("{key}, 0, {key}, '{{}}'")),
        ("agreement_vehicles", "agreement, vehicle, direction, state", format!("{key}, {key}, {text}, {text}")),
        ("view_defaults", "user_id, resource_id, view_id", format!("{key}, 'contacts', {key}")),
        (
            "comments",
            "comment_id, contact_id, user_id, comment, created_at, updated_at",
            format!("{key}, {key}, {key}, {text}, 0, 0"),
        ),
    ] {
        let sql = leak(format!("INSERT INTO {table} (corp_id, {columns}) VALUES ({corp_text}, {values})"));
        made.push((table, make.sql(sql).exec().await));
    }
    for record in RECORDS.iter().filter(|record| record.list != "contacts") {
        made.push((record.list, record.insert(make, corp, id, &id.to_string()).await));
    }
    made
}
