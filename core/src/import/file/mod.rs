//! A file that was chosen, where all readers are at hand: opened, looked at, and read row by row without ever holding all
//! of its rows. The browser does the same with a reader of each kind in a module of its own.

mod csv;

use super::book::{self, Book};
use super::head::{Recognised, SAMPLE_ROWS, look};
use super::layout::Layout;
use super::recognise::{Found, HEAD, recognise};
use super::row::{EachRow, RowBuffer};
use super::{Blob, FileError, FileHead, FileKind, Limits, ReadOptions, fallback, text};
use csv::CsvFile;

/// A file whose columns are known, ready to be read as often as wished.
pub struct Source {
    body: Body,
    head: FileHead,
    layout: Layout,
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
        mut blob: impl Blob + 'static,
        options: &ReadOptions,
        preview_rows: usize,
        limits: &Limits,
    ) -> Result<Source, FileError> {
        let mut head = vec![0; HEAD];
        let length = csv::read(&mut blob, 0, &mut head)?;
        let (found, mut notices) = recognise(name, blob.size(), &head[..length], limits)?;
        let kind = found.kind();
        let (body, sample, recognised) = match found {
            Found::Text { encoding, sure, mark } => {
                let mut file = CsvFile::open(Box::new(blob), (encoding, sure, mark), options, limits)?;
                if file.is_damaged() {
                    notices.push(text::DAMAGED_CHARACTERS.into());
                }
                let sample = file.sample()?;
                let (encoding, delimiter) = (Some(file.encoding().to_owned()), Some(file.delimiter()));
                let recognised = Recognised { kind, encoding, delimiter, sheet: None, sheets: Vec::new(), notices };
                (Body::Csv(file), sample, recognised)
            }
            Found::Xlsx | Found::Old(_) => {
                let mut book = fallback_of(&mut blob, kind, limits)?;
                let sheet = book::choose(&mut *book, options.sheet.as_deref(), &mut notices)?;
                let sample = book.sample(sheet, SAMPLE_ROWS + 1)?;
                let sheets = book.sheets().to_vec();
                let name = Some(sheets[sheet].name.clone());
                let recognised = Recognised { kind, encoding: None, delimiter: None, sheet: name, sheets, notices };
                (Body::Book { book, sheet }, sample, recognised)
            }
        };
        let (head, layout) = look(recognised, &sample, options, preview_rows, limits)?;
        Ok(Source { body, head, layout })
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
            Body::Csv(file) => file.rows(each),
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

/// A workbook in memory, as the other readers want it.
fn fallback_of(blob: &mut dyn Blob, kind: FileKind, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let mut bytes = vec![0; usize::try_from(blob.size()).map_err(|_| FileError::Unreadable)?];
    let length = csv::read(blob, 0, &mut bytes)?;
    bytes.truncate(length);
    fallback::open(bytes, kind, limits)
}
