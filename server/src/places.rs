//! How many forms with a file in them are received at the same time. Each may take a quarter of an hour, and what it has said
//! by then is held in memory and on the disk.

use crate::problem::{Answer, Refusal};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use uuid::Uuid;

/// How long a form waits for a place. It isn't read meanwhile, so that nothing of it is held.
const QUEUE: Duration = Duration::from_secs(15);

/// This node's places, by what is received. Each file to import may come with corrections of half a hundred megabytes.
#[derive(Clone)]
pub struct Receiving {
    pub files: Places,
    pub pictures: Places,
}

impl Default for Receiving {
    fn default() -> Self {
        Receiving { files: Places::new(16, 3), pictures: Places::new(32, 3) }
    }
}

/// Places for whoever comes, of which one person takes a few; cloning them is cheap.
#[derive(Clone)]
pub struct Places {
    all: Arc<Semaphore>,
    /// How many of them one person may take.
    each: usize,
    /// Of everybody who has a place, or waits for one.
    own: Arc<Mutex<HashMap<Uuid, Arc<Semaphore>>>>,
}

/// A place that is somebody's until this is dropped.
pub struct Place {
    _all: OwnedSemaphorePermit,
    _own: OwnedSemaphorePermit,
}

impl Places {
    fn new(all: usize, each: usize) -> Self {
        Places { all: Arc::new(Semaphore::new(all)), each, own: Arc::default() }
    }

    /// Waits a while for a place.
    ///
    /// # Errors
    /// 429 when the person's own others take too long, [`Refusal::Busy`] when everybody's do.
    pub async fn take(&self, person: Uuid) -> Answer<Place> {
        let own = timeout(QUEUE, self.of(person).acquire_owned()).await;
        // First one's own: whoever waits for that keeps nobody else from a place.
        let Ok(Ok(own)) = own else { return Err(Refusal::TooMany(QUEUE.as_secs())) };
        let Ok(Ok(all)) = timeout(QUEUE, self.all.clone().acquire_owned()).await else { return Err(Refusal::Busy) };
        Ok(Place { _all: all, _own: own })
    }

    fn of(&self, person: Uuid) -> Arc<Semaphore> {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        // Each place, and whoever waits for one, holds on to its person's.
        own.retain(|_, places| Arc::strong_count(places) > 1);
        own.entry(person).or_insert_with(|| Arc::new(Semaphore::new(self.each))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_person_takes_a_few_places_and_another_one_still_has_some() {
        let places = Places::new(5, 2);
        let [ada, bo, cid] = [Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3)];
        let mut held = vec![places.take(ada).await.unwrap(), places.take(ada).await.unwrap()];
        assert!(matches!(places.take(ada).await, Err(Refusal::TooMany(15))));
        held.extend([places.take(bo).await.unwrap(), places.take(bo).await.unwrap()]);
        held.push(places.take(cid).await.unwrap());
        assert!(matches!(places.take(cid).await, Err(Refusal::Busy)));
        held.remove(0);
        assert!(places.take(cid).await.is_ok());
        assert!(places.take(ada).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_gets_the_place_that_becomes_free_and_is_forgotten_after_it() {
        let places = Places::new(2, 1);
        let ada = Uuid::from_u128(1);
        let place = places.take(ada).await.unwrap();
        let leave = async {
            tokio::time::sleep(QUEUE / 2).await;
            drop(place);
        };
        let (next, ()) = tokio::join!(places.take(ada), leave);
        drop(next.unwrap());
        let _bo = places.take(Uuid::from_u128(2)).await.unwrap();
        assert_eq!(places.own.lock().unwrap().len(), 1);
    }
}
