//! Ciphers and hash functions of encrypted workbooks.

use crate::import::FileError;
use aes::cipher::{Block, BlockCipherDecrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

pub(super) const BLOCK: usize = 16;

/// Decrypts blocks in place without chaining (ECB). The length of the key selects AES-128, AES-192 or AES-256.
///
/// # Errors
/// The key has another length, or the bytes aren't complete blocks.
pub(super) fn decrypt(key: &[u8], bytes: &mut [u8]) -> Result<(), FileError> {
    match key.len() {
        16 => decrypt_blocks::<Aes128>(key, bytes),
        24 => decrypt_blocks::<Aes192>(key, bytes),
        32 => decrypt_blocks::<Aes256>(key, bytes),
        _ => Err(FileError::BrokenWorkbook),
    }
}

/// Decrypts blocks in place in CBC mode with the initialization vector `start`.
pub(super) fn decrypt_chained(key: &[u8], start: &[u8], bytes: &mut [u8]) -> Result<(), FileError> {
    let before: Vec<u8> = start.iter().chain(bytes.iter()).copied().collect();
    decrypt(key, bytes)?;
    bytes.iter_mut().zip(before).for_each(|(byte, before)| *byte ^= before);
    Ok(())
}

fn decrypt_blocks<C: BlockCipherDecrypt + KeyInit>(key: &[u8], bytes: &mut [u8]) -> Result<(), FileError> {
    let cipher = C::new_from_slice(key).map_err(|_| FileError::BrokenWorkbook)?;
    let (blocks, rest) = Block::<C>::slice_as_chunks_mut(bytes);
    ensure!(rest.is_empty(), FileError::BrokenWorkbook);
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
    /// Returns the hash function with this name; `None` for all but SHA-1, SHA-256, SHA-384 and SHA-512. Excel
    /// uses one of these unless a policy sets another.
    pub fn from_name(name: &str) -> Option<Hash> {
        // Some programs write `SHA-1`.
        match name.replace('-', "").to_ascii_uppercase().as_str() {
            "SHA1" => Some(Hash::Sha1),
            "SHA256" => Some(Hash::Sha256),
            "SHA384" => Some(Hash::Sha384),
            "SHA512" => Some(Hash::Sha512),
            _ => None,
        }
    }

    /// Hashes the concatenation of `parts`.
    pub fn digest(self, parts: &[&[u8]]) -> Vec<u8> {
        match self {
            Hash::Sha1 => digest::<Sha1>(parts),
            Hash::Sha256 => digest::<Sha256>(parts),
            Hash::Sha384 => digest::<Sha384>(parts),
            Hash::Sha512 => digest::<Sha512>(parts),
        }
    }

    /// Hashes a password iteratively, to slow down guessing.
    pub fn hash_password(self, salt: &[u8], password: &[u8], times: u32) -> Vec<u8> {
        (0..times).fold(self.digest(&[salt, password]), |hash, round| self.digest(&[&round.to_le_bytes(), &hash]))
    }
}

fn digest<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
    let mut digest = D::new();
    parts.iter().for_each(|part| digest.update(part));
    digest.finalize().to_vec()
}
