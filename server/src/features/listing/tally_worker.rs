//! Folds pending changes into the tallies, on PostgreSQL (migrations/postgres/0020_listing.sql).

use crate::features::state::App;
use crate::platform::db::{Db, Result};
use crate::platform::jobs::{self, POLL};
use tokio::sync::{Notify, watch};

/// Number of changes that one statement folds.
const BATCH: i64 = 20_000;

/// Folds changes periodically. Returns at once on SQLite, which has none.
pub async fn run(app: App, stop: watch::Receiver<bool>) {
    if let Db::Postgres(..) = app.db {
        let fold = || async {
            fold_all(&app.db).await?;
            Ok(POLL)
        };
        jobs::run("list aggregates", &Notify::const_new(), stop, fold).await;
    }
}

/// Folds all pending changes.
pub async fn fold_all(db: &Db) -> Result<()> {
    if let Db::Postgres(..) = db {
        while fold_batch(db).await? >= BATCH {}
    }
    Ok(())
}

/// Folds a batch of changes and returns their number. One statement, so that a sum over both tables counts each change once.
async fn fold_batch(db: &Db) -> Result<i64> {
    let (count,): (i64,) = db
        .sql(
            "WITH taken AS (DELETE FROM tally_changes WHERE (corp_id, kind, number) IN (SELECT corp_id, kind, number \
             FROM tally_changes LIMIT ",
        )
        .arg(BATCH)
        .push(
            " FOR UPDATE SKIP LOCKED) RETURNING *), \
             folded AS (INSERT INTO tallies AS t (corp_id, kind, block, period, customer_type, agreement_type, status, \
             count, value, changes) SELECT corp_id, kind, block, period, customer_type, agreement_type, status, \
             sum(count), sum(value), sum(changes) FROM taken GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7 \
             ON CONFLICT (corp_id, kind, block, period, customer_type, agreement_type, status) DO UPDATE SET \
             count = t.count + excluded.count, value = t.value + excluded.value, changes = t.changes + excluded.changes) \
             SELECT count(*) FROM taken",
        )
        .one()
        .await?;
    Ok(count)
}
