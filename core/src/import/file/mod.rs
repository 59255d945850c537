//! A file that was chosen: opened, looked at, and read row by row without ever holding all of its rows.

mod cell;
mod columns;
mod csv;
mod raw;
mod workbook;

use super::sniff::{Content, sniff};
use super::{FileError, FileHead, FileKind, Limits, Row, match_columns};
use columns::Columns;
use csv::CsvFile;
use raw::RawRow;
use std::ops::ControlFlow;
use workbook::{XlsFile, XlsxFile};

/// How many of the first rows are looked at to name and match the columns; the most a preview can show.
pub const SAMPLE_ROWS: usize = 100;

/// A file whose columns are known, ready to be read as often as wished.
pub struct Source {
    body: Body,
    columns: Columns,
    sample: Vec<Row>,
    notices: Vec<String>,
    limits: Limits,
}

enum Body {
    Csv(CsvFile),
    Xlsx(Box<XlsxFile>),
    Xls(XlsFile),
}

impl Body {
    /// Gives every row of the file, blank ones left out, until `f` has had enough. Row numbers only ever grow.
    fn each(
        &mut self,
        limits: &Limits,
        f: &mut dyn FnMut(&RawRow) -> Result<ControlFlow<()>, FileError>,
    ) -> Result<(), FileError> {
        match self {
            Body::Csv(file) => file.each(limits, f),
            Body::Xlsx(file) => file.each(limits, f),
            Body::Xls(file) => file.each(limits, f),
        }
    }
}

impl Source {
    /// Tells what the file is, and reads its header and first rows. `name` is the file's name, of which only the ending
    /// counts.
    ///
    /// # Errors
    /// Why the file can't be imported, as far as its beginning tells; [`Source::rows`] may still find more.
    pub fn open(name: &str, bytes: Vec<u8>, limits: &Limits) -> Result<Source, FileError> {
        let sniffed = sniff(name, &bytes, limits)?;
        let mut notices = sniffed.notices;
        let mut body = match sniffed.content {
            Content::Text(format) => Body::Csv(CsvFile::new(bytes, format)),
            Content::Xlsx => Body::Xlsx(Box::new(XlsxFile::open(bytes, limits, &mut notices)?)),
            Content::Xls => Body::Xls(XlsFile::open(bytes, &mut notices)?),
        };
        let mut rows: Vec<RawRow> = Vec::new();
        body.each(limits, &mut |row| {
            rows.push(row.clone());
            Ok(if rows.len() > SAMPLE_ROWS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        let Some((header, rows)) = rows.split_first() else { return Err(FileError::NoColumns) };
        if rows.is_empty() {
            return Err(FileError::NoRows);
        }
        let columns = Columns::of(header, rows, limits, &mut notices)?;
        let sample = rows.iter().map(|raw| columns.row(raw)).collect();
        Ok(Source { body, columns, sample, notices, limits: limits.clone() })
    }

    /// The columns' names, in the order of every row's cells.
    pub fn columns(&self) -> &[String] {
        self.columns.names()
    }

    /// What is known of the file, with at most `preview_rows` of its first rows ([`SAMPLE_ROWS`] is the most there are).
    pub fn head(&self, preview_rows: usize) -> FileHead {
        let names = self.columns();
        let sample: Vec<Vec<String>> =
            self.sample.iter().map(|row| row.cells.iter().take(names.len()).cloned().collect()).collect();
        let matches = match_columns(names, &sample);
        let (kind, encoding, delimiter, sheet) = match &self.body {
            Body::Csv(file) => (FileKind::Csv, Some(file.encoding().to_owned()), Some(file.delimiter()), None),
            Body::Xlsx(file) => (FileKind::Xlsx, None, None, Some(file.sheet().to_owned())),
            Body::Xls(file) => (FileKind::Xls, None, None, Some(file.sheet().to_owned())),
        };
        let file_columns = names.to_vec();
        let notices = self.notices.clone();
        let preview = sample.into_iter().take(preview_rows).collect();
        FileHead { kind, encoding, delimiter, sheet, file_columns, preview, notices, matches }
    }

    /// Gives every row below the header that has something in it, in order, until `f` has had enough. A row has a cell
    /// for each column; values beyond the last column follow behind, and [`super::Checker`] refuses such a row.
    /// A row's number is the one that a spreadsheet program shows: a row with line breaks in a cell counts as one, blank
    /// rows count too.
    ///
    /// # Errors
    /// Why the file can't be imported after all. The rows before were given.
    pub fn rows(&mut self, mut f: impl FnMut(&Row) -> ControlFlow<()>) -> Result<(), FileError> {
        let (columns, limits) = (&self.columns, &self.limits);
        let (mut row, mut count) = (Row::default(), 0);
        self.body.each(limits, &mut |raw| {
            if raw.number <= columns.header_number() {
                return Ok(ControlFlow::Continue(()));
            }
            count += 1;
            if count > limits.rows {
                return Err(FileError::TooManyRows { most: limits.rows });
            }
            columns.fill(raw, &mut row);
            Ok(f(&row))
        })
    }
}
