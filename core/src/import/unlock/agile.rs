//! Agile encryption (Excel 2010 and later).

use super::cipher::{BLOCK, Hash, decrypt_chained};
use super::default_password;
use crate::import::FileError;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// How many bytes of a package are encrypted as one CBC chain.
const SEGMENT: usize = 4_096;
/// The maximum number of hash rounds that a workbook may require, to bound the time. Excel uses 100,000.
const MAX_ROUNDS: u32 = 1_000_000;
/// Block keys of \[MS-OFFCRYPTO\], which are hashed with the password for each purpose.
const VERIFIER: [u8; 8] = [0xFE, 0xA7, 0xD2, 0x76, 0x3B, 0x4B, 0x9E, 0x79];
const VERIFIER_HASH: [u8; 8] = [0xD7, 0xAA, 0x0F, 0x6D, 0x30, 0x61, 0x34, 0x4E];
const KEY: [u8; 8] = [0x14, 0x6E, 0x0B, 0xE7, 0xAB, 0xAC, 0xD0, 0xD6];

struct Parameters {
    salt: Vec<u8>,
    hash: Hash,
    key_bytes: usize,
}

/// The key of the package, which is itself encrypted with the password.
struct EncryptedKey {
    parameters: Parameters,
    rounds: u32,
    verifier: Vec<u8>,
    verifier_hash: Vec<u8>,
    key: Vec<u8>,
}

/// Decrypts a package in place. `info` is the XML of the EncryptionInfo stream.
pub(super) fn decrypt(info: &[u8], package: &mut Vec<u8>) -> Result<(), FileError> {
    let (data, encrypted_key) = parse_info(info)?;
    let key = encrypted_key.decrypt()?;
    package.truncate(package.len() / BLOCK * BLOCK);
    for (number, segment) in (0_u32..).zip(package.chunks_mut(SEGMENT)) {
        let start = resize(data.hash.digest(&[&data.salt, &number.to_le_bytes()]), BLOCK);
        decrypt_chained(&key, &start, segment)?;
    }
    Ok(())
}

impl EncryptedKey {
    /// Decrypts the package key with the default password.
    fn decrypt(&self) -> Result<Vec<u8>, FileError> {
        let Parameters { salt, hash, key_bytes } = &self.parameters;
        let of_password = hash.hash_password(salt, &default_password(), self.rounds);
        let start = resize(salt.clone(), BLOCK);
        let decrypted = |bytes: &[u8], purpose: &[u8]| {
            let key = resize(hash.digest(&[&of_password, purpose]), *key_bytes);
            let mut bytes = bytes.to_vec();
            decrypt_chained(&key, &start, &mut bytes).map(|()| bytes)
        };
        let verifier = decrypted(&self.verifier, &VERIFIER)?;
        let verifier = verifier.get(..salt.len()).unwrap_or(&verifier);
        ensure!(
            decrypted(&self.verifier_hash, &VERIFIER_HASH)?.starts_with(&hash.digest(&[verifier])),
            FileError::PasswordProtected
        );
        let key = decrypted(&self.key, &KEY)?;
        key.get(..*key_bytes).map(<[u8]>::to_vec).ok_or(FileError::BrokenWorkbook)
    }
}

/// Truncates or pads bytes to a length.
fn resize(mut bytes: Vec<u8>, length: usize) -> Vec<u8> {
    bytes.resize(length, 0x36);
    bytes
}

/// Parses the parameters of the package and its encrypted key.
fn parse_info(info: &[u8]) -> Result<(Parameters, EncryptedKey), FileError> {
    let (mut data, mut encrypted_key, mut reader) = (None, None, Reader::from_reader(info));
    loop {
        match reader.read_event().map_err(|_| FileError::BrokenWorkbook)? {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                "keyData" => data = Some(parse_parameters(&tag)?),
                // A key that is encrypted with a certificate is an element of the same name.
                "encryptedKey" if find_attribute(&tag, "certVerifier").is_none() => {
                    let rounds = number(&tag, "spinCount")?;
                    ensure!(rounds <= MAX_ROUNDS, FileError::PasswordProtected);
                    let value = |name| bytes(&tag, name);
                    encrypted_key = Some(EncryptedKey {
                        parameters: parse_parameters(&tag)?,
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
    // If no key is encrypted with a password, only certificates can decrypt the package.
    data.zip(encrypted_key).ok_or(FileError::PasswordProtected)
}

fn parse_parameters(tag: &BytesStart<'_>) -> Result<Parameters, FileError> {
    let hash = Hash::from_name(&attribute(tag, "hashAlgorithm")?);
    let is_known =
        attribute(tag, "cipherAlgorithm")? == "AES" && attribute(tag, "cipherChaining")? == "ChainingModeCBC";
    // Excel uses other ciphers only for users who chose their own password.
    let hash = hash.filter(|_| is_known).ok_or(FileError::PasswordProtected)?;
    let key_bits = number(tag, "keyBits")?;
    ensure!(matches!(key_bits, 128 | 192 | 256), FileError::BrokenWorkbook);
    Ok(Parameters { salt: bytes(tag, "saltValue")?, hash, key_bytes: key_bits as usize / 8 })
}

fn find_attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == name);
    found.map(|attribute| attribute.value.into_owned())
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<String, FileError> {
    find_attribute(tag, name).ok_or(FileError::BrokenWorkbook)
}

fn number(tag: &BytesStart<'_>, name: &str) -> Result<u32, FileError> {
    attribute(tag, name)?.parse().map_err(|_| FileError::BrokenWorkbook)
}

fn bytes(tag: &BytesStart<'_>, name: &str) -> Result<Vec<u8>, FileError> {
    BASE64_STANDARD.decode(attribute(tag, name)?).map_err(|_| FileError::BrokenWorkbook)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_for_a_certificate_is_passed_over() {
        let parameters = r#"saltValue="AAAA" keyBits="256" hashAlgorithm="SHA512" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC""#;
        let certificate = r#"<c:encryptedKey encryptedKeyValue="AAAA" X509Certificate="AAAA" certVerifier="AAAA"/>"#;
        let password = format!(
            r#"<p:encryptedKey spinCount="100000" {parameters} encryptedVerifierHashInput="AAAA" encryptedVerifierHashValue="AAAA" encryptedKeyValue="AAAA"/>"#
        );
        let parse = |keys: &str| {
            let info = format!("<encryption><keyData {parameters}/>{keys}</encryption>");
            parse_info(info.as_bytes()).map(|(_, key)| key.rounds)
        };
        assert_eq!(parse(certificate), Err(FileError::PasswordProtected));
        assert_eq!(parse(&format!("{password}{certificate}")), Ok(100_000));
        assert_eq!(parse(&format!("{certificate}{password}")), Ok(100_000));
        let huge = password.replace(r#"keyBits="256""#, r#"keyBits="4294967295""#);
        assert_eq!(parse(&huge), Err(FileError::BrokenWorkbook));
    }
}
