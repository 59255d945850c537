//! Imports in the database. What a worker writes is guarded by its attempt, a number that every claim raises: a worker
//! that was taken for dead, and wakes up after all, changes nothing.

use crate::clock::{HOUR, SECOND, rfc3339};
use crate::contacts::{self, NewContact, Origin};
use crate::db::{Db, Result, Sql, Tx};
use crate::scope::{Scope, scope_of_job};
use forecourt_core::dashboard::ImportFigures;
use forecourt_core::import::{ColumnMapping, ImportSession, ImportStatus, RowProblem};
use sqlx::types::Json;
use uuid::Uuid;

/// How long a claim holds without a sign of life.
pub const LEASE: i64 = 30 * SECOND;
/// A file that is still being received after so long was given up.
const RECEIVING: i64 = HOUR;
/// Failed rows of one insert.
const ROWS: usize = 1_000;
/// Parts deleted at once: few enough that nobody waits long behind it.
const PARTS: i64 = 16;

/// Notes an import whose file is about to come.
pub async fn begin(
    scope: &Scope,
    file_name: &str,
    file_size: u64,
    mapping: Vec<ColumnMapping>,
    now: i64,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    scope.db().sql(
        "INSERT INTO imports (corp_id, import_id, user_id, file_name, file_size, mapping, status, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, 'receiving', $7, $8)",
    )
    .bind(scope.corp())
    .bind(id)
    .bind(scope.user())
    .bind(file_name.to_owned())
    .bind(number(file_size))
    .bind(Json(mapping))
    .bind(now)
    .bind(now)
    .exec()
    .await?;
    Ok(id)
}

/// How many of the tenant's imports aren't over yet.
pub async fn unfinished(scope: &Scope) -> Result<i64> {
    let (count,): (i64,) = scope
        .db()
        .sql("SELECT count(*) FROM imports WHERE corp_id = $1 AND status IN ('receiving', 'pending', 'processing')")
        .bind(scope.corp())
        .one()
        .await?;
    Ok(count)
}

/// Keeps a part of the file.
pub async fn add_part(scope: &Scope, id: Uuid, part: i32, bytes: Vec<u8>) -> Result<()> {
    scope
        .db()
        .sql("INSERT INTO import_parts (corp_id, import_id, part, bytes) VALUES ($1, $2, $3, $4)")
        .bind(scope.corp())
        .bind(id)
        .bind(part)
        .bind(bytes)
        .exec()
        .await?;
    Ok(())
}

/// The file is whole: the import may begin.
pub async fn accept(scope: &Scope, id: Uuid, now: i64) -> Result<()> {
    let changed = scope
        .db()
        .sql(
            "UPDATE imports SET status = 'pending', updated_at = $1 \
             WHERE corp_id = $2 AND import_id = $3 AND status = 'receiving'",
        )
        .bind(now)
        .bind(scope.corp())
        .bind(id)
        .exec()
        .await?;
    if changed == 1 { Ok(()) } else { Err(sqlx::Error::RowNotFound) }
}

/// The file didn't come whole: forgets the import and its parts, unless it was accepted after all.
pub async fn withdraw(scope: &Scope, id: Uuid) -> Result<()> {
    scope
        .db()
        .sql("DELETE FROM imports WHERE corp_id = $1 AND import_id = $2 AND status = 'receiving'")
        .bind(scope.corp())
        .bind(id)
        .exec()
        .await?;
    Ok(())
}

/// The latest accepted imports, the newest first.
pub async fn latest(scope: &Scope, most: u32) -> Result<Vec<ImportFigures>> {
    type LatestRow = (Uuid, String, String, i64, i64, i64, i64);
    let rows: Vec<LatestRow> = scope
        .db()
        .sql(
            "SELECT import_id, file_name, status, total, succeeded, failed, created_at FROM imports \
             WHERE corp_id = $1 AND status <> 'receiving' ORDER BY import_id DESC LIMIT $2",
        )
        .bind(scope.corp())
        .bind(i64::from(most))
        .all()
        .await?;
    let figures = |(id, file_name, status, total, succeeded, failed, created_at): LatestRow| ImportFigures {
        id: id.to_string(),
        file_name,
        status: status_of(&status),
        total_records: total.unsigned_abs(),
        success_records: succeeded.unsigned_abs(),
        failed_records: failed.unsigned_abs(),
        created_at: rfc3339(created_at),
    };
    Ok(rows.into_iter().map(figures).collect())
}

fn status_of(word: &str) -> ImportStatus {
    match word {
        "pending" => ImportStatus::Pending,
        "completed" => ImportStatus::Completed,
        "failed" => ImportStatus::Failed,
        _ => ImportStatus::Processing,
    }
}

/// How far an accepted import is.
pub async fn session(scope: &Scope, id: Uuid) -> Result<Option<ImportSession>> {
    type SessionRow = (String, String, i64, i64, i64, i64, Option<String>);
    let row: Option<SessionRow> = scope
        .db()
        .sql(
            "SELECT file_name, status, total, processed, succeeded, failed, message FROM imports \
             WHERE corp_id = $1 AND import_id = $2 AND status <> 'receiving'",
        )
        .bind(scope.corp())
        .bind(id)
        .maybe()
        .await?;
    Ok(row.map(|(file_name, status, total, processed, succeeded, failed, message)| ImportSession {
        session_id: id.to_string(),
        file_name,
        status: status_of(&status),
        total_records: total.unsigned_abs(),
        processed_records: processed.unsigned_abs(),
        success_records: succeeded.unsigned_abs(),
        failed_records: failed.unsigned_abs(),
        message,
    }))
}

/// An import that this worker has claimed.
pub struct Job {
    pub scope: Scope,
    pub import: Uuid,
    pub file_name: String,
    pub file_size: u64,
    pub mapping: Vec<ColumnMapping>,
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

/// Takes the oldest import that is due: new, waiting for another try, or left by a worker that died.
pub async fn claim(db: &Db, now: i64) -> Result<Option<Job>> {
    type JobRow = (Uuid, Uuid, Option<Uuid>, String, i64, Json<Vec<ColumnMapping>>, i64, i32, i32);
    let row: Option<JobRow> = db
        .sql(
            "UPDATE imports SET status = 'processing', attempt = attempt + 1, tries = tries + 1, leased_until = $1, \
             updated_at = $2 WHERE (corp_id, import_id) = (SELECT corp_id, import_id FROM imports \
             WHERE status IN ('pending', 'processing') AND leased_until <= $3 ORDER BY import_id LIMIT 1",
        )
        .push(db.pick("", " FOR UPDATE SKIP LOCKED"))
        .push(") RETURNING corp_id, import_id, user_id, file_name, file_size, mapping, last_row, tries, attempt")
        .bind(now + LEASE)
        .bind(now)
        .bind(now)
        .maybe()
        .await?;
    Ok(row.map(|(corp, import, user, file_name, file_size, Json(mapping), last_row, tries, attempt)| Job {
        scope: scope_of(db, corp, user),
        import,
        file_name,
        file_size: file_size.unsigned_abs(),
        mapping,
        last_row: last_row.unsigned_abs(),
        tries,
        attempt,
    }))
}

/// An import goes on when the person who began it is deleted, on nobody's behalf.
fn scope_of(db: &Db, corp: Uuid, user: Option<Uuid>) -> Scope {
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

/// Notes how many rows there are. False if the import isn't this worker's any more; so are the others below.
pub async fn set_total(job: &Job, total: u64, now: i64) -> Result<bool> {
    let sql = job.scope.db().sql("UPDATE imports SET total = ").arg(number(total)).push(", updated_at = ").arg(now);
    Ok(job.mine(sql).exec().await? == 1)
}

/// Says that this worker lives.
pub async fn extend(job: &Job, now: i64) -> Result<bool> {
    let sql = job.scope.db().sql("UPDATE imports SET leased_until = ").arg(now + LEASE);
    Ok(job.mine(sql).exec().await? == 1)
}

/// What became of some rows, one after the other.
#[derive(Default)]
pub struct Batch {
    pub contacts: Vec<NewContact>,
    pub failures: Vec<(u64, Vec<RowProblem>)>,
    /// The number of the last of them.
    pub last_row: u64,
}

/// Writes a batch, its counts and the checkpoint in one transaction: after a crash a row is either wholly done or not
/// begun.
pub async fn write(job: &Job, origin: &Origin, batch: Batch, now: i64) -> Result<bool> {
    let (succeeded, failed) = (batch.contacts.len() as u64, batch.failures.len() as u64);
    let mut tx = job.scope.db().begin().await?;
    let sql = tx
        .sql("UPDATE imports SET tries = 0, processed = processed + ")
        .arg(number(succeeded + failed))
        .push(", succeeded = succeeded + ")
        .arg(number(succeeded))
        .push(", failed = failed + ")
        .arg(number(failed))
        .push(", last_row = ")
        .arg(number(batch.last_row))
        .push(", leased_until = ")
        .arg(now + LEASE)
        .push(", updated_at = ")
        .arg(now);
    if job.mine(sql).exec().await? == 0 {
        return Ok(false);
    }
    contacts::insert_imported(&mut tx, &job.scope, batch.contacts, origin, now).await?;
    insert_failures(&mut tx, job, batch.failures).await?;
    tx.commit().await?;
    Ok(true)
}

async fn insert_failures(tx: &mut Tx, job: &Job, failures: Vec<(u64, Vec<RowProblem>)>) -> Result<()> {
    let mut rest = failures.into_iter();
    loop {
        let rows: Vec<_> = rest.by_ref().take(ROWS).collect();
        if rows.is_empty() {
            return Ok(());
        }
        tx.sql("INSERT INTO import_failures (corp_id, import_id, row_number, problems) VALUES ")
            .tuples(rows, |sql, (row, problems)| {
                sql.arg(job.scope.corp()).next(job.import).next(number(row)).next(Json(problems))
            })
            .push(" ON CONFLICT (corp_id, import_id, row_number) DO NOTHING")
            .exec()
            .await?;
    }
}

/// Ends an import: completed, or failed with a sentence. Its file isn't needed any more.
pub async fn end(job: &Job, failure: Option<String>, now: i64) -> Result<bool> {
    let status = if failure.is_none() { "completed" } else { "failed" };
    let sql = job
        .scope
        .db()
        .sql("UPDATE imports SET status = ")
        .arg(status)
        .push(", message = ")
        .arg(failure)
        .push(", updated_at = ")
        .arg(now);
    let ended = job.mine(sql).exec().await? == 1;
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

async fn delete_parts(scope: &Scope, id: Uuid) -> Result<()> {
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
            return Ok(());
        }
    }
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

/// Forgets files that never arrived whole, and those of imports that ended just before the program did.
pub async fn sweep(db: &Db, now: i64) -> Result<()> {
    let over: Vec<(Uuid, Uuid, Option<Uuid>, bool)> = db
        .sql(
            "SELECT corp_id, import_id, user_id, status <> 'receiving' FROM imports WHERE (status = 'receiving' AND updated_at < $1) OR \
             (status IN ('completed', 'failed') AND EXISTS (SELECT 1 FROM import_parts p \
             WHERE p.corp_id = imports.corp_id AND p.import_id = imports.import_id))",
        )
        .bind(now - RECEIVING)
        .all()
        .await?;
    for (corp, import, user, is_over) in over {
        let scope = scope_of(db, corp, user);
        match is_over {
            true => delete_parts(&scope, import).await?,
            false => withdraw(&scope, import).await?,
        }
    }
    Ok(())
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
