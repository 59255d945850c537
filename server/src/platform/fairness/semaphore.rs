//! A weighted semaphore that is fair between keys, such as sessions, tenants or addresses.
//!
//! A key can acquire at most its share, all keys together at most the total. Requests of one key are granted in order
//! of arrival; keys that wait for the total are granted permits in turn.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Limits on acquired weight and on waiting requests.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The weight that all keys together may acquire.
    pub total: usize,
    /// The weight that one key may acquire.
    pub share: usize,
    /// How many requests of one key may wait.
    pub queue: usize,
}

/// Why no permit was granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The key's own share is in use.
    Share,
    /// The total is in use.
    Total,
}

/// The semaphore; cloning it is cheap, and clones share their permits.
pub struct FairSemaphore<K: Clone + Eq + Hash>(Arc<Inner<K>>);

impl<K: Clone + Eq + Hash> Clone for FairSemaphore<K> {
    fn clone(&self) -> Self {
        FairSemaphore(self.0.clone())
    }
}

struct Inner<K: Clone + Eq + Hash> {
    limits: Limits,
    state: Mutex<State<K>>,
}

struct State<K: Clone + Eq + Hash> {
    /// The weight acquired by all keys.
    held: usize,
    /// The keys that have a permit or wait for one.
    keys: HashMap<K, Usage<K>>,
    /// The keys whose first waiter is not blocked by the key's own share, in the order of their turns.
    round: VecDeque<K>,
}

struct Usage<K: Clone + Eq + Hash> {
    held: usize,
    waiting: VecDeque<Waiter<K>>,
    is_in_round: bool,
}

struct Waiter<K: Clone + Eq + Hash> {
    weight: usize,
    sender: oneshot::Sender<Permit<K>>,
}

/// Grants to send after the lock is released: a receiver that is gone drops its permit, which locks again.
type Grants<K> = Vec<(oneshot::Sender<Permit<K>>, Permit<K>)>;

impl<K: Clone + Eq + Hash> FairSemaphore<K> {
    pub fn new(limits: Limits) -> Self {
        let state = State { held: 0, keys: HashMap::new(), round: VecDeque::new() };
        FairSemaphore(Arc::new(Inner { limits, state: Mutex::new(state) }))
    }

    /// Waits for a permit of this weight. A weight beyond the share counts as the whole share.
    ///
    /// # Errors
    /// The queue of `key` is full, or `patience` has passed.
    pub async fn acquire(&self, key: K, weight: usize, patience: Duration) -> Result<Permit<K>, Exhausted> {
        let weight = weight.min(self.0.limits.share).min(self.0.limits.total);
        let mut waiting = self.enqueue(key, weight)?;
        match timeout(patience, &mut waiting.receiver).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(self.0.reason(&waiting.key, weight)),
        }
    }

    /// Returns a permit if one is available now, ahead of waiting requests.
    pub fn try_acquire(&self, key: K, weight: usize) -> Option<Permit<K>> {
        let mut state = self.0.lock();
        let held = state.keys.get(&key).map_or(0, |usage| usage.held);
        if held + weight > self.0.limits.share || state.held + weight > self.0.limits.total {
            return None;
        }
        state.held += weight;
        state.usage(key.clone()).held += weight;
        Some(Permit { semaphore: self.0.clone(), key, weight })
    }

    /// Returns the weight that is currently acquired.
    pub fn held(&self) -> usize {
        self.0.lock().held
    }

    fn enqueue(&self, key: K, weight: usize) -> Result<Waiting<K>, Exhausted> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.0.lock();
        let usage = state.usage(key.clone());
        if usage.waiting.len() >= self.0.limits.queue {
            usage.waiting.retain(|waiter| !waiter.sender.is_closed());
        }
        // If the queue is empty, one request may always wait, even if the queue size is 0.
        if usage.waiting.len() >= self.0.limits.queue.max(1) {
            return Err(Exhausted::Share);
        }
        usage.waiting.push_back(Waiter { weight, sender });
        state.join_round(&key);
        let grants = state.grant(&self.0);
        drop(state);
        send(grants);
        Ok(Waiting { semaphore: self.0.clone(), key, receiver })
    }
}

impl<K: Clone + Eq + Hash> Inner<K> {
    fn lock(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns why a request of this weight was not granted.
    fn reason(&self, key: &K, weight: usize) -> Exhausted {
        let held = self.lock().keys.get(key).map_or(0, |usage| usage.held);
        if held + weight > self.limits.share { Exhausted::Share } else { Exhausted::Total }
    }

    /// Changes the acquired weight of a key, and grants what becomes possible.
    fn change(self: &Arc<Self>, key: &K, from: usize, to: usize) {
        let mut state = self.lock();
        state.held = state.held - from + to;
        if let Some(usage) = state.keys.get_mut(key) {
            usage.held = usage.held - from + to;
        }
        state.join_round(key);
        let grants = state.grant(self);
        drop(state);
        send(grants);
    }
}

fn send<K: Clone + Eq + Hash>(grants: Grants<K>) {
    for (sender, permit) in grants {
        // If the waiter is gone, its permit is dropped here and thereby released.
        let _ = sender.send(permit);
    }
}

impl<K: Clone + Eq + Hash> State<K> {
    fn usage(&mut self, key: K) -> &mut Usage<K> {
        self.keys.entry(key).or_insert_with(|| Usage { held: 0, waiting: VecDeque::new(), is_in_round: false })
    }

    /// Adds a key with waiters to the round, and removes a key that has neither permits nor waiters.
    fn join_round(&mut self, key: &K) {
        let Entry::Occupied(mut entry) = self.keys.entry(key.clone()) else { return };
        let usage = entry.get_mut();
        usage.waiting.retain(|waiter| !waiter.sender.is_closed());
        if usage.waiting.is_empty() {
            if usage.held == 0 && !usage.is_in_round {
                entry.remove();
            }
        } else if !usage.is_in_round {
            usage.is_in_round = true;
            self.round.push_back(key.clone());
        }
    }

    /// Removes requests that can be granted from the queues and returns their permits.
    fn grant(&mut self, semaphore: &Arc<Inner<K>>) -> Grants<K> {
        let mut grants = Vec::new();
        while let Some(key) = self.round.front().cloned() {
            let Some(usage) = self.keys.get_mut(&key) else {
                self.round.pop_front();
                continue;
            };
            usage.waiting.retain(|waiter| !waiter.sender.is_closed());
            let Some(weight) = usage.waiting.front().map(|waiter| waiter.weight) else {
                usage.is_in_round = false;
                let is_idle = usage.held == 0;
                self.round.pop_front();
                if is_idle {
                    self.keys.remove(&key);
                }
                continue;
            };
            if usage.held + weight > semaphore.limits.share {
                // The key rejoins the round when it releases a permit.
                usage.is_in_round = false;
                self.round.pop_front();
                continue;
            }
            if self.held + weight > semaphore.limits.total {
                break;
            }
            if let Some(Waiter { sender, .. }) = usage.waiting.pop_front() {
                usage.held += weight;
                self.held += weight;
                grants.push((sender, Permit { semaphore: semaphore.clone(), key: key.clone(), weight }));
            }
            self.round.rotate_left(1);
        }
        grants
    }
}

/// A request in a queue. Dropping it leaves the queue.
struct Waiting<K: Clone + Eq + Hash> {
    semaphore: Arc<Inner<K>>,
    key: K,
    receiver: oneshot::Receiver<Permit<K>>,
}

impl<K: Clone + Eq + Hash> Drop for Waiting<K> {
    fn drop(&mut self) {
        self.receiver.close();
        self.semaphore.change(&self.key, 0, 0);
    }
}

/// An acquired weight. Dropping the permit releases it.
pub struct Permit<K: Clone + Eq + Hash> {
    semaphore: Arc<Inner<K>>,
    key: K,
    weight: usize,
}

impl<K: Clone + Eq + Hash> Permit<K> {
    /// Changes the weight to the actual usage, which may exceed the limits. Then nothing is granted until enough weight
    /// is released.
    pub fn resize(&mut self, weight: usize) {
        let from = std::mem::replace(&mut self.weight, weight);
        self.semaphore.change(&self.key, from, weight);
    }
}

impl<K: Clone + Eq + Hash> Drop for Permit<K> {
    fn drop(&mut self) {
        self.semaphore.change(&self.key, self.weight, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    const PATIENCE: Duration = Duration::from_secs(8);

    fn semaphore(total: usize, share: usize, queue: usize) -> FairSemaphore<&'static str> {
        FairSemaphore::new(Limits { total, share, queue })
    }

    /// Polls once, so that the future starts to wait, and returns it.
    fn begin<F: Future + Unpin>(mut waiting: F) -> F {
        let mut context = Context::from_waker(Waker::noop());
        assert!(matches!(pin!(&mut waiting).poll(&mut context), Poll::Pending));
        waiting
    }

    #[tokio::test(start_paused = true)]
    async fn a_key_holds_its_share_and_another_key_is_served() {
        let semaphore = semaphore(5, 2, 8);
        let _held = [semaphore.try_acquire("a", 1).unwrap(), semaphore.acquire("a", 1, PATIENCE).await.unwrap()];
        assert!(semaphore.try_acquire("a", 1).is_none());
        assert_eq!(semaphore.acquire("a", 1, PATIENCE).await.err(), Some(Exhausted::Share));
        let _other = semaphore.acquire("b", 2, PATIENCE).await.unwrap();
        assert_eq!(semaphore.acquire("c", 2, PATIENCE).await.err(), Some(Exhausted::Total));
        assert!(semaphore.acquire("c", 1, PATIENCE).await.is_ok());
    }

    #[tokio::test]
    async fn keys_that_wait_for_the_total_take_turns() {
        let semaphore = semaphore(1, 1, 8);
        let first = semaphore.try_acquire("x", 1).unwrap();
        let (order, done) = tokio::sync::mpsc::unbounded_channel();
        let mut done = done;
        for (key, name) in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1")] {
            let (semaphore, order) = (semaphore.clone(), order.clone());
            let waiting = begin(Box::pin(async move {
                let permit = semaphore.acquire(key, 1, PATIENCE).await.unwrap();
                order.send(name).unwrap();
                drop(permit);
            }));
            tokio::spawn(waiting);
        }
        drop((first, order));
        let mut turns = Vec::new();
        while let Some(name) = done.recv().await {
            turns.push(name);
        }
        assert_eq!(turns, ["a1", "b1", "c1", "a2", "a3"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_queue_refuses_at_once_and_a_waiter_that_leaves_makes_room() {
        let semaphore = semaphore(1, 1, 2);
        let permit = semaphore.try_acquire("a", 1).unwrap();
        let first = begin(Box::pin(semaphore.acquire("a", 1, PATIENCE)));
        let second = begin(Box::pin(semaphore.acquire("a", 1, PATIENCE)));
        assert_eq!(semaphore.acquire("a", 1, Duration::MAX).await.err(), Some(Exhausted::Share));
        drop(first);
        let third = begin(Box::pin(semaphore.acquire("a", 1, PATIENCE)));
        drop(permit);
        drop(second.await.unwrap());
        assert!(third.await.is_ok());
    }

    #[tokio::test]
    async fn a_large_request_is_not_passed_by_small_ones_and_leaves_room_when_it_goes() {
        let semaphore = semaphore(10, 10, 8);
        let held = semaphore.try_acquire("a", 6).unwrap();
        let large = begin(Box::pin(semaphore.acquire("b", 8, PATIENCE)));
        let small = begin(Box::pin(semaphore.acquire("c", 2, PATIENCE)));
        drop(large);
        assert!(small.await.is_ok());
        let large = begin(Box::pin(semaphore.acquire("b", 8, PATIENCE)));
        drop(held);
        assert!(large.await.is_ok());
    }

    #[tokio::test]
    async fn a_weight_beyond_the_share_counts_as_the_share_and_can_be_resized() {
        let semaphore = semaphore(10, 4, 8);
        let mut permit = semaphore.acquire("a", 100, PATIENCE).await.unwrap();
        assert_eq!(semaphore.held(), 4);
        permit.resize(1);
        assert!(semaphore.try_acquire("a", 3).is_some());
        permit.resize(12);
        assert!(semaphore.try_acquire("b", 1).is_none());
        drop(permit);
        assert_eq!((semaphore.held(), semaphore.0.lock().keys.len()), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_permit_that_nobody_receives_is_released() {
        let semaphore = semaphore(1, 1, 8);
        let permit = semaphore.try_acquire("a", 1).unwrap();
        let waiting = begin(Box::pin(semaphore.acquire("a", 1, PATIENCE)));
        drop(permit);
        drop(waiting);
        let state = semaphore.0.lock();
        assert_eq!((state.held, state.keys.len(), state.round.len()), (0, 0, 0));
    }
}
