//! Limits on parallel uploads, by tenant and by user, while they are received and while they are processed. An upload
//! may take a quarter of an hour to arrive; it must not block uploads of other tenants.

use crate::access::scope::Scope;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::fairness::semaphore::{FairSemaphore, Limits, Permit};
use std::time::Duration;
use uuid::Uuid;

/// How long an upload waits for each share, the user's and the tenant's, before its body is read.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a received upload, which is stored on disk, waits for each share to be processed.
const PROCESS_TIMEOUT: Duration = Duration::from_secs(120);

/// The upload limits of this node.
#[derive(Clone)]
pub struct UploadLimits {
    /// Import files while they arrive. They are written to disk, so there is no limit on those of all tenants together.
    pub files: UploadLimiter,
    /// Import files that have arrived, each with corrections of up to tens of megabytes.
    pub work: UploadLimiter,
    /// Forms with a picture, which is kept in memory.
    pub pictures: UploadLimiter,
    /// Forms with a photo of a vehicle, which is kept in memory.
    pub photos: UploadLimiter,
}

impl Default for UploadLimits {
    fn default() -> Self {
        UploadLimits {
            files: UploadLimiter::new(usize::MAX, 8, 3, RECEIVE_TIMEOUT),
            work: UploadLimiter::new(8, 2, 2, PROCESS_TIMEOUT),
            pictures: UploadLimiter::new(32, 8, 3, RECEIVE_TIMEOUT),
            photos: UploadLimiter::new(16, 4, 2, RECEIVE_TIMEOUT),
        }
    }
}

/// Limits the number of parallel uploads. Cloning it is cheap.
#[derive(Clone)]
pub struct UploadLimiter {
    users: FairSemaphore<Uuid>,
    /// Limits the uploads of each tenant, and those of all tenants together.
    tenants: FairSemaphore<Uuid>,
    max_wait: Duration,
}

/// Permission for one upload, which counts as running until this is dropped.
pub struct UploadPermit {
    _user: Permit<Uuid>,
    _tenant: Permit<Uuid>,
}

impl UploadLimiter {
    fn new(total: usize, tenant: usize, user: usize, max_wait: Duration) -> Self {
        let semaphore = |total, share| FairSemaphore::new(Limits { total, share, queue: usize::MAX });
        UploadLimiter { users: semaphore(usize::MAX, user), tenants: semaphore(total, tenant), max_wait }
    }

    /// Waits until the limits allow one more upload of this user: for the user's share, then for the tenant's, each at
    /// most `max_wait`.
    ///
    /// # Errors
    /// 429 if the user or the tenant has reached the limit, 503 ([`ApiError::Unavailable`]) if all
    /// tenants together have.
    pub async fn acquire(&self, scope: &Scope) -> ApiResult<UploadPermit> {
        self.acquire_for(scope.corp(), scope.user()).await
    }

    async fn acquire_for(&self, tenant: Uuid, user: Uuid) -> ApiResult<UploadPermit> {
        let to_error = |error| match error {
            ApiError::ShareInUse => ApiError::TooManyRequests(self.max_wait.as_secs()),
            error => error,
        };
        // The smallest share first, so that a request that waits for it takes no permit of the larger ones.
        let user = self.users.acquire(user, 1, self.max_wait).await.map_err(to_error)?;
        let tenant = self.tenants.acquire(tenant, 1, self.max_wait).await.map_err(to_error)?;
        Ok(UploadPermit { _user: user, _tenant: tenant })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TENANTS: [Uuid; 3] = [Uuid::from_u128(11), Uuid::from_u128(12), Uuid::from_u128(13)];
    const USERS: [Uuid; 3] = [Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3)];

    #[tokio::test(start_paused = true)]
    async fn limits_uploads_of_a_user_and_of_a_tenant() {
        let limiter = UploadLimiter::new(5, 3, 2, RECEIVE_TIMEOUT);
        let ([nord, soder, _], [ada, bo, cid]) = (TENANTS, USERS);
        let mut held =
            vec![limiter.acquire_for(nord, ada).await.unwrap(), limiter.acquire_for(nord, ada).await.unwrap()];
        assert!(matches!(limiter.acquire_for(nord, ada).await, Err(ApiError::TooManyRequests(15))), "the user's share");
        held.push(limiter.acquire_for(nord, bo).await.unwrap());
        assert!(
            matches!(limiter.acquire_for(nord, bo).await, Err(ApiError::TooManyRequests(15))),
            "the tenant's share"
        );
        held.push(limiter.acquire_for(soder, cid).await.unwrap());
        held.push(limiter.acquire_for(soder, cid).await.unwrap());
        assert!(
            matches!(limiter.acquire_for(TENANTS[2], Uuid::from_u128(4)).await, Err(ApiError::Unavailable)),
            "all of them"
        );
        held.remove(0);
        assert!(limiter.acquire_for(nord, ada).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_waiting_upload_gets_a_released_permit() {
        let limiter = UploadLimiter::new(2, 1, 1, RECEIVE_TIMEOUT);
        let permit = limiter.acquire_for(TENANTS[0], USERS[0]).await.unwrap();
        let release = async {
            tokio::time::sleep(RECEIVE_TIMEOUT / 2).await;
            drop(permit);
        };
        let (next, ()) = tokio::join!(limiter.acquire_for(TENANTS[0], USERS[0]), release);
        drop(next.unwrap());
        let _bo = limiter.acquire_for(TENANTS[1], USERS[1]).await.unwrap();
        assert_eq!(limiter.users.key_count(), 1);
        assert_eq!(limiter.tenants.key_count(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn v4_many_users_of_one_tenant_do_not_block_another() {
        let UploadLimits { files, work, pictures, photos } = UploadLimits::default();
        for limiter in [files, work, pictures, photos] {
            let mut held = Vec::new();
            for user in 100..140 {
                held.extend(limiter.acquire_for(TENANTS[0], Uuid::from_u128(user)).await);
            }
            assert!(limiter.acquire_for(TENANTS[1], USERS[0]).await.is_ok());
        }
    }
}
