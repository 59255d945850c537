//! Standard encryption (Excel 2007).

use super::cipher::{Hash, decrypt as decrypt_blocks};
use super::default_password;
use crate::import::FileError;
use crate::import::record::u32_at;

const ROUNDS: u32 = 50_000;
const AES: std::ops::RangeInclusive<u32> = 0x660E..=0x6610;
const SHA1: u32 = 0x8004;
/// The sizes in bytes of the salt, of the encrypted verifier, and of the verifier's encrypted hash.
const SALT: usize = 16;
const VERIFIER: usize = 16;
const VERIFIER_HASH: usize = 32;

/// Decrypts a package in place. `info` follows the version and flags of the EncryptionInfo stream.
pub(super) fn decrypt(info: &[u8], package: &mut Vec<u8>) -> Result<(), FileError> {
    const BROKEN: FileError = FileError::BrokenWorkbook;
    let length = u32_at(info, 0).ok_or(BROKEN)? as usize;
    let (header, verifier) = info[4..].split_at_checked(length).ok_or(BROKEN)?;
    let field = |at: usize| u32_at(header, at).ok_or(BROKEN);
    let (cipher, hash, key_bits) = (field(8)?, field(12)?, field(16)?);
    ensure!(AES.contains(&cipher) && [0, SHA1].contains(&hash), FileError::PasswordProtected);
    let verifier = verifier.get(4..).filter(|_| u32_at(verifier, 0) == Some(SALT as u32)).ok_or(BROKEN)?;
    let (salt, verifier) = verifier.split_at_checked(SALT).ok_or(BROKEN)?;
    let (verifier, rest) = verifier.split_at_checked(VERIFIER).ok_or(BROKEN)?;
    let expected = rest.get(4..4 + VERIFIER_HASH).ok_or(BROKEN)?;
    let key = derive_key(salt, key_bits as usize / 8).ok_or(BROKEN)?;
    let (mut verifier, mut expected) = (verifier.to_vec(), expected.to_vec());
    decrypt_blocks(&key, &mut verifier)?;
    decrypt_blocks(&key, &mut expected)?;
    ensure!(expected.starts_with(&Hash::Sha1.digest(&[&verifier])), FileError::PasswordProtected);
    package.truncate(package.len() / VERIFIER * VERIFIER);
    decrypt_blocks(&key, package)
}

/// Derives the key from the default password.
fn derive_key(salt: &[u8], length: usize) -> Option<Vec<u8>> {
    let hash = Hash::Sha1.hash_password(salt, &default_password(), ROUNDS);
    let hash = Hash::Sha1.digest(&[&hash, &0_u32.to_le_bytes()]);
    let half = |byte: u8| {
        let mut block = [byte; 64];
        block.iter_mut().zip(&hash).for_each(|(byte, other)| *byte ^= other);
        Hash::Sha1.digest(&[&block])
    };
    let key = [half(0x36), half(0x5C)].concat();
    key.get(..length).map(<[u8]>::to_vec)
}
