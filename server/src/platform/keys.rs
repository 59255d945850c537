//! The installation's secret and the keys derived from it, which sign sessions, hash codes and devices (HMAC), and
//! encrypt queued mail. Every node of an installation needs the same secret.

use crate::platform::config::{Config, SecretKey, secret_key};
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::{hmac, rand};
use jsonwebtoken::{DecodingKey, EncodingKey};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The keys derived from the secret. Not `Debug`, so that they can't be printed.
pub struct Keys {
    root: hmac::Key,
    seal: LessSafeKey,
    pub(crate) sign: EncodingKey,
    pub(crate) verify: DecodingKey,
}

impl Keys {
    /// Uses the configured secret, or the one in the data folder, which is created if it is missing.
    ///
    /// # Errors
    /// The file can't be read or written, or doesn't contain 64 hexadecimal digits.
    pub fn load(config: &Config) -> io::Result<Self> {
        let secret = match &config.secret_key {
            Some(secret) => secret.clone(),
            None => from_file(&config.data_dir.join("secret.key"))?,
        };
        Keys::new(&secret)
    }

    pub fn new(secret: &SecretKey) -> io::Result<Self> {
        let root = hmac::Key::new(hmac::HMAC_SHA256, &secret.0);
        let derive = |purpose: &str| hmac::sign(&root, purpose.as_bytes());
        let seal = UnboundKey::new(&AES_256_GCM, derive("seal").as_ref()).map_err(io::Error::other)?;
        let session = derive("session");
        Ok(Keys {
            seal: LessSafeKey::new(seal),
            sign: EncodingKey::from_secret(session.as_ref()),
            verify: DecodingKey::from_secret(session.as_ref()),
            root,
        })
    }

    /// Returns an HMAC-SHA-256 of the parts, separate for each purpose.
    pub fn mac(&self, purpose: &str, parts: &[&[u8]]) -> Vec<u8> {
        let mut context = hmac::Context::with_key(&self.root);
        for part in std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()) {
            context.update(&(part.len() as u64).to_le_bytes());
            context.update(part);
        }
        context.sign().as_ref().to_vec()
    }

    /// Encrypts with AES-256-GCM. The result starts with the random nonce.
    pub fn seal(&self, plain: &[u8]) -> io::Result<Vec<u8>> {
        let nonce: [u8; NONCE_LEN] = random()?;
        let mut sealed = plain.to_vec();
        self.seal
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut sealed)
            .map_err(io::Error::other)?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Decrypts the output of [`Keys::seal`]; `None` if it was encrypted with another secret or modified.
    pub fn open(&self, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, rest) = sealed.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut plain = rest.to_vec();
        let length = self.seal.open_in_place(nonce, Aad::empty(), &mut plain).ok()?.len();
        plain.truncate(length);
        Some(plain)
    }
}

/// Returns bytes from the system's random number generator.
pub fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).map_err(|_| io::Error::other("the system has no randomness"))?;
    Ok(bytes)
}

fn from_file(path: &Path) -> io::Result<SecretKey> {
    let text = match fs::read_to_string(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => make(path).and_then(|()| fs::read_to_string(path)),
        read => read,
    };
    let read = text.map_err(|e| e.to_string()).and_then(|text| secret_key(&text));
    read.map_err(|e| io::Error::other(format!("{}: {e}", path.display())))
}

/// Creates the file with a new secret, unless another node has created it at the same moment.
fn make(path: &Path) -> io::Result<()> {
    let bytes: [u8; 32] = random()?;
    let text: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    // A temporary file that only this user can read, renamed once it is complete.
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(e) if e.error.kind() != io::ErrorKind::AlreadyExists => Err(e.error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        config: Config,
    }

    /// Loads the keys with this data folder and these settings.
    fn load(folder: &Path, flags: &[&str]) -> io::Result<Keys> {
        let folder = folder.display().to_string();
        let args = ["forecourt", "--data-dir", &folder].into_iter().chain(flags.iter().copied());
        Keys::load(&Only::parse_from(args).config)
    }

    #[test]
    fn the_secret_of_the_settings_is_taken_and_none_is_made_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let (set, known) = (load(folder.path(), &["--secret-key", &"07".repeat(32)]), Keys::new(&SecretKey([7; 32])));
        assert_eq!(set.unwrap().mac("a", &[]), known.unwrap().mac("a", &[]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn of_many_that_make_the_secret_at_once_all_have_the_same() {
        for _ in 0..8 {
            let folder = tempfile::tempdir().unwrap();
            let begin = std::sync::Barrier::new(8);
            let macs: Vec<_> = std::thread::scope(|scope| {
                let load = || {
                    begin.wait();
                    load(folder.path(), &[]).unwrap().mac("a", &[])
                };
                let at_work: Vec<_> = (0..8).map(|_| scope.spawn(load)).collect();
                at_work.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(macs.iter().all(|mac| *mac == macs[0]));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
        }
    }

    #[test]
    fn a_secret_that_cannot_be_read_or_made_is_told_with_its_place_and_nothing_takes_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let refusal = |folder: &Path| load(folder, &[]).err().unwrap().to_string();
        let place = path.display().to_string();
        fs::write(&path, "no key").unwrap();
        assert!(refusal(folder.path()).starts_with(&place));
        fs::remove_file(&path).unwrap();
        // A dangling link, as when a disk is not mounted.
        std::os::unix::fs::symlink(folder.path().join("away").join("secret.key"), &path).unwrap();
        assert!(refusal(folder.path()).starts_with(&place));
        assert!(path.is_symlink());
        let missing = folder.path().join("missing");
        assert!(refusal(&missing).starts_with(&missing.display().to_string()));
    }

    #[test]
    fn what_is_sealed_opens_only_unchanged_and_with_the_same_secret() {
        let keys = Keys::new(&SecretKey([1; 32])).unwrap();
        let mut sealed = keys.seal(b"code 123456").unwrap();
        assert_eq!(keys.open(&sealed).as_deref(), Some(b"code 123456".as_slice()));
        assert!(Keys::new(&SecretKey([2; 32])).unwrap().open(&sealed).is_none());
        sealed[20] ^= 1;
        assert!(keys.open(&sealed).is_none());
        assert!(keys.open(b"short").is_none());
    }

    #[test]
    fn hashes_differ_by_purpose_and_by_where_parts_end() {
        let keys = Keys::new(&SecretKey([1; 32])).unwrap();
        assert_ne!(keys.mac("a", &[b"x"]), keys.mac("b", &[b"x"]));
        assert_ne!(keys.mac("a", &[b"xy", b"z"]), keys.mac("a", &[b"x", b"yz"]));
    }
}
