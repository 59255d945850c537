//! Reads the workbook's globals: the records before the first sheet.

use super::code_page;
use super::records::Records;
use super::strings::{SharedStrings, read_string};
use crate::import::book::{MAX_SHEETS, MAX_STYLES};
use crate::import::number::{Format, builtin_format, parse_format};
use crate::import::ole::Stream;
use crate::import::recognise::old_excel_error;
use crate::import::record::{
    BIFF5, BIFF8, BOF, BOUND_SHEET, CODE_PAGE, DATE_1904, EOF, FILE_PASS, FORMAT, SST, XF, u16_at, u32_at,
};
use crate::import::{FileError, SheetHead};
use std::collections::HashMap;

/// The globals of a workbook.
#[derive(Default)]
pub(super) struct Workbook {
    pub sheets: Vec<SheetHead>,
    /// The offsets of the sheets in the stream.
    pub starts: Vec<u64>,
    pub strings: SharedStrings,
    /// The number format of each style.
    pub formats: Vec<Format>,
    /// The code page of all strings in Excel 5 and 95; `None` since Excel 97, which uses Unicode.
    pub code_page: Option<u16>,
    /// Days are counted from 1904.
    pub from_1904: bool,
}

/// Reads the records before the first sheet.
///
/// # Errors
/// The records are damaged, need a password, or are from an Excel before version 5.
pub(super) fn read_workbook(stream: &mut Stream) -> Result<Workbook, FileError> {
    let (mut workbook, mut records) = (Workbook::default(), Records::from(0));
    let (mut custom, mut styles, mut is_decrypted) = (HashMap::new(), Vec::new(), false);
    let (kind, data) = records.peek(stream)?;
    match (kind, u16_at(data, 0)) {
        (BOF, Some(BIFF8)) => {}
        (BOF, Some(BIFF5)) => workbook.code_page = Some(code_page::DEFAULT),
        _ => {
            let mut start = [0; 4];
            stream.read(0, &mut start)?;
            return Err(old_excel_error(&start).unwrap_or(FileError::BrokenWorkbook));
        }
    }
    loop {
        let offset = records.offset();
        let (kind, data) = records.peek(stream)?;
        match kind {
            EOF => break,
            // A second record would decrypt the stream twice.
            FILE_PASS if is_decrypted => return Err(FileError::BrokenWorkbook),
            FILE_PASS => {
                is_decrypted = true;
                decrypt(stream)?;
                // Decryption has changed this record's type to one that is skipped.
                records = Records::from(offset);
                continue;
            }
            CODE_PAGE => workbook.code_page = workbook.code_page.and(u16_at(data, 0)),
            DATE_1904 => workbook.from_1904 = u16_at(data, 0) == Some(1),
            FORMAT => {
                let number = u16_at(data, 0).ok_or(FileError::BrokenWorkbook)?;
                let code = match workbook.code_page {
                    Some(page) => read_short_string(data, 2, page)?,
                    None => read_string(data, 2, false),
                };
                custom.insert(number, parse_format(&code.unwrap_or_default()));
            }
            XF => styles.push(u16_at(data, 2).ok_or(FileError::BrokenWorkbook)?),
            BOUND_SHEET => workbook.add_sheet(data)?,
            SST => workbook.strings = SharedStrings::new(offset, stream)?,
            _ => {}
        }
        ensure!(styles.len() <= MAX_STYLES && workbook.sheets.len() <= MAX_SHEETS, FileError::BrokenWorkbook);
        records.skip();
    }
    workbook.formats =
        styles.into_iter().map(|id| custom.get(&id).cloned().unwrap_or_else(|| builtin_format(id.into()))).collect();
    Ok(workbook)
}

/// Decrypts a workbook in memory. Encryption is rare, so in the browser only `wasm/fallback` contains the
/// ciphers.
///
/// # Errors
/// The workbook has its own password, or needs the fallback module ([`FileError::NeedsFallback`]).
#[cfg(feature = "files")]
fn decrypt(stream: &mut Stream) -> Result<(), FileError> {
    super::crypt::decrypt(stream.load()?)
}

#[cfg(not(feature = "files"))]
fn decrypt(_: &mut Stream) -> Result<(), FileError> {
    Err(FileError::NeedsFallback)
}

impl Workbook {
    fn add_sheet(&mut self, data: &[u8]) -> Result<(), FileError> {
        let (Some(start), Some(&[state, kind])) = (u32_at(data, 0), data.get(4..6).and_then(<[u8]>::first_chunk))
        else {
            return Err(FileError::BrokenWorkbook);
        };
        // Charts, macros and VBA modules have other types.
        if kind == 0 {
            let name = match self.code_page {
                Some(page) => read_short_string(data, 6, page)?,
                None => read_string(data, 6, true),
            };
            let name = name.ok_or(FileError::BrokenWorkbook)?.replace('\0', "");
            self.sheets.push(SheetHead { name, hidden: state & 3 != 0 });
            self.starts.push(start.into());
        }
        Ok(())
    }
}

/// Reads a string of Excel 5 or 95, prefixed by its length in one byte.
fn read_short_string(data: &[u8], at: usize, page: u16) -> Result<Option<String>, FileError> {
    let Some(bytes) = data.get(at).and_then(|&count| data.get(at + 1..at + 1 + usize::from(count))) else {
        return Ok(None);
    };
    let mut text = String::new();
    code_page::decode(bytes, page, &mut text)?;
    Ok(Some(text))
}
