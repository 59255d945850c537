//! A file with the reader of its kind: opened, sampled, and read piece by piece without storing all rows. The server's
//! child process and the browser's worker read every file through this.

mod csv;
mod libraries;
mod workbook;

use super::head::{Recognised, read_head};
use super::layout::Layout;
use super::recognise::{DetectedFormat, HEAD_BYTES, recognise};
use super::row::RowHandler;
use super::{Blob, FileError, FileHead, FileKind, Limits, ReadOptions, SheetHead};
use crate::message::Message;
use csv::CsvFile;
pub use libraries::Libraries;
use libraries::Linkage;
#[cfg(feature = "files")]
pub use libraries::Linked;
use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use workbook::BookFile;

/// A file whose columns are known. It can be read repeatedly.
pub struct Source {
    body: Body,
    head: FileHead,
    layout: Layout,
    kind: FileKind,
    /// The notices about the file, without those about its columns.
    notices: Vec<Message>,
    options: ReadOptions,
    preview_rows: usize,
    limits: Limits,
}

enum Body {
    Csv(CsvFile),
    Book(BookFile),
}

/// What to do after a piece of a file was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Read another piece.
    More,
    /// Stop: the file has ended, or the caller has stopped reading.
    End,
    /// Read all rows again: the text has another encoding than its beginning showed. The columns were detected again,
    /// and the next step begins with the first row.
    Reread,
}

/// Why a file can't be imported, and all its sheets, so that the user can choose another one.
#[derive(Debug)]
pub struct OpenError {
    pub error: FileError,
    pub sheets: Vec<SheetHead>,
    /// The name of the sheet that can't be imported, if one was selected.
    pub sheet: Option<String>,
}

impl From<FileError> for OpenError {
    fn from(error: FileError) -> Self {
        OpenError { error, sheets: Vec::new(), sheet: None }
    }
}

impl Source {
    /// Recognises the file, and reads its header and first rows. Only the extension of `name` matters. If the beginning
    /// of a text doesn't show its encoding, the whole text is read to detect it.
    ///
    /// # Errors
    /// The file can't be imported. [`Source::rows`] may return further errors.
    #[cfg(feature = "files")]
    pub fn open(
        name: &str,
        blob: impl Blob + 'static,
        options: &ReadOptions,
        preview_rows: usize,
        limits: &Limits,
    ) -> Result<Source, FileError> {
        let opened = Source::open_head(name, blob, Some(&Linked), options, preview_rows, limits);
        let mut source = opened.map_err(|refused| refused.error)?;
        source.detect_late_encoding()?;
        Ok(source)
    }

    /// As [`Source::open`], but reads only the beginning of a text, so that the first rows of a long one are there at
    /// once. Reading it may end with [`Step::Reread`].
    ///
    /// # Errors
    /// The file can't be imported, or needs `libraries`, which are missing ([`FileError::NeedsFallback`]).
    pub fn open_head(
        name: &str,
        blob: impl Blob + 'static,
        libraries: Linkage,
        options: &ReadOptions,
        preview_rows: usize,
        limits: &Limits,
    ) -> Result<Source, OpenError> {
        let mut blob = Shared::new(blob);
        let (mut found, mut notices) = recognise_file(name, &mut blob, limits)?;
        if found == DetectedFormat::MaybeEncrypted {
            let libraries = libraries.ok_or(FileError::NeedsFallback)?;
            if let Some(bytes) = libraries.decrypt(Box::new(blob.clone()))? {
                blob = Shared::new(bytes);
                (found, notices) = recognise_file(name, &mut blob, limits)?;
            }
        }
        let kind = found.kind();
        let mut body = match found {
            DetectedFormat::Text { encoding, is_certain, mark } => {
                Body::Csv(CsvFile::open(blob, (encoding, is_certain, mark), options, libraries, limits)?)
            }
            DetectedFormat::Xlsx | DetectedFormat::MaybeEncrypted | DetectedFormat::OtherWorkbook(_) => {
                Body::Book(BookFile::open(blob, kind, options.sheet.as_deref(), libraries, limits)?)
            }
        };
        if let Body::Book(file) = &body {
            notices.extend_from_slice(file.notices());
        }
        let columns = body.read_columns(kind, notices.clone(), options, preview_rows, limits);
        let (head, layout) = columns.map_err(|error| match &body {
            Body::Csv(_) => error.into(),
            Body::Book(file) => OpenError { error, sheets: file.sheets().to_vec(), sheet: Some(file.sheet().into()) },
        })?;
        Ok(Source { body, head, layout, kind, notices, options: options.clone(), preview_rows, limits: *limits })
    }

    pub fn head(&self) -> &FileHead {
        &self.head
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Moves to the first row.
    pub fn start(&mut self) {
        match &mut self.body {
            Body::Csv(file) => file.start(),
            Body::Book(file) => file.start(),
        }
    }

    /// Reads the next piece, and passes every row in it that isn't blank to `on_row`, including the header and the rows
    /// above it, until `on_row` returns `Break`. Row numbers are those of spreadsheet programs: a row with line breaks
    /// in a cell counts as one, and blank rows count.
    ///
    /// # Errors
    /// The file can't be imported, or needs libraries that are missing. The rows before the error were passed on.
    pub fn step(&mut self, on_row: RowHandler<'_>) -> Result<Step, FileError> {
        let file = match &mut self.body {
            Body::Book(file) => return file.step(on_row),
            Body::Csv(file) => file,
        };
        match file.step(on_row) {
            Err(FileError::OtherEncoding) => {
                file.guess_encoding(&self.options)?;
                self.read_head()?;
                Ok(Step::Reread)
            }
            step => step,
        }
    }

    /// Reads all rows, as [`Source::step`] does.
    ///
    /// # Errors
    /// The file can't be imported. The rows before the error were passed on.
    pub fn rows(&mut self, on_row: RowHandler<'_>) -> Result<(), FileError> {
        self.start();
        loop {
            match self.step(on_row)? {
                Step::More => {}
                Step::End => return Ok(()),
                Step::Reread => return Err(FileError::OtherEncoding),
            }
        }
    }

    /// Returns the fraction of the file that was read, from 0 to 1; `None` for a workbook.
    pub fn share(&self) -> Option<f64> {
        match &self.body {
            Body::Csv(file) => Some(file.share()),
            Body::Book(_) => None,
        }
    }

    /// Returns whether the rows so far contain invalid UTF-8, which is replaced by U+FFFD. Always false for other
    /// encodings.
    pub fn is_damaged(&self) -> bool {
        matches!(&self.body, Body::Csv(file) if file.is_damaged())
    }

    /// Detects the encoding of a text whose beginning is UTF-8, but not its rest. Text that is mostly UTF-8 counts as
    /// damaged UTF-8, of which a notice tells the user.
    #[cfg(feature = "files")]
    fn detect_late_encoding(&mut self) -> Result<(), FileError> {
        use std::ops::ControlFlow;

        let Body::Csv(file) = &mut self.body else { return Ok(()) };
        if !file.may_encoding_change()? {
            file.make_encoding_certain();
            return Ok(());
        }
        // Only a change of the encoding matters here. Other errors will occur again when the rows are read.
        let step = loop {
            match self.step(&mut |_| Ok(ControlFlow::Continue(()))) {
                Ok(Step::More) => {}
                step => break step,
            }
        };
        if step != Ok(Step::Reread) {
            self.notices.push(super::text::DAMAGED_CHARACTERS.into());
            self.read_head()?;
        }
        if let Body::Csv(file) = &mut self.body {
            file.make_encoding_certain();
        }
        Ok(())
    }

    fn read_head(&mut self) -> Result<(), FileError> {
        let notices = self.notices.clone();
        (self.head, self.layout) =
            self.body.read_columns(self.kind, notices, &self.options, self.preview_rows, &self.limits)?;
        Ok(())
    }
}

impl Body {
    /// Detects the columns in the first rows.
    fn read_columns(
        &mut self,
        kind: FileKind,
        notices: Vec<Message>,
        options: &ReadOptions,
        preview_rows: usize,
        limits: &Limits,
    ) -> Result<(FileHead, Layout), FileError> {
        let mut recognised =
            Recognised { kind, encoding: None, delimiter: None, sheet: None, sheets: Vec::new(), notices };
        let csv_sample;
        let sample = match self {
            Body::Csv(file) => {
                csv_sample = file.sample()?;
                (recognised.encoding, recognised.delimiter) = (Some(file.encoding().into()), Some(file.delimiter()));
                &csv_sample
            }
            Body::Book(file) => {
                (recognised.sheet, recognised.sheets) = (Some(file.sheet().into()), file.sheets().to_vec());
                file.sample()
            }
        };
        read_head(recognised, sample, options, preview_rows, limits)
    }
}

/// Detects the format of a file from its beginning. Also returns notices for the user.
fn recognise_file(
    name: &str,
    blob: &mut dyn Blob,
    limits: &Limits,
) -> Result<(DetectedFormat, Vec<Message>), FileError> {
    let mut head = vec![0; HEAD_BYTES];
    let length = read(blob, 0, &mut head)?;
    recognise(name, blob.size(), &head[..length], limits)
}

/// Reads from this offset until the buffer is full or the file ends, and returns the number of bytes.
fn read(blob: &mut dyn Blob, offset: u64, into: &mut [u8]) -> Result<usize, FileError> {
    blob.read_at(offset, into).map_err(|_| FileError::Unreadable)
}

/// The file, so that the fallback reader can read it again after the streaming reader.
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
