//! Passwords: Argon2id, computed beside the async threads, at most as many at once as there are cores. A hash takes
//! 19 MiB and a good part of a core's tenth of a second, so what waits is bounded too: beyond it a sign-in is refused.

use super::sessions;
use crate::clock::DAY;
use crate::db::Tx;
use crate::mail::MailMessage;
use crate::problem::{Answer, Refusal};
use crate::state::App;
use crate::users::Account;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use forecourt_core::auth::mail::password_changed_mail;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;
use tokio::sync::Semaphore;
use uuid::Uuid;

/// How many may wait for a core.
const QUEUE: usize = 64;
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
    computed: Arc<AtomicU64>,
}

impl Default for Hasher {
    fn default() -> Self {
        Hasher::new()
    }
}

impl Hasher {
    pub fn new() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Hasher {
            places: Arc::new(Semaphore::new(cores + QUEUE)),
            cores: Arc::new(Semaphore::new(cores)),
            computed: Arc::default(),
        }
    }

    /// How many hashes were computed so far.
    pub fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    /// The password's hash as a PHC string, with a random salt.
    ///
    /// # Errors
    /// [`Refusal::Busy`] when too many wait.
    pub async fn hash(&self, password: String) -> Answer<String> {
        self.run(move |argon2| argon2.hash_password(password.as_bytes()).map(|hash| hash.to_string()))
            .await?
            .map_err(Refusal::unexpected)
    }

    /// Is this the password behind the hash? Without a hash it never is, after the same work.
    ///
    /// # Errors
    /// [`Refusal::Busy`] when too many wait.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Answer<bool> {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| NOBODYS.to_owned());
        let same = self
            .run(move |argon2| {
                let hash = PasswordHash::new(&hash)?;
                match argon2.verify_password(password.as_bytes(), &hash) {
                    Ok(()) => Ok(true),
                    Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
                    Err(error) => Err(error),
                }
            })
            .await?
            .map_err(Refusal::unexpected)?;
        Ok(same && known)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce(Argon2<'static>) -> T + Send + 'static) -> Answer<T> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Refusal::Busy)?;
        let core = self.cores.clone().acquire_owned().await.map_err(Refusal::unexpected)?;
        self.computed.fetch_add(1, Ordering::Relaxed);
        tokio::task::spawn_blocking(move || {
            // Held by the work itself: a caller who goes away does not free the core before it is free.
            let _held = (place, core);
            work(argon2())
        })
        .await
        .map_err(Refusal::unexpected)
    }
}

/// Gives a person a new password, ends all that the old one opened except one session, and tells the person by mail,
/// which is to be woken after the commit.
///
/// # Errors
/// The database is not available.
pub(crate) async fn replace(
    app: &App,
    tx: &mut Tx,
    account: &Account,
    password_hash: String,
    except: Option<Uuid>,
) -> Answer<()> {
    tx.sql("UPDATE users SET password_hash = $1 WHERE corp_id = $2 AND user_id = $3")
        .bind(password_hash)
        .bind(account.corp_id)
        .bind(account.user_id)
        .exec()
        .await?;
    sessions::end_all(tx, account.corp_id, account.user_id, except).await?;
    let link = format!("{}/forgot-password", app.config.public_url());
    let text = password_changed_mail(&app.config.brand, &account.first_name, &link);
    let message = MailMessage::new(&account.email, &account.full_name(), text);
    app.mail.queue(app, tx, account.corp_id, &message, None, app.clock.now() + DAY).await
}

/// Argon2id, 19 MiB, two passes, one lane (decisions 2.8): the crate's defaults, which a test holds to that.
fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_right_password_is_right() {
        let hasher = Hasher::new();
        let hash = hasher.hash("correct horse".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(hasher.verify("correct horse".into(), Some(hash.clone())).await.unwrap());
        assert!(!hasher.verify("correct horsf".into(), Some(hash.clone())).await.unwrap());
        assert_ne!(hash, hasher.hash("correct horse".into()).await.unwrap());
    }

    #[tokio::test]
    async fn nobodys_hash_costs_the_same_work_and_is_never_right() {
        let hash = PasswordHash::new(NOBODYS).unwrap();
        let (theirs, ours) = (Params::try_from(&hash).unwrap(), Params::default());
        let cost = |p: &Params| (p.m_cost(), p.t_cost(), p.p_cost());
        assert_eq!(cost(&theirs), cost(&ours));
        assert_eq!(hash.hash.unwrap().len(), Params::DEFAULT_OUTPUT_LEN);
        assert!(!Hasher::new().verify(String::new(), None).await.unwrap());
    }

    #[tokio::test]
    async fn what_would_wait_too_long_is_refused_at_once() {
        let hasher = Hasher::new();
        let taken = u32::try_from(hasher.places.available_permits()).unwrap();
        let _all = hasher.places.acquire_many(taken).await.unwrap();
        assert!(matches!(hasher.verify("x".into(), None).await, Err(Refusal::Busy)));
    }
}
