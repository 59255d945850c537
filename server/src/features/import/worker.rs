//! The job that works imports through, a few at a time on each node (`turns.rs`). An import belongs to a worker for as long as its
//! lease is extended; after a crash the next worker goes on behind the last batch that was written.

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
use crate::platform::http::asked;
use forecourt_core::import::{Verdict, text};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// How often it is looked whether an import is due that nobody woke this node for.
const POLL: Duration = Duration::from_secs(5);
/// How often the lease is extended while a file is read or a batch takes long, and a cancelled import is noticed meanwhile.
const HEARTBEAT: Duration = Duration::from_secs(5);
const SWEEP: Duration = Duration::from_secs(600);
/// Rows that are handed on at once: on PostgreSQL what one statement writes.
const CHUNK: (usize, usize) = (500, 5_000);
/// Chunks that are ready while another is being written.
const READY: usize = 2;
/// How long a batch goes on taking chunks. On SQLite other writers wait for it.
const BATCH: Duration = Duration::from_millis(120);
/// After so many claims in a row that came to nothing an import is given up.
const MOST_TRIES: i32 = 8;

/// Works imports through until `stop` becomes true.
pub async fn worker(app: App, mut stop: watch::Receiver<bool>) {
    if let Err(error) = store::take_over(&app.db).await {
        tracing::warn!(%error, "interrupted imports could not be taken over");
    }
    let mut lanes = Lanes::new(app.config.import_workers.into());
    let mut sweeping = JoinSet::new();
    sweeping.spawn(sweep(app.clone()));
    while !*stop.borrow() {
        let mut wait = POLL;
        if lanes.is_full() {
            wait = SLICE;
            match store::is_any_due(&app.db, app.clock.now()).await {
                Ok(true) => lanes.make_room(),
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "whether an import waits can't be seen"),
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
            () = asked(&mut stop) => {}
            () = lanes.ended(), if !lanes.is_empty() => {}
            () = app.imports.notified() => {}
            () = sleep(wait) => {}
        }
    }
    // Each gives its import back.
    while !lanes.is_empty() {
        lanes.ended().await;
    }
}

/// Removes what imports no longer need, from time to time.
async fn sweep(app: App) {
    loop {
        let now = app.clock.now();
        if let Err(error) = deletion::sweep_files(&app.db, now).await {
            tracing::warn!(%error, "files of ended imports could not be removed");
        }
        if let Err(error) = deletion::sweep(&app.db, now - app.config.import_kept(), now).await {
            tracing::warn!(%error, "old imports could not be deleted");
        }
        sleep(SWEEP).await;
    }
}

/// Takes a claimed import as far as it goes, and notes how that ended. What can't be noted is found when the lease ends.
async fn work(app: &App, job: &Arc<Job>, turn: &Turn, mut stop: watch::Receiver<bool>) {
    let import = job.import;
    let result = tokio::select! {
        result = run(app, job, turn, &mut stop) => result,
        () = lost(app, job) => Err(Halt::Lost),
    };
    let now = app.clock.now();
    let noted = match result {
        Ok(verdict) => {
            tell(job, &verdict);
            store::complete(job, &verdict, now).await
        }
        Err(Halt::Failed(message)) => {
            tracing::info!(%import, "an import has failed");
            store::fail(job, message, now).await
        }
        Err(Halt::Later(error)) if job.tries >= MOST_TRIES => {
            tracing::error!(%import, error, "an import is given up");
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
        tracing::warn!(%import, %error, "how an import stands could not be noted");
    }
}

/// Says how an import ended: in numbers, never in words of the file. The browser ran the same code over the same bytes, so
/// that a difference is a fault of ours.
fn tell(job: &Job, verdict: &Verdict) {
    let Verdict { total, ready, failed, left_out, duplicates, digest } = verdict;
    let import = job.import;
    tracing::info!(%import, total, ready, failed, left_out, duplicates, digest, "an import is completed");
    if let Some(theirs) = job.verdict.as_ref().filter(|theirs| *theirs != verdict) {
        let Verdict { total, ready, failed, left_out, duplicates, digest } = theirs;
        tracing::error!(%import, total, ready, failed, left_out, duplicates, digest, "the browser's verdict differs");
    }
}

/// Extends the lease from time to time; returns when it is no longer this worker's.
async fn lost(app: &App, job: &Job) {
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
    let limits = app.config.import_limits().for_file(job.file_size);
    let terms = Terms { corrections: store::corrections(job).await?, limits, rows };
    let (sender, mut steps) = mpsc::channel(READY);
    // Ends, and the child with it, when this is dropped.
    let mut checking = JoinSet::new();
    let checked = job.clone();
    checking.spawn(async move { check(&checked, &terms, reading, &sender).await });
    let mut writing = Writing { app, job, origin: Origin { import: job.import, source: job.file_name.clone() } };
    while let Some(step) = tokio::select! {
        // A stop is looked for first: whoever stops the program may stop the child at the same time.
        biased;
        () = asked(stop) => return Err(Halt::Stopped),
        () = turn.over() => return Err(Halt::GivesWay),
        step = steps.recv() => step,
    } {
        let mut next = Some(step);
        while let Some(step) = next.take() {
            match step {
                Step::Whole(whole) => {
                    let now = app.clock.now();
                    held(store::set_total(job, whole.total, whole.left_out, now).await?)?;
                }
                Step::Chunk(_) => {
                    next = writing.batch(step, &mut steps).await?;
                    turn.has_written();
                }
            }
        }
    }
    // A fault of the checking itself may pass, as others may.
    let ended = checking.join_next().await.transpose().map_err(std::io::Error::from)?;
    ended.unwrap_or(Err(Halt::Stopped))
}

/// Ends the work on an import that isn't this worker's any more.
fn held(held: bool) -> Result<(), Halt> {
    if held { Ok(()) } else { Err(Halt::Lost) }
}

/// The import's file, put together on this node's disk.
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

/// Writes what was read and checked.
struct Writing<'a> {
    app: &'a App,
    job: &'a Job,
    origin: Origin,
}

impl Writing<'_> {
    /// Writes a chunk, and as many of those that are ready as a batch has time for; gives what came instead of another.
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
        self.app.metrics.imported(rows);
        tracing::debug!(import = %self.job.import, rows, ms = begun.elapsed().as_millis(), "a batch is written");
        Ok(next)
    }
}
