//! The job that completes the search indexes and the sort rows some time after many rows were written. Each row is
//! either in the search index or has a number above `searched_doc`, so searches are exact at every moment.

use super::sort_rows::{self, PAUSE};
use super::{LISTINGS, Listing};
use crate::features::state::App;
use crate::platform::db::{Db, Result, Sql, Tx};
use crate::platform::jobs;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use tokio::time::sleep;
use uuid::Uuid;

/// How often the job looks for lists that are not indexed completely.
const POLL: Duration = Duration::from_secs(1);
/// A list with more rows to index than this is indexed only when it has grown by no more than this since the last poll,
/// so that a running import has the database to itself. [`MOST`] limits the waiting.
const WAITING: i64 = 1_000;
/// A list with more rows to index than this is indexed even while it still grows.
const MOST: i64 = 2_000_000;
/// Rows per transaction, on SQLite and on PostgreSQL. On PostgreSQL the transaction locks the list.
const ROWS: (i64, i64) = (5_000, 2_000);
/// On SQLite, if more rows than this are to be indexed, the index's segments are not merged with each write, but
/// afterwards in small steps.
const UNMERGED: i64 = 20_000;
/// Number of index pages that one step of merging writes.
const MERGED_PAGES: i64 = 500;
/// Pause after each step of merging, as a multiple of the step's duration. Searches find the rows even before the
/// merging, so other writes go first.
const MERGE_PAUSE: f64 = 3.0;

/// A list whose last rows, its tail, are not all indexed yet.
#[derive(sqlx_macros::FromRow)]
struct Tail {
    corp_id: Uuid,
    kind: String,
    next_doc: i64,
    unsearched: i64,
    /// Number of rows without sort rows; 0 on PostgreSQL, which uses indexes instead.
    unsorted: i64,
}

impl Tail {
    fn rows(&self) -> i64 {
        self.unsearched.max(self.unsorted)
    }
}

/// Indexes rows until a shutdown is requested.
pub async fn run(app: App, stop: watch::Receiver<bool>) {
    // For each list, the next row number at the last poll.
    let seen = Mutex::new(HashMap::new());
    let is_first = Mutex::new(true);
    jobs::run("list indexes", &Notify::const_new(), stop, || async {
        // An error in one list does not delay the others. It is returned at the end; the next poll tries again.
        let mut result = Ok(POLL);
        if *lock(&is_first) {
            match finish_interrupted_run(&app.db).await {
                Ok(()) => *lock(&is_first) = false,
                Err(error) => result = Err(error.into()),
            }
        }
        for tail in tails(&app.db).await? {
            let last = lock(&seen).insert((tail.corp_id, tail.kind.clone()), tail.next_doc);
            // A list that many rows are being added to, as by an import, is indexed later.
            let is_slow = last.is_some_and(|last| tail.next_doc - last <= WAITING);
            if (tail.rows() <= WAITING || tail.rows() > MOST || is_slow)
                && let Err(error) = index(&app.db, &tail).await
            {
                result = Err(error.into());
            }
        }
        result
    })
    .await;
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Indexes all rows that were written so far.
pub async fn index_all(db: &Db) -> Result<()> {
    for tail in tails(db).await? {
        index(db, &tail).await?;
    }
    Ok(())
}

/// Returns the lists with rows that are not indexed yet, those with the fewest such rows first.
async fn tails(db: &Db) -> Result<Vec<Tail>> {
    let sql = db.pick(
        "SELECT corp_id, kind, next_doc, next_doc - 1 - searched_doc AS unsearched, next_doc - 1 - sorted_doc AS unsorted \
         FROM lists WHERE min(searched_doc, sorted_doc) < next_doc - 1",
        "SELECT corp_id, kind, next_doc, next_doc - 1 - searched_doc AS unsearched, CAST(0 AS BIGINT) AS unsorted \
         FROM lists WHERE searched_doc < next_doc - 1",
    );
    let mut tails: Vec<Tail> = db.all_tenants().sql(sql).all().await?;
    tails.sort_by_key(Tail::rows);
    Ok(tails)
}

/// Adds the rows of a list that are not indexed yet to its search index, and adds their sort rows.
async fn index(db: &Db, tail: &Tail) -> Result<()> {
    let Some(listing) = LISTINGS.iter().find(|listing| listing.table == tail.kind) else { return Ok(()) };
    let db = db.for_tenant(tail.corp_id);
    let is_long = tail.unsearched > UNMERGED;
    let indexed = async {
        if is_long {
            configure(&db, listing, Merging::Later).await?;
        }
        index_chunks(&db, listing, tail.corp_id).await?;
        sort_rows::add(&db, listing, tail.corp_id).await?;
        if is_long { merge(&db, listing).await } else { Ok(()) }
    }
    .await;
    // The options are restored after an error too, because those for many rows slow down searches.
    let restored = if is_long { configure(&db, listing, Merging::WithWrites).await } else { Ok(()) };
    indexed.and(restored)
}

async fn index_chunks(db: &Db, listing: &Listing, corp: Uuid) -> Result<()> {
    loop {
        let begun = Instant::now();
        if index_chunk(db, listing, corp, db.pick(ROWS.0, ROWS.1)).await? {
            return Ok(());
        }
        sleep(begun.elapsed().mul_f64(PAUSE)).await;
    }
}

/// Adds the next rows of a list to its search index, at most `rows`. Returns whether all rows are in the index now.
pub(super) async fn index_chunk(db: &Db, listing: &Listing, corp: Uuid, rows: i64) -> Result<bool> {
    let mut tx = db.begin_job().await?;
    // The lock on the list is needed because an update of a row that is being indexed would otherwise be missed.
    let sql = tx.sql("SELECT next_doc, searched_doc FROM lists WHERE corp_id = ").arg(corp);
    let sql = sql.push_arg(" AND kind = ", listing.table);
    let sql = sql.push(db.pick("", " FOR NO KEY UPDATE"));
    let Some((next, searched)) = sql.maybe::<(i64, i64)>().await? else { return Ok(true) };
    let sql = tx.sql("SELECT doc FROM ").push(listing.table).push_arg(" WHERE corp_id = ", corp);
    let sql = sql.push_arg(" AND doc > ", searched).push_arg(" ORDER BY doc LIMIT 1 OFFSET ", rows - 1);
    let last = sql.maybe_value::<i64>().await?.unwrap_or(next - 1);
    insert(&mut tx, listing, corp, searched, last).await?;
    let sql = tx.sql("UPDATE lists SET searched_doc = ").arg(last).push_arg(" WHERE corp_id = ", corp);
    sql.push_arg(" AND kind = ", listing.table).exec().await?;
    tx.commit().await?;
    Ok(last == next - 1)
}

/// Adds the rows with numbers above `after`, up to `last`, to the search index.
async fn insert(tx: &mut Tx, listing: &Listing, corp: Uuid, after: i64, last: i64) -> Result<()> {
    let keys = listing.search_keys.iter().copied();
    let sql = match tx {
        Tx::Sqlite(..) => {
            let sql = tx.sql("INSERT INTO ").push(listing.search).push(" (rowid, ").push(listing.search_columns);
            sql.push(") SELECT doc, ").joined(", ", keys, Sql::push)
        }
        Tx::Postgres(..) => {
            let sql = tx.sql("INSERT INTO ").push(listing.search).push(" (corp_id, doc, search) SELECT corp_id, doc, ");
            sql.push(r"concat_ws(E'\n', ").joined(", ", keys, Sql::push).push(")")
        }
    };
    let sql = sql.push(" FROM ").push(listing.table).push_arg(" WHERE corp_id = ", corp);
    sql.push_arg(" AND doc > ", after).push_arg(" AND doc <= ", last).push(" ORDER BY doc").exec().await?;
    Ok(())
}

/// When SQLite's full-text index merges its segments.
#[derive(Clone, Copy)]
enum Merging {
    /// With each write, as is the default.
    WithWrites,
    /// When [`merge`] is called.
    Later,
}

async fn configure(db: &Db, listing: &Listing, merging: Merging) -> Result<()> {
    let Db::Sqlite { .. } = db else { return Ok(()) };
    let options = match merging {
        Merging::WithWrites => [("automerge", 4), ("crisismerge", 16), ("hashsize", 1 << 20)],
        Merging::Later => [("automerge", 0), ("crisismerge", 2_000), ("hashsize", 64 << 20)],
    };
    for (option, value) in options {
        set(db, listing, option, value).await?;
    }
    Ok(())
}

/// Sets an option of SQLite's full-text index, or runs one of its commands.
async fn set(db: &Db, listing: &Listing, option: &'static str, value: i64) -> Result<()> {
    let sql = db.sql("INSERT INTO ").push(listing.search).push("(").push(listing.search);
    sql.push_arg(", rank) VALUES (", option).comma(value).push(")").exec().await.map(|_| ())
}

/// Merges the segments of SQLite's full-text index in steps, until none is left to merge.
async fn merge(db: &Db, listing: &Listing) -> Result<()> {
    let Db::Sqlite { .. } = db else { return Ok(()) };
    // The index's own record of its segments, which every step changes.
    let structure = || db.sql("SELECT block FROM ").push(listing.search).push("_data WHERE id = 10").value::<Vec<u8>>();
    let mut before = structure().await?;
    loop {
        let begun = Instant::now();
        set(db, listing, "merge", MERGED_PAGES).await?;
        let after = structure().await?;
        if after == before {
            return Ok(());
        }
        before = after;
        sleep(begun.elapsed().mul_f64(MERGE_PAUSE)).await;
    }
}

/// Merges the segments that an interrupted run left, and restores the options.
async fn finish_interrupted_run(db: &Db) -> Result<()> {
    for listing in LISTINGS {
        merge(db, listing).await?;
        configure(db, listing, Merging::WithWrites).await?;
    }
    Ok(())
}
