//! The separation of corporations below the handlers: keys and references that begin with the corporation, statements
//! that name it, and PostgreSQL's row-level security.

mod schema;
mod statements;

use crate::app::{TestApp, create_postgres_database};
use crate::helpers::{count, leak, wait_until};
use forecourt::platform::db::Db;
use futures_util::future::join_all;
use schema::{Table, fill, tables};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::process::Command;
use std::task::Poll;
use uuid::Uuid;

/// Two corporations, each with a row in every table. `one` and `other` are the corporation's id and the rows' id.
struct TwoTenants {
    app: TestApp,
    tables: Vec<Table>,
    one: (Uuid, Uuid),
    other: (Uuid, Uuid),
}

impl TwoTenants {
    async fn start() -> Self {
        let app = TestApp::start().await;
        let [one, other] = [(); 2].map(|()| (Uuid::now_v7(), Uuid::now_v7()));
        for (corp, id) in [one, other] {
            for (table, made) in fill(app.db(), app.db(), corp, id).await {
                assert_eq!(made.unwrap(), 1, "{table}");
            }
        }
        let tables = tables(app.db()).await;
        TwoTenants { app, tables, one, other }
    }

    /// Returns a handle that shows only the rows of the tenant `one`; `None` on SQLite, which has no row-level security.
    fn db_of_one(&self) -> Option<Db> {
        self.app.db().pick(None, Some(self.app.db().for_tenant(self.one.0)))
    }

    /// Returns, for each table, the number of rows that do not belong to the tenant `one`.
    async fn count_other_rows(&self) -> BTreeMap<String, i64> {
        let mut rows = BTreeMap::new();
        for Table { name, .. } in self.tables.iter() {
            let sql = leak(format!("SELECT count(*) FROM {name} WHERE corp_id <> $1"));
            let count: i64 = self.app.db().sql(sql).bind(self.one.0).value().await.unwrap();
            rows.insert(name.clone(), count);
        }
        rows
    }
}

/// Returns whether the database has rejected the statement because of row-level security.
fn is_rejected(result: &forecourt::platform::db::Result<u64>) -> bool {
    let code = result.as_ref().err().and_then(|e| e.as_database_error()).and_then(|e| e.code().map(|c| c.into_owned()));
    code.as_deref() == Some("42501")
}

#[tokio::test]
async fn t2_primary_keys_and_references_of_tenant_tables_begin_with_corp_id() {
    let app = TestApp::start().await;
    let tables = tables(app.db()).await;
    let is_tenants = |name: &str| tables.iter().any(|table| table.name == name);
    assert!(tables.len() >= 19 && is_tenants("contacts"), "{tables:#?}");
    for table in &tables {
        let name = &table.name;
        assert!(table.keys.iter().any(|(_, columns)| columns[0] == "corp_id"), "{name}: {:?}", table.keys);
        assert!(table.keys.iter().all(|(primary, c)| !primary || c[0] == "corp_id"), "{name}: {:?}", table.keys);
        for reference in table.references.iter().filter(|reference| is_tenants(&reference.to)) {
            assert_eq!(reference.columns[0], ("corp_id".into(), "corp_id".into()), "{name}: {reference:?}");
        }
        // A column such as `role_id` is named after another table, so it must be a foreign key to it.
        for column in &table.columns {
            let other = tables.iter().find(|other| {
                other.name != *name && column.strip_suffix("_id").is_some_and(|c| other.name == format!("{c}s"))
            });
            let Some(other) = other else { continue };
            let pair = (column.clone(), column.clone());
            let is_known = |r: &schema::Reference| r.to == other.name && r.columns.contains(&pair);
            assert!(table.references.iter().any(is_known), "{name}.{column} is no foreign key");
        }
    }
}

#[tokio::test]
async fn t2_the_database_rejects_references_to_another_corporation() {
    let tenants = TwoTenants::start().await;
    let mut tried = 0;
    for table in &tenants.tables {
        for reference in table.references.iter().filter(|reference| reference.columns.len() == 2) {
            let (own, _) = &reference.columns[1];
            let sql = leak(format!("UPDATE {} SET {own} = $1 WHERE corp_id = $2", table.name));
            for (id, holds) in [(tenants.one.1, true), (tenants.other.1, false), (Uuid::now_v7(), false)] {
                let result = tenants.app.db().sql(sql).bind(id).bind(tenants.one.0).exec().await;
                let is_broken = |e: &sqlx::Error| e.as_database_error().is_some_and(|e| e.is_foreign_key_violation());
                let rejected = result.as_ref().is_err_and(is_broken);
                assert_eq!((rejected, result.is_ok()), (!holds, holds), "{}.{own}: {result:?}", table.name);
            }
            tried += 1;
        }
    }
    assert!(tried >= 14, "{tried} references were tried");
}

#[tokio::test]
async fn t2_an_import_stays_when_its_user_is_deleted() {
    let tenants = TwoTenants::start().await;
    let (db, (corp, user)) = (tenants.app.db(), tenants.one);
    db.sql("DELETE FROM users WHERE corp_id = $1 AND user_id = $2").bind(corp).bind(user).exec().await.unwrap();
    let imports: Vec<(Uuid, Option<Uuid>)> =
        db.sql("SELECT corp_id, user_id FROM imports ORDER BY import_id").all().await.unwrap();
    assert_eq!(imports, [(corp, None), (tenants.other.0, Some(tenants.other.1))]);
}

#[tokio::test]
async fn t5_postgresql_shows_a_tenant_only_its_own_rows() {
    let tenants = TwoTenants::start().await;
    let Some(db) = tenants.db_of_one() else { return };
    let before = tenants.count_other_rows().await;
    for Table { name, .. } in &tenants.tables {
        let seen: Vec<(Uuid,)> = db.sql(leak(format!("SELECT corp_id FROM {name}"))).all().await.unwrap();
        assert!(seen.iter().all(|(corp,)| *corp == tenants.one.0), "{name}: {seen:?}");
        assert!(!seen.is_empty(), "{name}");
        let changed = db.sql(leak(format!("UPDATE {name} SET corp_id = corp_id"))).exec().await.unwrap();
        assert_eq!(changed, seen.len() as u64, "{name}");
        let mut tx = db.begin().await.unwrap();
        let again: Vec<(Uuid,)> = tx.sql(leak(format!("SELECT corp_id FROM {name}"))).all().await.unwrap();
        assert_eq!(again, seen, "{name}");
        let moved = tx.sql(leak(format!("UPDATE {name} SET corp_id = $1"))).bind(tenants.other.0).exec().await;
        assert!(is_rejected(&moved), "{name}: {moved:?}");
    }
    // Imports and roles are left out, because other rows still refer to them.
    let is_deletable = |table: &&Table| !["imports", "roles"].contains(&table.name.as_str());
    for Table { name, .. } in tenants.tables.iter().rev().filter(is_deletable) {
        db.sql(leak(format!("DELETE FROM {name}"))).exec().await.unwrap();
    }
    assert_eq!(tenants.count_other_rows().await, before);
}

#[tokio::test]
async fn t5_postgresql_rejects_rows_written_for_another_tenant() {
    let tenants = TwoTenants::start().await;
    let Some(db) = tenants.db_of_one() else { return };
    let made = fill(tenants.app.db(), &db, Uuid::now_v7(), Uuid::now_v7()).await;
    let names: Vec<&str> = tenants.tables.iter().map(|table| table.name.as_str()).collect();
    for (table, made) in made {
        assert!(names.contains(&table) && is_rejected(&made), "{table}: {made:?}");
    }
}

#[tokio::test]
async fn t5_postgresql_shows_no_rows_without_a_tenant() {
    let tenants = TwoTenants::start().await;
    if tenants.db_of_one().is_none() {
        return;
    }
    let mut connection = PgConnection::connect(tenants.app.app.config.database_url().expose_secret()).await.unwrap();
    for setting in ["", "SET forecourt.corp = ''", "BEGIN; SET LOCAL forecourt.corp = 'all'; COMMIT"] {
        sqlx::raw_sql(AssertSqlSafe(setting)).execute(&mut connection).await.unwrap();
        for Table { name, .. } in &tenants.tables {
            let count = AssertSqlSafe(format!("SELECT count(*) FROM {name}"));
            let (count,): (i64,) = sqlx::query_as(count).fetch_one(&mut connection).await.unwrap();
            assert_eq!(count, 0, "{name} after {setting:?}");
        }
    }
}

/// Polls a future at most `turns` times. Returns `None` if it has not completed by then.
async fn poll_at_most<T>(turns: usize, query: impl Future<Output = T>) -> Option<T> {
    let (mut query, mut left) = (std::pin::pin!(query), turns);
    poll_fn(|context| {
        left -= 1;
        match query.as_mut().poll(context) {
            Poll::Ready(seen) => Poll::Ready(Some(seen)),
            Poll::Pending if left > 0 => Poll::Pending,
            Poll::Pending => Poll::Ready(None),
        }
    })
    .await
}

#[tokio::test]
async fn t5_a_reused_connection_shows_the_next_tenant_only_its_own_rows() {
    let tenants = TwoTenants::start().await;
    if tenants.db_of_one().is_none() {
        return;
    }
    // The node runs no jobs, because these would use its connections too.
    let node = &tenants.app.start_another_node().await;
    let (one, other) = (tenants.one.0, tenants.other.0);
    let query = |corp| {
        let db = node.db().for_tenant(corp);
        async move { db.sql("SELECT corp_id FROM users").all::<(Uuid,)>().await.unwrap() }
    };
    // Run many more queries at once than the node has connections. Every third task reads in a transaction first; every
    // fifth drops its query after one to six polls.
    let queries = (0..90).map(|i| {
        let corp = [one, other][i % 2];
        async move {
            if i % 3 == 0 {
                let mut tx = node.db().for_tenant(corp).begin().await.unwrap();
                let seen: Vec<(Uuid,)> = tx.sql("SELECT corp_id FROM users").all().await.unwrap();
                assert_eq!(seen, [(corp,)]);
            }
            let turns = if i % 5 == 0 { 1 + i / 5 % 6 } else { usize::MAX };
            let seen = poll_at_most(turns, query(corp)).await;
            assert!(seen.is_none_or(|seen| seen == [(corp,)]));
        }
    });
    join_all(queries).await;
    // Cancel queries in the middle: each has set its tenant on the connection, and waits for the lock.
    let mut tx = tenants.app.db().begin().await.unwrap();
    tx.sql("LOCK TABLE users").exec().await.unwrap();
    let started = [one, other, one, other].map(|corp| tokio::spawn(query(corp)));
    let waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted";
    wait_until("the queries wait", async || count(&tenants.app, waiting).await >= 4).await;
    for query in started {
        query.abort();
        assert!(query.await.unwrap_err().is_cancelled());
    }
    tx.commit().await.unwrap();
    let all = join_all((0..8).map(|_| count(node, "SELECT count(*) FROM users"))).await;
    assert_eq!(all, [8; 8]);
    let seen = join_all([one, other].repeat(4).into_iter().map(query)).await;
    assert_eq!(seen, [[(one,)], [(other,)]].repeat(4));
}

#[tokio::test]
async fn t5_the_search_table_follows_changes_of_contacts() {
    let tenants = TwoTenants::start().await;
    let Some(db) = tenants.db_of_one() else { return };
    let found = async || -> Vec<(Uuid, String)> {
        let sql = "SELECT corp_id, search FROM contacts_search ORDER BY corp_id";
        tenants.app.db().sql(sql).all().await.unwrap()
    };
    let ((one, id), (other, text)) = (tenants.one, (tenants.other.0, tenants.other.1.to_string()));
    assert_eq!(found().await, [(one, id.to_string()), (other, text.clone())]);
    db.sql("UPDATE contacts SET name_key = 'new' WHERE corp_id = $1").bind(one).exec().await.unwrap();
    assert_eq!(found().await, [(one, "new".into()), (other, text.clone())]);
    db.sql("DELETE FROM corporations WHERE corp_id = $1").bind(one).exec().await.unwrap();
    assert_eq!(found().await, [(other, text)]);
}

/// Migrates the schema through this database URL. Returns the error line, or an empty text if there is no error.
fn migrate(url: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    let output = command.args(["migrate", "--database-url", url, "--data-dir"]).arg(folder.path()).output().unwrap();
    let error_line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.success(), error_line.lines().count()),
        (error_line.is_empty(), usize::from(!error_line.is_empty())),
        "{error_line}"
    );
    error_line
}

#[tokio::test]
async fn t5_a_database_user_that_bypasses_row_security_is_rejected() {
    let Some(url) = create_postgres_database().await else { return };
    let as_user = |name: &str| {
        let mut url = url::Url::parse(&url).unwrap();
        url.set_username(name).unwrap();
        url.to_string()
    };
    let bypasser = format!("bypasser_{}", Uuid::now_v7().simple());
    let mut superuser = PgConnection::connect(&as_user("postgres")).await.unwrap();
    let role = format!("CREATE ROLE {bypasser} LOGIN BYPASSRLS");
    sqlx::raw_sql(AssertSqlSafe(role)).execute(&mut superuser).await.unwrap();
    for name in ["postgres", &bypasser] {
        let error_line = migrate(&as_user(name));
        assert!(error_line.contains(&format!("its user {name} is a superuser or bypasses")), "{error_line}");
    }
    sqlx::raw_sql(AssertSqlSafe(format!("DROP ROLE {bypasser}"))).execute(&mut superuser).await.unwrap();
    assert_eq!(migrate(&url), "");
}

#[tokio::test]
async fn t5_a_tenant_table_without_forced_row_security_stops_the_start() {
    let Some(url) = create_postgres_database().await else { return };
    assert_eq!(migrate(&url), "");
    let mut owner = PgConnection::connect(&url).await.unwrap();
    for (weaken, restore) in [
        ("ALTER TABLE roles NO FORCE ROW LEVEL SECURITY", "ALTER TABLE roles FORCE ROW LEVEL SECURITY"),
        ("ALTER TABLE roles DISABLE ROW LEVEL SECURITY", "ALTER TABLE roles ENABLE ROW LEVEL SECURITY"),
        ("CREATE TABLE others_search (corp_id UUID NOT NULL)", "SELECT forecourt_protect('others_search')"),
    ] {
        sqlx::raw_sql(weaken).execute(&mut owner).await.unwrap();
        let error_line = migrate(&url);
        let table = if weaken.contains("roles") { "roles" } else { "others_search" };
        assert!(error_line.contains(&format!("its table {table} lacks the forced row-level security")), "{error_line}");
        sqlx::raw_sql(restore).execute(&mut owner).await.unwrap();
        assert_eq!(migrate(&url), "");
    }
}
