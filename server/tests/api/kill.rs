//! What an import comes to when the program is killed, again and again: every row once, and the counts exact.

use crate::races::rounds;
use crate::server::Server;
use forecourt::platform::db::Db;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// One row in so many has no name, and fails.
const FAILING: u64 = 50;

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

/// Looks at the import until it satisfies `until`.
pub async fn watch(server: &Server, session: &str, until: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let answer = server.get(&format!("/api/contacts/import/status/{session}")).await;
        if until(&answer["session"]) {
            return answer["session"].clone();
        }
        assert!(Instant::now() < deadline, "{answer}");
        sleep(Duration::from_millis(3)).await;
    }
}

fn id(session: &str) -> Uuid {
    session.parse().unwrap()
}

/// How the import stands in the database, whatever a server that is gone has told.
async fn status(db: &Db, session: &str) -> String {
    let text = "SELECT status FROM imports WHERE import_id = $1";
    db.sql(text).bind(id(session)).one::<(String,)>().await.unwrap().0
}

/// On PostgreSQL the dead worker's lease has to end, as if another node might hold it; here it ends at once, and before
/// the next worker looks for the first time.
async fn end_lease(db: &Db, session: &str) {
    let text = "UPDATE imports SET leased_until = 0 WHERE import_id = $1";
    db.sql(text).bind(id(session)).exec().await.unwrap();
}

pub async fn is_exact(server: &Server, db: &Db, session: &str, rows: u64) {
    let done = watch(server, session, |s| s["status"] == "completed" || s["status"] == "failed").await;
    let counts = ["totalRecords", "processedRecords", "successRecords", "failedRecords"].map(|n| done[n].as_u64());
    assert_eq!(done["status"], "completed", "{done}");
    assert_eq!(counts, [rows, rows, rows - rows / FAILING, rows / FAILING].map(Some));
    let id = id(session);
    let (all, apart): (i64, i64) = db
        .sql("SELECT count(*), count(DISTINCT import_row) FROM contacts WHERE import_id = $1")
        .bind(id)
        .one()
        .await
        .unwrap();
    let (failures,): (i64,) =
        db.sql("SELECT count(*) FROM import_failures WHERE import_id = $1").bind(id).one().await.unwrap();
    let ready = rows - rows / FAILING;
    assert_eq!([all, apart, failures].map(|n| n.unsigned_abs()), [ready, ready, rows / FAILING]);
}

#[tokio::test]
async fn an_import_survives_kills_at_any_point_with_every_row_once() {
    const ROWS: u64 = 20_000;
    let wanted = rounds() as u64;
    let mut server = Server::start().await;
    let db = server.database().await;
    let [mut rounds, mut caught] = [0, 0];
    // A kill may come too late, one in four does on PostgreSQL: what is wanted is as many as were in time.
    while caught < wanted {
        assert!(rounds < wanted * 5, "only {caught} of {rounds} kills came before the end");
        rounds += 1;
        // A person may send no more than 60 files in ten minutes.
        db.sql("DELETE FROM throttles").exec().await.unwrap();
        let session = submit(&server, &format!("{rounds}.csv"), ROWS).await;
        // Anywhere from before the first batch to behind the last, and inside of one.
        let (_, chance) = Uuid::now_v7().as_u64_pair();
        let (point, wait) = ((chance & 0xFFFF_FFFF) % ROWS, (chance >> 32) % 120);
        watch(&server, &session, |s| s["processedRecords"].as_u64() >= Some(point)).await;
        sleep(Duration::from_millis(wait)).await;
        server.kill();
        caught += u64::from(status(&db, &session).await != "completed");
        end_lease(&db, &session).await;
        server.restart().await;
        is_exact(&server, &db, &session, ROWS).await;
    }
    println!("{caught} of {rounds} kills came before the end");
    let total = server.get("/api/contacts?search=oberg").await;
    assert_eq!(total["pagination"]["totalContacts"], rounds * (ROWS - ROWS / FAILING));
    db.close().await;
}

#[tokio::test]
async fn a_stop_gives_an_import_back_at_once() {
    const ROWS: u64 = 60_000;
    let mut server = Server::start().await;
    let db = server.database().await;
    let (mut rounds, mut given_back) = (0, false);
    // A stop may come too late; one in time is wanted.
    while !given_back {
        assert!(rounds < 5, "no stop came before the end");
        rounds += 1;
        let session = submit(&server, &format!("{rounds}.csv"), ROWS).await;
        watch(&server, &session, |s| s["processedRecords"].as_u64() > Some(0)).await;
        server.stop();
        let stands = status(&db, &session).await;
        given_back = stands != "completed";
        if given_back {
            assert_eq!(stands, "pending");
            let lease = "SELECT leased_until FROM imports WHERE import_id = $1";
            let (leased_until,): (i64,) = db.sql(lease).bind(id(&session)).one().await.unwrap();
            assert!(leased_until <= jiff::Timestamp::now().as_microsecond());
        }
        server.restart().await;
        is_exact(&server, &db, &session, ROWS).await;
    }
    db.close().await;
}

#[tokio::test]
async fn a_reader_that_is_told_to_stop_fails_no_import() {
    const ROWS: u64 = 20_000;
    let mut server = Server::start().await;
    let db = server.database().await;
    let (mut rounds, mut told) = (0, 0);
    // A reader may have ended by itself; what is wanted is as many as were told.
    while told < 3 {
        assert!(rounds < 15, "only {told} of {rounds} readers were met at work");
        rounds += 1;
        let session = submit(&server, &format!("{rounds}.csv"), ROWS).await;
        // Read once, to be counted; the reader is at it once more.
        watch(&server, &session, |s| s["totalRecords"].as_u64() > Some(0)).await;
        told += usize::from(server.stop_children() > 0);
        server.stop();
        end_lease(&db, &session).await;
        server.restart().await;
        is_exact(&server, &db, &session, ROWS).await;
    }
    db.close().await;
}
