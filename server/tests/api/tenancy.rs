//! What keeps corporations apart below every call: keys and references that begin with the corporation, statements that
//! name it, and on PostgreSQL the database itself.

mod schema;
mod statements;

use crate::app::{TestApp, fresh_postgres};
use crate::steps::{count, until};
use forecourt::platform::db::Db;
use futures_util::future::join_all;
use schema::{Table, fill, leak, tables};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::process::Command;
use std::task::Poll;
use uuid::Uuid;

/// Two corporations with a row in every table.
struct Filled {
    app: TestApp,
    tables: Vec<Table>,
    one: (Uuid, Uuid),
    other: (Uuid, Uuid),
}

impl Filled {
    async fn start() -> Self {
        let app = TestApp::start().await;
        let [one, other] = [(); 2].map(|()| (Uuid::now_v7(), Uuid::now_v7()));
        for (corp, id) in [one, other] {
            for (table, made) in fill(app.db(), app.db(), corp, id).await {
                assert_eq!(made.unwrap(), 1, "{table}");
            }
        }
        let tables = tables(app.db()).await;
        Filled { app, tables, one, other }
    }

    /// The database as PostgreSQL shows it to the one; none on SQLite.
    fn of_one(&self) -> Option<Db> {
        self.app.db().pick(None, Some(self.app.db().for_tenant(self.one.0)))
    }

    /// How many rows each table has, those of the one left out, and those that a job moves meanwhile.
    async fn others(&self) -> BTreeMap<String, i64> {
        let mut rows = BTreeMap::new();
        for Table { name, .. } in self.tables.iter().filter(|table| !table.name.starts_with("tall")) {
            let sql = leak(format!("SELECT count(*) FROM {name} WHERE corp_id <> $1"));
            let (count,): (i64,) = self.app.db().sql(sql).bind(self.one.0).one().await.unwrap();
            rows.insert(name.clone(), count);
        }
        rows
    }
}

/// Did the database refuse this as another tenant's row?
fn is_refused(result: &forecourt::platform::db::Result<u64>) -> bool {
    let code = result.as_ref().err().and_then(|e| e.as_database_error()).and_then(|e| e.code().map(|c| c.into_owned()));
    code.as_deref() == Some("42501")
}

#[tokio::test]
async fn t2_every_key_and_every_reference_of_a_tenants_table_begins_with_its_corporation() {
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
        // What is called after another table is a reference to it, and the database has to know.
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
async fn t2_the_database_refuses_every_reference_to_another_corporations_row() {
    let filled = Filled::start().await;
    let mut tried = 0;
    for table in &filled.tables {
        for reference in table.references.iter().filter(|reference| reference.columns.len() == 2) {
            let (own, _) = &reference.columns[1];
            let sql = leak(format!("UPDATE {} SET {own} = $1 WHERE corp_id = $2", table.name));
            for (id, holds) in [(filled.one.1, true), (filled.other.1, false), (Uuid::now_v7(), false)] {
                let result = filled.app.db().sql(sql).bind(id).bind(filled.one.0).exec().await;
                let is_broken = |e: &sqlx::Error| e.as_database_error().is_some_and(|e| e.is_foreign_key_violation());
                let refused = result.as_ref().is_err_and(is_broken);
                assert_eq!((refused, result.is_ok()), (!holds, holds), "{}.{own}: {result:?}", table.name);
            }
            tried += 1;
        }
    }
    assert!(tried >= 14, "{tried} references were tried");
}

#[tokio::test]
async fn t2_an_import_stays_when_the_person_who_began_it_is_deleted() {
    let filled = Filled::start().await;
    let (db, (corp, user)) = (filled.app.db(), filled.one);
    db.sql("DELETE FROM users WHERE corp_id = $1 AND user_id = $2").bind(corp).bind(user).exec().await.unwrap();
    let began: Vec<(Uuid, Option<Uuid>)> =
        db.sql("SELECT corp_id, user_id FROM imports ORDER BY import_id").all().await.unwrap();
    assert_eq!(began, [(corp, None), (filled.other.0, Some(filled.other.1))]);
}

#[tokio::test]
async fn t5_postgresql_shows_a_tenant_its_own_rows_alone_whatever_a_statement_says() {
    let filled = Filled::start().await;
    let Some(db) = filled.of_one() else { return };
    let before = filled.others().await;
    for Table { name, .. } in &filled.tables {
        let seen: Vec<(Uuid,)> = db.sql(leak(format!("SELECT corp_id FROM {name}"))).all().await.unwrap();
        assert!(seen.iter().all(|(corp,)| *corp == filled.one.0), "{name}: {seen:?}");
        if name == "tally_changes" {
            // A job empties it meanwhile.
            continue;
        }
        assert!(!seen.is_empty(), "{name}");
        let changed = db.sql(leak(format!("UPDATE {name} SET corp_id = corp_id"))).exec().await.unwrap();
        assert_eq!(changed, seen.len() as u64, "{name}");
        let mut tx = db.begin().await.unwrap();
        let again: Vec<(Uuid,)> = tx.sql(leak(format!("SELECT corp_id FROM {name}"))).all().await.unwrap();
        assert_eq!(again, seen, "{name}");
        let given_away = tx.sql(leak(format!("UPDATE {name} SET corp_id = $1"))).bind(filled.other.0).exec().await;
        assert!(is_refused(&given_away), "{name}: {given_away:?}");
    }
    // What is still referred to can't go by itself; it goes with its corporation.
    let goes = |table: &&Table| !["imports", "roles"].contains(&table.name.as_str());
    for Table { name, .. } in filled.tables.iter().rev().filter(goes) {
        db.sql(leak(format!("DELETE FROM {name}"))).exec().await.unwrap();
    }
    assert_eq!(filled.others().await, before);
}

#[tokio::test]
async fn t5_postgresql_refuses_a_row_that_is_written_for_another_tenant() {
    let filled = Filled::start().await;
    let Some(db) = filled.of_one() else { return };
    let made = fill(filled.app.db(), &db, Uuid::now_v7(), Uuid::now_v7()).await;
    let names: Vec<&str> = filled.tables.iter().map(|table| table.name.as_str()).collect();
    for (table, made) in made {
        assert!(names.contains(&table) && is_refused(&made), "{table}: {made:?}");
    }
}

#[tokio::test]
async fn t5_postgresql_shows_nothing_to_who_names_no_tenant() {
    let filled = Filled::start().await;
    if filled.of_one().is_none() {
        return;
    }
    let mut connection = PgConnection::connect(&filled.app.app.config.database_url()).await.unwrap();
    for setting in ["", "SET forecourt.corp = ''", "BEGIN; SET LOCAL forecourt.corp = 'all'; COMMIT"] {
        sqlx::raw_sql(AssertSqlSafe(setting)).execute(&mut connection).await.unwrap();
        for Table { name, .. } in &filled.tables {
            let count = AssertSqlSafe(format!("SELECT count(*) FROM {name}"));
            let (count,): (i64,) = sqlx::query_as(count).fetch_one(&mut connection).await.unwrap();
            assert_eq!(count, 0, "{name} after {setting:?}");
        }
    }
}

/// What this comes to within so many turns; given up after the last of them, nothing.
async fn within<T>(turns: usize, look: impl Future<Output = T>) -> Option<T> {
    let (mut look, mut left) = (std::pin::pin!(look), turns);
    poll_fn(|context| {
        left -= 1;
        match look.as_mut().poll(context) {
            Poll::Ready(seen) => Poll::Ready(Some(seen)),
            Poll::Pending if left > 0 => Poll::Pending,
            Poll::Pending => Poll::Ready(None),
        }
    })
    .await
}

#[tokio::test]
async fn t5_a_connection_that_served_one_tenant_shows_the_next_its_own_rows_alone() {
    let filled = Filled::start().await;
    if filled.of_one().is_none() {
        return;
    }
    // One that does no jobs, which would use its connections too.
    let node = &filled.app.another_node().await;
    let (one, other) = (filled.one.0, filled.other.0);
    let look = |corp| {
        let db = node.db().for_tenant(corp);
        async move { db.sql("SELECT corp_id FROM users").all::<(Uuid,)>().await.unwrap() }
    };
    // Many more at once than there are connections; every third in a transaction, every fifth given up after some turns.
    let looks = (0..90).map(|i| {
        let corp = [one, other][i % 2];
        async move {
            if i % 3 == 0 {
                let mut tx = node.db().for_tenant(corp).begin().await.unwrap();
                let seen: Vec<(Uuid,)> = tx.sql("SELECT corp_id FROM users").all().await.unwrap();
                assert_eq!(seen, [(corp,)]);
            }
            let turns = if i % 5 == 0 { 1 + i / 5 % 6 } else { usize::MAX };
            let seen = within(turns, look(corp)).await;
            assert!(seen.is_none_or(|seen| seen == [(corp,)]));
        }
    });
    join_all(looks).await;
    // Given up half way: the tenant is named on the connection, and the look has begun.
    let mut tx = filled.app.db().begin().await.unwrap();
    tx.sql("LOCK TABLE users").exec().await.unwrap();
    let begun = [one, other, one, other].map(|corp| tokio::spawn(look(corp)));
    let waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted";
    until("they look", async || count(&filled.app, waiting).await >= 4).await;
    for look in begun {
        look.abort();
        assert!(look.await.unwrap_err().is_cancelled());
    }
    tx.commit().await.unwrap();
    let all = join_all((0..8).map(|_| count(node, "SELECT count(*) FROM users"))).await;
    assert_eq!(all, [8; 8]);
    let seen = join_all([one, other].repeat(4).into_iter().map(look)).await;
    assert_eq!(seen, [[(one,)], [(other,)]].repeat(4));
}

#[tokio::test]
async fn t5_what_is_searched_follows_the_contacts() {
    let filled = Filled::start().await;
    let Some(db) = filled.of_one() else { return };
    let found = async || -> Vec<(Uuid, String)> {
        let sql = "SELECT corp_id, search FROM contacts_search ORDER BY doc";
        filled.app.db().sql(sql).all().await.unwrap()
    };
    let ((one, id), (other, text)) = (filled.one, (filled.other.0, filled.other.1.to_string()));
    assert_eq!(found().await, [(one, id.to_string()), (other, text.clone())]);
    db.sql("UPDATE contacts SET search = 'new' WHERE corp_id = $1").bind(one).exec().await.unwrap();
    assert_eq!(found().await, [(one, "new".into()), (other, text.clone())]);
    db.sql("DELETE FROM corporations WHERE corp_id = $1").bind(one).exec().await.unwrap();
    assert_eq!(found().await, [(other, text)]);
}

/// Brings the schema up to date as this user; what it said.
fn migrate(url: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_forecourt"));
    let output = command.args(["migrate", "--database-url", url, "--data-dir"]).arg(folder.path()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.success(), said.lines().count()),
        (said.is_empty(), usize::from(!said.is_empty())),
        "{said}"
    );
    said
}

#[tokio::test]
async fn t5_a_user_for_whom_row_level_security_does_not_hold_is_refused_before_anything_is_made() {
    let Some(url) = fresh_postgres().await else { return };
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
        let said = migrate(&as_user(name));
        assert!(said.contains(&format!("its user {name} is a superuser or bypasses")), "{said}");
    }
    sqlx::raw_sql(AssertSqlSafe(format!("DROP ROLE {bypasser}"))).execute(&mut superuser).await.unwrap();
    assert_eq!(migrate(&url), "");
}

#[tokio::test]
async fn t5_a_tenants_table_without_forced_row_level_security_keeps_the_program_from_starting() {
    let Some(url) = fresh_postgres().await else { return };
    assert_eq!(migrate(&url), "");
    let mut owner = PgConnection::connect(&url).await.unwrap();
    for (opening, closing) in [
        ("ALTER TABLE roles NO FORCE ROW LEVEL SECURITY", "ALTER TABLE roles FORCE ROW LEVEL SECURITY"),
        ("ALTER TABLE roles DISABLE ROW LEVEL SECURITY", "ALTER TABLE roles ENABLE ROW LEVEL SECURITY"),
        ("CREATE TABLE vehicles (corp_id UUID NOT NULL)", "SELECT forecourt_protect('vehicles')"),
    ] {
        sqlx::raw_sql(opening).execute(&mut owner).await.unwrap();
        let said = migrate(&url);
        let table = if opening.contains("roles") { "roles" } else { "vehicles" };
        assert!(said.contains(&format!("its table {table} lacks the forced row level security")), "{said}");
        sqlx::raw_sql(closing).execute(&mut owner).await.unwrap();
        assert_eq!(migrate(&url), "");
    }
}
