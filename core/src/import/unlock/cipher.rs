//! The ciphers and hashes of encrypted workbooks.

use crate::import::FileError;
use aes::cipher::{Block, BlockCipherDecrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

pub(super) const BLOCK: usize = 16;

/// Decrypts whole blocks in place, each by itself; the length of the key chooses the cipher.
///
/// # Errors
/// No cipher has a key of that length, or the bytes are no whole blocks.
pub(super) fn decrypt(key: &[u8], bytes: &mut [u8]) -> Result<(), FileError> {
    match key.len() {
        16 => blocks::<Aes128>(key, bytes),
        24 => blocks::<Aes192>(key, bytes),
        32 => blocks::<Aes256>(key, bytes),
        _ => Err(FileError::BrokenWorkbook),
    }
}

/// Decrypts whole blocks in place that are chained (CBC) from `start` on.
///
/// # Errors
/// As [`decrypt`].
pub(super) fn decrypt_chained(key: &[u8], start: &[u8], bytes: &mut [u8]) -> Result<(), FileError> {
    let before: Vec<u8> = start.iter().chain(bytes.iter()).copied().collect();
    decrypt(key, bytes)?;
    bytes.iter_mut().zip(before).for_each(|(byte, before)| *byte ^= before);
    Ok(())
}

fn blocks<C: BlockCipherDecrypt + KeyInit>(key: &[u8], bytes: &mut [u8]) -> Result<(), FileError> {
    let cipher = C::new_from_slice(key).map_err(|_| FileError::BrokenWorkbook)?;
    let (blocks, rest) = Block::<C>::slice_as_chunks_mut(bytes);
    if !rest.is_empty() {
        return Err(FileError::BrokenWorkbook);
    }
    cipher.decrypt_blocks(blocks);
    Ok(())
}

#[derive(Clone, Copy)]
pub(super) enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    /// Returns the hash of that name; `None` for those that Excel has no part in.
    pub fn named(name: &str) -> Option<Hash> {
        // Some programs write `SHA-1`.
        match name.replace('-', "").to_ascii_uppercase().as_str() {
            "SHA1" => Some(Hash::Sha1),
            "SHA256" => Some(Hash::Sha256),
            "SHA384" => Some(Hash::Sha384),
            "SHA512" => Some(Hash::Sha512),
            _ => None,
        }
    }

    /// Hashes a few bytes after the other.
    pub fn of(self, parts: &[&[u8]]) -> Vec<u8> {
        match self {
            Hash::Sha1 => hashed::<Sha1>(parts),
            Hash::Sha256 => hashed::<Sha256>(parts),
            Hash::Sha384 => hashed::<Sha384>(parts),
            Hash::Sha512 => hashed::<Sha512>(parts),
        }
    }

    /// Hashes a password so many times that guessing takes long.
    pub fn of_password(self, salt: &[u8], password: &[u8], times: u32) -> Vec<u8> {
        (0..times).fold(self.of(&[salt, password]), |hash, round| self.of(&[&round.to_le_bytes(), &hash]))
    }
}

fn hashed<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
    let mut digest = D::new();
    parts.iter().for_each(|part| digest.update(part));
    digest.finalize().to_vec()
}
