//! A file that was chosen, where all readers are at hand: opened, looked at, and read row by row without ever holding all
//! of its rows. The browser does the same with a reader of each kind in a module of its own.

mod csv;

use super::book::{self, Book};
use super::head::{Recognised, SAMPLE_ROWS, look};
use super::layout::Layout;
use super::recognise::{Content, sniff};
use super::row::{EachRow, RowBuffer};
use super::{Blob, FileError, FileHead, FileKind, Limits, ReadOptions, fallback};
use csv::CsvFile;
use std::ops::ControlFlow;

/// A file whose columns are known, ready to be read as often as wished.
pub struct Source {
    body: Body,
    head: FileHead,
    layout: Layout,
    limits: Limits,
}

enum Body {
    Csv(CsvFile),
    Book { book: Box<dyn Book>, sheet: usize },
}

impl Source {
    /// Tells what the file is, and reads its header and first rows. `name` is the file's name, of which only the ending
    /// counts.
    ///
    /// # Errors
    /// Why the file can't be imported, as far as its beginning tells; [`Source::rows`] may still find more.
    pub fn open(
        name: &str,
        mut blob: impl Blob,
        options: &ReadOptions,
        preview_rows: usize,
        limits: &Limits,
    ) -> Result<Source, FileError> {
        let mut bytes = vec![0; usize::try_from(blob.size()).unwrap_or_default()];
        let length = blob.read_at(0, &mut bytes).map_err(|_| FileError::Unreadable)?;
        bytes.truncate(length);
        let sniffed = sniff(name, &bytes, limits)?;
        let mut notices = sniffed.notices;
        let (body, kind) = match sniffed.content {
            Content::Text(format) => (Body::Csv(CsvFile::new(bytes, format, options)?), FileKind::Csv),
            Content::Xlsx | Content::Xls => {
                let kind = if matches!(sniffed.content, Content::Xlsx) { FileKind::Xlsx } else { FileKind::Xls };
                let mut book: Box<dyn Book> = fallback::open(bytes, kind, limits)?;
                let sheet = book::choose(&mut *book, options.sheet.as_deref(), &mut notices)?;
                (Body::Book { book, sheet }, kind)
            }
        };
        Source::of(body, kind, notices, options, preview_rows, limits)
    }

    fn of(
        mut body: Body,
        kind: FileKind,
        notices: Vec<String>,
        options: &ReadOptions,
        preview_rows: usize,
        limits: &Limits,
    ) -> Result<Source, FileError> {
        let (sample, recognised) = match &mut body {
            Body::Csv(file) => {
                let mut sample: Vec<RowBuffer> = Vec::new();
                file.each(limits, &mut |row| {
                    sample.push(row.into());
                    Ok(if sample.len() > SAMPLE_ROWS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
                })?;
                let (encoding, delimiter) = (Some(file.encoding().to_owned()), Some(file.delimiter()));
                (sample, Recognised { kind, encoding, delimiter, sheet: None, sheets: Vec::new(), notices })
            }
            Body::Book { book, sheet } => {
                let sheets = book.sheets().to_vec();
                let name = Some(sheets[*sheet].name.clone());
                let sample = book.sample(*sheet, SAMPLE_ROWS + 1)?;
                (sample, Recognised { kind, encoding: None, delimiter: None, sheet: name, sheets, notices })
            }
        };
        let (head, layout) = look(recognised, &sample, options, preview_rows, limits)?;
        Ok(Source { body, head, layout, limits: *limits })
    }

    /// What is known of the file.
    pub fn head(&self) -> &FileHead {
        &self.head
    }

    /// Its columns.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Gives every row of the file that isn't blank, the header and what stands above it among them, until `each` has had
    /// enough. A row's number is the one that a spreadsheet program shows: a row with line breaks in a cell counts as
    /// one, blank rows count too.
    ///
    /// # Errors
    /// Why the file can't be imported after all. The rows before were given.
    pub fn rows(&mut self, each: EachRow<'_>) -> Result<(), FileError> {
        match &mut self.body {
            Body::Csv(file) => file.each(&self.limits, each),
            Body::Book { book, sheet } => {
                book.start(*sheet)?;
                let mut row = RowBuffer::default();
                while book.next(&mut row)? {
                    if !row.row().is_blank() && each(row.row())?.is_break() {
                        break;
                    }
                }
                Ok(())
            }
        }
    }
}
