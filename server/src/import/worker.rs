//! The job that works imports through, one at a time on each node. An import belongs to a worker for as long as its
//! lease is extended; after a crash the next worker goes on behind the last batch that was written.

use super::reader::{Frame, Input, Unread};
use super::store::{self, Batch, Job};
use super::upload::scratch;
use crate::clock::SECOND;
use crate::contacts::{NewContact, Origin};
use crate::http::asked;
use crate::state::App;
use forecourt_core::import::{Checker, Plan, Row, Verdict, text};
use std::io::SeekFrom;
use std::time::Duration;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

/// How often it is looked whether an import is due that nobody woke this node for.
const POLL: Duration = Duration::from_secs(5);
/// How often the lease is extended while a file is read or a batch takes long.
const HEARTBEAT: Duration = Duration::from_secs(10);
const SWEEP: Duration = Duration::from_secs(600);
/// The most rows of a batch. On SQLite other writers wait while it is written.
const BATCH_ROWS: usize = 2_000;
/// The most text of a batch, in bytes, beyond which it is written whatever its rows.
const BATCH_BYTES: usize = 4 << 20;
/// After so many claims in a row that came to nothing an import is given up.
const MOST_TRIES: i32 = 8;

/// Why an import isn't completed by this claim.
enum Halt {
    /// The program is being stopped.
    Stopped,
    /// Another worker has it.
    Lost,
    /// It can't be completed, ever; in a sentence.
    Failed(String),
    /// Something is down or full, which may pass.
    Later(String),
}

impl From<sqlx::Error> for Halt {
    fn from(error: sqlx::Error) -> Self {
        Halt::Later(error.to_string())
    }
}

impl From<std::io::Error> for Halt {
    fn from(error: std::io::Error) -> Self {
        Halt::Later(error.to_string())
    }
}

impl From<Unread> for Halt {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Refused { message, .. } => Halt::Failed(message),
            Unread::Busy => Halt::Later("too many files are being read".into()),
            Unread::Fault(error) => Halt::Later(error.to_string()),
        }
    }
}

/// Works imports through until `stop` becomes true.
pub async fn worker(app: App, mut stop: watch::Receiver<bool>) {
    if let Err(error) = store::take_over(&app.db).await {
        tracing::warn!(%error, "interrupted imports could not be taken over");
    }
    let mut sweep_at = Instant::now();
    while !*stop.borrow() {
        if sweep_at <= Instant::now() {
            sweep_at = Instant::now() + SWEEP;
            if let Err(error) = store::sweep(&app.db, app.clock.now()).await {
                tracing::warn!(%error, "files of ended imports could not be removed");
            }
        }
        match store::claim(&app.db, app.clock.now()).await {
            Ok(Some(job)) => {
                work(&app, &job, &mut stop).await;
                continue;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "no import could be claimed"),
        }
        tokio::select! {
            () = asked(&mut stop) => {}
            () = app.imports.notified() => {}
            () = sleep(POLL) => {}
        }
    }
}

/// Takes a claimed import as far as it goes, and notes how that ended. What can't be noted is found when the lease ends.
async fn work(app: &App, job: &Job, stop: &mut watch::Receiver<bool>) {
    let import = job.import;
    let result = tokio::select! {
        result = run(app, job, stop) => result,
        () = lost(app, job) => Err(Halt::Lost),
    };
    let now = app.clock.now();
    let noted = match result {
        Ok(Verdict { ready, failed, duplicates, digest, .. }) => {
            tracing::info!(%import, ready, failed, duplicates, digest, "an import is completed");
            store::end(job, None, now).await
        }
        Err(Halt::Failed(message)) => {
            tracing::info!(%import, "an import has failed");
            store::end(job, Some(message), now).await
        }
        Err(Halt::Later(error)) if job.tries >= MOST_TRIES => {
            tracing::error!(%import, error, "an import is given up");
            store::end(job, Some(text::GIVEN_UP.into()), now).await
        }
        Err(Halt::Later(error)) => {
            tracing::warn!(%import, error, "an import will be tried again");
            store::give_back(job, now + (SECOND << job.tries.clamp(0, 6)), false).await
        }
        Err(Halt::Stopped) => store::give_back(job, now, true).await,
        Err(Halt::Lost) => Ok(false),
    };
    if let Err(error) = noted {
        tracing::warn!(%import, %error, "how an import stands could not be noted");
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

async fn run(app: &App, job: &Job, stop: &mut watch::Receiver<bool>) -> Result<Verdict, Halt> {
    if job.tries > MOST_TRIES {
        return Err(Halt::Later("it has ended the program each time".into()));
    }
    let file = fetch(app, job).await?;
    let mut reading = app.reader.read(Input { name: &job.file_name, size: job.file_size, file })?;
    let unreadable = || Halt::Failed(text::FILE_UNREADABLE.into());
    let Frame::Head(head) = reading.next().await? else { return Err(unreadable()) };
    let broken_rule = |errors: Vec<_>| Halt::Failed(errors.into_iter().next().map_or_else(String::new, message_of));
    let checker = Checker::new(Plan::new(&head.file_columns, &job.mapping).map_err(broken_rule)?);
    let mut progress = Progress::new(app, job, checker);
    loop {
        let frame = tokio::select! {
            // A stop is looked for first: whoever stops the program may stop the child at the same time.
            biased;
            () = asked(stop) => return Err(Halt::Stopped),
            frame = reading.next() => frame?,
        };
        match frame {
            Frame::Total(total) => held(store::set_total(job, total, app.clock.now()).await?)?,
            Frame::Rows(rows) => {
                for row in rows {
                    progress.row(&row).await?;
                }
            }
            Frame::End => {
                progress.write().await?;
                return Ok(progress.checker.verdict());
            }
            Frame::Head(_) | Frame::Refused { .. } => return Err(unreadable()),
        }
    }
}

fn message_of(error: forecourt_core::form::FieldError) -> String {
    error.message
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
    file.seek(SeekFrom::Start(0)).await?;
    Ok(file.into_std().await)
}

/// What has been read and checked, and not been written yet.
struct Progress<'a> {
    app: &'a App,
    job: &'a Job,
    checker: Checker,
    origin: Origin,
    batch: Batch,
    bytes: usize,
}

impl<'a> Progress<'a> {
    fn new(app: &'a App, job: &'a Job, checker: Checker) -> Self {
        let origin = Origin { import: job.import, source: job.file_name.clone() };
        Progress { app, job, checker, origin, batch: Batch::default(), bytes: 0 }
    }

    /// Checks a row. One that was written by an earlier claim is only counted in.
    async fn row(&mut self, row: &Row) -> Result<(), Halt> {
        let result = self.checker.row(row);
        if row.number <= self.job.last_row {
            return Ok(());
        }
        match result {
            Ok(contact) => {
                let details = contact.other_details.iter();
                self.bytes += details.map(|(name, value)| name.len() + value.len()).sum::<usize>();
                let number = i64::try_from(row.number).ok();
                self.batch.contacts.push(NewContact::new(contact, number));
            }
            Err(problems) => {
                let texts = problems.iter().map(|p| p.file_column.len() + p.value.len() + p.message.len());
                self.bytes += texts.sum::<usize>();
                self.batch.failures.push((row.number, problems));
            }
        }
        self.batch.last_row = row.number;
        self.bytes += row.cells.iter().map(String::len).sum::<usize>();
        if self.bytes >= BATCH_BYTES || self.batch.contacts.len() + self.batch.failures.len() >= BATCH_ROWS {
            self.write().await?;
        }
        Ok(())
    }

    async fn write(&mut self) -> Result<(), Halt> {
        self.bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        if batch.last_row == 0 {
            return Ok(());
        }
        let (rows, begun) = (batch.contacts.len() + batch.failures.len(), Instant::now());
        held(store::write(self.job, &self.origin, batch, self.app.clock.now()).await?)?;
        tracing::debug!(import = %self.job.import, rows, ms = begun.elapsed().as_millis(), "a batch is written");
        Ok(())
    }
}
