//! Decrypts workbooks with Excel's default password, which Excel tries without asking. Programs use it to protect a
//! workbook's structure. See \[MS-OFFCRYPTO\] and \[MS-XLS\] (FilePass, record encryption).

mod rc4;
mod xor;

use crate::import::FileError;
use crate::import::record::{BOF, BOUND_SHEET, FILE_PASS, u16_at};
use rc4::Rc4;
use xor::Xor;

/// The size of a record's type and length, which are never encrypted.
const HEADER: usize = 4;
/// Record types that stay unencrypted in an encrypted workbook (\[MS-XLS\] 2.2.10): besides the named ones
/// InterfaceHdr, RRDHead, UsrExcl, FileLock and RRDInfo.
const UNENCRYPTED: [u16; 7] = [FILE_PASS, BOF, 0x00E1, 0x0138, 0x0194, 0x0195, 0x0196];
/// The size of a sheet's offset, which is never encrypted, unlike the rest of its record.
const SHEET_OFFSET: usize = 4;

/// An encryption method of records.
trait Cipher {
    /// Decrypts a piece of a record's data. `at` is the piece's offset in the stream, `length` the length of the
    /// record's data.
    fn decrypt(&mut self, piece: &mut [u8], at: usize, length: usize);
}

/// Decrypts the records of a workbook in place, and sets the type of the FILE_PASS record to 0, which readers skip.
///
/// # Errors
/// The workbook has its own password or an unsupported encryption ([`FileError::PasswordProtected`]).
pub(super) fn decrypt(stream: &mut [u8]) -> Result<(), FileError> {
    let (mut at, mut cipher): (_, Option<Box<dyn Cipher>>) = (0, None);
    while let Some((kind, length)) = u16_at(stream, at).zip(u16_at(stream, at + 2)) {
        let start = at + HEADER;
        let end = start + usize::from(length);
        let Some(data) = stream.get_mut(start..end) else { break };
        match &mut cipher {
            None if kind == FILE_PASS => {
                cipher = Some(parse_file_pass(data)?);
                stream[at..start - 2].fill(0);
            }
            Some(cipher) if !UNENCRYPTED.contains(&kind) => {
                let plain = if kind == BOUND_SHEET { SHEET_OFFSET.min(data.len()) } else { 0 };
                cipher.decrypt(&mut data[plain..], start + plain, end - start);
            }
            _ => {}
        }
        at = end;
    }
    Ok(())
}

/// Parses a FILE_PASS record and verifies the default password.
fn parse_file_pass(data: &[u8]) -> Result<Box<dyn Cipher>, FileError> {
    // In Excel 5 and 95 the record contains only the key and the verifier.
    let known: Option<Box<dyn Cipher>> = match (u16_at(data, 0), data.len()) {
        (_, 4) => Xor::new(data).map(|cipher| Box::new(cipher) as _),
        (Some(0), _) => Xor::new(&data[2..]).map(|cipher| Box::new(cipher) as _),
        (Some(1), _) => Rc4::new(&data[2..]).map(|cipher| Box::new(cipher) as _),
        _ => None,
    };
    known.ok_or(FileError::PasswordProtected)
}
