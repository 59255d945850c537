//! Two nodes on one database, one of which stands still for longer than its claim on an import holds.

use crate::kill::{is_exact, submit, watch};
use crate::server::Server;
use crate::steps::until;
use forecourt::platform::db::Db;
use std::time::Duration;
use tokio::time::{Instant, sleep};

#[tokio::test]
async fn a_node_that_stood_still_changes_nothing_of_an_import_that_another_took_over() {
    const ROWS: u64 = 60_000;
    let mut server = Server::start().await;
    let db = server.database().await;
    if let Db::Sqlite { .. } = db {
        // Its file has one program.
        return;
    }
    let session = submit(&server, "kunder.csv", ROWS).await;
    watch(&server, &session, |s| s["processedRecords"].as_u64() > Some(0)).await;
    server.signal("STOP");
    // A lease lasts 30 seconds; a transaction that was left open, which holds the import, 60.
    let other = server.another().await;
    let path = format!("/api/contacts/import/status/{session}");
    let deadline = Instant::now() + Duration::from_secs(150);
    let done = loop {
        let seen = other.get(&path).await["session"].clone();
        if seen["status"] != "processing" {
            break seen;
        }
        assert!(Instant::now() < deadline, "nobody took the import over: {seen}");
        sleep(Duration::from_millis(50)).await;
    };
    assert!(server.has_children(), "it is still at it");
    server.signal("CONT");
    // It finds out with its next batch, or with its next sign of life, and reads no further; what it has to say of the
    // import after that, it has said once it has ended.
    until("it leaves the import", async || !server.has_children()).await;
    server.stop();
    server.restart().await;
    is_exact(&server, &db, &session, ROWS).await;
    assert_eq!(server.get(&path).await["session"], done);
    let (attempt,): (i32,) = db.sql("SELECT attempt FROM imports").one().await.unwrap();
    assert!(attempt > 1, "the other node did it");
    db.close().await;
}
