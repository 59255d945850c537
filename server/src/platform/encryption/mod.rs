//! The keys that encrypt social security numbers. They are separate from the installation's secret, so that they can be
//! rotated while the program runs (docs/decisions/0008-data-keys.md).
//!
//! **Invariant:** the database lists the id of every key that any row is encrypted with. The program doesn't start
//! without one of these keys. A foreign key keeps an id in the list while a row uses it.

use crate::platform::Failure;
use crate::platform::config::{Config, SecretKey, secret_key};
use crate::platform::db::{self, Db, Tx};
use crate::platform::keys::random;
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::hmac;
use forecourt_core::text::one_line;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use uuid::Uuid;

/// Format version: the first byte of the ciphertext.
const FORMAT: u8 = 1;
const ID_LEN: usize = 8;
/// Length of the ciphertext's header: the format and the key's id.
const HEAD: usize = 1 + ID_LEN;

/// File with the keys, used if the settings contain none.
const FILE: &str = "data.keys";

/// The data keys in use. Not `Debug`, so that they can't be printed.
pub struct DataKeys {
    source: Source,
    ring: RwLock<Arc<Ring>>,
}

enum Source {
    Setting,
    /// Read again when an unknown key id is found: another process may have added the key.
    File(PathBuf),
}

/// The first key encrypts, all keys decrypt.
struct Ring(Vec<Key>);

struct Key {
    /// Derived from the key itself, so that all nodes use the same id.
    id: [u8; ID_LEN],
    seal: LessSafeKey,
}

/// An encrypted text, bound to the row it was encrypted for.
pub struct Sealed {
    pub key: String,
    pub bytes: Vec<u8>,
}

impl Key {
    fn new(secret: &SecretKey) -> io::Result<Self> {
        let root = hmac::Key::new(hmac::HMAC_SHA256, &secret.0);
        let derive = |purpose: &str| hmac::sign(&root, purpose.as_bytes());
        let seal = UnboundKey::new(&AES_256_GCM, derive("data").as_ref()).map_err(io::Error::other)?;
        let mut id = [0; ID_LEN];
        id.iter_mut().zip(derive("id").as_ref()).for_each(|(to, from)| *to = *from);
        Ok(Key { id, seal: LessSafeKey::new(seal) })
    }
}

impl Ring {
    fn new(secrets: &[SecretKey]) -> io::Result<Self> {
        let keys: Vec<Key> = secrets.iter().map(Key::new).collect::<io::Result<_>>()?;
        if keys.is_empty() { Err(io::Error::other("there is no key")) } else { Ok(Ring(keys)) }
    }

    fn of_file(path: &Path) -> io::Result<Self> {
        Ring::new(&secrets_in(path)?)
    }

    fn first(&self) -> io::Result<&Key> {
        self.0.first().ok_or_else(|| io::Error::other("there is no key"))
    }

    /// Returns the id of the key that encrypts.
    fn sealing_key(&self) -> String {
        self.ids().next().unwrap_or_default()
    }

    fn ids(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|key| hex(&key.id))
    }

    /// Returns the first of these ids that the ring doesn't contain.
    fn lacks<'a>(&self, ids: &'a [String]) -> Option<&'a String> {
        ids.iter().find(|id| self.ids().all(|own| own != **id))
    }
}

impl DataKeys {
    /// Uses the configured keys, or those in the data folder, which are created if missing. A key id is added to the
    /// database only when something is encrypted with it, so that a command that is run in another folder leaves no id
    /// behind.
    ///
    /// # Errors
    /// The keys can't be read, or one that the database lists is missing.
    pub async fn open(config: &Config, db: &Db) -> Result<Self, Failure> {
        let source = match config.data_keys.is_empty() {
            true => Source::File(config.data_dir.join(FILE)),
            false => Source::Setting,
        };
        let place = match &source {
            Source::Setting => "FORECOURT_DATA_KEYS".to_owned(),
            Source::File(path) => path.display().to_string(),
        };
        let unread = |e: io::Error| format!("the data keys can't be read: {place}: {e}");
        let unknown = |e: sqlx::Error| format!("the data keys can't be looked up: {}", one_line(&e.to_string()));
        let lacking =
            |id: &String| format!("what is sealed in the database needs the data key {id}, which {place} doesn't hold");
        let known = ids(db).await.map_err(unknown)?;
        let ring = match &source {
            Source::Setting => Ring::new(&config.data_keys),
            // If something is encrypted already, a new file would hide that the old one is missing.
            Source::File(path) if known.is_empty() => make(path).and_then(|()| Ring::of_file(path)),
            Source::File(path) => Ring::of_file(path),
        };
        let ring = match (ring, known.first()) {
            (Err(error), Some(id)) if error.kind() == io::ErrorKind::NotFound => return Err(lacking(id)),
            (ring, _) => ring.map_err(unread)?,
        };
        if let Some(id) = ring.lacks(&known) {
            return Err(lacking(id));
        }
        Ok(DataKeys { source, ring: RwLock::new(Arc::new(ring)) })
    }

    /// Returns the key ids in the settings or the data folder; `None` if there is no file. Creates nothing.
    ///
    /// # Errors
    /// The file can't be read, or contains no keys.
    pub fn held(config: &Config) -> io::Result<Option<Vec<String>>> {
        let ring = match config.data_keys.is_empty() {
            true => Ring::of_file(&config.data_dir.join(FILE)),
            false => Ring::new(&config.data_keys),
        };
        match ring {
            Ok(ring) => Ok(Some(ring.ids().collect())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Adds the id of the encrypting key to the database, and returns all listed ids. If two nodes start with different
    /// keys, the second finds the first node's id and adds none.
    pub async fn name_first(&self, db: &Db) -> db::Result<Vec<String>> {
        let known = ids(db).await?;
        let ring = self.ring();
        let first = ring.sealing_key();
        if known.contains(&first) {
            return Ok(known);
        }
        let mut tx = db.begin().await?;
        if let Tx::Postgres(..) = tx {
            tx.sql("LOCK TABLE data_keys IN SHARE ROW EXCLUSIVE MODE").exec().await?;
        }
        let known: Vec<(String,)> = tx.sql(NAMED).all().await?;
        let mut known: Vec<String> = known.into_iter().map(|(id,)| id).collect();
        if ring.lacks(&known).is_none() && !known.contains(&first) {
            tx.sql("INSERT INTO data_keys (key_id) VALUES ($1)").bind(first.clone()).exec().await?;
            tx.commit().await?;
            known.push(first);
        }
        Ok(known)
    }

    /// Returns the id of the key that encrypts.
    pub fn sealing_key(&self) -> String {
        self.ring().sealing_key()
    }

    /// Encrypts a text with AES-256-GCM under a random nonce. It can be decrypted only with the same tenant and row.
    pub fn seal(&self, corp: Uuid, row: Uuid, plain: &str) -> io::Result<Sealed> {
        let ring = self.ring();
        let key = ring.first()?;
        let nonce: [u8; NONCE_LEN] = random()?;
        let head = [&[FORMAT], key.id.as_slice()].concat();
        let mut sealed = plain.as_bytes().to_vec();
        key.seal
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), place(&head, corp, row), &mut sealed)
            .map_err(io::Error::other)?;
        Ok(Sealed { key: hex(&key.id), bytes: [head.as_slice(), &nonce, &sealed].concat() })
    }

    /// Decrypts the output of [`DataKeys::seal`]. Returns `None` and logs an error if its key is missing, or if it was
    /// modified or copied to another row.
    pub fn open_text(&self, corp: Uuid, row: Uuid, sealed: &[u8]) -> Option<String> {
        let opened = open(&self.ring(), corp, row, sealed)
            .or_else(|| if self.reload() { open(&self.ring(), corp, row, sealed) } else { None });
        if opened.is_none() {
            let key = sealed.get(1..HEAD).map(hex).unwrap_or_default();
            tracing::error!(%row, %key, "an encrypted text can't be decrypted");
        }
        opened
    }

    /// Reads the key file again, and returns whether the keys have changed.
    pub fn reload(&self) -> bool {
        let Source::File(path) = &self.source else { return false };
        match Ring::of_file(path) {
            Ok(ring) => {
                let is_other = ring.ids().ne(self.ring().ids());
                self.set(ring);
                is_other
            }
            Err(error) => {
                tracing::error!(%error, "the data keys could not be reloaded");
                false
            }
        }
    }

    /// Adds a new first key to the file, unless a rotation is in progress already: then the database lists another key.
    ///
    /// # Errors
    /// The file can't be read or written, or the keys come from the settings, which this command can't change.
    pub async fn renew(&self, db: &Db) -> Result<(), Failure> {
        let named = |e: sqlx::Error| format!("the data keys can't be looked up: {}", one_line(&e.to_string()));
        let failed = |e: io::Error| format!("the data keys can't be renewed: {e}");
        let Source::File(path) = &self.source else {
            return match ids(db).await.map_err(named)?.as_slice() {
                [only] if *only == self.sealing_key() => {
                    Err("there is no new key: put one before the others in FORECOURT_DATA_KEYS first".into())
                }
                _ => Ok(()),
            };
        };
        let lock = lock(path).map_err(failed)?;
        let mut secrets = secrets_in(path).map_err(failed)?;
        let first = Ring::new(&secrets).map_err(failed)?.ids().next();
        if first.as_slice() == ids(db).await.map_err(named)? {
            secrets.insert(0, SecretKey(random().map_err(failed)?));
            write(path, &secrets).map_err(failed)?;
        }
        drop(lock);
        self.set(Ring::of_file(path).map_err(failed)?);
        Ok(())
    }

    /// Returns where the keys are, for messages.
    pub fn place(&self) -> String {
        match &self.source {
            Source::Setting => "FORECOURT_DATA_KEYS".into(),
            Source::File(path) => path.display().to_string(),
        }
    }

    fn ring(&self) -> Arc<Ring> {
        self.ring.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, ring: Ring) {
        *self.ring.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(ring);
    }
}

fn open(ring: &Ring, corp: Uuid, row: Uuid, sealed: &[u8]) -> Option<String> {
    let (head, rest) = sealed.split_at_checked(HEAD)?;
    let (nonce, rest) = rest.split_at_checked(NONCE_LEN)?;
    let key = ring.0.iter().find(|key| head[0] == FORMAT && head[1..] == key.id)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let mut plain = rest.to_vec();
    let length = key.seal.open_in_place(nonce, place(head, corp, row), &mut plain).ok()?.len();
    plain.truncate(length);
    String::from_utf8(plain).ok()
}

/// Returns the associated data: the ciphertext's header, the tenant and the row.
fn place(head: &[u8], corp: Uuid, row: Uuid) -> Aad<Vec<u8>> {
    Aad::from([head, corp.as_bytes(), row.as_bytes()].concat())
}

const NAMED: &str = "SELECT key_id FROM data_keys";

/// Returns the ids of the keys that a row may be encrypted with.
pub async fn ids(db: &Db) -> db::Result<Vec<String>> {
    let rows: Vec<(String,)> = db.sql(NAMED).all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Removes a key id from the database, and returns whether it is gone. It stays while any row is encrypted with it.
/// Once it is removed, the database rejects new rows that use it.
pub async fn retire(db: &Db, id: &str) -> db::Result<bool> {
    match db.sql("DELETE FROM data_keys WHERE key_id = $1").bind(id.to_owned()).exec().await {
        Ok(_) => Ok(true),
        Err(error) if is_foreign_key_violation(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns true if a row refers to a missing row, or if a row to delete is still referred to.
pub fn is_foreign_key_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|e| e.is_foreign_key_violation())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Reads the keys of a file, one per line.
fn secrets_in(path: &Path) -> io::Result<Vec<SecretKey>> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| secret_key(line).map_err(io::Error::other)).collect()
}

/// Creates the file with one key, unless it exists.
fn make(path: &Path) -> io::Result<()> {
    let _lock = lock(path)?;
    if path.try_exists()? { Ok(()) } else { write(path, &[SecretKey(random()?)]) }
}

/// Replaces the file atomically: a concurrent reader sees the old keys or the new ones.
fn write(path: &Path, secrets: &[SecretKey]) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new)?;
    for SecretKey(bytes) in secrets {
        writeln!(file, "{}", hex(bytes))?;
    }
    file.sync_all()?;
    fs::rename(&new, path)?;
    folder(path)?.sync_all()
}

/// Locks out other writers of the file until the result is dropped.
fn lock(path: &Path) -> io::Result<File> {
    let folder = folder(path)?;
    folder.lock()?;
    Ok(folder)
}

fn folder(path: &Path) -> io::Result<File> {
    File::open(path.parent().unwrap_or(Path::new(".")))
}

#[cfg(test)]
mod tests;
