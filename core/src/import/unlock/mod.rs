//! Decrypts .xlsx and .xlsb workbooks with Excel's default password, which Excel tries without asking. Workbooks that
//! are only protected against changes are encrypted with it. See \[MS-OFFCRYPTO\] and \[MS-XLSX\].

mod agile;
mod cipher;
mod standard;

use super::ole::read_streams;
use super::record::u16_at;
use super::{Blob, FileError};

/// The default password of Excel.
pub(super) const PASSWORD: &str = "VelvetSweatshop";
/// The size of the field with the decrypted length of a package, which precedes the encrypted bytes.
const SIZE_BYTES: usize = 8;

/// Decrypts a workbook; `None` if it isn't encrypted.
///
/// # Errors
/// The workbook has its own password, uses an unsupported encryption, or is damaged.
pub fn decrypt_workbook(blob: Box<dyn Blob>) -> Result<Option<Vec<u8>>, FileError> {
    let [info, package] = read_streams(blob, ["EncryptionInfo", "EncryptedPackage"])?;
    let Some(mut package) = package else { return Ok(None) };
    // Without this stream, the file is protected by rights management.
    let info = info.ok_or(FileError::PasswordProtected)?;
    let size = package.first_chunk().map(|size| u64::from_le_bytes(*size)).ok_or(FileError::BrokenWorkbook)?;
    let size = usize::try_from(size).ok().filter(|size| *size <= package.len() - SIZE_BYTES);
    let size = size.ok_or(FileError::BrokenWorkbook)?;
    package.drain(..SIZE_BYTES);
    let version = u16_at(&info, 0).zip(u16_at(&info, 2));
    let (Some(version), Some(info)) = (version, info.get(8..)) else { return Err(FileError::BrokenWorkbook) };
    match version {
        (4, 4) => agile::decrypt(info, &mut package)?,
        (2..=4, 2) => standard::decrypt(info, &mut package)?,
        _ => return Err(FileError::PasswordProtected),
    }
    package.truncate(size);
    Ok(Some(package))
}

/// Returns the default password in UTF-16, as all methods but XOR use it.
pub(super) fn default_password() -> Vec<u8> {
    PASSWORD.encode_utf16().flat_map(u16::to_le_bytes).collect()
}
