//! Scheduling of imports: a few at a time on each node, at most one per tenant, in turns.
//!
//! An import keeps its lane and its reader while no other tenant waits. When all lanes are in use and another tenant
//! waits, one import is preempted and resumes later after its checkpoint. It must then read its file from the beginning
//! again, so it is preempted only after it has written for as long as it read before. The last lane is for short
//! imports: there, an import is preempted after one slice, or one slice after its first rows. Its next slice is longer,
//! for slow machines on which one slice is barely enough to start the reader.

use super::store::Job;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::{Id, JoinSet};
use tokio::time::Instant;
use uuid::Uuid;

/// Minimum time that an import runs before it is preempted.
pub const SLICE: Duration = Duration::from_secs(1);
/// How often a slice can be doubled; limited because others wait for it.
const MOST_DOUBLED: u32 = 2;

/// The imports in progress on this node.
pub struct Lanes {
    /// The running imports; the last lane is the one at index `count - 1`.
    lanes: Vec<(Id, Arc<Turn>)>,
    count: usize,
    work: JoinSet<()>,
    /// How often each import was preempted in the last lane.
    preemptions: HashMap<Uuid, u32>,
}

impl Lanes {
    pub fn new(count: usize) -> Self {
        Lanes { lanes: Vec::new(), count, work: JoinSet::new(), preemptions: HashMap::new() }
    }

    pub fn is_full(&self) -> bool {
        self.lanes.len() >= self.count
    }

    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// Starts an import in a free lane.
    pub fn start<W>(&mut self, job: Job, work: impl FnOnce(Arc<Job>, Arc<Turn>) -> W)
    where
        W: Future<Output = ()> + Send + 'static,
    {
        let doubled = self.preemptions.get(&job.import).copied().unwrap_or_default().min(MOST_DOUBLED);
        let turn = Arc::new(Turn::new(job.import, SLICE * (1 << doubled)));
        let task = self.work.spawn(work(Arc::new(job), turn.clone()));
        self.lanes.push((task.id(), turn));
    }

    /// Waits until an import has finished or was preempted. After a panic it counts as finished, and its lease expires.
    pub async fn ended(&mut self) {
        let id = match self.work.join_next_with_id().await {
            Some(Ok((id, ()))) => id,
            Some(Err(error)) => error.id(),
            None => return,
        };
        self.lanes.retain(|(lane, _)| *lane != id);
        if self.lanes.is_empty() {
            self.preemptions.clear();
        }
    }

    /// Requests preemption of the import that started first, among those that used up their slice. Does nothing if a
    /// request is pending.
    pub fn make_room(&mut self) {
        if self.lanes.iter().any(|(_, turn)| turn.progress().is_requested) {
            return;
        }
        let is_last = |lane: usize| lane + 1 == self.count;
        let is_over = |&(lane, (_, turn)): &(usize, &(Id, Arc<Turn>))| turn.progress().is_over(is_last(lane));
        let first = self.lanes.iter().enumerate().filter(is_over).min_by_key(|(_, (_, turn))| turn.progress().begun);
        if let Some((lane, (_, turn))) = first {
            turn.request();
            if is_last(lane) {
                *self.preemptions.entry(turn.import).or_default() += 1;
            }
        }
    }
}

/// An import's time in its lane.
pub struct Turn {
    import: Uuid,
    progress: Mutex<Progress>,
    requested: Notify,
}

#[derive(Clone, Copy)]
struct Progress {
    begun: Instant,
    slice: Duration,
    /// When the first rows were written.
    written: Option<Instant>,
    is_requested: bool,
}

impl Progress {
    fn is_over(&self, is_last_lane: bool) -> bool {
        match self.written {
            None if is_last_lane => self.begun.elapsed() >= self.slice,
            // A small import writes all of its rows at once and is about to finish.
            Some(written) if is_last_lane => written.elapsed() >= SLICE && self.begun.elapsed() >= self.slice,
            Some(written) => written.elapsed() >= self.slice.max(written - self.begun),
            None => false,
        }
    }
}

impl Turn {
    fn new(import: Uuid, slice: Duration) -> Self {
        Turn {
            import,
            progress: Mutex::new(Progress { begun: Instant::now(), slice, written: None, is_requested: false }),
            requested: Notify::new(),
        }
    }

    fn progress(&self) -> Progress {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.progress.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn request(&self) {
        self.change(|progress| progress.is_requested = true);
        self.requested.notify_one();
    }

    /// Records that rows were written.
    pub fn has_written(&self) {
        self.change(|progress| progress.written = progress.written.or_else(|| Some(Instant::now())));
    }

    /// Returns when preemption is requested.
    pub async fn over(&self) {
        self.requested.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    #[tokio::test(start_paused = true)]
    async fn v6_an_import_gives_way_after_it_has_written_for_as_long_as_it_read() {
        let turn = Turn::new(Uuid::nil(), SLICE);
        advance(3 * SLICE).await;
        assert!(!turn.progress().is_over(false), "preempting now would waste the reading");
        assert!(turn.progress().is_over(true), "in the last lane");
        turn.has_written();
        advance(2 * SLICE).await;
        turn.has_written();
        assert!(!turn.progress().is_over(false));
        advance(SLICE).await;
        assert!(turn.progress().is_over(false));
    }

    #[tokio::test(start_paused = true)]
    async fn v6_an_import_that_gave_way_in_vain_has_twice_the_time() {
        let turn = Turn::new(Uuid::nil(), 2 * SLICE);
        advance(SLICE).await;
        assert!(!turn.progress().is_over(true));
        advance(SLICE).await;
        assert!(turn.progress().is_over(true));
    }

    #[tokio::test(start_paused = true)]
    async fn v6_an_import_that_reads_no_longer_than_a_slice_has_a_slice_to_write() {
        let turn = Turn::new(Uuid::nil(), SLICE);
        turn.has_written();
        advance(SLICE / 2).await;
        assert!(!turn.progress().is_over(false) && !turn.progress().is_over(true));
        advance(SLICE / 2).await;
        assert!(turn.progress().is_over(false));
    }
}
