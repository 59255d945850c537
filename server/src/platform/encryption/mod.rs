//! The keys that encrypt social security numbers. They are separate from the installation's secret, so that they can be
//! rotated while the program runs (docs/decisions/0008-data-keys.md).
//!
//! **Invariant:** the database lists the id of every key that any row is encrypted with. The program doesn't start if
//! one of these keys is missing. A foreign key keeps an id in the list while a row uses it.

use crate::platform::Failure;
use crate::platform::config::{PlatformConfig, SecretKey, secret_key};
use crate::platform::db::{self, Db, Tx};
use crate::platform::keys::{Cipher, hex, random, write_beside};
use aws_lc_rs::hmac;
use forecourt_core::secret::Secret;
use forecourt_core::text::one_line;
use std::fmt::{self, Display};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use uuid::Uuid;

/// The version of the format of encrypted texts, which is their first byte.
const FORMAT: u8 = 1;
const ID_LEN: usize = 8;
/// Length of the header of an encrypted text, in bytes: the format and the key's id.
const HEADER_LEN: usize = 1 + ID_LEN;

/// The file in the data folder with the data keys, used if the settings contain none.
const FILE_NAME: &str = "data.keys";

/// The data keys in use. Not `Debug`, so that they can't be printed.
pub struct DataKeys {
    source: Source,
    ring: RwLock<Arc<KeyRing>>,
}

enum Source {
    Settings,
    /// The path of the key file. It is read again when a text can't be decrypted: another process may have added its
    /// key.
    File(PathBuf),
}

impl Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Settings => f.write_str("FORECOURT_DATA_KEYS"),
            Source::File(path) => path.display().fmt(f),
        }
    }
}

/// The data keys in order: the first one encrypts, and all of them decrypt.
struct KeyRing(Vec<Key>);

struct Key {
    /// Derived from the key itself, so that all nodes use the same id.
    id: [u8; ID_LEN],
    cipher: Cipher,
}

/// An encrypted text with the id of its key. It can be decrypted only for the row that it was encrypted for.
pub struct EncryptedText {
    pub key: String,
    pub bytes: Vec<u8>,
}

impl Key {
    fn new(secret: &SecretKey) -> io::Result<Self> {
        let root = hmac::Key::new(hmac::HMAC_SHA256, secret.expose_secret());
        let mut id = [0; ID_LEN];
        id.copy_from_slice(hmac::sign(&root, b"id").as_ref().split_at(ID_LEN).0);
        Ok(Key { id, cipher: Cipher::new(hmac::sign(&root, b"data").as_ref())? })
    }
}

impl KeyRing {
    fn new(secrets: &[SecretKey]) -> io::Result<Self> {
        let keys: Vec<Key> = secrets.iter().map(Key::new).collect::<io::Result<_>>()?;
        if keys.is_empty() { Err(io::Error::other("there is no key")) } else { Ok(KeyRing(keys)) }
    }

    fn from_file(path: &Path) -> io::Result<Self> {
        KeyRing::new(&read_secrets(path)?)
    }

    fn first(&self) -> io::Result<&Key> {
        self.0.first().ok_or_else(|| io::Error::other("there is no key"))
    }

    /// Returns the id of the first key, which encrypts.
    fn current_key_id(&self) -> String {
        self.ids().next().unwrap_or_default()
    }

    fn ids(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|key| hex(&key.id))
    }

    /// Returns the first of these ids that the ring doesn't contain.
    fn missing_id<'a>(&self, ids: &'a [String]) -> Option<&'a String> {
        ids.iter().find(|id| self.ids().all(|own| own != **id))
    }

    fn decrypt(&self, corp: Uuid, row: Uuid, encrypted: &[u8]) -> Option<Secret<String>> {
        let (header, ciphertext) = encrypted.split_at_checked(HEADER_LEN)?;
        let key = self.0.iter().find(|key| header[0] == FORMAT && header[1..] == key.id)?;
        String::from_utf8(key.cipher.decrypt(&associated_data(header, corp, row), ciphertext)?).ok().map(Secret::new)
    }
}

impl DataKeys {
    /// Uses the configured keys, or those in the data folder; creates a file with one key if there is none and the
    /// database lists no key. Adds no key id to the database: [`Self::register_current_key`] does when something is to
    /// be encrypted, so that a command that is run in another folder leaves no id behind.
    ///
    /// # Errors
    /// The keys can't be read or created, or one that the database lists is missing.
    pub async fn load(config: &PlatformConfig, db: &Db) -> Result<Self, Failure> {
        let source = match config.data_keys.is_empty() {
            true => Source::File(config.data_dir.join(FILE_NAME)),
            false => Source::Settings,
        };
        let location = source.to_string();
        let unusable = |e: io::Error| format!("can't use the data keys in {location}: {e}");
        let missing =
            |id: &String| format!("the database has text encrypted with the data key {id}, which is not in {location}");
        let known = registered_key_ids(db).await.map_err(|e| query_error(&e))?;
        let ring = match &source {
            Source::Settings => KeyRing::new(&config.data_keys),
            // If something is encrypted already, a new file would hide that the old one is missing.
            Source::File(path) if known.is_empty() => create_key_file(path).and_then(|()| KeyRing::from_file(path)),
            Source::File(path) => KeyRing::from_file(path),
        };
        let ring = match (ring, known.first()) {
            (Err(error), Some(id)) if error.kind() == io::ErrorKind::NotFound => return Err(missing(id)),
            (ring, _) => ring.map_err(unusable)?,
        };
        if let Some(id) = ring.missing_id(&known) {
            return Err(missing(id));
        }
        Ok(DataKeys { source, ring: RwLock::new(Arc::new(ring)) })
    }

    /// Returns the ids of the keys in the settings, or else in the data folder; `None` if it has no key file. Creates
    /// nothing.
    pub fn configured_ids(config: &PlatformConfig) -> io::Result<Option<Vec<String>>> {
        let ring = match config.data_keys.is_empty() {
            true => KeyRing::from_file(&config.data_dir.join(FILE_NAME)),
            false => KeyRing::new(&config.data_keys),
        };
        match ring {
            Ok(ring) => Ok(Some(ring.ids().collect())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Adds the id of the encrypting key to the database's list unless a listed key is unknown here, and returns the
    /// list. So of two nodes that start with different keys, only the first adds its id.
    pub async fn register_current_key(&self, db: &Db) -> db::Result<Vec<String>> {
        let known = registered_key_ids(db).await?;
        let ring = self.ring();
        let first = ring.current_key_id();
        if known.contains(&first) {
            return Ok(known);
        }
        let mut tx = db.begin().await?;
        if let Tx::Postgres(..) = tx {
            tx.sql("LOCK TABLE data_keys IN SHARE ROW EXCLUSIVE MODE").exec().await?;
        }
        let mut known: Vec<String> = tx.sql(SELECT_KEY_IDS).values().await?;
        if ring.missing_id(&known).is_none() && !known.contains(&first) {
            tx.sql("INSERT INTO data_keys (key_id) VALUES ($1)").bind(first.clone()).exec().await?;
            tx.commit().await?;
            known.push(first);
        }
        Ok(known)
    }

    /// Returns the id of the key that encrypts new texts.
    pub fn current_key_id(&self) -> String {
        self.ring().current_key_id()
    }

    /// Encrypts a text. It can be decrypted only with the ids of the same tenant and the same row.
    pub fn encrypt(&self, corp: Uuid, row: Uuid, plain: &Secret<String>) -> io::Result<EncryptedText> {
        let ring = self.ring();
        let key = ring.first()?;
        let header = [&[FORMAT], key.id.as_slice()].concat();
        let ciphertext = key.cipher.encrypt(&associated_data(&header, corp, row), plain.expose_secret().as_bytes())?;
        Ok(EncryptedText { key: hex(&key.id), bytes: [header, ciphertext].concat() })
    }

    /// Decrypts the output of [`DataKeys::encrypt`]. Returns `None` and logs an error if its key is missing, or if it
    /// was modified or copied to another row.
    pub fn decrypt(&self, corp: Uuid, row: Uuid, encrypted: &[u8]) -> Option<Secret<String>> {
        let mut plain = self.ring().decrypt(corp, row, encrypted);
        if plain.is_none() && self.reload() {
            plain = self.ring().decrypt(corp, row, encrypted);
        }
        if plain.is_none() {
            let key = encrypted.get(1..HEADER_LEN).map(hex).unwrap_or_default();
            tracing::error!(%row, %key, "an encrypted text can't be decrypted");
        }
        plain
    }

    /// Reads the key file again, and returns true if it contains other keys than before. If it can't be read, the
    /// previous keys stay. Keys in the settings never change.
    pub fn reload(&self) -> bool {
        let Source::File(path) = &self.source else { return false };
        match KeyRing::from_file(path) {
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

    /// Adds a new first key to the file, if the current one is the only key that the database lists. Otherwise a
    /// rotation is in progress already, or nothing is encrypted yet. Keys in the settings are only checked.
    ///
    /// # Errors
    /// The file can't be read or written, the settings contain no new key, or the database is not available.
    pub async fn start_rotation(&self, db: &Db) -> Result<(), Failure> {
        let failed = |e: io::Error| format!("can't add a data key: {e}");
        let Source::File(path) = &self.source else {
            return match registered_key_ids(db).await.map_err(|e| query_error(&e))?.as_slice() {
                [only] if *only == self.current_key_id() => {
                    Err("there is no new key: insert one before the others in FORECOURT_DATA_KEYS first".into())
                }
                _ => Ok(()),
            };
        };
        let lock = lock_folder_of(path).map_err(failed)?;
        let mut secrets = read_secrets(path).map_err(failed)?;
        let first = KeyRing::new(&secrets).map_err(failed)?.ids().next();
        if first.as_slice() == registered_key_ids(db).await.map_err(|e| query_error(&e))? {
            secrets.insert(0, Secret::new(random().map_err(failed)?));
            write_secrets(path, &secrets).map_err(failed)?;
        }
        drop(lock);
        self.set(KeyRing::from_file(path).map_err(failed)?);
        Ok(())
    }

    /// Returns where the keys come from, for messages: the name of the setting, or the path of the key file.
    pub fn location(&self) -> String {
        self.source.to_string()
    }

    fn ring(&self) -> Arc<KeyRing> {
        self.ring.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, ring: KeyRing) {
        *self.ring.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(ring);
    }
}

/// Returns the associated data that binds an encrypted text to its header, its tenant and its row.
fn associated_data(header: &[u8], corp: Uuid, row: Uuid) -> Vec<u8> {
    [header, corp.as_bytes(), row.as_bytes()].concat()
}

fn query_error(error: &sqlx::Error) -> Failure {
    format!("can't read the ids of the data keys: {}", one_line(&error.to_string()))
}

const SELECT_KEY_IDS: &str = "SELECT key_id FROM data_keys";

/// Returns the ids of the data keys that the database lists. Every row is encrypted with one of them.
pub async fn registered_key_ids(db: &Db) -> db::Result<Vec<String>> {
    db.sql(SELECT_KEY_IDS).values().await
}

/// Removes a key id from the database's list, and returns true if it is not listed any more, or false if a row is still
/// encrypted with this key. Once the id is removed, the database rejects new rows that use it.
pub async fn delete_key_id(db: &Db, id: &str) -> db::Result<bool> {
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

/// Reads the keys of a file, one per line.
fn read_secrets(path: &Path) -> io::Result<Vec<SecretKey>> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| secret_key(line).map_err(io::Error::other)).collect()
}

/// Creates the key file with one new key, unless the file exists.
fn create_key_file(path: &Path) -> io::Result<()> {
    let _lock = lock_folder_of(path)?;
    if path.try_exists()? { Ok(()) } else { write_secrets(path, &[Secret::new(random()?)]) }
}

/// Replaces the key file atomically: a concurrent reader sees the old keys or the new ones.
fn write_secrets(path: &Path, secrets: &[SecretKey]) -> io::Result<()> {
    let text: String = secrets.iter().map(|key| hex(key.expose_secret()) + "\n").collect();
    write_beside(path, &text)?.persist(path).map_err(|e| e.error)?;
    open_folder_of(path)?.sync_all()
}

/// Locks the folder of the key file, so that no other process writes the file until the result is dropped.
fn lock_folder_of(path: &Path) -> io::Result<File> {
    let folder = open_folder_of(path)?;
    folder.lock()?;
    Ok(folder)
}

fn open_folder_of(path: &Path) -> io::Result<File> {
    File::open(path.parent().unwrap_or(Path::new(".")))
}

#[cfg(test)]
mod tests;
