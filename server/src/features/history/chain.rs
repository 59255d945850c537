//! The hash chain of each corporation's history entries, which shows whether someone has changed or removed an entry
//! (docs/decisions/0030-history-chain.md).

use super::values;
use crate::features::state::App;
use crate::platform::db::{Db, Result, Tx};
use crate::platform::jobs;
use crate::platform::keys;
use aws_lc_rs::digest::{Context, SHA256};
use std::io;
use std::time::Duration;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

/// How often the job looks for entries that are not in a chain yet.
const POLL: Duration = Duration::from_secs(5);
/// Maximum number of entries that one transaction adds to a chain, and that one query of [`verify`] reads.
const BATCH: i64 = 500;

type Hash = [u8; DIGEST_BYTES];
/// The number of the format of the hashed bytes. It is part of every hash.
const FORMAT: u8 = 1;
/// Length of the salt of a value, in bytes.
pub(super) const SALT_BYTES: usize = 16;
/// Length of a SHA-256 digest, in bytes.
pub(super) const DIGEST_BYTES: usize = 32;

/// Takes the place of the digest in the column `erased` for a value that was not erased.
pub(super) const UNERASED: Hash = [0; DIGEST_BYTES];

/// The hash before the first entry of a chain.
const START: Hash = [0; 32];

/// A history entry with its place in the chain and everything that its hash covers.
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
    /// The entry's position in the chain, from 1 in each corporation; `None` if it is not in the chain yet.
    position: Option<i64>,
    /// The salts of the label and of each change's values before and after it, in this order: [`SALT_BYTES`] each.
    salts: Option<Vec<u8>>,
    /// For each salt, the digest of its value if the value was erased, else [`UNERASED`]. `None` if no value was
    /// erased after the entry was chained.
    erased: Option<Vec<u8>>,
    hash: Option<Vec<u8>>,
}

const COLUMNS: &str = "history_id, at, actor_id, actor_kind, action, resource_id, record_id, batch_id, label, changes, \
     position, salts, erased, hash";

/// Adds new entries to the chains until a shutdown is requested.
pub async fn run(app: App, stop: watch::Receiver<bool>) {
    jobs::run("history chain", &Notify::const_new(), stop, || async {
        extend_all(&app.db).await?;
        Ok(POLL)
    })
    .await;
}

/// Adds all entries that are in no chain yet to the chain of their corporation.
pub async fn extend_all(db: &Db) -> Result<()> {
    let corporations = db.sql("SELECT DISTINCT corp_id FROM history WHERE position IS NULL").values().await?;
    repeat_for_each(db, corporations, usize::MAX, |db, corp| async move { extend(&db, corp).await }).await
}

/// Repeats `step` for each of these corporations until it returns that nothing is left, at most `limit` times. An error
/// in one corporation does not delay the others. It is returned at the end; the next call of the job tries again.
pub(super) async fn repeat_for_each<F: Future<Output = Result<bool>> + Send>(
    db: &Db,
    corporations: Vec<Uuid>,
    limit: usize,
    step: impl Fn(Db, Uuid) -> F,
) -> Result<()> {
    let mut result = Ok(());
    for corp in corporations {
        for _ in 0..limit {
            match step(db.for_tenant(corp), corp).await {
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

/// Adds the next entries to a corporation's chain, at most [`BATCH`]. Returns whether there may be more. If several
/// nodes do this at the same time, each waits for the one before.
async fn extend(db: &Db, corp: Uuid) -> Result<bool> {
    let mut tx = db.begin().await?;
    lock(&mut tx, corp).await?;
    let last: Option<(i64, Vec<u8>)> = tx
        .sql("SELECT position, hash FROM history")
        .indexed_by("history_chain")
        .push(" WHERE corp_id = $1 AND position IS NOT NULL ORDER BY position DESC LIMIT 1")
        .bind(corp)
        .maybe()
        .await?;
    let (mut position, hash) = last.unwrap_or_default();
    let mut hash = Hash::try_from(hash).unwrap_or(START);
    let rows: Vec<Row> = tx
        .sql("SELECT ")
        .push(COLUMNS)
        .push(" FROM history")
        .indexed_by("history_unchained")
        .push(" WHERE corp_id = $1 AND position IS NULL ORDER BY history_id LIMIT $2")
        .bind_all((corp, BATCH))
        .all()
        .await?;
    let mut links = Vec::new();
    for row in rows {
        position += 1;
        let salts = (0..row.values()?.len()).map(|_| keys::random::<SALT_BYTES>());
        let salts = salts.collect::<io::Result<Vec<_>>>()?.concat();
        hash = row.hash(&salts, position, &hash)?;
        links.push((row.history_id, position, salts, hash.to_vec()));
    }
    let count = links.len();
    let Some(&(last, ..)) = links.last() else { return Ok(false) };
    tx.sql("WITH links (history_id, position, salts, hash) AS (VALUES ")
        .tuples(links, |sql, (id, position, salts, hash)| sql.arg(id).comma(position).comma(salts).comma(hash))
        .push(") UPDATE history")
        .indexed_by("history_unchained")
        .push(
            " SET position = links.position, salts = links.salts, hash = links.hash FROM links \
             WHERE history.history_id = links.history_id AND history.position IS NULL AND history.history_id <= ",
        )
        .arg(last)
        .push_arg(" AND history.corp_id = ", corp)
        .exec()
        .await?;
    tx.commit().await?;
    Ok(count == BATCH as usize)
}

/// Locks the chain of this corporation until the transaction ends. On SQLite this is not needed: there is only one
/// writing transaction at a time.
pub(super) async fn lock(tx: &mut Tx, corp: Uuid) -> Result<()> {
    if let Tx::Sqlite(..) = tx {
        return Ok(());
    }
    let sql = tx.sql("SELECT pg_advisory_xact_lock(hashtextextended('history chain ' || $1, 0))");
    sql.bind(corp.to_string()).exec().await.map(|_| ())
}

impl Row {
    /// Returns the hash of this entry. It covers `before`, the hash of the entry before it, and so all earlier entries.
    /// The label and the values are not hashed themselves, but their salted digests, so that they can be erased later.
    fn hash(&self, salts: &[u8], position: i64, before: &Hash) -> Result<Hash> {
        let mut context = Context::new(&SHA256);
        let mut add = |bytes: &[u8]| {
            // Each item with its length, so that two different entries never yield the same bytes.
            context.update(&(bytes.len() as u64).to_be_bytes());
            context.update(bytes);
        };
        add(&[FORMAT]);
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
        let mut salts = salts.chunks(SALT_BYTES);
        let mut erased = self.erased.as_deref().unwrap_or_default().chunks(DIGEST_BYTES);
        for (place, (name, value)) in self.values()?.into_iter().enumerate() {
            add(name.as_bytes());
            let salt = salts.next().unwrap_or_default();
            match erased.next() {
                Some(digest) if values::is_erased_marker(place, &value) && digest != UNERASED => add(digest),
                _ => add(&salted_digest(salt, value.as_bytes())),
            }
        }
        Ok(to_hash(context))
    }

    fn values(&self) -> Result<Vec<(String, String)>> {
        values::list(&self.label, &self.changes)
    }
}

impl Row {
    /// Returns the hash of this entry if its stored hash and position are the expected ones; `None` if the entry was
    /// changed after it was chained, or an entry before it is missing.
    fn expected_hash(&self, position: i64, before: &Hash) -> Option<Hash> {
        let expected = self.hash(self.salts.as_deref()?, position, before).ok()?;
        (self.position == Some(position) && self.hash.as_deref() == Some(&expected[..])).then_some(expected)
    }
}

pub(super) fn salted_digest(salt: &[u8], value: &[u8]) -> Hash {
    let mut context = Context::new(&SHA256);
    context.update(salt);
    context.update(value);
    to_hash(context)
}

fn to_hash(context: Context) -> Hash {
    context.finish().as_ref().try_into().unwrap_or(START)
}

/// What a check of the chains has found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The number of intact entries: in each corporation, those before the first broken entry.
    pub chained: u64,
    /// The number of entries that are in no chain yet.
    pub waiting: u64,
    /// The first broken entry of each corporation that has one.
    pub broken: Vec<Broken>,
}

/// An entry that was changed after it was chained, or before which an entry is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub corp: Uuid,
    pub position: i64,
    pub id: Uuid,
}

/// Checks the chains of all corporations.
pub async fn verify(db: &Db) -> Result<Verified> {
    let mut verified = Verified::default();
    for corp in db.sql("SELECT corp_id FROM corporations ORDER BY corp_id").values::<Uuid>().await? {
        let db = db.for_tenant(corp);
        verify_corporation(&db, corp, &mut verified).await?;
        let sql = db.sql("SELECT count(*) FROM history WHERE corp_id = $1 AND position IS NULL").bind(corp);
        verified.waiting += sql.value::<i64>().await?.unsigned_abs();
    }
    Ok(verified)
}

async fn verify_corporation(db: &Db, corp: Uuid, verified: &mut Verified) -> Result<()> {
    let (mut position, mut hash) = (0_i64, START);
    loop {
        let rows: Vec<Row> = db
            .sql("SELECT ")
            .push(COLUMNS)
            .push(" FROM history")
            .indexed_by("history_chain")
            .push(" WHERE corp_id = $1 AND position > $2 ORDER BY position LIMIT $3")
            .bind_all((corp, position, BATCH))
            .all()
            .await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            position += 1;
            let Some(expected) = row.expected_hash(position, &hash) else {
                verified.broken.push(Broken { corp, position, id: row.history_id });
                return Ok(());
            };
            verified.chained += 1;
            hash = expected;
        }
    }
}
