//! Undoes an import or a bulk deletion in steps of one transaction each. The first step is part of the request. A job
//! takes the other steps, so that no request takes long, and continues after a crash. Others can write between them.

use super::import;
use crate::access::scope::{Scope, scope_of_job};
use crate::features::history::{self, Entry, StoredEntry};
use crate::features::listing::writes;
use crate::features::records::change::Batch;
use crate::features::records::restore;
use crate::features::records::trash::{self, TrashSelection};
use crate::features::records::{Entity, EntityOf};
use crate::features::state::App;
use crate::features::with_record;
use crate::platform::db::{Result, Sql, Tx};
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::events::Change;
use crate::platform::jobs;
use forecourt_core::contacts::ContactSummary;
use forecourt_core::history::{HistoryAction, OnConflict, RevertProgress, RevertResult, text};
use forecourt_core::permissions::ResourceId;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::sleep;
use uuid::Uuid;

/// Number of records in the step that is part of the request, and the maximum of the other steps.
const STEP: u32 = 1_000;
/// Number of records in the job's first step of a turn. The later ones depend on how long the previous one took.
const FIRST_STEP: u32 = 100;
/// Minimum number of records per step, however long it takes.
const MIN_STEP: u32 = 10;
/// The longest that a step of the job should take. Other writers wait for it: on SQLite all, on PostgreSQL those of the
/// corporation.
const STEP_TIME: Duration = Duration::from_millis(80);
/// Pause after each step of the job, as a multiple of the step's duration, so that others can write.
const PAUSE: f64 = 0.15;
/// How long the job works on one undoing before it continues the others.
const TURN: Duration = Duration::from_secs(1);

/// The progress of an undoing, as stored in the table `reverts`.
#[derive(sqlx_macros::FromRow)]
struct Run {
    /// The id of the history entry that stands for the undoing itself.
    batch_id: Uuid,
    /// The id of the history entry that is undone.
    history_id: Uuid,
    should_overwrite: bool,
    last_row: i64,
    /// Number of records that were still to be undone when the undoing began, with those that are kept.
    total: i64,
    reverted: i64,
    kept: i64,
    /// Whether the last step has kept a contact because it was changed after the import. Not stored.
    #[sqlx(skip)]
    has_changed: bool,
}

const COLUMNS: &str = "batch_id, history_id, should_overwrite, last_row, total, reverted, kept";

/// The outcome of the first step of an undoing.
pub struct Begun {
    /// The id of the history entry that stands for the undoing itself.
    pub batch: Uuid,
    /// Number of records that the first step has undone.
    pub reverted: u64,
    /// Number of contacts that the first step has kept.
    pub kept: u64,
    pub is_done: bool,
}

/// Returns what undoing the entry of an import or of a bulk deletion would do.
///
/// # Errors
/// 409 if nothing is left to undo.
pub async fn preview(scope: &Scope, id: Uuid, entry: &StoredEntry, on_conflict: OnConflict) -> ApiResult<RevertResult> {
    let (preview, nothing) = match entry.action {
        HistoryAction::Imported => {
            (import::preview(scope, id, on_conflict == OnConflict::Overwrite).await?, text::NONE_LEFT)
        }
        _ => {
            let reverted = trash::count(scope, entry.resource, &TrashSelection::Batch(id)).await?;
            (RevertResult { reverted, ..RevertResult::default() }, text::NOT_IN_TRASH)
        }
    };
    match preview.reverted + preview.kept_count + preview.bound_count {
        0 => Err(ApiError::Conflict(nothing.clone())),
        _ => Ok(preview),
    }
}

/// Begins to undo the entry of an import or of a bulk deletion.
///
/// # Errors
/// 409 if the tenant is already undoing an import or a bulk deletion, if the import to undo is still running, if
/// nothing is left to undo, or, with [`OnConflict::Refuse`], if contacts of the import were changed since.
pub async fn begin<E: Entity>(
    scope: &Scope,
    app: &App,
    id: Uuid,
    entry: &StoredEntry,
    on_conflict: OnConflict,
) -> ApiResult<Begun> {
    // Checked before counting, which takes long for a large import, and outside the transaction, for which others would
    // wait.
    check_nothing_is_running(push_running(scope.db().sql(""), scope, id)).await?;
    let total = check(scope, id, entry, on_conflict).await?;
    let (mut tx, _) = scope.begin().await?;
    writes::lock(&mut tx, scope, E::LISTING, true).await?;
    check_nothing_is_running(push_running(tx.sql(""), scope, id)).await?;
    let batch_id = Uuid::now_v7();
    let should_overwrite = on_conflict == OnConflict::Overwrite;
    let run = Run {
        batch_id,
        history_id: id,
        should_overwrite,
        last_row: 0,
        total,
        reverted: 0,
        kept: 0,
        has_changed: false,
    };
    let now = app.clock.now();
    let undoing = match entry.action {
        HistoryAction::Imported => HistoryAction::Deleted,
        _ => HistoryAction::Restored,
    };
    let batch = Entry::of_batch(batch_id, undoing, entry.resource, &entry.label)?;
    history::insert(&mut tx, scope, now, vec![batch]).await?;
    let (mut tx, run, is_done) = step::<E>(scope, tx, now, entry, run, STEP).await?;
    // Contacts may have been changed, and records taken out of the trash, since they were counted.
    if on_conflict == OnConflict::Refuse && run.has_changed || is_done && run.reverted == 0 {
        drop(tx);
        check(scope, id, entry, on_conflict).await?;
        return Err(ApiError::Conflict(text::NOTHING_TO_REVERT.clone()));
    }
    insert(&mut tx, scope, now, &run, is_done, import_change(scope, entry, &run, is_done)).await?;
    tx.commit().await?;
    app.reverts.notify_one();
    let [reverted, kept] = [run.reverted, run.kept].map(i64::unsigned_abs);
    Ok(Begun { batch: run.batch_id, reverted, kept, is_done })
}

/// Appends the query for the numbers of the tenant's running undoings, and of running imports with this id.
fn push_running<'e>(sql: Sql<'e>, scope: &Scope, id: Uuid) -> Sql<'e> {
    let sql = sql.push("SELECT (SELECT count(*) FROM reverts");
    let sql = sql.indexed_by("reverts_running").push(
        " WHERE corp_id = $1 AND ended_at IS NULL), (SELECT count(*) FROM imports \
         WHERE corp_id = $1 AND import_id = $2 AND status NOT IN ('completed', 'failed'))",
    );
    sql.bind_all((scope.corp(), id))
}

/// Fails if the tenant is undoing something already, because two undoings could move the same records to the trash and
/// back, or if the import to undo is still running. `running` is the query of [`push_running`].
async fn check_nothing_is_running(running: Sql<'_>) -> ApiResult<()> {
    match running.one::<(i64, i64)>().await? {
        (0, 0) => Ok(()),
        (0, _) => Err(ApiError::Conflict(text::IMPORT_RUNNING.clone())),
        _ => Err(ApiError::Conflict(text::REVERT_RUNNING.clone())),
    }
}

/// Fails if nothing can be undone, or if contacts were changed and `on_conflict` does not permit that. Returns the
/// number of records to go through, with those that will be kept.
async fn check(scope: &Scope, id: Uuid, entry: &StoredEntry, on_conflict: OnConflict) -> ApiResult<i64> {
    let preview = preview(scope, id, entry, on_conflict).await?;
    let total = match on_conflict {
        OnConflict::Refuse if preview.kept_count > 0 => {
            let present = serde_json::to_value(preview).map_err(ApiError::internal)?;
            return Err(ApiError::ConflictWithRecord(text::IMPORT_CHANGED_SINCE, present));
        }
        _ if preview.reverted == 0 && preview.kept_count == 0 => {
            return Err(ApiError::Conflict(text::CONTACTS_BOUND.clone()));
        }
        _ if preview.reverted == 0 => return Err(ApiError::Conflict(text::ALL_CHANGED_SINCE.clone())),
        _ => preview.reverted + preview.kept_count + preview.bound_count,
    };
    Ok(i64::try_from(total).unwrap_or(i64::MAX))
}

/// Undoes at most `size` further records. Returns the transaction, the progress, and whether no record is left.
async fn step<E: Entity>(
    scope: &Scope,
    mut tx: Tx,
    now: i64,
    entry: &StoredEntry,
    mut run: Run,
    size: u32,
) -> ApiResult<(Tx, Run, bool)> {
    match entry.action {
        HistoryAction::Imported => {
            let rows = import::next(&mut tx, scope, run.history_id, run.should_overwrite, run.last_row, size).await?;
            let deleted = rows.iter().filter(|row| !row.is_bound && !row.is_changed);
            let ids: Vec<Uuid> = deleted.map(|row| row.contact_id).collect();
            let mut batch = Batch::resume(scope, tx, now, run.batch_id, HistoryAction::Deleted);
            run.reverted += batch.delete::<ContactSummary>(&ids).await? as i64;
            run.kept += (rows.len() - ids.len()) as i64;
            run.has_changed = rows.iter().any(|row| row.is_changed && !row.is_bound);
            run.last_row = rows.last().map_or(run.last_row, |row| row.import_row);
            Ok((batch.into_tx(), run, rows.len() < size as usize))
        }
        _ => {
            let deletion = run.history_id;
            let (count, is_last) = restore::restore_next::<E>(&mut tx, scope, now, deletion, size, run.batch_id)
                .await
                .map_err(E::write_error)?;
            run.reverted += count as i64;
            Ok((tx, run, is_last))
        }
    }
}

/// Returns the change to announce after the last step, if an import was undone: the list of imports shows that.
fn import_change(scope: &Scope, entry: &StoredEntry, run: &Run, is_done: bool) -> Option<Change> {
    (is_done && entry.action == HistoryAction::Imported).then(|| Change {
        corp: scope.corp(),
        resource: ResourceId::ContactsImports,
        action: HistoryAction::Reverted,
        by: scope.is_own_corporation().then_some(scope.user()),
        ids: Some(vec![run.history_id]),
    })
}

async fn insert(tx: &mut Tx, scope: &Scope, now: i64, run: &Run, is_done: bool, change: Option<Change>) -> Result<()> {
    let sql = tx.sql("INSERT INTO reverts (corp_id, actor_id, started_at, ended_at, ").push(COLUMNS).push(") VALUES (");
    let sql = sql.arg(scope.corp()).comma(scope.user()).comma(now).comma(is_done.then_some(now));
    let sql = sql.comma(run.batch_id).comma(run.history_id);
    let sql = sql.comma(run.should_overwrite).comma(run.last_row).comma(run.total).comma(run.reverted).comma(run.kept);
    change.into_iter().fold(sql.push(")"), Sql::announce).exec().await.map(|_| ())
}

/// Continues all undoings until a shutdown is requested.
pub async fn run(app: App, stop: watch::Receiver<bool>) {
    jobs::run("undoing", &app.reverts, stop, || async {
        let is_idle = advance_all(&app).await?;
        Ok(if is_idle { jobs::POLL } else { Duration::ZERO })
    })
    .await;
}

/// Continues each undoing for at most [`TURN`]. Returns whether all are done. An error in one does not delay the
/// others.
async fn advance_all(app: &App) -> ApiResult<bool> {
    let running =
        app.db.sql("SELECT corp_id, batch_id, actor_id FROM reverts WHERE ended_at IS NULL ORDER BY started_at");
    let (mut is_idle, mut result) = (true, Ok(()));
    for (corp, batch, user) in running.all::<(Uuid, Uuid, Uuid)>().await? {
        let scope = scope_of_job(&app.db, corp, user);
        let (begun, mut size) = (Instant::now(), FIRST_STEP);
        loop {
            match advance(&scope, batch, app.clock.now(), size).await {
                Ok(None) => break,
                // A record can't be restored because it conflicts with another one. Trying again would never end, so
                // the rest stays in the trash.
                Err(ApiError::Invalid(_)) => {
                    end(&scope, batch, app.clock.now()).await?;
                    break;
                }
                Ok(Some(duration)) => {
                    sleep(duration.mul_f64(PAUSE)).await;
                    if begun.elapsed() >= TURN {
                        is_idle = false;
                        break;
                    }
                    size = next_size(size, duration);
                }
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
    }
    result.map(|()| is_idle)
}

/// Returns the number of records for the next step, given that of the previous one and how long it took.
fn next_size(size: u32, duration: Duration) -> u32 {
    let next = if duration > STEP_TIME {
        size / 2
    } else if duration < STEP_TIME / 2 {
        size * 2
    } else {
        size
    };
    next.clamp(MIN_STEP, STEP)
}

/// Marks an undoing as ended, and counts its remaining records as kept.
async fn end(scope: &Scope, batch: Uuid, now: i64) -> Result<()> {
    let sql = scope.db().sql("UPDATE reverts SET kept = total - reverted, ended_at = ").arg(now);
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp());
    sql.push_arg(" AND batch_id = ", batch).exec().await.map(|_| ())
}

/// Takes the next step of an undoing, with at most `size` records. Returns how long it kept others from writing; `None`
/// if it was the last step. If several nodes do this at the same time, each waits for the one before.
async fn advance(scope: &Scope, batch: Uuid, now: i64, size: u32) -> ApiResult<Option<Duration>> {
    let mut tx = scope.db().begin().await?;
    // Locks all lists of the corporation, in the order of all writes. Which of them the step changes is only known
    // after the undoing was read.
    writes::lock(&mut tx, scope, ContactSummary::LISTING, true).await?;
    let begun = Instant::now();
    let sql = tx.sql("SELECT ").push(COLUMNS).push(" FROM reverts WHERE corp_id = ").arg(scope.corp());
    let sql = sql.push_arg(" AND batch_id = ", batch).push(" AND ended_at IS NULL");
    let Some(run) = sql.maybe::<Run>().await? else { return Ok(None) };
    let entry = history::find(Some(&mut tx), scope, run.history_id).await?;
    let Some(entry) = entry else { return Err(ApiError::internal("the entry that is undone is missing")) };
    let taken =
        with_record!(entry.resource, Record => step::<EntityOf<Record>>(scope, tx, now, &entry, run, size).await?);
    let (mut tx, run, is_done) = taken.ok_or_else(|| ApiError::internal("the entry that is undone has no records"))?;
    let sql = tx.sql("UPDATE reverts SET last_row = ").arg(run.last_row).push_arg(", reverted = ", run.reverted);
    let sql = sql.push_arg(", kept = ", run.kept).push_arg(", ended_at = ", is_done.then_some(now));
    let sql = sql.push_arg(" WHERE corp_id = ", scope.corp()).push_arg(" AND batch_id = ", batch);
    import_change(scope, &entry, &run, is_done).into_iter().fold(sql, Sql::announce).exec().await?;
    tx.commit().await?;
    Ok((!is_done).then(|| begun.elapsed()))
}

/// Returns the progress of the undoing that this entry stands for; `None` if the entry is not the undoing of an import
/// or of a bulk deletion.
pub async fn progress(scope: &Scope, batch: Uuid) -> Result<Option<RevertProgress>> {
    let sql =
        scope.sql("SELECT total, reverted, kept, ended_at IS NULL FROM reverts WHERE corp_id = $1 AND batch_id = $2");
    let row: Option<(i64, i64, i64, bool)> = sql.bind(batch).maybe().await?;
    Ok(row.map(|(total, reverted, kept, is_running)| RevertProgress {
        state: if is_running { "running" } else { "done" }.into(),
        total: total.unsigned_abs(),
        reverted: reverted.unsigned_abs(),
        kept_count: kept.unsigned_abs(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::listing::definitions::test_database;
    use crate::platform::db::Db;

    #[test]
    fn a_slow_step_makes_the_next_one_smaller_and_a_fast_step_makes_it_larger() {
        let [slow, fast] = [STEP_TIME + Duration::from_millis(1), STEP_TIME / 4];
        assert_eq!([next_size(400, slow), next_size(400, STEP_TIME), next_size(400, fast)], [200, 400, 800]);
        assert_eq!([next_size(MIN_STEP, slow), next_size(STEP, fast)], [MIN_STEP, STEP]);
    }

    #[tokio::test]
    async fn running_undoings_are_found_by_their_index() {
        let folder = tempfile::tempdir().unwrap();
        let db = test_database(folder.path()).await;
        let scope = scope_of_job(&db, Uuid::now_v7(), Uuid::now_v7());
        // PostgreSQL reads tables that are empty as a whole.
        if let Db::Sqlite { .. } = db {
            let plan = push_running(scope.db().sql(""), &scope, Uuid::now_v7()).explain().await.unwrap();
            assert!(plan.contains("INDEX reverts_running (corp_id=?"), "{plan}");
        }
        db.close().await;
    }
}
