//! The hash chain of each corporation's history: `forecourt check` notices that an entry was changed or removed.

use crate::app::{ADMIN, OTHER_ADMIN, TestApp};
use crate::helpers::{create_record, put};
use crate::server::Server;
use forecourt::features::history::chain::{Broken, extend_all, verify};
use forecourt::platform::db::Db;
use serde_json::json;
use std::collections::BTreeSet;
use std::process::Command;
use uuid::Uuid;

/// Starts the server, and adds entries to the histories of two corporations. Returns the server, and the ids of
/// Nordbil's entries, oldest first.
async fn start_with_entries() -> (TestApp, Vec<Uuid>) {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let path = create_record(&app, &token, "/api/contacts", json!({"name": "Ada", "phone": "070"}), "_id").await;
    for phone in ["071", "", "072"] {
        assert_eq!(put(&app, &path, &token, json!({"name": "Ada", "phone": phone})).await.status, 200);
    }
    app.sign_in(OTHER_ADMIN).await;
    let ids = app.db().sql("SELECT history_id FROM history WHERE corp_id = $1 ORDER BY history_id").bind(app.nordbil);
    let ids = ids.all::<(Uuid,)>().await.unwrap().into_iter().map(|(id,)| id).collect();
    (app, ids)
}

/// Chains all entries, asserts that every chain is intact, and returns the number of chained entries.
async fn chained(db: &Db) -> u64 {
    extend_all(db).await.unwrap();
    let verified = verify(db).await.unwrap();
    assert_eq!((verified.waiting, &verified.broken[..]), (0, &[][..]));
    verified.chained
}

#[tokio::test]
async fn all_entries_are_chained_and_new_ones_follow() {
    let (app, ids) = start_with_entries().await;
    assert_eq!(chained(app.db()).await, ids.len() as u64 + 1);
    let positions =
        app.db().sql("SELECT position FROM history WHERE corp_id = $1 ORDER BY history_id").bind(app.nordbil);
    let positions: Vec<(i64,)> = positions.all().await.unwrap();
    assert_eq!(positions, (1..=ids.len() as i64).map(|position| (position,)).collect::<Vec<_>>());
    let token = app.sign_in(ADMIN).await;
    create_record(&app, &token, "/api/contacts", json!({"name": "Bo"}), "_id").await;
    assert_eq!(chained(app.db()).await, ids.len() as u64 + 3);
    let salts: Vec<(Vec<u8>,)> = app.db().sql("SELECT salts FROM history").all().await.unwrap();
    assert_eq!(salts.iter().collect::<BTreeSet<_>>().len(), salts.len(), "each entry has its own");
}

#[tokio::test]
async fn nodes_that_chain_at_once_make_one_chain() {
    let (app, ids) = start_with_entries().await;
    let node = app.start_another_node().await;
    for _ in 0..8 {
        app.sign_in(ADMIN).await;
        let (one, other) = tokio::join!(extend_all(app.db()), extend_all(node.db()));
        one.and(other).unwrap();
    }
    assert_eq!(chained(app.db()).await, ids.len() as u64 + 9);
}

#[tokio::test]
async fn a_changed_entry_is_noticed_whichever_column_was_changed() {
    let (app, ids) = start_with_entries().await;
    let (changed, position) = (ids[ids.len() - 2], ids.len() as i64 - 1);
    let broken = Broken { corp: app.nordbil, position, id: changed };
    let another = format!("(SELECT corp_id FROM users WHERE email = '{ADMIN}')");
    for (column, value) in [
        ("at", "at + 1".to_owned()),
        ("actor_kind", "'system'".to_owned()),
        ("actor_id", another.clone()),
        ("action", "'created'".to_owned()),
        ("resource_id", "'invoices'".to_owned()),
        ("record_id", "NULL".to_owned()),
        ("batch_id", another),
        ("label", "'Bo'".to_owned()),
        ("changes", r#"'[{"field":"phone","before":"071","after":"999"}]'"#.to_owned()),
        ("changes", r#"'[{"field":"name","before":"071","after":"999"}]'"#.to_owned()),
        ("changes", "'[]'".to_owned()),
        ("position", "position + 100".to_owned()),
        ("salts", "NULL".to_owned()),
        ("hash", "NULL".to_owned()),
        ("changes", "'damaged'".to_owned()),
    ] {
        let rechain = "UPDATE history SET position = NULL, salts = NULL, hash = NULL";
        app.db().all_tenants().sql(rechain).exec().await.unwrap();
        chained(app.db()).await;
        let change = format!("UPDATE history SET {column} = {value} WHERE history_id = $1").leak();
        assert_eq!(app.db().all_tenants().sql(change).bind(changed).exec().await.unwrap(), 1, "{column}");
        let found = verify(app.db()).await.unwrap().broken;
        // If the position was changed, the next entry is reported, because it follows a gap.
        let gap = Broken { corp: app.nordbil, position, id: ids[ids.len() - 1] };
        let expected = if column == "position" { gap } else { broken.clone() };
        assert_eq!(found, [expected], "{column} = {value}");
    }
}

#[tokio::test]
async fn a_removed_entry_is_noticed_even_after_the_chain_was_extended() {
    let (app, ids) = start_with_entries().await;
    chained(app.db()).await;
    let remove = "DELETE FROM history WHERE history_id = $1";
    assert_eq!(app.db().sql(remove).bind(ids[1]).exec().await.unwrap(), 1);
    let broken = [Broken { corp: app.nordbil, position: 2, id: ids[2] }];
    assert_eq!(verify(app.db()).await.unwrap().broken, broken);
    // Two entries are still verified: the one before the removed entry, and that of the other corporation.
    assert_eq!(verify(app.db()).await.unwrap().chained, 2);
    // Extending the chain afterwards does not hide the removed entry.
    extend_all(app.db()).await.unwrap();
    assert_eq!(verify(app.db()).await.unwrap().broken, broken);
}

#[tokio::test]
async fn the_check_command_names_the_first_entry_that_was_changed() {
    let server = Server::start().await;
    let db = server.database().await;
    extend_all(&db).await.unwrap();
    let sql = db.sql("SELECT history_id FROM history ORDER BY position LIMIT 1");
    let id: Uuid = sql.value().await.unwrap();
    let check = || {
        let mut program = Command::new(env!("CARGO_BIN_EXE_forecourt"));
        program.args(["check", "--data-dir"]).arg(server.folder());
        if let Some(url) = server.database_url() {
            program.args(["--database-url", url]);
        }
        let output = String::from_utf8(program.output().unwrap().stdout).unwrap();
        output.lines().find(|line| line.contains(" history ")).unwrap_or_else(|| panic!("{output}")).to_owned()
    };
    assert!(check().starts_with("ok"), "{}", check());
    assert_eq!(db.sql("UPDATE history SET label = 'Bo' WHERE history_id = $1").bind(id).exec().await.unwrap(), 1);
    let line = check();
    assert!(line.starts_with("failed") && line.contains(&id.to_string()), "{line}");
}
