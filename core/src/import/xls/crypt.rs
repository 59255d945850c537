//! Workbooks that are encrypted with the password that Excel tries by itself: it opens them without asking, and programs use
//! it to protect a workbook's structure. Described in [MS-OFFCRYPTO] and [MS-XLS] (FilePass, record encryption).

mod rc4;
mod xor;

use crate::import::FileError;
use crate::import::record::{BOF, BOUND_SHEET, FILE_PASS, u16_at};
use rc4::Rc4;
use xor::Xor;

/// The password that Excel tries by itself.
const PASSWORD: &str = "VelvetSweatshop";
/// A record's kind and length, which are never encrypted.
const HEAD: usize = 4;
/// Records besides the first one that are never encrypted: they are read before the password is known.
const PLAIN: [u16; 7] = [FILE_PASS, BOF, 0x00E1, 0x0138, 0x0194, 0x0195, 0x0196];
/// The place of a sheet is never encrypted, the rest of its record is.
const SHEET_PLACE: usize = 4;

/// One of the ways in which records are encrypted.
trait Cipher {
    /// Decrypts a piece of a record's data. `at` is its place in the stream, `length` that of all the data.
    fn decrypt(&mut self, piece: &mut [u8], at: usize, length: usize);
}

/// Decrypts the records of a workbook in place. The record that says how they are encrypted becomes one without a meaning.
///
/// # Errors
/// The workbook has a password of its own ([`FileError::PasswordProtected`]).
pub(super) fn decrypt(stream: &mut [u8]) -> Result<(), FileError> {
    let (mut at, mut cipher): (_, Option<Box<dyn Cipher>>) = (0, None);
    while let Some((kind, length)) = u16_at(stream, at).zip(u16_at(stream, at + 2)) {
        let start = at + HEAD;
        let end = start + usize::from(length);
        let Some(data) = stream.get_mut(start..end) else { break };
        match &mut cipher {
            None if kind == FILE_PASS => {
                cipher = Some(of_file_pass(data)?);
                stream[at..start - 2].fill(0);
            }
            Some(cipher) if !PLAIN.contains(&kind) => {
                let plain = if kind == BOUND_SHEET { SHEET_PLACE.min(data.len()) } else { 0 };
                cipher.decrypt(&mut data[plain..], start + plain, end - start);
            }
            _ => {}
        }
        at = end;
    }
    Ok(())
}

/// Reads how a workbook is encrypted, and checks the password.
fn of_file_pass(data: &[u8]) -> Result<Box<dyn Cipher>, FileError> {
    // A workbook of Excel 5 or 95 says nothing but the key and what checks the password.
    let known: Option<Box<dyn Cipher>> = match (u16_at(data, 0), data.len()) {
        (_, 4) => Xor::new(PASSWORD, data).map(|cipher| Box::new(cipher) as _),
        (Some(0), _) => Xor::new(PASSWORD, &data[2..]).map(|cipher| Box::new(cipher) as _),
        (Some(1), _) => Rc4::new(PASSWORD, &data[2..]).map(|cipher| Box::new(cipher) as _),
        _ => None,
    };
    known.ok_or(FileError::PasswordProtected)
}
