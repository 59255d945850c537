//! A weighted semaphore that is fair between keys, such as sessions, tenants or addresses.
//!
//! A key can acquire at most its share, and all keys together at most the total. Waiting requests of one key get their
//! permits in the order of arrival. When the total is used up, the waiting keys get the released weight in turn.

use crate::platform::error::{ApiError, ApiResult};
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
    /// How many requests of one key may wait; with 0, still one.
    pub queue: usize,
}

/// The semaphore; cloning it is cheap, and clones share their permits.
#[derive(Clone)]
pub struct FairSemaphore<K: Clone + Eq + Hash>(Arc<Inner<K>>);

struct Inner<K: Clone + Eq + Hash> {
    limits: Limits,
    state: Mutex<State<K>>,
}

struct State<K: Clone + Eq + Hash> {
    /// The weight acquired by all keys.
    in_use: usize,
    /// The keys that have a permit or wait for one.
    keys: HashMap<K, Usage<K>>,
    /// The keys with waiters, in the order of their turns. A key whose own share blocks its first waiter leaves the
    /// round when its turn comes.
    round: VecDeque<K>,
}

struct Usage<K: Clone + Eq + Hash> {
    in_use: usize,
    waiting: VecDeque<Waiter<K>>,
    is_in_round: bool,
}

struct Waiter<K: Clone + Eq + Hash> {
    weight: usize,
    sender: oneshot::Sender<Permit<K>>,
}

/// Permits for waiting requests. They are sent after the state's lock is released: if the receiver is gone, the permit
/// is dropped at once, which takes the lock again.
type Grants<K> = Vec<(oneshot::Sender<Permit<K>>, Permit<K>)>;

impl<K: Clone + Eq + Hash> FairSemaphore<K> {
    pub fn new(limits: Limits) -> Self {
        let state = State { in_use: 0, keys: HashMap::new(), round: VecDeque::new() };
        FairSemaphore(Arc::new(Inner { limits, state: Mutex::new(state) }))
    }

    /// Waits for a permit of this weight. A weight beyond the share counts as the whole share.
    ///
    /// # Errors
    /// After `max_wait`, [`ApiError::ShareInUse`] if the key's own share is in use, else [`ApiError::Unavailable`]. At
    /// once [`ApiError::ShareInUse`] if the queue of `key` is full.
    pub async fn acquire(&self, key: K, weight: usize, max_wait: Duration) -> ApiResult<Permit<K>> {
        let weight = weight.min(self.0.limits.share).min(self.0.limits.total);
        let mut waiting = self.enqueue(key, weight)?;
        match timeout(max_wait, &mut waiting.receiver).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(self.0.limit_reached(&waiting.key, weight)),
        }
    }

    /// Returns a permit if one is available now, ahead of waiting requests.
    pub fn try_acquire(&self, key: K, weight: usize) -> Option<Permit<K>> {
        let mut state = self.0.lock();
        let in_use = state.keys.get(&key).map_or(0, |usage| usage.in_use);
        if in_use + weight > self.0.limits.share || state.in_use + weight > self.0.limits.total {
            return None;
        }
        state.in_use += weight;
        state.usage(key.clone()).in_use += weight;
        Some(Permit { semaphore: self.0.clone(), key, weight })
    }

    /// Returns the weight that all keys have currently acquired.
    pub fn weight_in_use(&self) -> usize {
        self.0.lock().in_use
    }

    /// Returns the number of keys that have a permit or wait for one.
    #[cfg(test)]
    pub(crate) fn key_count(&self) -> usize {
        self.0.lock().keys.len()
    }

    fn enqueue(&self, key: K, weight: usize) -> ApiResult<Waiting<K>> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.0.lock();
        let usage = state.usage(key.clone());
        if usage.waiting.len() >= self.0.limits.queue {
            usage.waiting.retain(|waiter| !waiter.sender.is_closed());
        }
        // If the queue is empty, one request may always wait, even if the queue size is 0.
        if usage.waiting.len() >= self.0.limits.queue.max(1) {
            return Err(ApiError::ShareInUse);
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

    /// Returns the error for a request of this weight that got no permit: whether the key's share or the total is in
    /// use.
    fn limit_reached(&self, key: &K, weight: usize) -> ApiError {
        let in_use = self.lock().keys.get(key).map_or(0, |usage| usage.in_use);
        if in_use + weight > self.limits.share { ApiError::ShareInUse } else { ApiError::Unavailable }
    }

    /// Changes an acquired weight of a key from `from` to `to`, and grants the waiting requests that now fit.
    fn change(self: &Arc<Self>, key: &K, from: usize, to: usize) {
        let mut state = self.lock();
        state.in_use = state.in_use - from + to;
        if let Some(usage) = state.keys.get_mut(key) {
            usage.in_use = usage.in_use - from + to;
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
        self.keys.entry(key).or_insert_with(|| Usage { in_use: 0, waiting: VecDeque::new(), is_in_round: false })
    }

    /// Adds a key with waiters to the round, and removes a key that has neither permits nor waiters.
    fn join_round(&mut self, key: &K) {
        let Entry::Occupied(mut entry) = self.keys.entry(key.clone()) else { return };
        let usage = entry.get_mut();
        usage.waiting.retain(|waiter| !waiter.sender.is_closed());
        if usage.waiting.is_empty() {
            if usage.in_use == 0 && !usage.is_in_round {
                entry.remove();
            }
        } else if !usage.is_in_round {
            usage.is_in_round = true;
            self.round.push_back(key.clone());
        }
    }

    /// Removes the requests that can be granted now from the queues, and returns their permits.
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
                let is_idle = usage.in_use == 0;
                self.round.pop_front();
                if is_idle {
                    self.keys.remove(&key);
                }
                continue;
            };
            if usage.in_use + weight > semaphore.limits.share {
                // The key rejoins the round when it releases a permit.
                usage.is_in_round = false;
                self.round.pop_front();
                continue;
            }
            if self.in_use + weight > semaphore.limits.total {
                break;
            }
            if let Some(Waiter { sender, .. }) = usage.waiting.pop_front() {
                usage.in_use += weight;
                self.in_use += weight;
                grants.push((sender, Permit { semaphore: semaphore.clone(), key: key.clone(), weight }));
            }
            self.round.rotate_left(1);
        }
        grants
    }
}

/// A request in a key's queue. Dropping this removes the request from the queue.
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
    /// Changes the permit's weight to the actual usage, which may exceed the limits. Until enough weight is released, a
    /// key beyond its share gets no further permit, and beyond the total no key does.
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

    const MAX_WAIT: Duration = Duration::from_secs(8);

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
    async fn limits_a_key_to_its_share_and_serves_another_key() {
        let semaphore = semaphore(5, 2, 8);
        let _held = [semaphore.try_acquire("a", 1).unwrap(), semaphore.acquire("a", 1, MAX_WAIT).await.unwrap()];
        assert!(semaphore.try_acquire("a", 1).is_none());
        assert!(matches!(semaphore.acquire("a", 1, MAX_WAIT).await, Err(ApiError::ShareInUse)));
        let _other = semaphore.acquire("b", 2, MAX_WAIT).await.unwrap();
        assert!(matches!(semaphore.acquire("c", 2, MAX_WAIT).await, Err(ApiError::Unavailable)));
        assert!(semaphore.acquire("c", 1, MAX_WAIT).await.is_ok());
    }

    #[tokio::test]
    async fn keys_that_wait_for_the_total_take_turns() {
        let semaphore = semaphore(1, 1, 8);
        let first = semaphore.try_acquire("x", 1).unwrap();
        let (order, mut done) = tokio::sync::mpsc::unbounded_channel();
        for (key, name) in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1")] {
            let (semaphore, order) = (semaphore.clone(), order.clone());
            let waiting = begin(Box::pin(async move {
                let permit = semaphore.acquire(key, 1, MAX_WAIT).await.unwrap();
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
    async fn a_full_queue_rejects_until_a_waiter_leaves() {
        let semaphore = semaphore(1, 1, 2);
        let permit = semaphore.try_acquire("a", 1).unwrap();
        let first = begin(Box::pin(semaphore.acquire("a", 1, MAX_WAIT)));
        let second = begin(Box::pin(semaphore.acquire("a", 1, MAX_WAIT)));
        assert!(matches!(semaphore.acquire("a", 1, Duration::MAX).await, Err(ApiError::ShareInUse)));
        drop(first);
        let third = begin(Box::pin(semaphore.acquire("a", 1, MAX_WAIT)));
        drop(permit);
        drop(second.await.unwrap());
        assert!(third.await.is_ok());
    }

    #[tokio::test]
    async fn small_requests_do_not_overtake_a_large_one() {
        let semaphore = semaphore(10, 10, 8);
        let permit = semaphore.try_acquire("a", 6).unwrap();
        let large = begin(Box::pin(semaphore.acquire("b", 8, MAX_WAIT)));
        let small = begin(Box::pin(semaphore.acquire("c", 2, MAX_WAIT)));
        drop(large);
        assert!(small.await.is_ok());
        let large = begin(Box::pin(semaphore.acquire("b", 8, MAX_WAIT)));
        drop(permit);
        assert!(large.await.is_ok());
    }

    #[tokio::test]
    async fn a_permit_weighs_at_most_the_share_and_can_be_resized() {
        let semaphore = semaphore(10, 4, 8);
        let mut permit = semaphore.acquire("a", 100, MAX_WAIT).await.unwrap();
        assert_eq!(semaphore.weight_in_use(), 4);
        permit.resize(1);
        assert!(semaphore.try_acquire("a", 3).is_some());
        permit.resize(12);
        assert!(semaphore.try_acquire("b", 1).is_none());
        drop(permit);
        assert_eq!((semaphore.weight_in_use(), semaphore.key_count()), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn releases_a_permit_that_is_not_received() {
        let semaphore = semaphore(1, 1, 8);
        let permit = semaphore.try_acquire("a", 1).unwrap();
        let waiting = begin(Box::pin(semaphore.acquire("a", 1, MAX_WAIT)));
        drop(permit);
        drop(waiting);
        let state = semaphore.0.lock();
        assert_eq!((state.in_use, state.keys.len(), state.round.len()), (0, 0, 0));
    }
}
