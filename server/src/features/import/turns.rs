//! Whose import is worked on: a few at a time on each node, one of each tenant, in turns.
//!
//! An import keeps its lane, its reader and what was read while no other tenant waits. When all lanes are taken and another
//! tenant waits, one gives way, and goes on later after its checkpoint. It then reads its file from the beginning again, so a
//! lane gives way only once it has written for as long as it had read before. The last lane is for imports that are soon done:
//! it gives way after a slice, or a slice after its first rows. The next slice of that import is longer, for machines on which a slice
//! is hardly enough to start a reader.

use super::store::Job;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::{Id, JoinSet};
use tokio::time::Instant;
use uuid::Uuid;

/// How long an import is worked on at least before it gives way.
pub const SLICE: Duration = Duration::from_secs(1);
/// How often a slice is doubled at most: others wait for it.
const MOST_DOUBLED: u32 = 2;

/// The imports in progress on this node.
pub struct Lanes {
    /// Those in the other lanes come first.
    lanes: Vec<(Id, Arc<Turn>)>,
    count: usize,
    work: JoinSet<()>,
    /// How often an import gave way in the last lane.
    in_vain: HashMap<Uuid, u32>,
}

impl Lanes {
    pub fn new(count: usize) -> Self {
        Lanes { lanes: Vec::new(), count, work: JoinSet::new(), in_vain: HashMap::new() }
    }

    pub fn is_full(&self) -> bool {
        self.lanes.len() >= self.count
    }

    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// Works on an import in a lane that is free.
    pub fn start<W>(&mut self, job: Job, work: impl FnOnce(Arc<Job>, Arc<Turn>) -> W)
    where
        W: Future<Output = ()> + Send + 'static,
    {
        let doubled = self.in_vain.get(&job.import).copied().unwrap_or_default().min(MOST_DOUBLED);
        let turn = Arc::new(Turn::new(job.import, SLICE * (1 << doubled)));
        let task = self.work.spawn(work(Arc::new(job), turn.clone()));
        self.lanes.push((task.id(), turn));
    }

    /// Waits until an import is over or has given way. One whose work has panicked is over too; its lease ends by itself.
    pub async fn ended(&mut self) {
        let id = match self.work.join_next_with_id().await {
            Some(Ok((id, ()))) => id,
            Some(Err(error)) => error.id(),
            None => return,
        };
        self.lanes.retain(|(lane, _)| *lane != id);
        if self.lanes.is_empty() {
            self.in_vain.clear();
        }
    }

    /// Asks the import that was begun first, among those that have had their slice, to give way, unless one is asked already.
    pub fn make_room(&mut self) {
        if self.lanes.iter().any(|(_, turn)| turn.progress().is_asked) {
            return;
        }
        let is_last = |lane: usize| lane + 1 == self.count;
        let is_over = |&(lane, (_, turn)): &(usize, &(Id, Arc<Turn>))| turn.progress().is_over(is_last(lane));
        let first = self.lanes.iter().enumerate().filter(is_over).min_by_key(|(_, (_, turn))| turn.progress().begun);
        if let Some((lane, (_, turn))) = first {
            turn.ask();
            if is_last(lane) {
                *self.in_vain.entry(turn.import).or_default() += 1;
            }
        }
    }
}

/// An import's time in its lane.
pub struct Turn {
    import: Uuid,
    progress: Mutex<Progress>,
    asked: Notify,
}

#[derive(Clone, Copy)]
struct Progress {
    begun: Instant,
    slice: Duration,
    /// When the first rows were written.
    written: Option<Instant>,
    is_asked: bool,
}

impl Progress {
    fn is_over(&self, is_last_lane: bool) -> bool {
        match self.written {
            None if is_last_lane => self.begun.elapsed() >= self.slice,
            // A small import has written all of its rows at once, and is about to end.
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
            progress: Mutex::new(Progress { begun: Instant::now(), slice, written: None, is_asked: false }),
            asked: Notify::new(),
        }
    }

    fn progress(&self) -> Progress {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.progress.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn ask(&self) {
        self.change(|progress| progress.is_asked = true);
        self.asked.notify_one();
    }

    /// Notes that rows were written.
    pub fn has_written(&self) {
        self.change(|progress| progress.written = progress.written.or_else(|| Some(Instant::now())));
    }

    /// Returns when the import is to give way.
    pub async fn over(&self) {
        self.asked.notified().await;
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
        assert!(!turn.progress().is_over(false), "what was read would be lost");
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
