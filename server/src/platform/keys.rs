//! The installation's secret and the keys derived from it, which sign access tokens, hash codes, tokens and devices
//! (HMAC), and encrypt queued mail, requests for reset links, login flows and pending sign-ups. Every node of an
//! installation needs the same secret.

use crate::platform::config::{PlatformConfig, SecretKey, secret_key};
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::{hmac, rand};
use jsonwebtoken::{DecodingKey, EncodingKey};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// The keys derived from the secret. Not `Debug`, so that they can't be printed.
pub struct Keys {
    root: hmac::Key,
    cipher: Cipher,
    pub(crate) sign: EncodingKey,
    pub(crate) verify: DecodingKey,
}

impl Keys {
    /// Derives the keys from the configured secret, or from the one in the data folder's `secret.key`, which is created
    /// if it is missing.
    ///
    /// # Errors
    /// The file can't be read or written, or doesn't contain 64 hexadecimal digits.
    pub fn load(config: &PlatformConfig) -> io::Result<Self> {
        let secret = match &config.secret_key {
            Some(secret) => secret.clone(),
            None => read_or_create_secret(&config.data_dir.join("secret.key"))?,
        };
        Keys::new(&secret)
    }

    pub fn new(secret: &SecretKey) -> io::Result<Self> {
        let root = hmac::Key::new(hmac::HMAC_SHA256, secret.expose_secret());
        let session = hmac::sign(&root, b"session");
        Ok(Keys {
            cipher: Cipher::new(hmac::sign(&root, b"seal").as_ref())?,
            sign: EncodingKey::from_secret(session.as_ref()),
            verify: DecodingKey::from_secret(session.as_ref()),
            root,
        })
    }

    /// Returns the HMAC-SHA-256 of the parts. It differs by `purpose`, and by how the bytes are split into parts.
    pub fn mac(&self, purpose: &str, parts: &[&[u8]]) -> Vec<u8> {
        let mut context = hmac::Context::with_key(&self.root);
        for part in std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()) {
            context.update(&(part.len() as u64).to_le_bytes());
            context.update(part);
        }
        context.sign().as_ref().to_vec()
    }

    pub fn encrypt(&self, plain: &[u8]) -> io::Result<Vec<u8>> {
        self.cipher.encrypt(&[], plain)
    }

    /// Decrypts the output of [`Keys::encrypt`]; `None` if it was encrypted with another secret or modified.
    pub fn decrypt(&self, ciphertext: &[u8]) -> Option<Vec<u8>> {
        self.cipher.decrypt(&[], ciphertext)
    }
}

/// Encrypts with AES-256-GCM and a random nonce, which is stored as the beginning of the ciphertext.
pub struct Cipher(LessSafeKey);

impl Cipher {
    pub fn new(key: &[u8]) -> io::Result<Self> {
        Ok(Cipher(LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key).map_err(io::Error::other)?)))
    }

    /// Encrypts a text, which can be decrypted only with the same associated data.
    pub fn encrypt(&self, associated_data: &[u8], plain: &[u8]) -> io::Result<Vec<u8>> {
        let nonce: [u8; NONCE_LEN] = random()?;
        let mut ciphertext = plain.to_vec();
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(associated_data), &mut ciphertext)
            .map_err(io::Error::other)?;
        Ok([nonce.as_slice(), &ciphertext].concat())
    }

    /// Decrypts the output of [`Cipher::encrypt`]; `None` if key or associated data differ, or if it was modified.
    pub fn decrypt(&self, associated_data: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
        let (nonce, rest) = ciphertext.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut plain = rest.to_vec();
        let length = self.0.open_in_place(nonce, Aad::from(associated_data), &mut plain).ok()?.len();
        plain.truncate(length);
        Some(plain)
    }
}

/// Returns `N` random bytes from AWS-LC's cryptographic random number generator, which seeds itself.
pub fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).map_err(|_| io::Error::other("the random number generator has failed"))?;
    Ok(bytes)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn read_or_create_secret(path: &Path) -> io::Result<SecretKey> {
    let text = match fs::read_to_string(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => create_secret(path).and_then(|()| fs::read_to_string(path)),
        read => read,
    };
    let secret = text.map_err(|e| e.to_string()).and_then(|text| secret_key(&text));
    secret.map_err(|e| io::Error::other(format!("{}: {e}", path.display())))
}

/// Creates the file with a new secret. Succeeds without a change if another process has created it at the same moment.
fn create_secret(path: &Path) -> io::Result<()> {
    match write_beside(path, &hex(&random::<32>()?))?.persist_noclobber(path) {
        Err(e) if e.error.kind() != io::ErrorKind::AlreadyExists => Err(e.error),
        _ => Ok(()),
    }
}

/// Writes a text to a temporary file beside `path`, which only the system user of the program can read. The caller
/// renames it to `path`.
pub(crate) fn write_beside(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // The library's message names only the temporary file.
    let message = |kind: io::ErrorKind| format!("can't create a file in {}: {kind}", folder.display());
    let mut file = NamedTempFile::new_in(folder).map_err(|e| io::Error::new(e.kind(), message(e.kind())))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::from_flags;
    use forecourt_core::secret::Secret;

    /// Loads the keys with this data folder and these settings.
    fn load(folder: &Path, flags: &[&str]) -> io::Result<Keys> {
        let folder = folder.display().to_string();
        Keys::load(&from_flags(&[&["--data-dir", &folder], flags].concat()))
    }

    #[test]
    fn uses_the_configured_secret_and_creates_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let (set, known) = (load(folder.path(), &["--secret-key", &"07".repeat(32)]), Keys::new(&Secret::new([7; 32])));
        assert_eq!(set.unwrap().mac("a", &[]), known.unwrap().mac("a", &[]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn concurrent_starts_create_one_secret() {
        for _ in 0..8 {
            let folder = tempfile::tempdir().unwrap();
            let barrier = std::sync::Barrier::new(8);
            let macs: Vec<_> = std::thread::scope(|scope| {
                let load = || {
                    barrier.wait();
                    load(folder.path(), &[]).unwrap().mac("a", &[])
                };
                let threads: Vec<_> = (0..8).map(|_| scope.spawn(load)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(macs.iter().all(|mac| *mac == macs[0]));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
        }
    }

    #[test]
    fn an_unreadable_secret_is_an_error_that_names_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let error = |folder: &Path| load(folder, &[]).err().unwrap().to_string();
        let shown_path = path.display().to_string();
        fs::write(&path, "no key").unwrap();
        assert!(error(folder.path()).starts_with(&shown_path));
        fs::remove_file(&path).unwrap();
        // A dangling link, as when a disk is not mounted.
        std::os::unix::fs::symlink(folder.path().join("away").join("secret.key"), &path).unwrap();
        assert!(error(folder.path()).starts_with(&shown_path));
        assert!(path.is_symlink());
        let missing = folder.path().join("missing");
        assert!(error(&missing).contains(&format!("can't create a file in {}: ", missing.display())));
    }

    #[test]
    fn decrypts_only_with_the_same_secret_and_unmodified() {
        let keys = Keys::new(&Secret::new([1; 32])).unwrap();
        let mut ciphertext = keys.encrypt(b"code 123456").unwrap();
        assert_eq!(keys.decrypt(&ciphertext).as_deref(), Some(b"code 123456".as_slice()));
        assert!(Keys::new(&Secret::new([2; 32])).unwrap().decrypt(&ciphertext).is_none());
        ciphertext[20] ^= 1;
        assert!(keys.decrypt(&ciphertext).is_none());
        assert!(keys.decrypt(b"short").is_none());
    }

    #[test]
    fn a_mac_depends_on_the_purpose_and_on_the_split_into_parts() {
        let keys = Keys::new(&Secret::new([1; 32])).unwrap();
        assert_ne!(keys.mac("a", &[b"x"]), keys.mac("b", &[b"x"]));
        assert_ne!(keys.mac("a", &[b"xy", b"z"]), keys.mac("a", &[b"x", b"yz"]));
    }
}
