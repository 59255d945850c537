//! Workbooks, read by the streaming reader if it supports them, otherwise by the fallback reader.

use super::Shared;
use super::csv::read;
use crate::import::book::{Book, choose_sheet};
use crate::import::head::SAMPLE_ROWS;
use crate::import::row::{RowBuffer, RowHandler};
use crate::import::{Blob, FileError, FileKind, Limits, SheetHead, fallback, xls, xlsx};
use crate::message::Message;
use std::ops::ControlFlow;

/// A workbook and its selected sheet.
pub(super) struct BookFile {
    book: Box<dyn Book>,
    sheet: usize,
    sample: Vec<RowBuffer>,
    notices: Vec<Message>,
    kind: FileKind,
    /// The file, for the fallback reader.
    own: Option<Shared>,
    limits: Limits,
}

impl BookFile {
    /// Opens a workbook, and selects a sheet by the first rows.
    pub fn open(
        mut blob: Shared,
        kind: FileKind,
        chosen: Option<&str>,
        limits: &Limits,
    ) -> Result<BookFile, FileError> {
        let own = Box::new(blob.clone());
        let book = match kind {
            FileKind::Xlsx => xlsx::open(own, limits),
            FileKind::Xls => xls::open(own, limits),
            FileKind::Xlsb | FileKind::Ods | FileKind::Csv => Err(FileError::NeedsFallback),
        };
        match book.and_then(|book| BookFile::of(book, kind, chosen, Some(blob.clone()), limits)) {
            Err(FileError::NeedsFallback) => {}
            read => return read,
        }
        BookFile::of(fallback_of(&mut blob, kind, limits)?, kind, chosen, None, limits)
    }

    fn of(
        mut book: Box<dyn Book>,
        kind: FileKind,
        chosen: Option<&str>,
        own: Option<Shared>,
        limits: &Limits,
    ) -> Result<BookFile, FileError> {
        let mut notices = Vec::new();
        let sheet = choose_sheet(&mut *book, chosen, &mut notices)?;
        let sample = book.sample(sheet, SAMPLE_ROWS + 1)?;
        Ok(BookFile { book, sheet, sample, notices, kind, own, limits: *limits })
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

    /// As [`super::Source::rows`].
    pub fn rows(&mut self, each: RowHandler<'_>) -> Result<(), FileError> {
        let mut given = 0;
        let outcome = rows(&mut *self.book, self.sheet, &mut |row| {
            given = row.number;
            each(row)
        });
        if outcome != Err(FileError::NeedsFallback) {
            return outcome;
        }
        // The fallback reader continues after this row, because both readers return the same rows.
        let Some(mut blob) = self.own.take() else { return outcome };
        let mut book = fallback_of(&mut blob, self.kind, &self.limits)?;
        let sheet = book.sheets().iter().position(|sheet| sheet.name == self.sheet());
        self.sheet = sheet.ok_or(FileError::BrokenWorkbook)?;
        rows(&mut *book, self.sheet, &mut |row| {
            if row.number > given { each(row) } else { Ok(ControlFlow::Continue(())) }
        })?;
        self.book = book;
        Ok(())
    }
}

fn rows(book: &mut dyn Book, sheet: usize, each: RowHandler<'_>) -> Result<(), FileError> {
    book.start(sheet)?;
    let mut row = RowBuffer::default();
    while book.next(&mut row)? {
        if !row.row().is_blank() && each(row.row())?.is_break() {
            break;
        }
    }
    Ok(())
}

/// The fallback reader needs the whole workbook in memory.
fn fallback_of(blob: &mut dyn Blob, kind: FileKind, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let mut bytes = vec![0; usize::try_from(blob.size()).map_err(|_| FileError::Unreadable)?];
    if read(blob, 0, &mut bytes)? < bytes.len() {
        return Err(FileError::Unreadable);
    }
    fallback::open(bytes, kind, limits)
}
