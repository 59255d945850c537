//! Passwords: Argon2id, computed beside the async threads, at most as many at once as there are cores. A hash takes
//! 19 MiB and a good part of a core's tenth of a second, so what waits is bounded too: beyond it a sign-in is refused.
//! The memory is kept from hash to hash: an allocator that gets blocks of that size back and gives out others in between
//! grows by hundreds of megabytes.

use crate::platform::error::{ApiError, ApiResult};
use crate::platform::keys;
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How many may wait for a core.
const QUEUE: usize = 64;
/// How long one may wait for a core: on a machine that is busy with other things, less than a call may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// No password has this hash. It is checked where there is no account, so that the work is the same.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes and checks passwords; cloning it is cheap.
#[derive(Clone)]
pub struct Hasher {
    /// Who computes or waits.
    places: Arc<Semaphore>,
    /// Who computes.
    cores: Arc<Semaphore>,
    /// What isn't computed with at the moment: at most one for each core.
    memories: Arc<Mutex<Vec<Memory>>>,
    computed: Arc<AtomicU64>,
}

/// A place among those who wait for a core.
pub type Place = OwnedSemaphorePermit;

/// What one hash is computed in.
type Memory = Vec<Block>;

/// Why a hash can't be computed or read: a fault of ours.
type Fault = argon2::password_hash::Error;

impl Default for Hasher {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Hasher {
            places: Arc::new(Semaphore::new(cores + QUEUE)),
            cores: Arc::new(Semaphore::new(cores)),
            memories: Arc::default(),
            computed: Arc::default(),
        }
    }
}

impl Hasher {
    /// How many hashes were computed so far.
    pub fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    /// How many are being computed at the moment, and how many wait for a core.
    pub fn busy(&self) -> (usize, usize) {
        let cores = available_parallelism().map_or(1, usize::from);
        let computing = cores.saturating_sub(self.cores.available_permits());
        let inside = (cores + QUEUE).saturating_sub(self.places.available_permits());
        (computing, inside.saturating_sub(computing))
    }

    /// The password's hash as a PHC string, with a random salt.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] when too many wait, or one waits too long.
    pub async fn hash(&self, password: String) -> ApiResult<String> {
        let salt: [u8; 16] = keys::random()?;
        let place = self.place()?;
        self.run(place, move |memory| compute(&password, &salt, memory)).await?.map_err(ApiError::internal)
    }

    /// A place among those who wait, to be taken before other work is done in vain.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] when too many wait.
    pub fn place(&self) -> ApiResult<Place> {
        self.places.clone().try_acquire_owned().map_err(|_| ApiError::Unavailable)
    }

    /// Is this the password behind the hash? Without a hash it never is, after the same work.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] when too many wait.
    pub async fn verify(&self, password: String, hash: Option<String>) -> ApiResult<bool> {
        self.verify_at(self.place()?, password, hash).await
    }

    /// As [`Hasher::verify`], at a place that was taken before.
    pub async fn verify_at(&self, place: Place, password: String, hash: Option<String>) -> ApiResult<bool> {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| NOBODYS.to_owned());
        let same = self.run(place, move |memory| is_of(&password, &hash, memory)).await?.map_err(ApiError::internal)?;
        Ok(same && known)
    }

    async fn run<T: Send + 'static>(
        &self,
        place: Place,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> ApiResult<T> {
        let turn = timeout(PATIENCE, self.cores.clone().acquire_owned()).await.map_err(|_| ApiError::Unavailable)?;
        let core = turn.map_err(ApiError::internal)?;
        self.computed.fetch_add(1, Ordering::Relaxed);
        let memories = self.memories.clone();
        tokio::task::spawn_blocking(move || {
            // Held by the work itself: a caller who goes away does not free the core before it is free.
            let _held = (place, core);
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

/// A new hash: Argon2id, 19 MiB, two passes, one lane (docs/product.md 2.8), which are the crate's defaults and held by a test.
fn compute(password: &str, salt: &[u8], memory: &mut Memory) -> Result<String, Fault> {
    let params = Params::default();
    let hash = PasswordHash {
        algorithm: ARGON2ID_IDENT,
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&params)?,
        salt: Some(Salt::new(salt)?),
        hash: Some(output(password, salt, params, memory)?),
    };
    Ok(hash.to_string())
}

/// Is the password the one behind the hash? It is computed with what the hash itself says.
fn is_of(password: &str, hash: &str, memory: &mut Memory) -> Result<bool, Fault> {
    let hash = PasswordHash::new(hash)?;
    let (Some(salt), Some(kept)) = (&hash.salt, &hash.hash) else { return Err(Fault::Internal) };
    let given = output(password, salt, Params::try_from(&hash)?, memory)?;
    Ok(hash.algorithm == ARGON2ID_IDENT && verify_slices_are_equal(given.as_bytes(), kept.as_bytes()).is_ok())
}

fn output(password: &str, salt: &[u8], params: Params, memory: &mut Memory) -> Result<Output, Fault> {
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
    async fn only_the_right_password_is_right() {
        let hasher = Hasher::default();
        let hash = hasher.hash("correct horse".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(hasher.verify("correct horse".into(), Some(hash.clone())).await.unwrap());
        assert!(!hasher.verify("correct horsf".into(), Some(hash.clone())).await.unwrap());
        assert_ne!(hash, hasher.hash("correct horse".into()).await.unwrap());
    }

    #[tokio::test]
    async fn a_hash_is_what_the_standard_says_whatever_was_computed_in_the_memory_before() {
        use argon2::password_hash::PasswordHasher;
        let (theirs, ours) = (Argon2::default(), Hasher::default());
        for password in ["", "correct horse", "Åäö 🐎", &"x".repeat(256)] {
            let hash = theirs.hash_password_with_salt(password.as_bytes(), b"sixteen bytes ab").unwrap().to_string();
            assert_eq!(compute(password, b"sixteen bytes ab", &mut vec![]).unwrap(), hash);
            assert!(ours.verify(password.into(), Some(hash.clone())).await.unwrap());
            assert!(!ours.verify(format!("{password} "), Some(hash)).await.unwrap());
        }
        assert_eq!(ours.memories.lock().unwrap().len(), 1, "one after the other take one memory");
    }

    #[tokio::test]
    async fn nobodys_hash_costs_the_same_work_and_is_never_right() {
        let hash = PasswordHash::new(NOBODYS).unwrap();
        let (theirs, ours) = (Params::try_from(&hash).unwrap(), Params::default());
        let cost = |p: &Params| (p.m_cost(), p.t_cost(), p.p_cost());
        assert_eq!(cost(&theirs), cost(&ours));
        assert_eq!(hash.hash.unwrap().len(), Params::DEFAULT_OUTPUT_LEN);
        assert!(!Hasher::default().verify(String::new(), None).await.unwrap());
    }

    #[tokio::test]
    async fn what_would_wait_too_long_is_refused_at_once() {
        let hasher = Hasher::default();
        let taken = u32::try_from(hasher.places.available_permits()).unwrap();
        let _all = hasher.places.acquire_many(taken).await.unwrap();
        assert!(matches!(hasher.verify("x".into(), None).await, Err(ApiError::Unavailable)));
    }
}
