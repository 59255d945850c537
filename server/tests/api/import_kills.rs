//! Imports while the server or the reader process is killed repeatedly: every row is imported once, with exact counts.

use crate::concurrent_use::rounds;
use crate::server::Server;
use forecourt::platform::db::Db;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// Every row whose index is a multiple of this has no name and fails.
const FAILING: u64 = 50;

/// Returns a CSV file with this many rows. Every row whose index is a multiple of [`FAILING`] has no name.
fn file(rows: u64) -> Vec<u8> {
    let row = |i: u64| format!("{},{i}@example.se,+46 {i}\n", if i.is_multiple_of(FAILING) { "" } else { "Ada Öberg" });
    format!("Namn,E-post,Telefon\n{}", (0..rows).map(row).collect::<String>()).into_bytes()
}

fn mapping() -> Value {
    [("Namn", "name"), ("E-post", "email"), ("Telefon", "phone")]
        .iter()
        .map(|(file, model)| json!({"fileColumn": file, "modelColumn": model}))
        .collect()
}

pub async fn submit(server: &Server, name: &str, rows: u64) -> String {
    let reply = server.upload("submit", name, file(rows), &mapping()).await;
    assert_eq!(reply.status, 202);
    reply.value()["sessionId"].as_str().unwrap().to_owned()
}

/// Polls the import until it satisfies `is_reached`.
pub async fn wait_for_status(server: &Server, session: &str, is_reached: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let response = server.get(&format!("/api/contacts/import/status/{session}")).await;
        if is_reached(&response["session"]) {
            return response["session"].clone();
        }
        assert!(Instant::now() < deadline, "{response}");
        sleep(Duration::from_millis(3)).await;
    }
}

fn id(session: &str) -> Uuid {
    session.parse().unwrap()
}

/// Returns the status of the import in the database, independently of the server.
async fn status(db: &Db, session: &str) -> String {
    let text = "SELECT status FROM imports WHERE import_id = $1";
    db.sql(text).bind(id(session)).value::<String>().await.unwrap()
}

/// Ends the lease that the killed process held on the import. On PostgreSQL the restarted server would otherwise wait
/// until it expires, because another node might hold it.
async fn end_lease(db: &Db, session: &str) {
    let text = "UPDATE imports SET leased_until = 0 WHERE import_id = $1";
    db.sql(text).bind(id(session)).exec().await.unwrap();
}

/// Waits until the import has ended. Asserts that each row was imported or failed exactly once.
pub async fn assert_complete(server: &Server, db: &Db, session: &str, rows: u64) {
    let done = wait_for_status(server, session, |s| s["status"] == "completed" || s["status"] == "failed").await;
    let counts = ["totalRecords", "processedRecords", "successRecords", "failedRecords"].map(|n| done[n].as_u64());
    assert_eq!(done["status"], "completed", "{done}");
    assert_eq!(counts, [rows, rows, rows - rows / FAILING, rows / FAILING].map(Some));
    let id = id(session);
    let (all, distinct): (i64, i64) = db
        .sql("SELECT count(*), count(DISTINCT import_row) FROM contacts WHERE import_id = $1")
        .bind(id)
        .one()
        .await
        .unwrap();
    let failures: i64 =
        db.sql("SELECT count(*) FROM import_failures WHERE import_id = $1").bind(id).value().await.unwrap();
    let ready = rows - rows / FAILING;
    assert_eq!([all, distinct, failures].map(|n| n.unsigned_abs()), [ready, ready, rows / FAILING]);
}

#[tokio::test]
async fn an_import_survives_kills_with_every_row_imported_once() {
    const ROWS: u64 = 20_000;
    let wanted = rounds() as u64;
    let mut server = Server::start().await;
    let db = server.database().await;
    let [mut rounds, mut interrupted] = [0, 0];
    // Some kills come after the import has completed (one in four on PostgreSQL); they do not count.
    while interrupted < wanted {
        assert!(rounds < wanted * 5, "only {interrupted} of {rounds} kills came before the end");
        rounds += 1;
        // Resets the limit of 60 files per user in ten minutes.
        db.sql("DELETE FROM throttles").exec().await.unwrap();
        let session = submit(&server, &format!("{rounds}.csv"), ROWS).await;
        // Kill at a random point from before the first batch to after the last one, also inside a batch.
        let (_, chance) = Uuid::now_v7().as_u64_pair();
        let (point, wait) = ((chance & 0xFFFF_FFFF) % ROWS, (chance >> 32) % 120);
        wait_for_status(&server, &session, |s| s["processedRecords"].as_u64() >= Some(point)).await;
        sleep(Duration::from_millis(wait)).await;
        server.kill();
        interrupted += u64::from(status(&db, &session).await != "completed");
        end_lease(&db, &session).await;
        server.restart().await;
        assert_complete(&server, &db, &session, ROWS).await;
    }
    println!("{interrupted} of {rounds} kills came before the end");
    let total = server.get("/api/contacts?search=oberg").await;
    assert_eq!(total["pagination"]["totalContacts"], rounds * (ROWS - ROWS / FAILING));
    db.close().await;
}

#[tokio::test]
async fn a_stopping_server_returns_its_import_to_the_queue() {
    const ROWS: u64 = 60_000;
    let mut server = Server::start().await;
    let db = server.database().await;
    let (mut rounds, mut given_back) = (0, false);
    // A stop may come after the import has completed. Repeat until one comes before.
    while !given_back {
        assert!(rounds < 5, "no stop came before the end");
        rounds += 1;
        let session = submit(&server, &format!("{rounds}.csv"), ROWS).await;
        wait_for_status(&server, &session, |s| s["processedRecords"].as_u64() > Some(0)).await;
        server.stop();
        let status_after = status(&db, &session).await;
        given_back = status_after != "completed";
        if given_back {
            assert_eq!(status_after, "pending");
            let lease = "SELECT leased_until FROM imports WHERE import_id = $1";
            let leased_until: i64 = db.sql(lease).bind(id(&session)).value().await.unwrap();
            assert!(leased_until <= jiff::Timestamp::now().as_microsecond());
        }
        server.restart().await;
        assert_complete(&server, &db, &session, ROWS).await;
    }
    db.close().await;
}

#[tokio::test]
async fn an_import_completes_after_its_reader_and_the_server_were_stopped() {
    const ROWS: u64 = 20_000;
    let mut server = Server::start().await;
    let db = server.database().await;
    let (mut rounds, mut stopped) = (0, 0);
    // Repeat until three readers were stopped while they ran; some have exited by themselves before.
    while stopped < 3 {
        assert!(rounds < 15, "only {stopped} of {rounds} readers were running");
        rounds += 1;
        let session = submit(&server, &format!("{rounds}.csv"), ROWS).await;
        // The total is known after the first pass over the file, so the reader is now in its second pass.
        wait_for_status(&server, &session, |s| s["totalRecords"].as_u64() > Some(0)).await;
        stopped += usize::from(server.stop_children() > 0);
        server.stop();
        end_lease(&db, &session).await;
        server.restart().await;
        assert_complete(&server, &db, &session, ROWS).await;
    }
    db.close().await;
}
