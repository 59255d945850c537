//! Inserts many contacts at once, as an import does.

use crate::access::scope::Scope;
use crate::features::listing::{CONTACTS, writes};
use crate::platform::db::{Result, Sql, Tx};
use forecourt_core::contacts::ContactInput;
use forecourt_core::form::Checked;
use forecourt_core::text::fold;
use sqlx::types::Json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Rows per INSERT on SQLite: 7,007 bound values, of at most 32,766. All full batches have the same text, so its
/// prepared statement is reused.
const BATCH: usize = 500;

/// The import that creates contacts.
pub(crate) struct Origin {
    pub import: Uuid,
    /// The name of the imported file.
    pub source: String,
}

/// A contact to insert. Everything that needs computing is computed before the transaction.
pub(crate) struct NewContact {
    pub(super) id: Uuid,
    /// Name, e-mail address, phone number, website and address.
    texts: [String; 5],
    /// The texts, folded (without case and accents) for searches and sorting.
    keys: [String; 5],
    other_details: BTreeMap<String, String>,
    /// The row number in the imported file.
    row: Option<i64>,
}

impl NewContact {
    pub(crate) fn new(input: Checked<ContactInput>, row: Option<i64>) -> Self {
        let ContactInput { name, email, phone, website, address, other_details } = input.into_inner();
        let texts = [name, email, phone, website, address];
        let keys = texts.each_ref().map(|text| fold(text));
        NewContact { id: Uuid::now_v7(), texts, keys, other_details, row }
    }
}

/// Inserts contacts: on PostgreSQL in one statement, on SQLite in batches of [`BATCH`]. Skips rows of the import that
/// were inserted before.
pub(crate) async fn insert_batch(
    tx: &mut Tx,
    scope: &Scope,
    contacts: Vec<NewContact>,
    origin: Option<&Origin>,
    now: i64,
) -> Result<()> {
    let first = writes::reserve(tx, scope, &CONTACTS, contacts.len()).await?;
    let mut added = 0;
    if let Tx::Postgres(..) = tx {
        added += push_columns(tx.sql(""), scope, first, contacts, origin, now).exec().await?;
    } else {
        let mut rest = (first..).zip(contacts);
        loop {
            let rows: Vec<_> = rest.by_ref().take(BATCH).collect();
            if rows.is_empty() {
                break;
            }
            added += push_rows(tx.sql(""), scope, rows, origin, now).exec().await?;
        }
    }
    writes::add_to_totals(tx, scope, &CONTACTS, first, added).await
}

/// The values that all contacts of a statement have in common come first.
const INSERT: &str = "INSERT INTO contacts (corp_id, import_id, import_source, import_source_key, imported_at, \
     created_at, updated_at, doc, contact_id, name, email, phone, website, address, name_key, email_key, phone_key, \
     website_key, address_key, other_details, import_row) SELECT ";
const SKIP_EXISTING: &str = " ON CONFLICT (corp_id, import_id, import_row) WHERE import_id IS NOT NULL DO NOTHING";

/// Appends the INSERT of contacts, each with its `doc`. It skips rows of the import that were inserted before.
pub(super) fn push_rows<'e>(
    sql: Sql<'e>,
    scope: &Scope,
    rows: Vec<(i64, NewContact)>,
    origin: Option<&Origin>,
    now: i64,
) -> Sql<'e> {
    push_common(sql, scope, origin, now)
        .push(", added.* FROM (VALUES ")
        .tuples(rows, |sql, (doc, NewContact { id, texts, keys, other_details, row })| {
            let sql = texts.into_iter().chain(keys).fold(sql.arg(doc).comma(id), Sql::comma);
            sql.comma(Json(other_details)).comma(row)
        })
        // Without WHERE, SQLite would read ON as part of a join.
        .push(") AS added WHERE TRUE")
        .push(SKIP_EXISTING)
}

/// Appends the beginning of the INSERT, with the values that all its contacts have in common.
fn push_common<'e>(sql: Sql<'e>, scope: &Scope, origin: Option<&Origin>, now: i64) -> Sql<'e> {
    sql.push(INSERT)
        .arg(scope.corp())
        .comma(origin.map(|o| o.import))
        .comma(origin.map(|o| o.source.clone()))
        .comma(origin.map(|o| fold(&o.source)))
        .comma(origin.map(|_| now))
        .comma(now)
        .comma(now)
}

/// Builds the INSERT for any number of rows with one array per column, which is fastest on PostgreSQL.
fn push_columns<'e>(
    sql: Sql<'e>,
    scope: &Scope,
    first: i64,
    rows: Vec<NewContact>,
    origin: Option<&Origin>,
    now: i64,
) -> Sql<'e> {
    let docs: Vec<i64> = (first..).take(rows.len()).collect();
    let mut columns = [(); 10].map(|()| Vec::with_capacity(rows.len()));
    let (mut ids, mut details, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for NewContact { id, texts, keys, other_details, row } in rows {
        columns.iter_mut().zip(texts.into_iter().chain(keys)).for_each(|(column, text)| column.push(text));
        ids.push(id);
        details.push(Json(other_details));
        numbers.push(row);
    }
    let sql = push_common(sql, scope, origin, now)
        .column(", added.* FROM unnest(", "BIGINT[]", docs)
        .column(",", "UUID[]", ids);
    columns
        .into_iter()
        .fold(sql, |sql, texts| sql.column(",", "TEXT[]", texts))
        .column(",", "JSONB[]", details)
        .column(",", "BIGINT[]", numbers)
        .push(") AS added")
        .push(SKIP_EXISTING)
}
