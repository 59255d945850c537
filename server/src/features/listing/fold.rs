//! Folds what is to be added to the tallies into them, on PostgreSQL (migrations/postgres/0020_listing.sql).

use crate::features::state::App;
use crate::platform::db::{Db, Result};
use std::time::Duration;

const PAUSE: Duration = Duration::from_secs(2);
/// Changes that are folded at once.
const MOST: i64 = 20_000;

/// Folds for ever; done at once where there is nothing to fold.
pub async fn worker(app: App) {
    while let Db::Postgres(..) = app.db {
        if let Err(error) = fold(&app.db).await {
            tracing::warn!(%error, "tallies could not be added up");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Folds all that there is.
pub async fn fold(db: &Db) -> Result<()> {
    if let Db::Postgres(..) = db {
        while some(db).await? >= MOST {}
    }
    Ok(())
}

/// In one statement, so that whoever adds both up counts each change once; how many there were.
async fn some(db: &Db) -> Result<i64> {
    let (count,): (i64,) = db
        .sql(
            "WITH taken AS (DELETE FROM tally_changes WHERE (corp_id, kind, number) IN (SELECT corp_id, kind, number \
             FROM tally_changes LIMIT ",
        )
        .arg(MOST)
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
