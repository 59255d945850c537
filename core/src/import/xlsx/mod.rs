//! Workbooks of today's kind (.xlsx), read as a stream: no more of the file is unpacked than somebody asks for, and no
//! more is kept than the strings that cells share. What such a workbook may be but hardly ever is asks for another reader
//! ([`FileError::NeedsFallback`]); what contradicts itself, breaks off or would fill the memory is refused.

mod cell;
mod inflate;
mod package;
mod sheet;
mod strings;
mod styles;
mod wide;
mod xml;
mod zip;

use super::book::Book;
use super::number::Format;
use super::row::RowBuffer;
use super::{Blob, FileError, Limits, SheetHead};
use package::{SHEET_NAMESPACES, Workbook};
use sheet::{Around, Sheet};
use strings::Strings;
use xml::Xml;
use zip::{Archive, MOST_INFLATED, TOO_MUCH};

/// The most that all samples of a workbook unpack: a sheet whose first row comes later isn't one to look at.
const MOST_SAMPLED: u64 = 256 << 20;

/// Opens a workbook: finds its sheets, and reads none of them.
///
/// # Errors
/// It is none, is damaged or locked, or is of a kind that isn't read here.
pub fn open(mut blob: Box<dyn Blob>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let archive = Archive::open(&mut *blob)?;
    let workbook = package::workbook(&archive, &mut *blob)?;
    if workbook.sheets.is_empty() {
        return Err(FileError::NotASpreadsheet { found: "a document of another kind" });
    }
    let (limits, shared) = (*limits, None);
    Ok(Box::new(XlsxBook { blob, archive, workbook, shared, sheet: None, sampled: 0, limits }))
}

struct XlsxBook {
    blob: Box<dyn Blob>,
    archive: Archive,
    workbook: Workbook,
    /// What all sheets share, once one of them is read: the strings and formats of their cells.
    shared: Option<(Strings, Vec<Format>)>,
    sheet: Option<Sheet>,
    sampled: u64,
    limits: Limits,
}

impl XlsxBook {
    fn open(&mut self, sheet: usize) -> Result<Sheet, FileError> {
        let blob = &mut *self.blob;
        let entry = *self.workbook.parts.get(sheet).ok_or(FileError::NoSuchSheet)?;
        if entry.size + self.workbook.strings.map_or(0, |strings| strings.size) > MOST_INFLATED {
            return Err(TOO_MUCH);
        }
        if self.shared.is_none() {
            let mut strings = Strings::default();
            if let Some(entry) = self.workbook.strings {
                let mut xml = Xml::new(self.archive.part(blob, entry)?, blob)?;
                if xml.holds_anything(blob, b"sst", &SHEET_NAMESPACES)? {
                    strings = Strings::new(xml);
                }
            }
            let formats = match self.workbook.styles {
                Some(entry) => styles::formats(Xml::new(self.archive.part(blob, entry)?, blob)?, blob)?,
                None => Vec::new(),
            };
            self.shared = Some((strings, formats));
        }
        Sheet::new(Xml::new(self.archive.part(blob, entry)?, blob)?, blob)
    }

    fn read(&mut self, sheet: &mut Sheet, row: &mut RowBuffer) -> Result<bool, FileError> {
        let Some((strings, formats)) = &mut self.shared else { return Ok(false) };
        let from_1904 = self.workbook.from_1904;
        sheet.next(&mut Around { blob: &mut *self.blob, strings, formats, from_1904, limits: &self.limits }, row)
    }
}

impl Book for XlsxBook {
    fn sheets(&self) -> &[SheetHead] {
        &self.workbook.sheets
    }

    fn sample(&mut self, sheet: usize, most: usize) -> Result<Vec<RowBuffer>, FileError> {
        if self.sampled > MOST_SAMPLED {
            return Err(TOO_MUCH);
        }
        let mut sheet = self.open(sheet)?;
        let (mut rows, mut row) = (Vec::new(), RowBuffer::default());
        let mut read = || {
            while rows.len() < most && self.read(&mut sheet, &mut row)? {
                if !row.row().is_blank() {
                    rows.push(row.clone());
                }
            }
            Ok(())
        };
        let outcome = read();
        self.sampled += sheet.produced();
        outcome.map(|()| rows)
    }

    fn start(&mut self, sheet: usize) -> Result<(), FileError> {
        self.sheet = None;
        self.sheet = Some(self.open(sheet)?);
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        // After an error there is no sheet any more: what followed would be at the wrong place.
        let mut sheet = self.sheet.take().ok_or(FileError::BrokenWorkbook)?;
        let is_row = self.read(&mut sheet, row)?;
        self.sheet = Some(sheet);
        Ok(is_row)
    }
}
