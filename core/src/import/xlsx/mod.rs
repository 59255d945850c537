//! A streaming reader of .xlsx workbooks. It unpacks only what is requested. Of the unpacked parts it keeps the list of
//! sheets, the cell formats and the shared strings read so far, but no rows. Rare features of the format are left to
//! the fallback reader ([`FileError::NeedsFallback`]); contradictory or truncated files and decompression bombs are
//! rejected.

mod attributes;
mod cell;
mod inflate;
mod package;
mod sheet;
mod strings;
mod styles;
mod utf16;
mod xml;
mod zip;

use super::book::{Book, collect_rows};
use super::number::Format;
use super::row::RowBuffer;
use super::{Blob, FileError, Limits, SheetHead};
use crate::import::text::format;
use inflate::{MAX_INFLATED, TOO_LARGE};
use package::{SHEET_NAMESPACES, Workbook};
use sheet::{CellContext, Sheet};
use strings::SharedStrings;
use xml::Xml;
use zip::Archive;

/// The maximum number of unpacked bytes of a workbook's sheets for all samples. After that, sampling another sheet is
/// an error.
const MAX_SAMPLED: u64 = 256 << 20;

/// Opens a workbook and lists its sheets without reading them.
///
/// # Errors
/// The file isn't a workbook, is damaged or encrypted, or needs the fallback reader.
pub fn open(mut blob: Box<dyn Blob>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let archive = Archive::open(&mut *blob)?;
    let workbook = package::read_workbook(&archive, &mut *blob)?;
    ensure!(!workbook.sheets.is_empty(), FileError::NotASpreadsheet { format: format::OTHER_DOCUMENT });
    let (limits, shared) = (*limits, None);
    Ok(Box::new(XlsxBook { blob, archive, workbook, shared, sheet: None, sampled: 0, limits }))
}

struct XlsxBook {
    blob: Box<dyn Blob>,
    archive: Archive,
    workbook: Workbook,
    /// The shared strings and the cell formats, once a sheet was opened.
    shared: Option<(SharedStrings, Vec<Format>)>,
    sheet: Option<Sheet>,
    sampled: u64,
    limits: Limits,
}

impl XlsxBook {
    fn open(&mut self, sheet: usize) -> Result<Sheet, FileError> {
        let blob = &mut *self.blob;
        let entry = *self.workbook.parts.get(sheet).ok_or(FileError::NoSuchSheet)?;
        ensure!(entry.size + self.workbook.strings.map_or(0, |strings| strings.size) <= MAX_INFLATED, TOO_LARGE);
        if self.shared.is_none() {
            let mut strings = SharedStrings::default();
            if let Some(entry) = self.workbook.strings {
                let mut xml = Xml::new(self.archive.part(blob, entry)?, blob)?;
                if xml.has_root_content(blob, b"sst", &SHEET_NAMESPACES)? {
                    strings = SharedStrings::new(xml);
                }
            }
            let formats = match self.workbook.styles {
                Some(entry) => styles::read_formats(Xml::new(self.archive.part(blob, entry)?, blob)?, blob)?,
                None => Vec::new(),
            };
            self.shared = Some((strings, formats));
        }
        Sheet::new(Xml::new(self.archive.part(blob, entry)?, blob)?, blob)
    }

    fn read(&mut self, sheet: &mut Sheet, row: &mut RowBuffer) -> Result<bool, FileError> {
        let Some((strings, formats)) = &mut self.shared else { return Ok(false) };
        let from_1904 = self.workbook.from_1904;
        sheet.next(&mut CellContext { blob: &mut *self.blob, strings, formats, from_1904, limits: &self.limits }, row)
    }
}

impl Book for XlsxBook {
    fn sheets(&self) -> &[SheetHead] {
        &self.workbook.sheets
    }

    fn sample(&mut self, sheet: usize, max: usize) -> Result<Vec<RowBuffer>, FileError> {
        ensure!(self.sampled <= MAX_SAMPLED, TOO_LARGE);
        let mut sheet = self.open(sheet)?;
        let rows = collect_rows(max, |row| self.read(&mut sheet, row));
        self.sampled += sheet.produced();
        rows
    }

    fn start(&mut self, sheet: usize) -> Result<(), FileError> {
        self.sheet = None;
        self.sheet = Some(self.open(sheet)?);
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        // The sheet is dropped after an error, because the reader's position is then undefined.
        let mut sheet = self.sheet.take().ok_or(FileError::BrokenWorkbook)?;
        let is_row = self.read(&mut sheet, row)?;
        self.sheet = Some(sheet);
        Ok(is_row)
    }
}
