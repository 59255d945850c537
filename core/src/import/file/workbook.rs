//! Workbooks, read by the streaming reader if it supports them, otherwise by the fallback reader.

use super::{Linkage, OpenError, Shared, Step, read};
use crate::import::book::{Book, choose_sheet};
use crate::import::head::SAMPLE_ROWS;
use crate::import::row::{RowBuffer, RowHandler};
use crate::import::{Blob, FileError, FileKind, Limits, SheetHead, xls, xlsx};
use crate::message::Message;

/// How many rows are read in a step.
const STEP: usize = 5_000;

/// A workbook and its selected sheet.
pub(super) struct BookFile {
    book: Box<dyn Book>,
    sheet: usize,
    sample: Vec<RowBuffer>,
    notices: Vec<Message>,
    kind: FileKind,
    /// The file, as long as the streaming reader reads it; `None` once the fallback reader does.
    own: Option<Shared>,
    libraries: Linkage,
    limits: Limits,
    is_started: bool,
    /// The number of the last row that was passed to the caller.
    given: u64,
}

impl BookFile {
    /// Opens a workbook, and selects a sheet unless the user has chosen one.
    pub fn open(
        blob: Shared,
        kind: FileKind,
        chosen: Option<&str>,
        libraries: Linkage,
        limits: &Limits,
    ) -> Result<BookFile, OpenError> {
        let own = Box::new(blob.clone());
        let book = match kind {
            FileKind::Xlsx => xlsx::open(own, limits),
            FileKind::Xls => xls::open(own, limits),
            FileKind::Xlsb | FileKind::Ods | FileKind::Csv => Err(FileError::NeedsFallback),
        };
        let open = |book, own| BookFile::of(book, kind, chosen, own, libraries, limits);
        match book.map_err(OpenError::from).and_then(|book| open(book, Some(blob.clone()))) {
            Err(OpenError { error: FileError::NeedsFallback, .. }) => {}
            read => return read,
        }
        open(open_fallback(blob, kind, libraries, limits)?, None)
    }

    fn of(
        mut book: Box<dyn Book>,
        kind: FileKind,
        chosen: Option<&str>,
        own: Option<Shared>,
        libraries: Linkage,
        limits: &Limits,
    ) -> Result<BookFile, OpenError> {
        let mut notices = Vec::new();
        let sheets = book.sheets().to_vec();
        let refused = |error, sheet: Option<usize>| OpenError {
            error,
            sheets: sheets.clone(),
            sheet: sheet.and_then(|sheet| sheets.get(sheet)).map(|sheet| sheet.name.clone()),
        };
        let sheet = choose_sheet(&mut *book, chosen, &mut notices).map_err(|error| refused(error, None))?;
        let sample = book.sample(sheet, SAMPLE_ROWS + 1).map_err(|error| refused(error, Some(sheet)))?;
        let limits = *limits;
        Ok(BookFile { book, sheet, sample, notices, kind, own, libraries, limits, is_started: false, given: 0 })
    }

    pub fn sheets(&self) -> &[SheetHead] {
        self.book.sheets()
    }

    pub fn sheet(&self) -> &str {
        &self.book.sheets()[self.sheet].name
    }

    pub fn notices(&self) -> &[Message] {
        &self.notices
    }

    pub fn sample(&self) -> &[RowBuffer] {
        &self.sample
    }

    /// Moves to the first row of the selected sheet.
    pub fn start(&mut self) {
        (self.is_started, self.given) = (false, 0);
    }

    /// Reads the next rows, as [`super::Source::step`].
    pub fn step(&mut self, on_row: RowHandler<'_>) -> Result<Step, FileError> {
        let step = self.read(on_row);
        if step == Err(FileError::NeedsFallback)
            && let Some(blob) = &self.own
        {
            // The fallback reader continues after the last row that was passed on: both readers return the same rows.
            let book = open_fallback(blob.clone(), self.kind, self.libraries, &self.limits)?;
            let sheet = book.sheets().iter().position(|sheet| sheet.name == self.sheet());
            self.sheet = sheet.ok_or(FileError::BrokenWorkbook)?;
            (self.book, self.own, self.is_started) = (book, None, false);
            return Ok(Step::More);
        }
        step
    }

    fn read(&mut self, on_row: RowHandler<'_>) -> Result<Step, FileError> {
        if !self.is_started {
            self.book.start(self.sheet)?;
            self.is_started = true;
        }
        let mut row = RowBuffer::default();
        for _ in 0..STEP {
            if !self.book.next(&mut row)? {
                return Ok(Step::End);
            }
            if row.number() <= self.given || row.row().is_blank() {
                continue;
            }
            self.given = row.number();
            if on_row(row.row())?.is_break() {
                return Ok(Step::End);
            }
        }
        Ok(Step::More)
    }
}

/// Opens the workbook with the fallback reader, which needs all of it in memory.
fn open_fallback(
    mut blob: Shared,
    kind: FileKind,
    libraries: Linkage,
    limits: &Limits,
) -> Result<Box<dyn Book>, FileError> {
    let libraries = libraries.ok_or(FileError::NeedsFallback)?;
    let mut bytes = vec![0; usize::try_from(blob.size()).map_err(|_| FileError::Unreadable)?];
    if read(&mut blob, 0, &mut bytes)? < bytes.len() {
        return Err(FileError::Unreadable);
    }
    libraries.open(bytes, kind, limits)
}
