//! Password hashing with Argon2id, on blocking threads, with at most one hash per core at a time. A hash takes 19 MiB
//! and tens of milliseconds of CPU time, so the queue is bounded too: when it is full, a sign-in is rejected. The
//! memory is reused between hashes: freeing and allocating blocks of this size between other allocations fragments the
//! heap by hundreds of megabytes.

use crate::platform::error::{ApiError, ApiResult};
use crate::platform::keys;
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use forecourt_core::secret::Secret;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Number of hashes that may wait for a core.
const QUEUE: usize = 64;
/// How long a hash may wait for a core on a busy machine. Less than the time limit of a request.
const CORE_TIMEOUT: Duration = Duration::from_secs(10);
/// A hash that no password has. It is verified when there is no account, so that the response takes the same time.
const DUMMY_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes and checks passwords; cloning it is cheap.
#[derive(Clone)]
pub struct Hasher {
    /// A permit for each hash that is reserved, waits for a core or is being computed.
    slots: Arc<Semaphore>,
    /// A permit for each hash that is being computed: as many as there are cores.
    cores: Arc<Semaphore>,
    /// Working memory that is not in use, at most one per core.
    memories: Arc<Mutex<Vec<Memory>>>,
    computed: Arc<AtomicU64>,
}

/// A permit for one hash to be computed or to wait for a core.
pub type Slot = OwnedSemaphorePermit;

/// The working memory of one hash.
type Memory = Vec<Block>;

/// The error of a hash that could not be computed or parsed; reported as an internal error.
type HashError = argon2::password_hash::Error;

impl Default for Hasher {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Hasher {
            slots: Arc::new(Semaphore::new(cores + QUEUE)),
            cores: Arc::new(Semaphore::new(cores)),
            memories: Arc::default(),
            computed: Arc::default(),
        }
    }
}

impl Hasher {
    /// Returns the number of hashes computed so far.
    pub fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    /// Returns how many hashes are being computed, and how many wait for a core.
    pub fn load(&self) -> (usize, usize) {
        let cores = available_parallelism().map_or(1, usize::from);
        let computing = cores.saturating_sub(self.cores.available_permits());
        let accepted = (cores + QUEUE).saturating_sub(self.slots.available_permits());
        (computing, accepted.saturating_sub(computing))
    }

    /// Returns the password's hash as a PHC string, with a random salt.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] if the queue is full or the wait is too long.
    pub async fn hash(&self, password: Secret<String>) -> ApiResult<String> {
        let salt: [u8; 16] = keys::random()?;
        let slot = self.reserve()?;
        self.run(slot, move |memory| compute(password.expose_secret(), &salt, memory))
            .await?
            .map_err(ApiError::internal)
    }

    /// Reserves a slot in the queue. Callers do this first, so that a full queue rejects a request before other work
    /// is done.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] if the queue is full.
    pub fn reserve(&self) -> ApiResult<Slot> {
        self.slots.clone().try_acquire_owned().map_err(|_| ApiError::Unavailable)
    }

    /// Returns whether the password matches the hash. Without a hash it returns `false` after the same amount of work.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] if the queue is full or the wait is too long.
    pub async fn verify(&self, password: Secret<String>, hash: Option<String>) -> ApiResult<bool> {
        self.verify_in(self.reserve()?, password, hash).await
    }

    /// Does the same as [`Hasher::verify`], with a slot that was reserved before.
    pub async fn verify_in(&self, slot: Slot, password: Secret<String>, hash: Option<String>) -> ApiResult<bool> {
        let has_hash = hash.is_some();
        let hash = hash.unwrap_or_else(|| DUMMY_HASH.to_owned());
        let is_match = self
            .run(slot, move |memory| matches(password.expose_secret(), &hash, memory))
            .await?
            .map_err(ApiError::internal)?;
        Ok(is_match && has_hash)
    }

    async fn run<T: Send + 'static>(
        &self,
        slot: Slot,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> ApiResult<T> {
        let core =
            timeout(CORE_TIMEOUT, self.cores.clone().acquire_owned()).await.map_err(|_| ApiError::Unavailable)?;
        let core = core.map_err(ApiError::internal)?;
        self.computed.fetch_add(1, Ordering::Relaxed);
        let memories = self.memories.clone();
        tokio::task::spawn_blocking(move || {
            // Moved into the blocking task: a cancelled request must not release the core before the work is done.
            let _permits = (slot, core);
            let idle = || memories.lock().unwrap_or_else(PoisonError::into_inner);
            let mut memory = idle().pop().unwrap_or_default();
            let done = work(&mut memory);
            idle().push(memory);
            done
        })
        .await
        .map_err(ApiError::internal)
    }
}

/// Returns a new hash: Argon2id, 19 MiB, two passes, one lane (docs/product.md 2.8). These are the crate's defaults,
/// which a test checks.
fn compute(password: &str, salt: &[u8], memory: &mut Memory) -> Result<String, HashError> {
    let params = Params::default();
    let hash = PasswordHash {
        algorithm: ARGON2ID_IDENT,
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&params)?,
        salt: Some(Salt::new(salt)?),
        hash: Some(argon2id(password, salt, params, memory)?),
    };
    Ok(hash.to_string())
}

/// Returns whether the password matches the hash, computed with the parameters that the hash contains.
fn matches(password: &str, hash: &str, memory: &mut Memory) -> Result<bool, HashError> {
    let hash = PasswordHash::new(hash)?;
    let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else { return Err(HashError::Internal) };
    let given = argon2id(password, salt, Params::try_from(&hash)?, memory)?;
    Ok(hash.algorithm == ARGON2ID_IDENT && verify_slices_are_equal(given.as_bytes(), expected.as_bytes()).is_ok())
}

fn argon2id(password: &str, salt: &[u8], params: Params, memory: &mut Memory) -> Result<Output, HashError> {
    if memory.len() < params.block_count() {
        memory.resize(params.block_count(), Block::new());
    }
    let mut out = vec![0; params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN)];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut out, memory.as_mut_slice())?;
    Ok(Output::new(&out)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn verifies_only_the_right_password() {
        let hasher = Hasher::default();
        let hash = hasher.hash("correct horse".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(hasher.verify("correct horse".into(), Some(hash.clone())).await.unwrap());
        assert!(!hasher.verify("correct horsf".into(), Some(hash.clone())).await.unwrap());
        assert_ne!(hash, hasher.hash("correct horse".into()).await.unwrap());
    }

    #[tokio::test]
    async fn reused_memory_does_not_change_a_hash() {
        use argon2::password_hash::PasswordHasher;
        let (theirs, ours) = (Argon2::default(), Hasher::default());
        for password in ["", "correct horse", "Åäö 🐎", &"x".repeat(256)] {
            let hash = theirs.hash_password_with_salt(password.as_bytes(), b"sixteen bytes ab").unwrap().to_string();
            assert_eq!(compute(password, b"sixteen bytes ab", &mut vec![]).unwrap(), hash);
            assert!(ours.verify(password.into(), Some(hash.clone())).await.unwrap());
            assert!(!ours.verify(format!("{password} ").into(), Some(hash)).await.unwrap());
        }
        assert_eq!(ours.memories.lock().unwrap().len(), 1, "consecutive hashes share one working memory");
    }

    #[tokio::test]
    async fn verifying_without_a_hash_costs_the_same_and_fails() {
        let hash = PasswordHash::new(DUMMY_HASH).unwrap();
        let (theirs, ours) = (Params::try_from(&hash).unwrap(), Params::default());
        let cost = |p: &Params| (p.m_cost(), p.t_cost(), p.p_cost());
        assert_eq!(cost(&theirs), cost(&ours));
        assert_eq!(hash.hash.unwrap().len(), Params::DEFAULT_OUTPUT_LEN);
        assert!(!Hasher::default().verify("".into(), None).await.unwrap());
    }

    #[tokio::test]
    async fn rejects_a_password_check_at_once_when_the_queue_is_full() {
        let hasher = Hasher::default();
        let all = u32::try_from(hasher.slots.available_permits()).unwrap();
        let _all = hasher.slots.acquire_many(all).await.unwrap();
        assert!(matches!(hasher.verify("x".into(), None).await, Err(ApiError::Unavailable)));
    }
}
