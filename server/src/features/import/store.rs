//! Imports in the database, as the worker sees them. Each claim increments the attempt number, which every write
//! compares. A worker whose lease expired or whose import was cancelled therefore changes nothing.

use crate::access::scope::{Scope, scope_of_job};
use crate::features::contacts::{self, NewContact, Origin};
use crate::features::history;
use crate::platform::clock::SECOND;
use crate::platform::db::{Db, Result, Sql, Tx};
use forecourt_core::import::{ColumnMapping, Corrections, Finding, Layout, ReadOptions, Verdict};
use forecourt_core::message::Message;
use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use uuid::Uuid;

/// How long a claim is valid without a heartbeat, in microseconds.
pub const LEASE: i64 = 30 * SECOND;
/// Number of the part that contains the corrections.
pub(super) const CORRECTIONS: i32 = -1;
/// Failed rows per INSERT.
const ROWS: usize = 1_000;
/// Parts per DELETE.
const PARTS: i64 = 16;

/// An import that this worker has claimed.
pub struct Job {
    pub scope: Scope,
    pub import: Uuid,
    pub file_name: String,
    pub file_size: u64,
    pub mapping: Vec<ColumnMapping>,
    pub options: ReadOptions,
    /// The browser's verdict, if it sent one.
    pub verdict: Option<Verdict>,
    /// Rows up to this number are done.
    pub last_row: u64,
    /// Number of consecutive claims without progress.
    pub tries: i32,
    attempt: i32,
}

impl Job {
    /// Appends the condition that the import still belongs to this claim. The statement's own parameters begin with
    /// `$4`.
    fn guard<'e>(&self, sql: Sql<'e>) -> Sql<'e> {
        sql.push(" WHERE corp_id = $1 AND import_id = $2 AND attempt = $3 AND status = 'processing'")
            .bind(self.scope.corp())
            .bind(self.import)
            .bind(self.attempt)
    }
}

#[derive(sqlx_macros::FromRow)]
struct ClaimedRow {
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

/// Selects the next import that is due: new, waiting for a retry, or with a worker that crashed. A tenant that has an
/// import in progress on any node is skipped. The tenant that was served least recently comes first.
const DUE: &str = "FROM imports i WHERE i.status IN ('pending', 'processing') AND i.leased_until <= $1 \
     AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.corp_id = i.corp_id AND o.status = 'processing' \
     AND o.leased_until > $1) \
     ORDER BY (SELECT max(o.claimed_at) FROM imports o WHERE o.corp_id = i.corp_id), i.import_id LIMIT 1";

/// Claims the next due import.
pub async fn claim(db: &Db, now: i64) -> Result<Option<Job>> {
    let row: Option<ClaimedRow> = db
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
        // The options were validated on acceptance. If a later version cannot parse them, it uses the defaults.
        options: serde_json::from_str(&row.options).unwrap_or_default(),
        verdict: row.verdict.and_then(|verdict| serde_json::from_str(&verdict).ok()),
        last_row: row.last_row.unsigned_abs(),
        tries: row.tries,
        attempt: row.attempt,
    }))
}

/// Returns whether an import is due. It belongs to a tenant without an import in progress.
pub async fn is_any_due(db: &Db, now: i64) -> Result<bool> {
    db.sql("SELECT i.import_id ").push(DUE).bind(now).exists().await
}

/// Returns the import's scope. If its user was deleted, the import continues with a nil user id.
pub(super) fn scope_of(db: &Db, corp: Uuid, user: Option<Uuid>) -> Scope {
    scope_of_job(db, corp, user.unwrap_or_default())
}

/// Returns a part of the file, or `None` after the last one.
pub async fn read_part(job: &Job, part: i32) -> Result<Option<Vec<u8>>> {
    job.scope
        .sql("SELECT bytes FROM import_parts WHERE corp_id = $1 AND import_id = $2 AND part = $3")
        .bind_all((job.import, part))
        .maybe_value()
        .await
}

/// Returns the corrections that the user made before sending the file.
pub async fn read_corrections(job: &Job) -> Result<Corrections> {
    let Some(json) = read_part(job, CORRECTIONS).await? else { return Ok(Corrections::default()) };
    serde_json::from_slice(&json).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// Records the number of rows. Returns `false` if the import no longer belongs to this claim.
pub async fn set_total(job: &Job, total: u64, left_out: u64, now: i64) -> Result<bool> {
    let sql = job.scope.db().sql("UPDATE imports SET total = $4, left_out = $5, updated_at = $6");
    Ok(job.guard(sql).bind(to_i64(total)).bind(to_i64(left_out)).bind(now).exec().await? == 1)
}

/// Extends the lease. Returns `false` if the import no longer belongs to this claim.
pub async fn extend_lease(job: &Job, now: i64) -> Result<bool> {
    let sql = job.scope.db().sql("UPDATE imports SET leased_until = $4");
    Ok(job.guard(sql).bind(now + LEASE).exec().await? == 1)
}

/// The results of consecutive rows.
#[derive(Default)]
pub struct Chunk {
    pub contacts: Vec<NewContact>,
    /// Failed rows, as many as fit into the report.
    pub failures: Vec<FailedRow>,
    /// Number of failed rows.
    pub failed: u64,
    /// Bytes that the failed rows add to the report.
    pub report_bytes: u64,
    /// Number of rows that duplicate an earlier row, whether imported or failed.
    pub duplicates: u64,
    /// Number of the chunk's last row in the file.
    pub last_row: u64,
}

impl Chunk {
    pub fn rows(&self) -> u64 {
        self.contacts.len() as u64 + self.failed
    }
}

/// Maximum length of a joined column's name that is stored with each problem, in characters.
const JOINED_NAME_CHARS: usize = 200;

/// A row that does not become a contact.
pub struct FailedRow {
    pub row: u64,
    pub problems: Vec<StoredProblem>,
    /// The cells with the user's corrections.
    pub cells: Vec<String>,
}

/// A validation error of a failed row, without the cell's content.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredProblem {
    /// Index of the column in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// Name of a joined column, which is not in the file. Older reports contain the name for every column.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    file_column: String,
    message: String,
}

impl StoredProblem {
    /// Converts a finding to its stored form.
    pub fn new(finding: Finding, layout: &Layout) -> Self {
        let Finding { column, message, .. } = finding;
        let (in_file, names) = (layout.names_in_file().len(), layout.names());
        let joined = column.filter(|&column| column >= in_file).and_then(|column| names.get(column));
        StoredProblem {
            column: column.filter(|&column| column < in_file),
            file_column: joined.map(|name| name.chars().take(JOINED_NAME_CHARS).collect()).unwrap_or_default(),
            message: message.into(),
        }
    }

    /// Returns a problem of a column of the file; of the whole row, if there is none.
    pub fn of_column(column: Option<usize>, message: Message) -> Self {
        StoredProblem { column, file_column: String::new(), message: message.into() }
    }

    /// Returns the message, prefixed with the column's name if it concerns one.
    pub fn reason(self, columns: &[String]) -> String {
        let column = self.column.and_then(|column| columns.get(column)).unwrap_or(&self.file_column);
        if column.is_empty() { self.message } else { format!("{column}: {}", self.message) }
    }
}

/// Chunks that are written in one transaction with the counts and the checkpoint, so that after a crash each row is
/// either completely processed or not at all.
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
    /// Whether the history has an entry for the import already.
    is_recorded: bool,
}

impl<'a> Batch<'a> {
    /// Begins a batch; `None` if the import no longer belongs to this claim. The row lock prevents others from claiming
    /// or cancelling it until the commit.
    pub async fn begin(job: &'a Job, origin: &'a Origin, now: i64) -> Result<Option<Batch<'a>>> {
        let mut tx = job.scope.db().begin_job().await?;
        let sql = tx.sql("UPDATE imports SET tries = 0, leased_until = $4");
        if job.guard(sql).bind(now + LEASE).exec().await? == 0 {
            return Ok(None);
        }
        Ok(Some(Batch {
            tx,
            job,
            origin,
            now,
            succeeded: 0,
            failed: 0,
            duplicates: 0,
            report_bytes: 0,
            last_row: 0,
            is_recorded: false,
        }))
    }

    /// Writes a chunk.
    pub async fn add(&mut self, chunk: Chunk) -> Result<()> {
        let Chunk { contacts, failures, failed, report_bytes, duplicates, last_row } = chunk;
        self.succeeded += contacts.len() as u64;
        self.failed += failed;
        self.report_bytes += report_bytes;
        self.duplicates += duplicates;
        self.last_row = last_row;
        let (tx, Job { scope, import, .. }) = (&mut self.tx, self.job);
        if !contacts.is_empty() && !self.is_recorded {
            self.is_recorded = true;
            history::insert_import(tx, scope, self.now, *import, &self.origin.source).await?;
        }
        contacts::insert_batch(tx, scope, contacts, Some(self.origin), self.now).await?;
        insert_failures(&mut self.tx, &self.job.scope, self.job.import, failures).await
    }

    /// Commits the batch, and returns its number of rows.
    pub async fn commit(mut self) -> Result<u64> {
        let rows = self.succeeded + self.failed;
        let sql = self.tx.sql(
            "UPDATE imports SET processed = processed + $4, succeeded = succeeded + $5, failed = failed + $6, \
             duplicates = duplicates + $7, report_bytes = report_bytes + $8, last_row = $9, updated_at = $10",
        );
        let mut sql = self.job.guard(sql);
        for count in [rows, self.succeeded, self.failed, self.duplicates, self.report_bytes, self.last_row] {
            sql = sql.bind(to_i64(count));
        }
        sql.bind(self.now).exec().await?;
        self.tx.commit().await?;
        Ok(rows)
    }
}

/// Adds failed rows of an import, unless they are there already.
pub(super) async fn insert_failures(tx: &mut Tx, scope: &Scope, import: Uuid, failures: Vec<FailedRow>) -> Result<()> {
    let mut rest = failures.into_iter();
    loop {
        let rows: Vec<_> = rest.by_ref().take(ROWS).collect();
        if rows.is_empty() {
            return Ok(());
        }
        tx.sql("INSERT INTO import_failures (corp_id, import_id, row_number, problems, cells) VALUES ")
            .tuples(rows, |sql, FailedRow { row, problems, cells }| {
                sql.arg(scope.corp()).comma(import).comma(to_i64(row)).comma(Json(problems)).comma(Json(cells))
            })
            .push(" ON CONFLICT (corp_id, import_id, row_number) DO NOTHING")
            .exec()
            .await?;
    }
}

/// Marks an import as completed, and deletes its file.
pub async fn complete(job: &Job, verdict: &Verdict, now: i64) -> Result<()> {
    let differs = job.verdict.as_ref().is_some_and(|theirs| theirs != verdict);
    let sql = job
        .scope
        .db()
        .sql("UPDATE imports SET status = 'completed', digest = $4, differs = $5, ended_at = $6, updated_at = $6");
    finish(job, job.guard(sql).bind(verdict.digest.clone()).bind(differs).bind(now)).await
}

/// Marks an import as failed with a message, and deletes its file.
pub async fn fail(job: &Job, message: &Message, now: i64) -> Result<()> {
    let message = serde_json::to_string(message).map_err(|e| sqlx::Error::Encode(e.into()))?;
    let sql = job
        .scope
        .db()
        .sql("UPDATE imports SET status = 'failed', fingerprint = NULL, message = $4, ended_at = $5, updated_at = $5");
    finish(job, job.guard(sql).bind(message).bind(now)).await
}

async fn finish(job: &Job, update: Sql<'_>) -> Result<()> {
    if update.exec().await? == 1 { delete_parts(&job.scope, job.import).await } else { Ok(()) }
}

/// Releases the claim, so that the import can be claimed again from `due` on.
pub async fn release(job: &Job, due: i64, tries: i32) -> Result<()> {
    let sql = job.scope.db().sql("UPDATE imports SET status = 'pending', leased_until = $4, tries = $5");
    job.guard(sql).bind(due).bind(tries).exec().await?;
    Ok(())
}

/// Deletes the parts of the file.
pub(super) async fn delete_parts(scope: &Scope, id: Uuid) -> Result<()> {
    let delete = || {
        scope
            .sql(
                "DELETE FROM import_parts WHERE corp_id = $1 AND import_id = $2 AND part IN (SELECT part \
                 FROM import_parts WHERE corp_id = $1 AND import_id = $2 ORDER BY part LIMIT $3)",
            )
            .bind(id)
    };
    delete_in_steps(delete, PARTS).await?;
    scope.sql("UPDATE imports SET kept_bytes = 0 WHERE corp_id = $1 AND import_id = $2").bind(id).exec().await?;
    Ok(())
}

/// Deletes `limit` rows at a time, so that other writers do not wait long. `delete` builds the statement without its
/// last parameter, the limit.
pub(super) async fn delete_in_steps<'a>(delete: impl Fn() -> Sql<'a>, limit: i64) -> Result<()> {
    while delete().bind(limit).exec().await? == limit.unsigned_abs() {}
    Ok(())
}

/// Releases the claims of the previous process on startup. Only on SQLite, whose file no other process uses: on
/// PostgreSQL another node may hold the lease, so it must expire.
pub async fn release_stale_claims(db: &Db) -> Result<()> {
    if let Db::Sqlite { .. } = db {
        db.sql("UPDATE imports SET leased_until = 0 WHERE status = 'processing'").exec().await?;
    }
    Ok(())
}

pub(super) fn to_i64(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
