//! A file with the reader of its kind: opened, sampled, and read row by row without storing all rows. The browser does
//! the same with one module per reader.

mod csv;
mod workbook;

use super::head::{Recognised, read_head};
use super::layout::Layout;
use super::recognise::{DetectedFormat, HEAD_BYTES, recognise};
use super::row::RowHandler;
use super::unlock::decrypt_workbook;
use super::{Blob, FileError, FileHead, Limits, ReadOptions, text};
use crate::message::Message;
use csv::CsvFile;
use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use workbook::BookFile;

/// A file whose columns are known. It can be read repeatedly.
pub struct Source {
    body: Body,
    head: FileHead,
    layout: Layout,
}

enum Body {
    Csv(CsvFile),
    Book(BookFile),
}

impl Source {
    /// Recognises the file, and reads its header and first rows. Only the extension of `name` matters.
    ///
    /// # Errors
    /// The file can't be imported. [`Source::rows`] may return further errors.
    pub fn open(
        name: &str,
        blob: impl Blob + 'static,
        options: &ReadOptions,
        preview_rows: usize,
        limits: &Limits,
    ) -> Result<Source, FileError> {
        let mut blob = Shared::new(blob);
        let (mut found, mut notices) = recognised(name, &mut blob, limits)?;
        if found == DetectedFormat::MaybeEncrypted
            && let Some(bytes) = decrypt_workbook(Box::new(blob.clone()))?
        {
            blob = Shared::new(bytes);
            (found, notices) = recognised(name, &mut blob, limits)?;
        }
        let kind = found.kind();
        let (body, sample, recognised) = match found {
            DetectedFormat::Text { encoding, is_certain, mark } => {
                let mut file = CsvFile::open(Box::new(blob), (encoding, is_certain, mark), options, limits)?;
                if file.is_damaged() {
                    notices.push(text::DAMAGED_CHARACTERS.into());
                }
                let sample = file.sample()?;
                let (encoding, delimiter) = (Some(file.encoding().to_owned()), Some(file.delimiter()));
                let recognised = Recognised { kind, encoding, delimiter, sheet: None, sheets: Vec::new(), notices };
                (Body::Csv(file), sample, recognised)
            }
            DetectedFormat::Xlsx | DetectedFormat::MaybeEncrypted | DetectedFormat::OtherWorkbook(_) => {
                let file = BookFile::open(blob, kind, options.sheet.as_deref(), limits)?;
                notices.extend_from_slice(file.notices());
                let (sheet, sheets) = (Some(file.sheet().to_owned()), file.sheets().to_vec());
                let recognised = Recognised { kind, encoding: None, delimiter: None, sheet, sheets, notices };
                let sample = file.sample().to_vec();
                (Body::Book(file), sample, recognised)
            }
        };
        let (head, layout) = read_head(recognised, &sample, options, preview_rows, limits)?;
        Ok(Source { body, head, layout })
    }

    pub fn head(&self) -> &FileHead {
        &self.head
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Passes every row that isn't blank to `each`, including the header and the rows above it, until `each` returns
    /// `Break`. Row numbers are those of spreadsheet programs: a row with line breaks in a cell counts as one, and blank
    /// rows count.
    ///
    /// # Errors
    /// The file can't be imported. The rows before the error were passed on.
    pub fn rows(&mut self, each: RowHandler<'_>) -> Result<(), FileError> {
        match &mut self.body {
            Body::Csv(file) => file.rows(each),
            Body::Book(file) => file.rows(each),
        }
    }
}

/// Recognises the kind of a file by its first bytes. Also returns notices for the user.
fn recognised(name: &str, blob: &mut dyn Blob, limits: &Limits) -> Result<(DetectedFormat, Vec<Message>), FileError> {
    let mut head = vec![0; HEAD_BYTES];
    let length = csv::read(blob, 0, &mut head)?;
    recognise(name, blob.size(), &head[..length], limits)
}

/// A file that two readers share, one after the other.
#[derive(Clone)]
struct Shared(Rc<RefCell<dyn Blob>>);

impl Shared {
    fn new(blob: impl Blob + 'static) -> Shared {
        Shared(Rc::new(RefCell::new(blob)))
    }
}

impl Blob for Shared {
    fn size(&self) -> u64 {
        self.0.borrow().size()
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().read_at(offset, into)
    }
}
