//! Imports in the database, as the worker sees them. What it writes is guarded by its attempt, a number that every claim
//! raises: a worker that was taken for dead, and wakes up after all, changes nothing. Nor does one whose import was
//! cancelled.

use crate::access::scope::{Scope, scope_of_job};
use crate::features::contacts::{self, NewContact, Origin};
use crate::platform::clock::SECOND;
use crate::platform::db::{Db, Result, Sql, Tx};
use forecourt_core::import::{ColumnMapping, Corrections, Finding, Layout, ReadOptions, Verdict, truncate_cell};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use uuid::Uuid;

/// How long a claim holds without a sign of life.
pub const LEASE: i64 = 30 * SECOND;
/// The part that holds the corrections.
pub(super) const CORRECTIONS: i32 = -1;
/// Failed rows of one insert.
const ROWS: usize = 1_000;
/// Parts deleted at once: few enough that nobody waits long behind it.
const PARTS: i64 = 16;

/// An import that this worker has claimed.
pub struct Job {
    pub scope: Scope,
    pub import: Uuid,
    pub file_name: String,
    pub file_size: u64,
    pub mapping: Vec<ColumnMapping>,
    pub options: ReadOptions,
    /// What the browser came to, if it said so.
    pub verdict: Option<Verdict>,
    /// Rows up to this one are done.
    pub last_row: u64,
    /// How often in a row it was claimed without getting any further.
    pub tries: i32,
    attempt: i32,
}

impl Job {
    /// Ends an update so that it changes only what is still this worker's.
    fn mine<'e>(&self, sql: Sql<'e>) -> Sql<'e> {
        sql.push(" WHERE corp_id = ")
            .arg(self.scope.corp())
            .push(" AND import_id = ")
            .arg(self.import)
            .push(" AND attempt = ")
            .arg(self.attempt)
            .push(" AND status = 'processing'")
    }
}

#[derive(sqlx_macros::FromRow)]
struct JobRow {
    corp_id: Uuid,
    import_id: Uuid,
    user_id: Option<Uuid>,
    file_name: String,
    file_size: i64,
    mapping: Json<Vec<ColumnMapping>>,
    options: String,
    verdict: Option<String>,
    last_row: i64,
    tries: i32,
    attempt: i32,
}

/// The imports that are due: new, waiting for another try, or left by a worker that died. Of a tenant that has one in
/// progress, on whichever node, none is. The tenant served least recently comes first.
const DUE: &str = "FROM imports i WHERE i.status IN ('pending', 'processing') AND i.leased_until <= $1 \
     AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.corp_id = i.corp_id AND o.status = 'processing' \
     AND o.leased_until > $1) \
     ORDER BY (SELECT max(o.claimed_at) FROM imports o WHERE o.corp_id = i.corp_id), i.import_id LIMIT 1";

/// Takes the next import that is due.
pub async fn claim(db: &Db, now: i64) -> Result<Option<Job>> {
    let row: Option<JobRow> = db
        .sql(
            "UPDATE imports SET status = 'processing', attempt = attempt + 1, tries = tries + 1, leased_until = $2, \
             updated_at = $1, started_at = coalesce(started_at, $1), claimed_at = $1 \
             WHERE (corp_id, import_id) = (SELECT i.corp_id, i.import_id ",
        )
        .push(DUE)
        .push(db.pick("", " FOR UPDATE OF i SKIP LOCKED"))
        .push(
            ") RETURNING corp_id, import_id, user_id, file_name, file_size, mapping, options, verdict, last_row, tries, \
             attempt",
        )
        .bind(now)
        .bind(now + LEASE)
        .maybe()
        .await?;
    Ok(row.map(|row| Job {
        scope: scope_of(db, row.corp_id, row.user_id),
        import: row.import_id,
        file_name: row.file_name,
        file_size: row.file_size.unsigned_abs(),
        mapping: row.mapping.0,
        // What was accepted could be read; a later program that can't reads the file as it finds it.
        options: serde_json::from_str(&row.options).unwrap_or_default(),
        verdict: row.verdict.and_then(|verdict| serde_json::from_str(&verdict).ok()),
        last_row: row.last_row.unsigned_abs(),
        tries: row.tries,
        attempt: row.attempt,
    }))
}

/// Returns whether an import is due: another tenant's, since of those with one in progress none is.
pub async fn is_any_due(db: &Db, now: i64) -> Result<bool> {
    let row: Option<(Uuid,)> = db.sql("SELECT i.import_id ").push(DUE).bind(now).maybe().await?;
    Ok(row.is_some())
}

/// An import goes on when the person who began it is deleted, on nobody's behalf.
pub(super) fn scope_of(db: &Db, corp: Uuid, user: Option<Uuid>) -> Scope {
    scope_of_job(db, corp, user.unwrap_or_default())
}

/// A part of the file, if there are as many.
pub async fn part(job: &Job, part: i32) -> Result<Option<Vec<u8>>> {
    let row: Option<(Vec<u8>,)> = job
        .scope
        .db()
        .sql("SELECT bytes FROM import_parts WHERE corp_id = $1 AND import_id = $2 AND part = $3")
        .bind(job.scope.corp())
        .bind(job.import)
        .bind(part)
        .maybe()
        .await?;
    Ok(row.map(|(bytes,)| bytes))
}

/// What a person corrected before they sent the file.
pub async fn corrections(job: &Job) -> Result<Corrections> {
    let json = part(job, CORRECTIONS).await?;
    let read = |json: Vec<u8>| serde_json::from_slice(&json).map_err(|error| sqlx::Error::Decode(error.into()));
    json.map_or_else(|| Ok(Corrections::default()), read)
}

/// Notes how many rows there are. False if the import isn't this worker's any more; so are the others below.
pub async fn set_total(job: &Job, total: u64, left_out: u64, now: i64) -> Result<bool> {
    let sql = job.scope.db().sql("UPDATE imports SET total = ").arg(number(total));
    let sql = sql.push(", left_out = ").arg(number(left_out)).push(", updated_at = ").arg(now);
    Ok(job.mine(sql).exec().await? == 1)
}

/// Says that this worker lives.
pub async fn extend(job: &Job, now: i64) -> Result<bool> {
    let sql = job.scope.db().sql("UPDATE imports SET leased_until = ").arg(now + LEASE);
    Ok(job.mine(sql).exec().await? == 1)
}

/// What became of some rows, one after the other.
#[derive(Default)]
pub struct Chunk {
    pub contacts: Vec<NewContact>,
    /// Failed rows, as far as the report has room for them.
    pub failures: Vec<FailedRow>,
    /// How many rows failed.
    pub failed: u64,
    /// Bytes that the failed rows add to the report.
    pub report_bytes: u64,
    /// How many of the contacts repeat an earlier row.
    pub duplicates: u64,
    /// The number of the last of the rows.
    pub last_row: u64,
}

impl Chunk {
    pub fn rows(&self) -> u64 {
        self.contacts.len() as u64 + self.failed
    }
}

/// A row that becomes no contact.
pub struct FailedRow {
    pub row: u64,
    pub problems: Vec<StoredProblem>,
    /// As the row stands in the file, long cells truncated.
    pub cells: Vec<String>,
}

/// What is wrong in a failed row, without what its cells tell.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredProblem {
    /// The place of the column among those of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The name of a column that isn't in the file, because it joins two. Older reports name every column.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    file_column: String,
    message: String,
}

impl StoredProblem {
    /// Returns what a report stores of a problem.
    pub fn of(finding: Finding, layout: &Layout) -> Self {
        let Finding { column, message, .. } = finding;
        let (in_file, names) = (layout.names_in_file().len(), layout.names());
        let joined = column.filter(|&column| column >= in_file).and_then(|column| names.get(column));
        StoredProblem {
            column: column.filter(|&column| column < in_file),
            file_column: joined.map(|name| truncate_cell(name).into_owned()).unwrap_or_default(),
            message,
        }
    }

    /// Returns the sentence, with the column's name where it is about one.
    pub fn reason(self, columns: &[String]) -> String {
        let column = self.column.and_then(|column| columns.get(column)).unwrap_or(&self.file_column);
        if column.is_empty() { self.message } else { format!("{column}: {}", self.message) }
    }
}

/// Chunks that are written in one transaction with their counts and the checkpoint: after a crash a row is either wholly
/// done or not begun.
pub struct Batch<'a> {
    tx: Tx,
    job: &'a Job,
    origin: &'a Origin,
    now: i64,
    succeeded: u64,
    failed: u64,
    duplicates: u64,
    report_bytes: u64,
    last_row: u64,
}

impl<'a> Batch<'a> {
    /// Begins one; none if the import isn't this worker's any more. From here on nobody else can claim or cancel it.
    pub async fn begin(job: &'a Job, origin: &'a Origin, now: i64) -> Result<Option<Batch<'a>>> {
        let mut tx = job.scope.db().begin().await?;
        tx.take_time().await?;
        let sql = tx.sql("UPDATE imports SET tries = 0, leased_until = ").arg(now + LEASE);
        if job.mine(sql).exec().await? == 0 {
            return Ok(None);
        }
        Ok(Some(Batch { tx, job, origin, now, succeeded: 0, failed: 0, duplicates: 0, report_bytes: 0, last_row: 0 }))
    }

    /// Writes a chunk.
    pub async fn add(&mut self, chunk: Chunk) -> Result<()> {
        let Chunk { contacts, failures, failed, report_bytes, duplicates, last_row } = chunk;
        self.succeeded += contacts.len() as u64;
        self.failed += failed;
        self.report_bytes += report_bytes;
        self.duplicates += duplicates;
        self.last_row = last_row;
        contacts::insert_imported(&mut self.tx, &self.job.scope, contacts, self.origin, self.now).await?;
        insert_failures(&mut self.tx, self.job, failures).await
    }

    /// Ends it; how many rows it had.
    pub async fn commit(mut self) -> Result<u64> {
        let rows = self.succeeded + self.failed;
        let sql = self
            .tx
            .sql("UPDATE imports SET processed = processed + ")
            .arg(number(rows))
            .push(", succeeded = succeeded + ")
            .arg(number(self.succeeded))
            .push(", failed = failed + ")
            .arg(number(self.failed))
            .push(", duplicates = duplicates + ")
            .arg(number(self.duplicates))
            .push(", report_bytes = report_bytes + ")
            .arg(number(self.report_bytes))
            .push(", last_row = ")
            .arg(number(self.last_row))
            .push(", updated_at = ")
            .arg(self.now);
        self.job.mine(sql).exec().await?;
        self.tx.commit().await?;
        Ok(rows)
    }
}

async fn insert_failures(tx: &mut Tx, job: &Job, failures: Vec<FailedRow>) -> Result<()> {
    let mut rest = failures.into_iter();
    loop {
        let rows: Vec<_> = rest.by_ref().take(ROWS).collect();
        if rows.is_empty() {
            return Ok(());
        }
        tx.sql("INSERT INTO import_failures (corp_id, import_id, row_number, problems, cells) VALUES ")
            .tuples(rows, |sql, FailedRow { row, problems, cells }| {
                sql.arg(job.scope.corp()).next(job.import).next(number(row)).next(Json(problems)).next(Json(cells))
            })
            .push(" ON CONFLICT (corp_id, import_id, row_number) DO NOTHING")
            .exec()
            .await?;
    }
}

/// Ends an import that every row of its file was read for. Its file isn't needed any more.
pub async fn complete(job: &Job, verdict: &Verdict, now: i64) -> Result<bool> {
    let differs = job.verdict.as_ref().is_some_and(|theirs| theirs != verdict);
    let sql = job
        .scope
        .db()
        .sql("UPDATE imports SET status = 'completed', digest = ")
        .arg(verdict.digest.clone())
        .push(", differs = ")
        .arg(differs)
        .push(", ended_at = ")
        .arg(now)
        .push(", updated_at = ")
        .arg(now);
    over(job, job.mine(sql).exec().await? == 1).await
}

/// Ends an import with the sentence that says why.
pub async fn fail(job: &Job, message: String, now: i64) -> Result<bool> {
    let sql = job
        .scope
        .db()
        .sql("UPDATE imports SET status = 'failed', fingerprint = NULL, message = ")
        .arg(message)
        .push(", ended_at = ")
        .arg(now)
        .push(", updated_at = ")
        .arg(now);
    over(job, job.mine(sql).exec().await? == 1).await
}

async fn over(job: &Job, ended: bool) -> Result<bool> {
    if ended {
        delete_parts(&job.scope, job.import).await?;
    }
    Ok(ended)
}

/// Gives an import back, to be claimed from `due` on.
pub async fn give_back(job: &Job, due: i64, stopped: bool) -> Result<bool> {
    // A stop of the program isn't the import's fault.
    let tries = if stopped { 0 } else { job.tries };
    let sql = job
        .scope
        .db()
        .sql("UPDATE imports SET status = 'pending', leased_until = ")
        .arg(due)
        .push(", tries = ")
        .arg(tries);
    Ok(job.mine(sql).exec().await? == 1)
}

/// Forgets the file.
pub(super) async fn delete_parts(scope: &Scope, id: Uuid) -> Result<()> {
    loop {
        let deleted = scope
            .db()
            .sql(
                "DELETE FROM import_parts WHERE corp_id = $1 AND import_id = $2 AND part IN (SELECT part \
                 FROM import_parts WHERE corp_id = $1 AND import_id = $2 ORDER BY part LIMIT $3)",
            )
            .bind(scope.corp())
            .bind(id)
            .bind(PARTS)
            .exec()
            .await?;
        if deleted < PARTS.unsigned_abs() {
            break;
        }
    }
    scope
        .db()
        .sql("UPDATE imports SET kept_bytes = 0 WHERE corp_id = $1 AND import_id = $2")
        .bind(scope.corp())
        .bind(id)
        .exec()
        .await?;
    Ok(())
}

/// Takes over what was being worked on when this program last ended. SQLite's file has no other users; beside another
/// node a lease has to end by itself.
pub async fn take_over(db: &Db) -> Result<()> {
    if let Db::Sqlite { .. } = db {
        db.sql("UPDATE imports SET leased_until = 0 WHERE corp_id IS NOT NULL AND status = 'processing'")
            .exec()
            .await?;
    }
    Ok(())
}

pub(super) fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
