//! What all sheets of a workbook share: the records before the first one.

use super::code_page;
use super::records::Records;
use super::strings::{Strings, whole};
use crate::import::number::{Format, builtin_format, parse_format};
use crate::import::ole::Stream;
use crate::import::recognise::old_excel_error;
use crate::import::record::{
    BIFF5, BIFF8, BOF, BOUND_SHEET, CODE_PAGE, DATE_1904, EOF, FILE_PASS, FORMAT, SST, XF, u16_at, u32_at,
};
use crate::import::{FileError, SheetHead};
use std::collections::HashMap;

/// More sheets and styles than these nobody has.
const MOST_SHEETS: usize = 4_096;
const MOST_STYLES: usize = 65_536;

/// What a workbook consists of.
#[derive(Default)]
pub(super) struct Workbook {
    pub sheets: Vec<SheetHead>,
    /// Where the sheets' records begin.
    pub starts: Vec<u64>,
    pub strings: Strings,
    /// How numbers are seen, by the styles' places.
    pub formats: Vec<Format>,
    /// Its texts are bytes in this code page, as in Excel 5 and 95.
    pub code_page: Option<u16>,
    /// Its days are counted from 1904.
    pub from_1904: bool,
}

/// Reads the records before the first sheet.
///
/// # Errors
/// They are damaged, locked with a password, or of an Excel before 5.
pub(super) fn workbook(stream: &mut Stream) -> Result<Workbook, FileError> {
    let (mut workbook, mut records) = (Workbook::default(), Records::from(0));
    let (mut own, mut styles, mut is_decrypted) = (HashMap::new(), Vec::new(), false);
    let (kind, data) = records.peek(stream)?;
    match (kind, u16_at(data, 0)) {
        (BOF, Some(BIFF8)) => {}
        (BOF, Some(BIFF5)) => workbook.code_page = Some(code_page::USUAL),
        _ => {
            let mut start = [0; 4];
            stream.read(0, &mut start)?;
            return Err(old_excel_error(&start).unwrap_or(FileError::BrokenWorkbook));
        }
    }
    loop {
        let place = records.place();
        let (kind, data) = records.peek(stream)?;
        match kind {
            EOF => break,
            // A second one would have the whole stream decrypted again.
            FILE_PASS if is_decrypted => return Err(FileError::BrokenWorkbook),
            FILE_PASS => {
                is_decrypted = true;
                unlock(stream)?;
                // The record's place is the same, and it is no longer there.
                records = Records::from(place);
                continue;
            }
            CODE_PAGE => workbook.code_page = workbook.code_page.and(u16_at(data, 0)),
            DATE_1904 => workbook.from_1904 = u16_at(data, 0) == Some(1),
            FORMAT => {
                let number = u16_at(data, 0).ok_or(FileError::BrokenWorkbook)?;
                let code = match workbook.code_page {
                    Some(page) => short(data, 2, page)?,
                    None => whole(data, 2, false),
                };
                own.insert(number, parse_format(&code.unwrap_or_default()));
            }
            XF => styles.push(u16_at(data, 2).ok_or(FileError::BrokenWorkbook)?),
            BOUND_SHEET => workbook.add(data)?,
            SST => workbook.strings = Strings::new(place, stream)?,
            _ => {}
        }
        if styles.len() > MOST_STYLES || workbook.sheets.len() > MOST_SHEETS {
            return Err(FileError::BrokenWorkbook);
        }
        records.skip();
    }
    workbook.formats =
        styles.into_iter().map(|id| own.get(&id).cloned().unwrap_or_else(|| builtin_format(id.into()))).collect();
    Ok(workbook)
}

/// Decrypts a workbook in memory. Few are encrypted, so that only the module that is fetched when it is needed can do it.
///
/// # Errors
/// The workbook has a password of its own, or must be read by that module ([`FileError::NeedsFallback`]).
#[cfg(feature = "fallback")]
fn unlock(stream: &mut Stream) -> Result<(), FileError> {
    super::crypt::decrypt(stream.hold()?)
}

#[cfg(not(feature = "fallback"))]
fn unlock(_: &mut Stream) -> Result<(), FileError> {
    Err(FileError::NeedsFallback)
}

impl Workbook {
    /// Adds a sheet, if it holds cells.
    fn add(&mut self, data: &[u8]) -> Result<(), FileError> {
        let (Some(start), Some(&[state, kind])) = (u32_at(data, 0), data.get(4..6).and_then(<[u8]>::first_chunk))
        else {
            return Err(FileError::BrokenWorkbook);
        };
        // Charts, macros and modules have other numbers.
        if kind == 0 {
            let name = match self.code_page {
                Some(page) => short(data, 6, page)?,
                None => whole(data, 6, true),
            };
            let name = name.ok_or(FileError::BrokenWorkbook)?.replace('\0', "");
            self.sheets.push(SheetHead { name, hidden: state & 3 != 0 });
            self.starts.push(start.into());
        }
        Ok(())
    }
}

/// A text of Excel 5 or 95 behind one byte for its length.
///
/// # Errors
/// As [`code_page::decode`].
fn short(data: &[u8], at: usize, page: u16) -> Result<Option<String>, FileError> {
    let Some(bytes) = data.get(at).and_then(|&count| data.get(at + 1..at + 1 + usize::from(count))) else {
        return Ok(None);
    };
    let mut text = String::new();
    code_page::decode(bytes, page, &mut text)?;
    Ok(Some(text))
}
