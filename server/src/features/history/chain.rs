//! The chain of each corporation's entries, which shows whether someone has changed or removed one
//! (docs/decisions/0030-history-chain.md).

use crate::features::state::App;
use crate::platform::db::{Db, Result, from_json, to_json};
use crate::platform::jobs;
use crate::platform::keys;
use aws_lc_rs::digest::{Context, SHA256};
use forecourt_core::history::Change;
use std::io;
use std::time::Duration;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

/// How often the job looks for entries that are not in a chain.
const POLL: Duration = Duration::from_secs(5);
/// Entries per transaction, and per query of the check.
const BATCH: i64 = 500;

type Hash = [u8; 32];
/// Length of the salt of a value.
const SALT_BYTES: usize = 16;

/// The hash before the first entry of a chain.
const START: Hash = [0; 32];

/// An entry as its hash contains it.
#[derive(sqlx_macros::FromRow)]
struct Row {
    history_id: Uuid,
    at: i64,
    actor_id: Uuid,
    actor_kind: String,
    action: String,
    resource_id: String,
    record_id: Option<Uuid>,
    batch_id: Option<Uuid>,
    label: String,
    changes: String,
    /// From 1 in each corporation; `None` for an entry that is not in the chain yet.
    position: Option<i64>,
    /// Those of the label and of each value before and after a change, in their order.
    salts: Option<Vec<u8>>,
    hash: Option<Vec<u8>>,
}

const COLUMNS: &str = "history_id, at, actor_id, actor_kind, action, resource_id, record_id, batch_id, label, changes, \
     position, salts, hash";

/// Chains new entries until a shutdown is requested.
pub async fn run(app: App, stop: watch::Receiver<bool>) {
    jobs::run("history chain", &Notify::const_new(), stop, || async {
        extend_all(&app.db).await?;
        Ok(POLL)
    })
    .await;
}

/// Chains all entries that are in no chain yet.
pub async fn extend_all(db: &Db) -> Result<()> {
    let corporations: Vec<(Uuid,)> =
        db.sql("SELECT DISTINCT corp_id FROM history WHERE position IS NULL").all().await?;
    // A corporation that fails does not delay the others. All of them are tried again.
    let mut result = Ok(());
    for (corp,) in corporations {
        let db = db.for_tenant(corp);
        loop {
            match extend(&db, corp).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
    }
    result
}

/// Adds some entries to a corporation's chain. Returns whether there may be more. Of several nodes that do this at the same time,
/// each waits for the one before.
async fn extend(db: &Db, corp: Uuid) -> Result<bool> {
    let mut tx = db.begin().await?;
    if tx.pick(false, true) {
        tx.sql("SELECT pg_advisory_xact_lock(hashtextextended('history chain ' || $1, 0))")
            .bind(corp.to_string())
            .exec()
            .await?;
    }
    let last: Option<(i64, Vec<u8>)> = tx
        .sql("SELECT position, hash FROM history WHERE corp_id = $1 AND position IS NOT NULL ORDER BY position DESC LIMIT 1")
        .bind(corp)
        .maybe()
        .await?;
    let (mut position, hash) = last.unwrap_or_default();
    let mut hash = Hash::try_from(hash).unwrap_or(START);
    let rows: Vec<Row> = tx
        .sql("SELECT ")
        .push(COLUMNS)
        .push(" FROM history WHERE corp_id = $1 AND position IS NULL ORDER BY history_id LIMIT $2")
        .bind_all((corp, BATCH))
        .all()
        .await?;
    let mut links = Vec::new();
    for row in rows {
        position += 1;
        let changes: Vec<Change> = from_json(&row.changes)?;
        let salts = (0..=2 * changes.len()).map(|_| keys::random::<SALT_BYTES>());
        let salts = salts.collect::<io::Result<Vec<_>>>()?.concat();
        hash = row.hash(&changes, &salts, position, &hash)?;
        links.push((row.history_id, position, salts, hash.to_vec()));
    }
    let count = links.len();
    if count == 0 {
        return Ok(false);
    }
    tx.sql("WITH links (history_id, position, salts, hash) AS (VALUES ")
        .tuples(links, |sql, (id, position, salts, hash)| sql.arg(id).next(position).next(salts).next(hash))
        .push(
            ") UPDATE history SET position = links.position, salts = links.salts, hash = links.hash FROM links \
             WHERE history.history_id = links.history_id AND history.corp_id = ",
        )
        .arg(corp)
        .exec()
        .await?;
    tx.commit().await?;
    Ok(count == BATCH as usize)
}

impl Row {
    /// Returns the hash of this entry and, by that of the one before it, of all before it. Instead of the label and the values it
    /// contains their salted digests, so that they could be erased with their salts, and the chain would still hold.
    fn hash(&self, changes: &[Change], salts: &[u8], position: i64, before: &Hash) -> Result<Hash> {
        let mut salts = salts.chunks(SALT_BYTES);
        let mut salted = |value: &[u8]| salted_digest(salts.next().unwrap_or_default(), value);
        let mut context = Context::new(&SHA256);
        let mut add = |bytes: &[u8]| {
            // With the length, so that no two different entries are the same bytes.
            context.update(&(bytes.len() as u64).to_be_bytes());
            context.update(bytes);
        };
        add(before);
        add(&position.to_be_bytes());
        add(self.history_id.as_bytes());
        add(&self.at.to_be_bytes());
        add(self.actor_id.as_bytes());
        for text in [&self.actor_kind, &self.action, &self.resource_id] {
            add(text.as_bytes());
        }
        for id in [self.record_id, self.batch_id] {
            add(id.as_ref().map_or(&[], |id| id.as_bytes()));
        }
        add(&salted(self.label.as_bytes()));
        for Change { field, before, after } in changes {
            add(field.as_bytes());
            add(&salted(to_json(before)?.as_bytes()));
            add(&salted(to_json(after)?.as_bytes()));
        }
        Ok(to_hash(context))
    }
}

impl Row {
    /// Returns the hash of this entry, if it is the one with which it was chained at this position.
    fn expected_hash(&self, position: i64, before: &Hash) -> Option<Hash> {
        let changes: Vec<Change> = from_json(&self.changes).ok()?;
        let expected = self.hash(&changes, self.salts.as_deref()?, position, before).ok()?;
        (self.position == Some(position) && self.hash.as_deref() == Some(&expected[..])).then_some(expected)
    }
}

fn salted_digest(salt: &[u8], value: &[u8]) -> Hash {
    let mut context = Context::new(&SHA256);
    context.update(salt);
    context.update(value);
    to_hash(context)
}

fn to_hash(context: Context) -> Hash {
    context.finish().as_ref().try_into().unwrap_or(START)
}

/// What a check of the chains has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verified {
    /// The number of entries in chains, and of newer ones that are in none yet.
    Whole { chained: u64, waiting: u64 },
    /// The first entry that is not as it was when it was chained, or after which one is missing: its corporation, position and
    /// id.
    Broken { corp: Uuid, position: i64, id: Uuid },
}

/// Checks the chains of all corporations.
pub async fn verify(db: &Db) -> Result<Verified> {
    let (mut chained, mut waiting) = (0, 0);
    let corporations: Vec<(Uuid,)> = db.sql("SELECT corp_id FROM corporations ORDER BY corp_id").all().await?;
    for (corp,) in corporations {
        let db = db.for_tenant(corp);
        match verify_corporation(&db, corp).await? {
            Verified::Whole { chained: more, .. } => chained += more,
            broken => return Ok(broken),
        }
        let sql = db.sql("SELECT count(*) FROM history WHERE corp_id = $1 AND position IS NULL").bind(corp);
        waiting += sql.value::<i64>().await?.unsigned_abs();
    }
    Ok(Verified::Whole { chained, waiting })
}

async fn verify_corporation(db: &Db, corp: Uuid) -> Result<Verified> {
    let (mut position, mut hash) = (0_i64, START);
    loop {
        let rows: Vec<Row> = db
            .sql("SELECT ")
            .push(COLUMNS)
            .push(" FROM history WHERE corp_id = $1 AND position > $2 ORDER BY position LIMIT $3")
            .bind_all((corp, position, BATCH))
            .all()
            .await?;
        if rows.is_empty() {
            return Ok(Verified::Whole { chained: position.unsigned_abs(), waiting: 0 });
        }
        for row in rows {
            position += 1;
            // Also if the changes can't be read any more.
            let Some(expected) = row.expected_hash(position, &hash) else {
                return Ok(Verified::Broken { corp, position, id: row.history_id });
            };
            hash = expected;
        }
    }
}
