//! The encryption of Excel 2010 and later.

use super::cipher::{BLOCK, Hash, decrypt_chained};
use super::password;
use crate::import::FileError;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// How many bytes of a package are chained; each such piece begins anew.
const SEGMENT: usize = 4_096;
/// Excel hashes a password 100,000 times. More than this would keep everybody waiting.
const MOST_ROUNDS: u32 = 1_000_000;
/// What is hashed with the password for each use of it.
const VERIFIER: [u8; 8] = [0xFE, 0xA7, 0xD2, 0x76, 0x3B, 0x4B, 0x9E, 0x79];
const VERIFIER_HASH: [u8; 8] = [0xD7, 0xAA, 0x0F, 0x6D, 0x30, 0x61, 0x34, 0x4E];
const KEY: [u8; 8] = [0x14, 0x6E, 0x0B, 0xE7, 0xAB, 0xAC, 0xD0, 0xD6];

/// How something is encrypted.
struct Way {
    salt: Vec<u8>,
    hash: Hash,
    key_bytes: usize,
}

/// A key that is encrypted by a password.
struct EncryptedKey {
    way: Way,
    rounds: u32,
    verifier: Vec<u8>,
    verifier_hash: Vec<u8>,
    key: Vec<u8>,
}

/// Decrypts a package in place. `info` is the XML that says how.
///
/// # Errors
/// As [`super::unlocked`].
pub(super) fn decrypt(info: &[u8], package: &mut Vec<u8>) -> Result<(), FileError> {
    let (data, locked) = read(info)?;
    let key = locked.open()?;
    package.truncate(package.len() / BLOCK * BLOCK);
    for (number, segment) in (0_u32..).zip(package.chunks_mut(SEGMENT)) {
        let start = fitted(data.hash.of(&[&data.salt, &number.to_le_bytes()]), BLOCK);
        decrypt_chained(&key, &start, segment)?;
    }
    Ok(())
}

impl EncryptedKey {
    /// Decrypts the key with Excel's own password.
    fn open(&self) -> Result<Vec<u8>, FileError> {
        let Way { salt, hash, key_bytes } = &self.way;
        let of_password = hash.of_password(salt, &password(), self.rounds);
        let start = fitted(salt.clone(), BLOCK);
        let decrypted = |bytes: &[u8], purpose: &[u8]| {
            let key = fitted(hash.of(&[&of_password, purpose]), *key_bytes);
            let mut bytes = bytes.to_vec();
            decrypt_chained(&key, &start, &mut bytes).map(|()| bytes)
        };
        let verifier = decrypted(&self.verifier, &VERIFIER)?;
        let verifier = verifier.get(..salt.len()).unwrap_or(&verifier);
        if !decrypted(&self.verifier_hash, &VERIFIER_HASH)?.starts_with(&hash.of(&[verifier])) {
            return Err(FileError::PasswordProtected);
        }
        let key = decrypted(&self.key, &KEY)?;
        key.get(..*key_bytes).map(<[u8]>::to_vec).ok_or(FileError::BrokenWorkbook)
    }
}

/// Bytes cut off, or filled up, to a length.
fn fitted(mut bytes: Vec<u8>, length: usize) -> Vec<u8> {
    bytes.resize(length, 0x36);
    bytes
}

/// Reads how the package is encrypted, and the key that a password encrypts.
fn read(info: &[u8]) -> Result<(Way, EncryptedKey), FileError> {
    let (mut data, mut locked, mut reader) = (None, None, Reader::from_reader(info));
    loop {
        match reader.read_event().map_err(|_| FileError::BrokenWorkbook)? {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                "keyData" => data = Some(way(&tag)?),
                "encryptedKey" => {
                    let rounds = number(&tag, "spinCount")?;
                    if rounds > MOST_ROUNDS {
                        return Err(FileError::PasswordProtected);
                    }
                    let value = |name| bytes(&tag, name);
                    locked = Some(EncryptedKey {
                        way: way(&tag)?,
                        rounds,
                        verifier: value("encryptedVerifierHashInput")?,
                        verifier_hash: value("encryptedVerifierHashValue")?,
                        key: value("encryptedKeyValue")?,
                    });
                }
                _ => {}
            },
            _ => {}
        }
    }
    // A certificate may be the only key.
    data.zip(locked).ok_or(FileError::PasswordProtected)
}

fn way(tag: &BytesStart<'_>) -> Result<Way, FileError> {
    let hash = Hash::named(&attribute(tag, "hashAlgorithm")?);
    let is_known =
        attribute(tag, "cipherAlgorithm")? == "AES" && attribute(tag, "cipherChaining")? == "ChainingModeCBC";
    // Other ciphers are only chosen by people who chose a password.
    let hash = hash.filter(|_| is_known).ok_or(FileError::PasswordProtected)?;
    Ok(Way { salt: bytes(tag, "saltValue")?, hash, key_bytes: number(tag, "keyBits")? as usize / 8 })
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<String, FileError> {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == name);
    let value = found.map(|attribute| attribute.value.into_owned());
    value.ok_or(FileError::BrokenWorkbook)
}

fn number(tag: &BytesStart<'_>, name: &str) -> Result<u32, FileError> {
    attribute(tag, name)?.parse().map_err(|_| FileError::BrokenWorkbook)
}

fn bytes(tag: &BytesStart<'_>, name: &str) -> Result<Vec<u8>, FileError> {
    BASE64_STANDARD.decode(attribute(tag, name)?).map_err(|_| FileError::BrokenWorkbook)
}
