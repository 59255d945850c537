//! The job that processes imports, a few at a time on each node (`lanes.rs`). A worker owns an import while it extends
//! the lease; after a crash, the next worker continues after the last committed batch.

use super::checking::{Parameters, Step, check};
use super::error::ImportError;
use super::lanes::{Lanes, SLICE, Turn};
use super::reader::Input;
use super::store::{self, Batch, Job};
use super::upload::create_temporary_file;
use crate::features::contacts::Origin;
use crate::features::state::App;
use crate::platform::http::wait_for_shutdown;
use crate::platform::jobs::{self, retry_delay};
use forecourt_core::import::{Verdict, text};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// Poll interval for imports that were queued by another node.
const POLL: Duration = Duration::from_secs(5);
/// How often the lease is extended and a cancellation is detected, while a file is read or a long batch is written.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// Rows per chunk on SQLite and on PostgreSQL, where a chunk is written by one statement.
const CHUNK: (usize, usize) = (500, 3_000);
/// Number of chunks that are read ahead while another is written.
const READ_AHEAD: usize = 2;
/// How long a batch accepts chunks. Other writers wait for it: on SQLite all, on PostgreSQL those of the corporation.
const BATCH: Duration = Duration::from_millis(80);
/// Number of consecutive claims without progress after which an import fails.
const MAX_TRIES: i32 = 8;

/// Background job: processes imports. At shutdown each import in progress releases its claim.
pub async fn worker(app: App, stop: watch::Receiver<bool>) {
    if let Err(error) = store::release_stale_claims(&app.db).await {
        tracing::warn!(%error, "interrupted imports could not be taken over");
    }
    let lanes = Lanes::new(app.feature_config.import.import_workers.into(), app.imports.clone());
    jobs::run("imports", &app.imports, stop.clone(), || async {
        let now = app.clock.now();
        if lanes.is_full() {
            if store::is_any_due(&app.db, now).await? {
                lanes.request_preemption();
            }
            return Ok(SLICE);
        }
        let Some(job) = store::claim(&app.db, now).await? else { return Ok(POLL) };
        let (app, stop) = (app.clone(), stop.clone());
        lanes.start(job, |job, turn| async move { work(&app, &job, &turn, stop).await });
        Ok(Duration::ZERO)
    })
    .await;
    lanes.join().await;
}

/// Processes a claimed import and records the outcome. If that fails, the import is claimed again when the lease
/// expires.
async fn work(app: &App, job: &Arc<Job>, turn: &Turn, mut stop: watch::Receiver<bool>) {
    let import = job.import;
    let result = tokio::select! {
        result = process(app, job, turn, &mut stop) => result,
        () = keep_lease(app, job) => Err(ImportError::Lost),
    };
    let now = app.clock.now();
    let recorded = match result {
        Ok(verdict) => {
            log_outcome(job, &verdict);
            store::complete(job, &verdict, now).await
        }
        Err(ImportError::Rejected { message, .. }) => {
            tracing::info!(%import, "an import has failed");
            store::fail(job, &message, now).await
        }
        Err(ImportError::Temporary(error)) if job.tries >= MAX_TRIES => {
            tracing::error!(%import, error, "an import has failed after too many attempts");
            store::fail(job, text::GIVEN_UP, now).await
        }
        Err(ImportError::Temporary(error)) => {
            tracing::warn!(%import, error, "an import will be tried again");
            store::release(job, now + retry_delay(job.tries), job.tries).await
        }
        // A shutdown or a preemption is not a failed attempt.
        Err(ImportError::Stopped | ImportError::Preempted) => store::release(job, now, 0).await,
        Err(ImportError::Lost) => {
            tracing::info!(%import, "an import was cancelled, or taken over");
            Ok(())
        }
    };
    if let Err(error) = recorded {
        tracing::warn!(%import, %error, "the outcome of an import could not be recorded");
    }
}

/// Logs the outcome of an import in numbers, never with texts of the file. A verdict of the client that differs is
/// logged as an error, because the same version of core reaches the same verdict for the same bytes.
fn log_outcome(job: &Job, verdict: &Verdict) {
    let Verdict { total, ready, failed, left_out, duplicates, digest } = verdict;
    let import = job.import;
    tracing::info!(%import, total, ready, failed, left_out, duplicates, digest, "an import is completed");
    if let Some(theirs) = job.verdict.as_ref().filter(|theirs| *theirs != verdict) {
        let Verdict { total, ready, failed, left_out, duplicates, digest } = theirs;
        tracing::error!(%import, total, ready, failed, left_out, duplicates, digest, "the browser's verdict differs");
    }
}

/// Extends the lease periodically; returns when the import no longer belongs to this worker.
async fn keep_lease(app: &App, job: &Job) {
    loop {
        sleep(HEARTBEAT).await;
        match store::extend_lease(job, app.clock.now()).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => tracing::warn!(import = %job.import, %error, "a lease could not be extended"),
        }
    }
}

async fn process(
    app: &App,
    job: &Arc<Job>,
    turn: &Turn,
    stop: &mut watch::Receiver<bool>,
) -> Result<Verdict, ImportError> {
    if job.tries > MAX_TRIES {
        return Err(ImportError::Temporary("it has ended the program each time".into()));
    }
    let file = assemble_file(app, job).await?;
    let reading = app.reader.read(Input { name: &job.file_name, size: job.file_size, file, options: &job.options })?;
    let parameters = Parameters {
        corrections: store::read_corrections(job).await?,
        limits: app.feature_config.import.limits().for_file(job.file_size),
        rows: app.db.pick(CHUNK.0, CHUNK.1),
    };
    let (sender, mut steps) = mpsc::channel(READ_AHEAD);
    // Dropping the `JoinSet` aborts the check, which ends the child process.
    let mut checking = JoinSet::new();
    let checked = job.clone();
    checking.spawn(async move { check(&checked, &parameters, reading, &sender).await });
    let origin = Origin { import: job.import, source: job.file_name.clone() };
    while let Some(step) = tokio::select! {
        // Shutdown is checked first: stopping the service may also stop the child process.
        biased;
        () = wait_for_shutdown(stop) => return Err(ImportError::Stopped),
        () = turn.wait_for_preemption() => return Err(ImportError::Preempted),
        step = steps.recv() => step,
    } {
        let mut next = Some(step);
        while let Some(step) = next.take() {
            match step {
                Step::FirstPass(Verdict { total, left_out, .. }) => {
                    if !store::set_total(job, total, left_out, app.clock.now()).await? {
                        return Err(ImportError::Lost);
                    }
                }
                Step::Chunk(_) => {
                    next = write_batch(app, job, &origin, step, &mut steps).await?;
                    turn.record_write();
                }
            }
        }
    }
    // A panic of the check is treated as a temporary error.
    let ended = checking.join_next().await.transpose().map_err(std::io::Error::from)?;
    ended.unwrap_or(Err(ImportError::Stopped))
}

/// Assembles the import's file in a temporary file of this node.
async fn assemble_file(app: &App, job: &Job) -> Result<std::fs::File, ImportError> {
    let mut file = tokio::fs::File::from_std(create_temporary_file(app).await?);
    for part in 0.. {
        match store::read_part(job, part).await? {
            Some(bytes) => file.write_all(&bytes).await?,
            None => break,
        }
    }
    file.flush().await?;
    Ok(file.into_std().await)
}

/// Writes a chunk and further ready ones while the batch has time. Returns the received step that is not a chunk,
/// if any.
async fn write_batch(
    app: &App,
    job: &Job,
    origin: &Origin,
    first: Step,
    steps: &mut mpsc::Receiver<Step>,
) -> Result<Option<Step>, ImportError> {
    let begun = Instant::now();
    let mut batch = Batch::begin(job, origin, app.clock.now()).await?.ok_or(ImportError::Lost)?;
    let mut next = Some(first);
    while let Some(Step::Chunk(chunk)) = next {
        batch.add(chunk).await?;
        next = if begun.elapsed() < BATCH { steps.try_recv().ok() } else { None };
    }
    let rows = batch.commit().await?;
    app.metrics.count_imported_rows(rows);
    tracing::debug!(import = %job.import, rows, ms = begun.elapsed().as_millis(), "a batch is written");
    Ok(next)
}
