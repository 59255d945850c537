//! Scheduling of imports: a few at a time on each node, at most one per tenant.
//!
//! Each running import occupies one of the node's lanes. It keeps running while no other tenant waits, and moves up a
//! lane when an import before it ends. When all lanes are in use and another tenant waits, one import is preempted and
//! resumes later after its checkpoint. It must then read its file from the beginning again, so it is preempted only
//! after it has written for as long as it read before. The last lane is for short imports: there, an import is
//! preempted after one slice, or one slice after its first rows. Its next slice is longer, for slow machines on which
//! one slice is barely enough to start the reader.

use super::store::Job;
use futures_util::FutureExt;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;
use uuid::Uuid;

/// Minimum time that an import runs before it is preempted.
pub const SLICE: Duration = Duration::from_secs(1);
/// How many times the slice of an import that was preempted can be doubled. The limit exists because other imports wait
/// for it.
const MAX_DOUBLINGS: u32 = 2;

/// The imports in progress on this node.
pub struct Lanes {
    /// The running imports; the last lane is the one at index `count - 1`.
    running: Arc<Mutex<Vec<Arc<Turn>>>>,
    count: usize,
    /// Notified when an import has finished or was preempted.
    wake: Arc<Notify>,
    tasks: Mutex<JoinSet<()>>,
    /// How often each import was preempted in the last lane.
    preemptions: Mutex<HashMap<Uuid, u32>>,
}

impl Lanes {
    pub fn new(count: usize, wake: Arc<Notify>) -> Self {
        Lanes { running: Arc::default(), count, wake, tasks: Mutex::default(), preemptions: Mutex::default() }
    }

    pub fn is_full(&self) -> bool {
        lock(&self.running).len() >= self.count
    }

    /// Starts an import in a free lane. If it panics, the lane becomes free, and the import is claimed
    /// again when its lease expires.
    pub fn start<W>(&self, job: Job, work: impl FnOnce(Arc<Job>, Arc<Turn>) -> W)
    where
        W: Future<Output = ()> + Send + 'static,
    {
        let mut running = lock(&self.running);
        let mut preemptions = lock(&self.preemptions);
        if running.is_empty() {
            preemptions.clear();
        }
        let doublings = preemptions.get(&job.import).copied().unwrap_or_default().min(MAX_DOUBLINGS);
        let turn = Arc::new(Turn::new(job.import, SLICE * (1 << doublings)));
        running.push(turn.clone());
        let (running, wake) = (self.running.clone(), self.wake.clone());
        let work = AssertUnwindSafe(work(Arc::new(job), turn.clone())).catch_unwind();
        let mut tasks = lock(&self.tasks);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            let _ = work.await;
            lock(&running).retain(|other| !Arc::ptr_eq(other, &turn));
            wake.notify_one();
        });
    }

    /// Requests preemption of the import that started first, among those that used up their slice. Does nothing if a
    /// request is pending.
    pub fn request_preemption(&self) {
        let running = lock(&self.running);
        if running.iter().any(|turn| turn.is_preempted.load(Ordering::Relaxed)) {
            return;
        }
        let is_last = |lane: usize| lane + 1 == self.count;
        let is_used_up = |(lane, turn): &(usize, &Arc<Turn>)| turn.is_used_up(is_last(*lane));
        let first = running.iter().enumerate().filter(is_used_up).min_by_key(|(_, turn)| turn.begun);
        if let Some((lane, turn)) = first {
            turn.preempt();
            if is_last(lane) {
                *lock(&self.preemptions).entry(turn.import).or_default() += 1;
            }
        }
    }

    /// Waits until no import is in progress.
    pub async fn join(self) {
        self.tasks.into_inner().unwrap_or_else(PoisonError::into_inner).join_all().await;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An import's time in its lane.
pub struct Turn {
    import: Uuid,
    begun: Instant,
    slice: Duration,
    /// When the first rows were written.
    written: OnceLock<Instant>,
    is_preempted: AtomicBool,
    preemption: Notify,
}

impl Turn {
    fn new(import: Uuid, slice: Duration) -> Self {
        let (written, is_preempted, preemption) = Default::default();
        Turn { import, begun: Instant::now(), slice, written, is_preempted, preemption }
    }

    fn is_used_up(&self, is_last_lane: bool) -> bool {
        match self.written.get() {
            None if is_last_lane => self.begun.elapsed() >= self.slice,
            // A small import writes all of its rows at once and is about to finish.
            Some(written) if is_last_lane => written.elapsed() >= SLICE && self.begun.elapsed() >= self.slice,
            Some(written) => written.elapsed() >= self.slice.max(*written - self.begun),
            None => false,
        }
    }

    fn preempt(&self) {
        self.is_preempted.store(true, Ordering::Relaxed);
        self.preemption.notify_one();
    }

    /// Records that rows were written.
    pub fn record_write(&self) {
        self.written.get_or_init(Instant::now);
    }

    /// Returns when preemption is requested.
    pub async fn wait_for_preemption(&self) {
        self.preemption.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    #[tokio::test(start_paused = true)]
    async fn v6_preempts_an_import_that_has_written_for_as_long_as_it_read() {
        let turn = Turn::new(Uuid::nil(), SLICE);
        advance(3 * SLICE).await;
        assert!(!turn.is_used_up(false), "preempting now would waste the reading");
        assert!(turn.is_used_up(true), "in the last lane");
        turn.record_write();
        advance(2 * SLICE).await;
        turn.record_write();
        assert!(!turn.is_used_up(false));
        advance(SLICE).await;
        assert!(turn.is_used_up(false));
    }

    #[tokio::test(start_paused = true)]
    async fn v6_a_doubled_slice_delays_preemption_in_the_last_lane() {
        let turn = Turn::new(Uuid::nil(), 2 * SLICE);
        advance(SLICE).await;
        assert!(!turn.is_used_up(true));
        advance(SLICE).await;
        assert!(turn.is_used_up(true));
    }

    #[tokio::test(start_paused = true)]
    async fn v6_an_import_that_reads_quickly_has_one_slice_to_write() {
        let turn = Turn::new(Uuid::nil(), SLICE);
        turn.record_write();
        advance(SLICE / 2).await;
        assert!(!turn.is_used_up(false) && !turn.is_used_up(true));
        advance(SLICE / 2).await;
        assert!(turn.is_used_up(false));
    }
}
