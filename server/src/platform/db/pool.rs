//! A connection pool in front of the database driver's pool. The driver's pool checks a connection with a round trip
//! whenever it is returned, and on PostgreSQL also when it is taken. To save these, this pool keeps a connection whose
//! last statement succeeded for the next use. A connection with a failed or cancelled statement goes back to the
//! driver's pool, which checks it. So does one that was kept for a minute, at the end of its next use, and one that was
//! idle for a minute, when another is returned.

use super::Result;
use super::open::{ACQUIRE_TIMEOUT, PING_TIMEOUT};
use sqlx::pool::PoolConnection;
use sqlx::{Connection, Database};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A connection that was idle for at least this long is checked before its next use.
const FRESH: Duration = Duration::from_secs(1);
/// For how long a connection is kept, used or not, before it goes back to the driver's pool, which closes connections
/// that are old or more than it needs. Checked when a connection is returned.
const MAX_KEPT: Duration = Duration::from_secs(60);

/// A pool of connections; cloning it is cheap.
pub struct Pool<DB: Database>(Arc<Shared<DB>>);

struct Shared<DB: Database> {
    driver: sqlx::Pool<DB>,
    /// One permit for each connection that the driver's pool may open, granted in the order of the requests.
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Kept<DB>>>,
}

struct Kept<DB: Database> {
    connection: PoolConnection<DB>,
    /// When the connection was taken from the driver's pool.
    taken: Instant,
    last_used: Instant,
}

impl<DB: Database> Kept<DB> {
    fn new(connection: PoolConnection<DB>) -> Self {
        Kept { connection, taken: Instant::now(), last_used: Instant::now() }
    }
}

/// A connection of the pool that is in use. Dropping it returns it to the pool.
pub struct Pooled<DB: Database> {
    kept: Option<Kept<DB>>,
    /// Whether the last statement has succeeded and was read to its end.
    is_ready: bool,
    pool: Pool<DB>,
    _permit: OwnedSemaphorePermit,
}

impl<DB: Database> Clone for Pool<DB> {
    fn clone(&self) -> Self {
        Pool(self.0.clone())
    }
}

impl<DB: Database> Pool<DB> {
    pub fn new(driver: sqlx::Pool<DB>) -> Self {
        let permits = Arc::new(Semaphore::new(driver.options().get_max_connections() as usize));
        Pool(Arc::new(Shared { driver, permits, idle: Mutex::default() }))
    }

    /// Returns the driver's pool.
    pub fn driver(&self) -> &sqlx::Pool<DB> {
        &self.0.driver
    }

    /// Waits for a connection, at most [`ACQUIRE_TIMEOUT`]. Waiting requests get theirs in the order of arrival.
    pub async fn acquire(&self) -> Result<Pooled<DB>> {
        if let Ok(permit) = self.0.permits.clone().try_acquire_owned()
            && let Some(kept) = self.idle().pop_if(|kept| kept.last_used.elapsed() < FRESH)
        {
            return Ok(self.pooled(kept, permit));
        }
        timeout(ACQUIRE_TIMEOUT, self.acquire_checked()).await.map_err(|_| sqlx::Error::PoolTimedOut)?
    }

    async fn acquire_checked(&self) -> Result<Pooled<DB>> {
        let permit = self.0.permits.clone().acquire_owned().await.map_err(|_| sqlx::Error::PoolClosed)?;
        loop {
            let kept = self.idle().pop();
            let Some(mut kept) = kept else { break };
            let is_fresh = kept.last_used.elapsed() < FRESH;
            if is_fresh || matches!(timeout(PING_TIMEOUT, kept.connection.ping()).await, Ok(Ok(()))) {
                return Ok(self.pooled(kept, permit));
            }
            kept.connection.close_on_drop();
        }
        Ok(self.pooled(Kept::new(self.0.driver.acquire().await?), permit))
    }

    fn pooled(&self, kept: Kept<DB>, permit: OwnedSemaphorePermit) -> Pooled<DB> {
        Pooled { kept: Some(kept), is_ready: true, pool: self.clone(), _permit: permit }
    }

    /// Keeps a connection for the next use. If the pool is closed or the connection was kept for [`MAX_KEPT`], drops it
    /// instead, which returns it to the driver's pool.
    fn keep(&self, kept: Kept<DB>) {
        if self.0.driver.is_closed() || kept.taken.elapsed() >= MAX_KEPT {
            return;
        }
        let mut idle = self.idle();
        idle.push(Kept { last_used: Instant::now(), ..kept });
        // The first connection is the one that was not needed for the longest time.
        let unneeded = idle.first().is_some_and(|kept| kept.last_used.elapsed() >= MAX_KEPT).then(|| idle.remove(0));
        drop(idle);
        drop(unneeded);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Kept<DB>>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of open connections, and how many of them are idle.
    pub fn size(&self) -> (u32, usize) {
        (self.0.driver.size(), self.0.driver.num_idle() + self.idle().len())
    }

    /// Waits for running statements and closes every connection.
    pub async fn close(&self) {
        let closed = self.0.driver.close();
        drop(mem::take(&mut *self.idle()));
        closed.await;
    }
}

impl<DB: Database> Pooled<DB> {
    /// Returns the driver's connection, to run a statement. The statement counts as failed until
    /// [`Pooled::end_statement`] is called.
    pub fn begin_statement(&mut self) -> Result<&mut DB::Connection> {
        self.is_ready = false;
        Ok(&mut self.kept.as_mut().ok_or(sqlx::Error::PoolClosed)?.connection)
    }

    /// Marks the statement as succeeded and read to its end.
    pub fn end_statement(&mut self) {
        self.is_ready = true;
    }

    /// Closes the connection instead of using it again.
    pub fn close(mut self) {
        if let Some(mut kept) = self.kept.take() {
            kept.connection.close_on_drop();
        }
    }
}

impl<DB: Database> Drop for Pooled<DB> {
    fn drop(&mut self) {
        if let Some(kept) = self.kept.take().filter(|_| self.is_ready) {
            self.pool.keep(kept);
        }
    }
}
