//! Workbooks that are encrypted with Excel's default password.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use forecourt_core::import::FileError;
use forecourt_core::import::unlock::decrypt_workbook;
use std::path::Path;

const AGILE: &str = "odd-encrypted-agile.xlsx";
const STANDARD: &str = "odd-encrypted-standard.xlsx";

fn file(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)).unwrap()
}

/// Decrypts a file after replacing bytes that occur in it once.
fn decrypt_changed(name: &str, from: &[u8], to: &[u8]) -> Result<Option<Vec<u8>>, FileError> {
    let mut bytes = file(name);
    let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
    bytes[at..at + to.len()].copy_from_slice(to);
    decrypt_workbook(Box::new(bytes))
}

#[test]
fn decrypts_files_with_the_default_password_of_excel() {
    for (name, original) in
        [(AGILE, "odd-formats.xlsx"), (STANDARD, "odd-formats.xlsx"), ("odd-encrypted.xlsb", "sheetjs-oddities.xlsb")]
    {
        assert!(decrypt_workbook(Box::new(file(name))) == Ok(Some(file(original))), "{name}");
    }
}

#[test]
fn returns_none_for_unencrypted_containers() {
    assert_eq!(decrypt_workbook(Box::new(file("kontakte-97.xls"))), Ok(None));
    assert_eq!(decrypt_workbook(Box::new(file("noise.xls"))), Err(FileError::BrokenWorkbook));
}

#[test]
fn rejects_other_passwords_and_unknown_encryptions() {
    let rejected = Err(FileError::PasswordProtected);
    assert_eq!(decrypt_workbook(Box::new(file("protected.xlsx"))), rejected);
    for (from, to) in [
        (&b"spinCount=\"100000\""[..], &b"spinCount=\"9999999\""[..17]),
        (b"spinCount=\"100000\"", b"spinCount=\"100001\""),
        (b"cipherAlgorithm=\"AES\"", b"cipherAlgorithm=\"RC2\""),
        (b"ChainingModeCBC", b"ChainingModeCFB"),
        (b"hashAlgorithm=\"SHA512\"", b"hashAlgorithm=\"WHIRLP\""),
        (b"<keyData ", b"<keyDats "),
        (&[4, 0, 4, 0, 0x40, 0, 0, 0], &[4, 0, 3, 0]),
    ] {
        assert_eq!(decrypt_changed(AGILE, from, to), rejected, "{}", String::from_utf8_lossy(to));
    }
    // RC4 and another hash function.
    assert_eq!(decrypt_changed(STANDARD, &[0x0E, 0x66, 0, 0], &[0x01, 0x68, 0, 0]), rejected);
    assert_eq!(decrypt_changed(STANDARD, &[0x04, 0x80, 0, 0], &[0x0C, 0x80, 0, 0]), rejected);
}

#[test]
fn rejects_damaged_encryption_info() {
    let damaged = Err(FileError::BrokenWorkbook);
    for (from, to) in [
        (&b"spinCount=\"100000\""[..], &b"spinCount=\"-00000\""[..]),
        (b"spinCount=", b"spinCounx="),
        (b"saltValue=\"", b"saltValue=\"!"),
        (b"<encryption ", b"<encryption<"),
    ] {
        assert_eq!(decrypt_changed(AGILE, from, to), damaged, "{}", String::from_utf8_lossy(to));
    }
    assert_eq!(decrypt_changed(STANDARD, &[128, 0, 0, 0, 0x18], &[129, 1, 0, 0]), damaged);
    assert_eq!(
        decrypt_changed(STANDARD, &[3, 0, 2, 0, 0x24, 0, 0, 0], &[3, 0, 2, 0, 0x24, 0, 0, 0, 0xFF, 0xFF, 0xFF]),
        damaged
    );
    let whole = file(AGILE);
    for end in (0..whole.len()).step_by(512) {
        assert!(decrypt_workbook(Box::new(whole[..end].to_vec())).is_err(), "{end}");
    }
}
