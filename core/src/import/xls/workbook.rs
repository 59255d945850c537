//! What all sheets of a workbook share: the records before the first one.

use super::records::Records;
use super::strings::{Strings, whole};
use crate::import::number::{Format, of_code, of_id};
use crate::import::ole::Stream;
use crate::import::record::{
    BOF, BOUND_SHEET, DATE_MODE, EOF, FILE_PASS, FORMAT, OF_1997, SHARED_TEXTS, XF, u16_at, u32_at,
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
    /// Its days are counted from 1904.
    pub from_1904: bool,
}

/// Reads the records before the first sheet.
///
/// # Errors
/// They are damaged, locked, or those of an older kind of workbook.
pub(super) fn workbook(stream: &mut Stream) -> Result<Workbook, FileError> {
    let (mut workbook, mut records) = (Workbook::default(), Records::from(0));
    let (mut own, mut styles) = (HashMap::new(), Vec::new());
    let (kind, data) = records.peek(stream)?;
    if (kind, u16_at(data, 0)) != (BOF, Some(OF_1997)) {
        return Err(FileError::NeedsFallback);
    }
    loop {
        let place = records.place();
        let (kind, data) = records.peek(stream)?;
        match kind {
            EOF => break,
            FILE_PASS => return Err(FileError::PasswordProtected),
            DATE_MODE => workbook.from_1904 = u16_at(data, 0) == Some(1),
            FORMAT => {
                let (number, code) = (u16_at(data, 0), whole(data, 2, false));
                let (Some(number), Some(code)) = (number, code) else { return Err(FileError::NeedsFallback) };
                own.insert(number, of_code(&code));
            }
            XF => styles.push(u16_at(data, 2).ok_or(FileError::BrokenWorkbook)?),
            BOUND_SHEET => workbook.add(data)?,
            SHARED_TEXTS => workbook.strings = Strings::new(place, stream)?,
            _ => {}
        }
        if styles.len() > MOST_STYLES || workbook.sheets.len() > MOST_SHEETS {
            return Err(FileError::BrokenWorkbook);
        }
        records.skip();
    }
    workbook.formats = styles.into_iter().map(|id| own.get(&id).cloned().unwrap_or_else(|| of_id(id.into()))).collect();
    Ok(workbook)
}

impl Workbook {
    /// Adds a sheet, if it holds cells: charts, macros and modules are sheets too.
    fn add(&mut self, data: &[u8]) -> Result<(), FileError> {
        let (Some(start), Some(&[state, kind])) = (u32_at(data, 0), data.get(4..6).and_then(<[u8]>::first_chunk))
        else {
            return Err(FileError::BrokenWorkbook);
        };
        let hidden = match state & 0x3F {
            0 => false,
            1 | 2 => true,
            _ => return Err(FileError::NeedsFallback),
        };
        match kind {
            0 => {
                let name = whole(data, 6, true).ok_or(FileError::NeedsFallback)?.replace('\0', "");
                self.sheets.push(SheetHead { name, hidden });
                self.starts.push(start.into());
                Ok(())
            }
            1 | 2 | 6 => Ok(()),
            _ => Err(FileError::NeedsFallback),
        }
    }
}
