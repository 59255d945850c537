//! The job that processes imports, a few at a time on each node (`turns.rs`). A worker owns an import while it extends
//! the lease; after a crash, the next worker continues after the last committed batch.

use super::checking::{Step, Terms, check};
use super::deletion;
use super::halt::Halt;
use super::reader::Input;
use super::store::{self, Batch, Job};
use super::turns::{Lanes, SLICE, Turn};
use super::upload::scratch;
use crate::features::contacts::Origin;
use crate::features::state::App;
use crate::platform::clock::SECOND;
use crate::platform::http::wait_for_shutdown;
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
const SWEEP: Duration = Duration::from_secs(600);
/// Rows per chunk on SQLite and on PostgreSQL, where a chunk is written by one statement.
const CHUNK: (usize, usize) = (500, 5_000);
/// Number of chunks that are read ahead while another is written.
const READY: usize = 2;
/// How long a batch accepts chunks. On SQLite other writers wait for it.
const BATCH: Duration = Duration::from_millis(120);
/// Number of consecutive claims without progress after which an import fails.
const MOST_TRIES: i32 = 8;

/// Processes imports until `stop` becomes true.
pub async fn worker(app: App, mut stop: watch::Receiver<bool>) {
    if let Err(error) = store::take_over(&app.db).await {
        tracing::warn!(%error, "interrupted imports could not be taken over");
    }
    let mut lanes = Lanes::new(app.feature_config.import.import_workers.into());
    let mut sweeping = JoinSet::new();
    sweeping.spawn(sweep(app.clone()));
    while !*stop.borrow() {
        let mut wait = POLL;
        if lanes.is_full() {
            wait = SLICE;
            match store::is_any_due(&app.db, app.clock.now()).await {
                Ok(true) => lanes.make_room(),
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "could not check for waiting imports"),
            }
        } else {
            match store::claim(&app.db, app.clock.now()).await {
                Ok(Some(job)) => {
                    let (app, stop) = (app.clone(), stop.clone());
                    lanes.start(job, |job, turn| async move { work(&app, &job, &turn, stop).await });
                    continue;
                }
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "no import could be claimed"),
            }
        }
        tokio::select! {
            () = wait_for_shutdown(&mut stop) => {}
            () = lanes.ended(), if !lanes.is_empty() => {}
            () = app.imports.notified() => {}
            () = sleep(wait) => {}
        }
    }
    // Each import releases its claim.
    while !lanes.is_empty() {
        lanes.ended().await;
    }
}

/// Periodically deletes data that imports no longer need.
async fn sweep(app: App) {
    loop {
        let now = app.clock.now();
        if let Err(error) = deletion::sweep_files(&app.db, now).await {
            tracing::warn!(%error, "files of ended imports could not be removed");
        }
        if let Err(error) = deletion::sweep(&app.db, now - app.feature_config.import.retention(), now).await {
            tracing::warn!(%error, "old imports could not be deleted");
        }
        sleep(SWEEP).await;
    }
}

/// Processes a claimed import and records the outcome. If that fails, the import is claimed again when the lease
/// expires.
async fn work(app: &App, job: &Arc<Job>, turn: &Turn, mut stop: watch::Receiver<bool>) {
    let import = job.import;
    let result = tokio::select! {
        result = run(app, job, turn, &mut stop) => result,
        () = until_lost(app, job) => Err(Halt::Lost),
    };
    let now = app.clock.now();
    let noted = match result {
        Ok(verdict) => {
            log_outcome(job, &verdict);
            store::complete(job, &verdict, now).await
        }
        Err(Halt::Failed(message)) => {
            tracing::info!(%import, "an import has failed");
            store::fail(job, message, now).await
        }
        Err(Halt::Later(error)) if job.tries >= MOST_TRIES => {
            tracing::error!(%import, error, "an import has failed after too many attempts");
            store::fail(job, text::GIVEN_UP.into(), now).await
        }
        Err(Halt::Later(error)) => {
            tracing::warn!(%import, error, "an import will be tried again");
            store::give_back(job, now + (SECOND << job.tries.clamp(0, 6)), false).await
        }
        Err(Halt::Stopped | Halt::GivesWay) => store::give_back(job, now, true).await,
        Err(Halt::Lost) => {
            tracing::info!(%import, "an import was cancelled, or taken over");
            Ok(false)
        }
    };
    if let Err(error) = noted {
        tracing::warn!(%import, %error, "the outcome of an import could not be recorded");
    }
}

/// Logs the outcome of an import in numbers, never with texts of the file. The browser ran the same code on the same
/// bytes, so a different verdict is a bug.
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
async fn until_lost(app: &App, job: &Job) {
    loop {
        sleep(HEARTBEAT).await;
        match store::extend(job, app.clock.now()).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => tracing::warn!(import = %job.import, %error, "a lease could not be extended"),
        }
    }
}

async fn run(app: &App, job: &Arc<Job>, turn: &Turn, stop: &mut watch::Receiver<bool>) -> Result<Verdict, Halt> {
    if job.tries > MOST_TRIES {
        return Err(Halt::Later("it has ended the program each time".into()));
    }
    let file = fetch(app, job).await?;
    let input = Input { name: &job.file_name, size: job.file_size, file, options: &job.options };
    let reading = app.reader.read(input)?;
    let rows = app.db.pick(CHUNK.0, CHUNK.1);
    let limits = app.feature_config.import.limits().for_file(job.file_size);
    let terms = Terms { corrections: store::corrections(job).await?, limits, rows };
    let (sender, mut steps) = mpsc::channel(READY);
    // Dropping it aborts the task, which ends the child process.
    let mut checking = JoinSet::new();
    let checked = job.clone();
    checking.spawn(async move { check(&checked, &terms, reading, &sender).await });
    let mut writing = Writing { app, job, origin: Origin { import: job.import, source: job.file_name.clone() } };
    while let Some(step) = tokio::select! {
        // Shutdown is checked first: stopping the service may also stop the child process.
        biased;
        () = wait_for_shutdown(stop) => return Err(Halt::Stopped),
        () = turn.over() => return Err(Halt::GivesWay),
        step = steps.recv() => step,
    } {
        let mut next = Some(step);
        while let Some(step) = next.take() {
            match step {
                Step::Whole(whole) => {
                    let now = app.clock.now();
                    ensure_claimed(store::set_total(job, whole.total, whole.left_out, now).await?)?;
                }
                Step::Chunk(_) => {
                    next = writing.batch(step, &mut steps).await?;
                    turn.has_written();
                }
            }
        }
    }
    // A panic of the check is treated as a temporary error.
    let ended = checking.join_next().await.transpose().map_err(std::io::Error::from)?;
    ended.unwrap_or(Err(Halt::Stopped))
}

/// Returns [`Halt::Lost`] if the import no longer belongs to this worker.
fn ensure_claimed(is_claimed: bool) -> Result<(), Halt> {
    if is_claimed { Ok(()) } else { Err(Halt::Lost) }
}

/// Assembles the import's file in a temporary file of this node.
async fn fetch(app: &App, job: &Job) -> Result<std::fs::File, Halt> {
    let mut file = tokio::fs::File::from_std(scratch(app).await?);
    for part in 0.. {
        match store::part(job, part).await? {
            Some(bytes) => file.write_all(&bytes).await?,
            None => break,
        }
    }
    file.flush().await?;
    Ok(file.into_std().await)
}

/// Writes the checked chunks.
struct Writing<'a> {
    app: &'a App,
    job: &'a Job,
    origin: Origin,
}

impl Writing<'_> {
    /// Writes a chunk and further ready ones while the batch has time. Returns the received step that is not a chunk,
    /// if any.
    async fn batch(&mut self, first: Step, steps: &mut mpsc::Receiver<Step>) -> Result<Option<Step>, Halt> {
        let begun = Instant::now();
        let batch = Batch::begin(self.job, &self.origin, self.app.clock.now()).await?;
        let mut batch = batch.ok_or(Halt::Lost)?;
        let mut next = Some(first);
        while let Some(Step::Chunk(chunk)) = next {
            batch.add(chunk).await?;
            next = if begun.elapsed() < BATCH { steps.try_recv().ok() } else { None };
        }
        let rows = batch.commit().await?;
        self.app.metrics.count_imported_rows(rows);
        tracing::debug!(import = %self.job.import, rows, ms = begun.elapsed().as_millis(), "a batch is written");
        Ok(next)
    }
}
