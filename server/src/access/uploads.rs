//! Limits on parallel uploads, by tenant and by user, while they are received and while they are processed. An upload
//! may take a quarter of an hour to arrive; it must not block uploads of other tenants.

use crate::access::scope::Scope;
use crate::platform::error::{ApiError, ApiResult};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use uuid::Uuid;

/// How long an upload waits until it is received. Its body is not read meanwhile.
const QUEUE: Duration = Duration::from_secs(15);
/// How long a received upload waits until it is processed. It is stored on disk meanwhile.
const WORK_QUEUE: Duration = Duration::from_secs(120);

/// The upload limits of this node.
#[derive(Clone)]
pub struct Receiving {
    /// Import files while they arrive. They are written to disk, so only the shares of tenants and users limit them.
    pub files: UploadLimiter,
    /// Import files that have arrived, each with corrections of up to tens of megabytes.
    pub work: UploadLimiter,
    /// Forms with a picture, which is kept in memory.
    pub pictures: UploadLimiter,
}

impl Default for Receiving {
    fn default() -> Self {
        Receiving {
            files: UploadLimiter::new(None, 8, 3, QUEUE),
            work: UploadLimiter::new(Some(8), 2, 2, WORK_QUEUE),
            pictures: UploadLimiter::new(Some(32), 8, 3, QUEUE),
        }
    }
}

/// Limits the number of parallel uploads. Cloning it is cheap.
#[derive(Clone)]
pub struct UploadLimiter {
    total: Option<Arc<Semaphore>>,
    tenants: Shares,
    users: Shares,
    queue: Duration,
}

/// Counts as an upload until it is dropped.
pub struct UploadPermit {
    _user: OwnedSemaphorePermit,
    _tenant: OwnedSemaphorePermit,
    _total: Option<OwnedSemaphorePermit>,
}

/// The same share for each tenant, or for each user.
#[derive(Clone)]
struct Shares {
    each: usize,
    /// The semaphores of those that have uploads or wait for one.
    semaphores: Arc<Mutex<HashMap<Uuid, Arc<Semaphore>>>>,
}

impl UploadLimiter {
    fn new(total: Option<usize>, tenant: usize, user: usize, queue: Duration) -> Self {
        let shares = |each| Shares { each, semaphores: Arc::default() };
        let total = total.map(|total| Arc::new(Semaphore::new(total)));
        UploadLimiter { total, tenants: shares(tenant), users: shares(user), queue }
    }

    /// Waits until there is room for one more upload of this user.
    ///
    /// # Errors
    /// 429 if the user's or the tenant's other uploads take too long, [`ApiError::Unavailable`] if those of all tenants
    /// do.
    pub async fn take(&self, scope: &Scope) -> ApiResult<UploadPermit> {
        self.permit(scope.corp(), scope.user()).await
    }

    async fn permit(&self, tenant: Uuid, user: Uuid) -> ApiResult<UploadPermit> {
        let own = async {
            // The smallest share first, so that a request that waits for it takes no permit of the larger ones.
            let user = self.users.of(user).acquire_owned().await;
            (user, self.tenants.of(tenant).acquire_owned().await)
        };
        let Ok((Ok(user), Ok(tenant))) = timeout(self.queue, own).await else {
            return Err(ApiError::TooManyRequests(self.queue.as_secs()));
        };
        let total = match &self.total {
            Some(total) => match timeout(self.queue, total.clone().acquire_owned()).await {
                Ok(Ok(total)) => Some(total),
                _ => return Err(ApiError::Unavailable),
            },
            None => None,
        };
        Ok(UploadPermit { _user: user, _tenant: tenant, _total: total })
    }
}

impl Shares {
    fn of(&self, key: Uuid) -> Arc<Semaphore> {
        let mut semaphores = self.semaphores.lock().unwrap_or_else(PoisonError::into_inner);
        // Each permit and each waiting request has a reference to its semaphore.
        semaphores.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        semaphores.entry(key).or_insert_with(|| Arc::new(Semaphore::new(self.each))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TENANTS: [Uuid; 3] = [Uuid::from_u128(11), Uuid::from_u128(12), Uuid::from_u128(13)];
    const USERS: [Uuid; 3] = [Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3)];

    #[tokio::test(start_paused = true)]
    async fn a_user_and_a_tenant_have_shares_and_the_others_still_have_room() {
        let limiter = UploadLimiter::new(Some(5), 3, 2, QUEUE);
        let ([nord, soder, _], [ada, bo, cid]) = (TENANTS, USERS);
        let mut held = vec![limiter.permit(nord, ada).await.unwrap(), limiter.permit(nord, ada).await.unwrap()];
        assert!(matches!(limiter.permit(nord, ada).await, Err(ApiError::TooManyRequests(15))), "the user's share");
        held.push(limiter.permit(nord, bo).await.unwrap());
        assert!(matches!(limiter.permit(nord, bo).await, Err(ApiError::TooManyRequests(15))), "the tenant's share");
        held.push(limiter.permit(soder, cid).await.unwrap());
        held.push(limiter.permit(soder, cid).await.unwrap());
        assert!(
            matches!(limiter.permit(TENANTS[2], Uuid::from_u128(4)).await, Err(ApiError::Unavailable)),
            "all of them"
        );
        held.remove(0);
        assert!(limiter.permit(nord, ada).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn an_upload_that_waits_gets_the_room_of_one_that_ends_and_is_forgotten_after_it() {
        let limiter = UploadLimiter::new(Some(2), 1, 1, QUEUE);
        let permit = limiter.permit(TENANTS[0], USERS[0]).await.unwrap();
        let leave = async {
            tokio::time::sleep(QUEUE / 2).await;
            drop(permit);
        };
        let (next, ()) = tokio::join!(limiter.permit(TENANTS[0], USERS[0]), leave);
        drop(next.unwrap());
        let _bo = limiter.permit(TENANTS[1], USERS[1]).await.unwrap();
        assert_eq!(limiter.users.semaphores.lock().unwrap().len(), 1);
        assert_eq!(limiter.tenants.semaphores.lock().unwrap().len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn v4_one_tenant_with_many_users_never_keeps_another_from_uploading() {
        let Receiving { files, work, pictures } = Receiving::default();
        for limiter in [files, work, pictures] {
            let mut held = Vec::new();
            for user in 100..140 {
                held.extend(limiter.permit(TENANTS[0], Uuid::from_u128(user)).await);
            }
            assert!(limiter.permit(TENANTS[1], USERS[0]).await.is_ok());
        }
    }
}
