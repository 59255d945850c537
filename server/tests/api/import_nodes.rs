//! Two nodes on one database. One of them is suspended for longer than its lease on an import.

use crate::helpers::wait_until;
use crate::import_kills::{assert_complete, submit, wait_for_status};
use crate::server::Server;
use forecourt::platform::db::Db;
use std::time::Duration;
use tokio::time::{Instant, sleep};

#[tokio::test]
async fn a_suspended_node_cannot_change_an_import_taken_over_by_another() {
    const ROWS: u64 = 60_000;
    let mut server = Server::start().await;
    let db = server.database().await;
    if let Db::Sqlite { .. } = db {
        // There is only one node on SQLite.
        return;
    }
    let session = submit(&server, "kunder.csv", ROWS).await;
    wait_for_status(&server, &session, |s| s["processedRecords"].as_u64() > Some(0)).await;
    server.signal("STOP");
    // The lease of the suspended node expires after 30 s. If it locks the import in a transaction, PostgreSQL ends that
    // after 60 s.
    let other = server.start_node().await;
    let path = format!("/api/contacts/import/status/{session}");
    let deadline = Instant::now() + Duration::from_secs(150);
    let done = loop {
        let seen = other.get(&path).await["session"].clone();
        if seen["status"] != "processing" {
            break seen;
        }
        assert!(Instant::now() < deadline, "no node took the import over: {seen}");
        sleep(Duration::from_millis(50)).await;
    };
    assert!(server.has_children(), "its reader is still running");
    server.signal("CONT");
    // The resumed node notices at its next batch or heartbeat that it has lost its lease, and stops its reader. The
    // restart makes sure that it changes nothing after the comparison below.
    wait_until("it stops reading", async || !server.has_children()).await;
    server.stop();
    server.restart().await;
    assert_complete(&server, &db, &session, ROWS).await;
    assert_eq!(server.get(&path).await["session"], done);
    let attempt: i32 = db.sql("SELECT attempt FROM imports").value().await.unwrap();
    assert!(attempt > 1, "the other node completed it");
    db.close().await;
}
