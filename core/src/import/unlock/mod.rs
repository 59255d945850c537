//! Workbooks that are encrypted with the password that Excel tries by itself. A workbook that is only protected against
//! changes is encrypted so; Excel opens it without asking. [MS-OFFCRYPTO] and [MS-XLSX] describe how.

mod agile;
mod cipher;
mod standard;

use super::ole::streams;
use super::record::u16_at;
use super::{Blob, FileError};

const PASSWORD: &str = "VelvetSweatshop";
/// The length of what stands before the encrypted bytes: how many of them are meant.
const SIZE_BYTES: usize = 8;

/// Decrypts a workbook; `None` if it isn't encrypted.
///
/// # Errors
/// The workbook has a password of its own, is encrypted in a way that this doesn't know, or is damaged.
pub fn unlocked(blob: Box<dyn Blob>) -> Result<Option<Vec<u8>>, FileError> {
    let [info, package] = streams(blob, ["EncryptionInfo", "EncryptedPackage"])?;
    let Some(mut package) = package else { return Ok(None) };
    // Without it, somebody's rights to the file are managed elsewhere.
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

/// The password as it is hashed.
fn password() -> Vec<u8> {
    PASSWORD.encode_utf16().flat_map(u16::to_le_bytes).collect()
}
