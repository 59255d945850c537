//! Deleting a corporation (security.md P10): all its data, no other data, and never a part of it.

use crate::app::{OTHER_ADMIN, SUPER_ADMIN, TestApp};
use crate::concurrent_use::rounds;
use crate::helpers::{is_session_active, leak};
use crate::organizations::{form, register};
use crate::records::RECORDS;
use crate::server::Server;
use forecourt::platform::db::Db;
use forecourt_core::corporations::text;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

const ADMIN: &str = "ada@nybil.example";

/// Returns the tables of the schema, and whether each has a column `corp_id`. Not included are the search indexes of
/// SQLite, which have no such column, and the search tables, sort rows and lists, which a job changes in the background:
/// server/src/features/listing/comparison_tests.rs checks them.
async fn tables(db: &Db) -> Vec<(String, bool)> {
    let text = db.pick(
        "SELECT m.name, (SELECT count(*) FROM pragma_table_info(m.name) c WHERE c.name = 'corp_id') FROM sqlite_schema m \
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE '%_search%' \
         AND m.name NOT IN ('lists', 'sort_rows')",
        "SELECT CAST(t.table_name AS TEXT), (SELECT count(*) FROM information_schema.columns c \
         WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = 'corp_id') \
         FROM information_schema.tables t WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' \
         AND t.table_name NOT LIKE '%_search' AND t.table_name <> 'lists'",
    );
    // The statement begins with SELECT, so that it runs on SQLite's read connections.
    let tables: Vec<(String, i64)> = db.sql(text).all().await.unwrap();
    assert!(tables.len() > 20, "{tables:?}");
    tables.into_iter().map(|(name, count)| (name, count > 0)).collect()
}

/// Counts the corporation's rows in each table.
async fn count_own_rows(db: &Db, corp: Uuid) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    for (table, has_corp) in tables(db).await {
        if has_corp {
            let sql = db.sql(leak(format!("SELECT count(*) FROM {table} WHERE corp_id = $1"))).bind(corp);
            counts.insert(table, sql.value::<i64>().await.unwrap());
        }
    }
    counts
}

/// Returns every row of every table that is not the corporation's, as text.
async fn dump_other_rows(db: &Db, corp: Uuid) -> BTreeMap<String, Vec<String>> {
    let mut dump = BTreeMap::new();
    for (table, has_corp) in tables(db).await {
        let row = match db {
            // Compare only the ids of history entries, because a job adds their chain values in the background.
            _ if table == "history" => db.pick("quote(history_id)", "CAST(history_id AS TEXT)").to_owned(),
            Db::Sqlite { .. } => {
                let text = leak(format!("SELECT name FROM pragma_table_info('{table}')"));
                let columns: Vec<(String,)> = db.sql(text).all().await.unwrap();
                columns.iter().map(|(c,)| format!("quote({c})")).collect::<Vec<_>>().join(" || ',' || ")
            }
            Db::Postgres(..) => "CAST(t AS TEXT)".to_owned(),
        };
        // Leave out the entry that the deletion adds to the platform's history.
        let others = if table == "history" { "AND resource_id <> 'corporations' " } else { "" };
        let sql = match has_corp {
            true => {
                db.sql(leak(format!("SELECT {row} FROM {table} t WHERE corp_id <> $1 {others}ORDER BY 1"))).bind(corp)
            }
            false => db.sql(leak(format!("SELECT {row} FROM {table} t ORDER BY 1"))),
        };
        let rows: Vec<(String,)> = sql.all().await.unwrap();
        dump.insert(table, rows.into_iter().map(|(row,)| row).collect());
    }
    dump
}

/// Returns the table of each row that violates a foreign key. None on PostgreSQL, which has no such check of a whole
/// database; it checks foreign keys at the end of each statement.
async fn find_dangling_rows(db: &Db) -> Vec<(String,)> {
    match db {
        Db::Sqlite { .. } => db.sql("SELECT \"table\" FROM pragma_foreign_key_check").all().await.unwrap(),
        Db::Postgres(..) => Vec::new(),
    }
}

/// Inserts rows into each table of a corporation that a registration leaves empty; into `contacts`, this many.
async fn fill(db: &Db, corp: Uuid, contacts: i64) {
    let user: Uuid = db.sql("SELECT user_id FROM users WHERE corp_id = $1 LIMIT 1").bind(corp).value().await.unwrap();
    let (session, import, bytes) = (Uuid::now_v7(), Uuid::now_v7(), corp.as_bytes().to_vec());
    // All with the same id.
    for record in RECORDS {
        record.insert(db, corp, session, "Ada Öberg").await.unwrap();
    }
    let mut tx = db.begin_job().await.unwrap();
    // The times by which jobs delete rows are far in the future; the others are 0.
    for text in [
        "INSERT INTO sessions (corp_id, session_id, user_id, device_name, remember, created_at, expires_at) \
         VALUES ($1, $2, $3, '', TRUE, 0, $6)",
        "INSERT INTO imports (corp_id, import_id, user_id, file_name, file_size, mapping, status, created_at, updated_at) \
         VALUES ($1, $4, $3, 'a.csv', 1, '[]', 'receiving', $6, $6)",
        "INSERT INTO import_parts (corp_id, import_id, part, bytes) VALUES ($1, $4, 0, $5)",
        "INSERT INTO import_failures (corp_id, import_id, row_number, problems) VALUES ($1, $4, 1, '[]')",
        "INSERT INTO refresh_tokens (corp_id, token_hash, session_id, created_at) VALUES ($1, $5, $2, 0)",
        "INSERT INTO login_codes (corp_id, user_id, device_hash, code_hash, device_name, remember, sent_at, expires_at) \
         VALUES ($1, $3, $5, $5, '', TRUE, $6, $6)",
        "INSERT INTO trusted_devices (corp_id, user_id, device_hash, trusted_until) VALUES ($1, $3, $5, $6)",
        "INSERT INTO password_resets (corp_id, user_id, token_hash, created_at, expires_at) VALUES ($1, $3, $5, $6, $6)",
        "INSERT INTO identities (corp_id, user_id, issuer, subject, created_at) \
         VALUES ($1, $3, 'https://id.example', NULL, 0)",
        "INSERT INTO handoffs (corp_id, handoff_hash, user_id, device_name, expires_at) VALUES ($1, $5, $3, '', $6)",
        "INSERT INTO messages (corp_id, message_id, sealed, status, due_at, expires_at, created_at) \
         VALUES ($1, $4, $5, 'failed', $6, $6, $6)",
        "INSERT INTO images (corp_id, image_id, user_id, mime, bytes, created_at) VALUES ($1, $2, $3, 'image/png', $5, 0)",
        "UPDATE agreements SET customer_id = $2, legs = '[[\"01900000-0000-7000-8000-000000000001\",\"Out\",1,\"Margin\"]]' \
         WHERE corp_id = $1",
        "INSERT INTO images (corp_id, image_id, mime, bytes, created_at) VALUES ($1, $4, 'image/png', $5, 0)",
        "INSERT INTO photos (corp_id, photo_id, record_id, size, bytes, thumbnail, created_at) VALUES ($1, $2, $2, 2, $5, $5, 0)",
        "INSERT INTO views (corp_id, view_id, user_id, resource_id, name, search, sort, conditions, columns, density, \
         is_shared, created_at, updated_at) \
         VALUES ($1, $2, $3, 'contacts', 'Mine', '', '', '[]', '[]', 'compact', FALSE, 0, 0)",
        "INSERT INTO history (corp_id, history_id, at, actor_id, action, resource_id, label, changes) \
         VALUES ($1, $2, 0, $3, 'deleted', 'contacts', 'Ada Öberg', '[]')",
        "INSERT INTO trash (corp_id, resource_id, record_id, label, label_key, deleted_at, deleted_by, content) \
         VALUES ($1, 'contacts', $2, 'Ada Öberg', 'ada oberg', $6, $3, '{}')",
        "INSERT INTO reverts (corp_id, batch_id, history_id, actor_id, should_overwrite, last_row, total, reverted, kept, started_at, \
         ended_at) VALUES ($1, $2, $2, $3, FALSE, 0, 0, 0, 0, 0, 0)",
        "INSERT INTO view_defaults (corp_id, user_id, resource_id, view_id) VALUES ($1, $3, 'contacts', $2)",
        "INSERT INTO erasures (corp_id, erasure_id, at, erased_by, parts) VALUES ($1, $2, 0, $3, '{}')",
    ] {
        // Each statement binds only the values it names, because PostgreSQL rejects unused placeholders.
        let (mut text, mut sql_values) = (text.to_owned(), Vec::new());
        for (i, name) in ["$1", "$2", "$3", "$4", "$5", "$6"].into_iter().enumerate() {
            if text.contains(name) {
                sql_values.push(i);
                text = text.replace(name, &format!("${{{}}}", sql_values.len()));
            }
        }
        let text = leak(text.replace("${", "$").replace('}', ""));
        let sql = sql_values.into_iter().fold(tx.sql(text), |sql, i| match i {
            0 => sql.bind(corp),
            1 => sql.bind(session),
            2 => sql.bind(user),
            3 => sql.bind(import),
            4 => sql.bind(bytes.clone()),
            _ => sql.bind(4_000_000_000_000_000_i64),
        });
        sql.exec().await.unwrap();
    }
    // Reserve the contacts' row numbers (`doc`) in `lists`, as an import does.
    tx.sql("UPDATE lists SET next_doc = next_doc + $2 WHERE corp_id = $1 AND kind = 'contacts'")
        .bind_all((corp, contacts))
        .exec()
        .await
        .unwrap();
    let text = tx.pick(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2) \
         INSERT INTO contacts (doc, corp_id, contact_id, name, email, phone, website, address, other_details, name_key, \
         import_id, import_row, created_at, updated_at) \
         SELECT next_doc - i, $1, randomblob(16), 'Ada Öberg ' || i, i || '@example.se', '+46 70 ' || i, '', \
         'Storgatan ' || i, '{}', 'ada oberg ' || i, $3, i, 0, 0 FROM n, lists WHERE corp_id = $1 AND kind = 'contacts'",
        "INSERT INTO contacts (doc, corp_id, contact_id, name, email, phone, website, address, other_details, name_key, \
         import_id, import_row, created_at, updated_at) \
         SELECT next_doc - i, $1, gen_random_uuid(), 'Ada Öberg ' || i, i || '@example.se', '+46 70 ' || i, '', \
         'Storgatan ' || i, '{}', 'ada oberg ' || i, $3, i, 0, 0 FROM generate_series(1, $2) AS n (i), lists \
         WHERE corp_id = $1 AND kind = 'contacts'",
    );
    tx.sql(text).bind(corp).bind(contacts).bind(import).exec().await.unwrap();
    tx.sql(
        "INSERT INTO comments (corp_id, comment_id, contact_id, user_id, comment, created_at, updated_at) \
         SELECT corp_id, contact_id, contact_id, $1, 'Called', 0, 0 FROM contacts WHERE corp_id = $2",
    )
    .bind_all((user, corp))
    .exec()
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

/// Returns the id in a corporation's record.
fn id(corporation: &Value) -> Uuid {
    corporation["corp_id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn p10_deleting_a_corporation_deletes_all_its_rows_and_no_others() {
    let app = TestApp::start().await;
    let node = app.start_another_node().await;
    let (platform, other_admin) = (app.sign_in(SUPER_ADMIN).await, app.sign_in(OTHER_ADMIN).await);
    let corp = id(&register(&app, &platform, "559360-9844", ADMIN).await);
    let neighbour = id(&register(&app, &platform, "556100-0059", "b@nybil.example").await);
    let admin = app.sign_in(ADMIN).await;
    // Fill the corporation, whose rows must all be deleted, and a neighbour, whose rows must all stay.
    for corp in [corp, neighbour] {
        fill(app.db(), corp, 50).await;
    }
    let before = count_own_rows(app.db(), corp).await;
    let empty: Vec<_> = before.iter().filter(|(_, rows)| **rows == 0).collect();
    assert!(before.len() >= 18 && empty.is_empty(), "fill these too: {empty:?}");
    let others = dump_other_rows(app.db(), corp).await;

    let path = format!("/api/corporations/{corp}");
    let deleted = app.send(app.request(Method::DELETE, &path, Some(&platform))).await;
    assert_eq!((deleted.status.as_u16(), &deleted.body["message"]), (200, &json!(text::DELETED.as_str())));
    let after = count_own_rows(app.db(), corp).await;
    assert!(after.values().all(|rows| *rows == 0), "{after:?}");
    assert!(find_dangling_rows(app.db()).await.is_empty());
    assert_eq!(dump_other_rows(app.db(), corp).await, others);
    if let Db::Sqlite { .. } = app.db() {
        let text = "SELECT count(*) FROM contacts_search WHERE rowid NOT IN (SELECT doc FROM contacts)";
        assert_eq!(app.db().sql(text).value::<i64>().await.unwrap(), 0);
        let text = "SELECT count(*) FROM sort_rows WHERE list NOT IN (SELECT first_doc >> 32 FROM lists)";
        assert_eq!(app.db().sql(text).value::<i64>().await.unwrap(), 0);
    }
    // On every node, its users are signed out and others are not. Its email and its number can be registered again.
    assert!(!is_session_active(&node, &admin).await && is_session_active(&node, &other_admin).await);
    let again = app.send(app.request(Method::DELETE, &path, Some(&platform))).await;
    assert_eq!(again.status, 404);
    register(&app, &platform, "559360-9844", ADMIN).await;
    assert!(is_session_active(&app, &app.sign_in(ADMIN).await).await);
}

#[tokio::test]
async fn p10_a_killed_server_deletes_a_corporation_completely_or_not_at_all() {
    const CONTACTS: i64 = 10_000;
    let mut server = Server::start().await;
    let db = server.database().await;
    // Round 0 measures how long a deletion takes. The other rounds kill the server at moments spread evenly from the
    // start of the deletion to one and a half times that duration.
    let mut duration = Duration::ZERO;
    let (mut whole, mut gone) = (0, 0);
    for round in 0..=rounds() as u32 {
        let form = form(&format!("1-{round}"), &format!("a{round}@nybil.example"));
        let made = server.request(Method::POST, "/api/orgs/register").json(&form).send().await.unwrap();
        let corp = id(&made.json::<Value>().await.unwrap()["data"]);
        fill(&db, corp, CONTACTS).await;
        let (before, others) = (count_own_rows(&db, corp).await, dump_other_rows(&db, corp).await);
        let delete = server.request(Method::DELETE, &format!("/api/corporations/{corp}"));
        let begun = Instant::now();
        let response = tokio::spawn(async move { delete.send().await.is_ok_and(|response| response.status() == 200) });
        if round == 0 {
            assert!(response.await.unwrap());
            duration = begun.elapsed();
            continue;
        }
        sleep(duration * round * 3 / (2 * rounds() as u32)).await;
        server.kill();
        let was_confirmed = response.await.unwrap();
        server.restart().await;
        let after = count_own_rows(&db, corp).await;
        if after == before {
            assert!(!was_confirmed, "round {round}: the deletion was confirmed, but the corporation exists");
            whole += 1;
        } else {
            assert!(after.values().all(|rows| *rows == 0), "round {round}: {after:?}");
            gone += 1;
        }
        assert_eq!(dump_other_rows(&db, corp).await, others, "round {round}");
        assert!(find_dangling_rows(&db).await.is_empty(), "round {round}");
    }
    println!("killed while a corporation was deleted, which takes {duration:?}: {whole} whole, {gone} gone");
    db.close().await;
}

#[tokio::test]
async fn a_corporation_with_100000_contacts_is_deleted_in_one_request() {
    const CONTACTS: i64 = 100_000;
    let (app, platform) = TestApp::start_and_sign_in(SUPER_ADMIN).await;
    let corp = id(&register(&app, &platform, "559360-9844", ADMIN).await);
    fill(app.db(), corp, CONTACTS).await;
    let begun = Instant::now();
    let path = format!("/api/corporations/{corp}");
    let deleted = app.send(app.request(Method::DELETE, &path, Some(&platform))).await;
    println!("{CONTACTS} contacts deleted in {:?}", begun.elapsed());
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    assert!(count_own_rows(app.db(), corp).await.values().all(|rows| *rows == 0));
}
