//! Reads all rows of a tenant, from all tables that the database's schema has for tenants.

use crate::helpers::wait_until;
use forecourt::features::history::chain::extend_all;
use forecourt::features::listing::index_worker::index_all;
use forecourt::platform::db::{Db, Sql, Tx};
use std::collections::BTreeMap;
use uuid::Uuid;

/// For each tenant, its rows of all tables as texts, sorted.
pub type Rows = BTreeMap<Uuid, Vec<String>>;

/// Reads the rows of some tenants from all tables that have a `corp_id`.
pub struct Reader {
    text: &'static str,
    tenants: Vec<Uuid>,
}

impl Reader {
    pub async fn new(db: &Db, tenants: &[Uuid]) -> Self {
        let columns: Vec<(String, String)> = db
            .sql(db.pick(
                "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' \
                 ORDER BY 1, 2",
                "SELECT CAST(table_name AS text), CAST(column_name AS text) FROM information_schema.columns \
                 WHERE table_schema = 'public' ORDER BY 1, 2",
            ))
            .all()
            .await
            .unwrap();
        let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (table, column) in columns {
            tables.entry(table).or_default().push(column);
        }
        tables.retain(|_, columns| columns.iter().any(|column| column == "corp_id"));
        assert!(tables.len() > 15, "{tables:?}");
        let numbers = (1..=tenants.len()).map(|n| format!("${n}")).collect::<Vec<_>>().join(",");
        let select = |(table, columns): (&String, &Vec<String>)| {
            let row = match db {
                Db::Sqlite { .. } => {
                    columns.iter().map(|c| format!("quote(\"{c}\")")).collect::<Vec<_>>().join("||','||")
                }
                Db::Postgres(..) => "CAST(t AS text)".to_owned(),
            };
            // The query joins all rows of a table and tenant to one text, because fetching each row is much slower.
            let whole = db.pick("group_concat", "string_agg");
            let newline = db.pick("char(10)", "chr(10)");
            format!(
                "SELECT corp_id, {whole}('{table}: ' || {row}, {newline}) FROM \"{table}\" t \
                 WHERE corp_id IN ({numbers}) GROUP BY corp_id"
            )
        };
        let text = tables.iter().map(select).collect::<Vec<_>>().join(" UNION ALL ");
        Reader { text: Box::leak(text.into_boxed_str()), tenants: tenants.to_vec() }
    }

    pub async fn read(&self, db: &Db) -> Rows {
        self.read_with(db.sql(self.text)).await
    }

    /// As [`Reader::read`], inside a transaction.
    pub async fn read_in(&self, tx: &mut Tx) -> Rows {
        self.read_with(tx.sql(self.text)).await
    }

    async fn read_with(&self, sql: Sql<'_>) -> Rows {
        let sql = self.tenants.iter().fold(sql, |sql, corp| sql.bind(*corp));
        let all: Vec<(Uuid, String)> = sql.all().await.unwrap();
        let mut rows = Rows::new();
        for (corp, table) in all {
            rows.entry(corp).or_default().extend(table.lines().map(str::to_owned));
        }
        rows.values_mut().for_each(|rows| rows.sort());
        rows
    }
}

/// Waits until no job has work left.
pub async fn wait_for_jobs(db: &Db) {
    wait_until("no job has work left", async || {
        // Index the lists and chain the histories here, because their jobs pause too long between runs.
        index_all(db).await.unwrap();
        extend_all(db).await.unwrap();
        // An import's file parts are deleted, and `kept_bytes` set to 0, only after its status is final.
        let waiting = "SELECT (SELECT count(*) FROM messages WHERE status = 'queued') + \
                       (SELECT count(*) FROM imports WHERE status IN ('pending', 'processing') OR kept_bytes > 0) + \
                       (SELECT count(*) FROM import_parts)";
        db.sql(waiting).value::<i64>().await.unwrap() == 0
    })
    .await;
}

/// Describes the first differences between two states of a tenant. Returns `None` if they are equal.
pub fn difference(before: &Rows, after: &Rows, corp: Uuid) -> Option<String> {
    let none = Vec::new();
    let (old, new) = (before.get(&corp).unwrap_or(&none), after.get(&corp).unwrap_or(&none));
    if old == new {
        return None;
    }
    let gone = old.iter().find(|row| !new.contains(row)).map(|row| format!("gone: {row}"));
    let come = new.iter().find(|row| !old.contains(row)).map(|row| format!("come: {row}"));
    Some(format!("{} {}", gone.unwrap_or_default(), come.unwrap_or_default()))
}
