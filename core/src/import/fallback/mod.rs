//! Workbooks that no reader of our own knows, read by calamine: .xls, .xlsb and .ods, and such .xlsx as are put together in
//! another way than spreadsheet programs do it. calamine sets no bounds to what a file can make it take up, so that it is
//! let at a file only where its end is survived: in a child process, and in a worker's module of its own. What is absurd at
//! first sight is refused before.

mod biff;
mod cell;
mod ods;
mod ole;
mod parts;

use super::book::{Book, GRID};
use super::head::SAMPLE_ROWS;
use super::pack::{Packer, Unpacker};
use super::row::RowBuffer;
use super::{FileError, FileKind, Limits, SheetHead};
use calamine::{Data, Ods, OdsError, Range, Reader, Sheet, SheetType, SheetVisible, Xls, Xlsb, Xlsx, XlsxError};
use cell::Format;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

type Bytes = Cursor<Vec<u8>>;
type EachRow<'a> = &'a mut dyn FnMut(&RowBuffer) -> Result<ControlFlow<()>, FileError>;

/// Opens a workbook of that kind.
///
/// # Errors
/// It can't be read, or is no workbook.
pub fn open(bytes: Vec<u8>, kind: FileKind, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    match kind {
        FileKind::Xls => {
            let mut file = ole::workbook(bytes)?;
            // A password was met here, if there is one.
            let formats = biff::tidy(file.stream())?;
            let mut workbook = guarded(|| Xls::new(Cursor::new(file.finish())).map_err(broken))?;
            Held::of(&mut workbook, &formats, limits, broken)
        }
        FileKind::Ods => {
            parts::check(&bytes)?;
            let mut workbook = guarded(|| Ods::new(Cursor::new(bytes)).map_err(of_ods))?;
            Held::of(&mut workbook, &[], limits, of_ods)
        }
        FileKind::Xlsb => {
            parts::check(&bytes)?;
            Lazy::of(guarded(|| Xlsb::new(Cursor::new(bytes)).map_err(broken))?, limits)
        }
        FileKind::Xlsx => {
            parts::check(&bytes)?;
            Lazy::of(guarded(|| Xlsx::new(Cursor::new(bytes)).map_err(of_xlsx))?, limits)
        }
        FileKind::Csv => Err(FileError::BrokenWorkbook),
    }
}

/// A panic in the library is a damaged file, wherever panics can be caught.
fn guarded<T>(read: impl FnOnce() -> Result<T, FileError>) -> Result<T, FileError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or(Err(FileError::BrokenWorkbook))
}

/// The places and heads of the sheets that hold cells.
fn heads(sheets: &[Sheet]) -> Result<(Vec<usize>, Vec<SheetHead>), FileError> {
    if sheets.is_empty() {
        return Err(FileError::NotASpreadsheet { found: "a document of another kind" });
    }
    let of_cells = sheets.iter().enumerate().filter(|(_, sheet)| sheet.typ == SheetType::WorkSheet);
    let head = |sheet: &Sheet| SheetHead { name: sheet.name.clone(), hidden: sheet.visible != SheetVisible::Visible };
    Ok(of_cells.map(|(place, sheet)| (place, head(sheet))).unzip())
}

/// The rows of a sheet, packed: an eighth of what the library's own cells take.
#[derive(Default)]
struct Rows(Packer);

impl Rows {
    /// Keeps the rows that `read` gives, but no more than it takes to see that there are too many.
    fn of(limits: &Limits, read: impl FnOnce(EachRow<'_>) -> Result<(), FileError>) -> Result<Rows, FileError> {
        let mut rows = Packer::default();
        let mut left = limits.rows.saturating_add(SAMPLE_ROWS as u64 + 1);
        read(&mut |row| {
            rows.row(row.row());
            left -= 1;
            Ok(if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(Rows(rows))
    }

    /// Reads the row at that place, and gives where the next one is.
    fn at(&self, place: usize, row: &mut RowBuffer) -> Option<usize> {
        let mut rest = Unpacker::new(self.0.bytes.get(place..)?);
        rest.row(row)?;
        Some(self.0.bytes.len() - rest.left())
    }
}

/// A workbook that the library reads as a whole: nothing of it is kept but its rows.
struct Held {
    sheets: Vec<SheetHead>,
    rows: Vec<Result<Rows, FileError>>,
    /// The sheet that is being read, and where in its rows.
    at: (usize, usize),
}

impl Held {
    /// `formats` are those of each sheet's cells.
    fn of<W: Reader<Bytes>>(
        workbook: &mut W,
        formats: &[biff::Formats],
        limits: &Limits,
        error: fn(W::Error) -> FileError,
    ) -> Result<Box<dyn Book>, FileError> {
        let (places, sheets) = heads(workbook.sheets_metadata())?;
        let rows = places.into_iter().zip(&sheets).map(|(place, sheet)| {
            let cells = guarded(|| workbook.worksheet_range(&sheet.name).map_err(error))?;
            Rows::of(limits, |each| range(&cells, formats.get(place), limits, each))
        });
        let rows = rows.collect();
        Ok(Box::new(Held { sheets, rows, at: (0, 0) }))
    }

    fn rows(&self, sheet: usize) -> Result<&Rows, FileError> {
        self.rows.get(sheet).ok_or(FileError::NoSuchSheet)?.as_ref().map_err(FileError::clone)
    }
}

impl Book for Held {
    fn sheets(&self) -> &[SheetHead] {
        &self.sheets
    }

    fn sample(&mut self, sheet: usize, most: usize) -> Result<Vec<RowBuffer>, FileError> {
        let (rows, mut place) = (self.rows(sheet)?, 0);
        let next = || {
            let mut row = RowBuffer::default();
            place = rows.at(place, &mut row)?;
            Some(row)
        };
        Ok(std::iter::from_fn(next).take(most).collect())
    }

    fn start(&mut self, sheet: usize) -> Result<(), FileError> {
        self.rows(sheet)?;
        self.at = (sheet, 0);
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        let (sheet, place) = self.at;
        let Some(next) = self.rows(sheet)?.at(place, row) else { return Ok(false) };
        self.at.1 = next;
        Ok(true)
    }
}

/// A workbook whose sheets the library reads cell by cell, one when it is asked for.
trait ByCell: Reader<Bytes> {
    fn cells(&mut self, sheet: &str, limits: &Limits, each: EachRow<'_>) -> Result<(), FileError>;
}

impl ByCell for Xlsx<Bytes> {
    fn cells(&mut self, sheet: &str, limits: &Limits, each: EachRow<'_>) -> Result<(), FileError> {
        let mut reader = self.worksheet_cells_reader(sheet).map_err(of_xlsx)?;
        let format = |style: &calamine::Style| {
            style.number_format.as_ref().map_or(Format::default(), |format| Format::of(&format.format_code))
        };
        let formats: Vec<Format> = reader.styles().iter().map(format).collect();
        by_row(limits, each, |text| {
            let Some((found, style)) = reader.next_cell_with_style_id().map_err(of_xlsx)? else { return Ok(None) };
            cell::write(found.get_value(), formats.get(style).copied().unwrap_or_default(), text);
            Ok(Some(found.get_position()))
        })
    }
}

impl ByCell for Xlsb<Bytes> {
    fn cells(&mut self, sheet: &str, limits: &Limits, each: EachRow<'_>) -> Result<(), FileError> {
        let mut reader = self.worksheet_cells_reader(sheet).map_err(broken)?;
        by_row(limits, each, |text| {
            let Some(found) = reader.next_cell().map_err(broken)? else { return Ok(None) };
            cell::write(found.get_value(), Format::default(), text);
            Ok(Some(found.get_position()))
        })
    }
}

struct Lazy<W> {
    workbook: W,
    sheets: Vec<SheetHead>,
    limits: Limits,
    /// The rows of the sheet that was started, and the place of the next one: the library's own reader can't be kept.
    rows: Rows,
    next: usize,
}

impl<W: ByCell + 'static> Lazy<W> {
    fn of(workbook: W, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
        let (_, sheets) = heads(workbook.sheets_metadata())?;
        Ok(Box::new(Lazy { workbook, sheets, limits: *limits, rows: Rows::default(), next: 0 }))
    }

    fn each(&mut self, sheet: usize, each: EachRow<'_>) -> Result<(), FileError> {
        let name = &self.sheets.get(sheet).ok_or(FileError::NoSuchSheet)?.name;
        guarded(|| self.workbook.cells(name, &self.limits, each))
    }
}

impl<W: ByCell + 'static> Book for Lazy<W> {
    fn sheets(&self) -> &[SheetHead] {
        &self.sheets
    }

    fn sample(&mut self, sheet: usize, most: usize) -> Result<Vec<RowBuffer>, FileError> {
        let mut rows = Vec::new();
        self.each(sheet, &mut |row| {
            rows.push(row.clone());
            Ok(if rows.len() >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(rows)
    }

    fn start(&mut self, sheet: usize) -> Result<(), FileError> {
        self.rows = Rows::default();
        let limits = self.limits;
        self.rows = Rows::of(&limits, |each| self.each(sheet, each))?;
        self.next = 0;
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        let Some(next) = self.rows.at(self.next, row) else { return Ok(false) };
        self.next = next;
        Ok(true)
    }
}

fn range(
    cells: &Range<Data>,
    formats: Option<&biff::Formats>,
    limits: &Limits,
    each: EachRow<'_>,
) -> Result<(), FileError> {
    // A range begins at the first used cell; an empty first column must not shift the others.
    let (top, left) = cells.start().unwrap_or_default();
    let mut cells = cells.used_cells();
    by_row(limits, each, |text| {
        let Some((row, column, value)) = cells.next() else { return Ok(None) };
        let place = |offset: usize, start: u32| u32::try_from(offset).unwrap_or(u32::MAX).saturating_add(start);
        let at = (place(row, top), place(column, left));
        let format = formats.and_then(|formats| formats.get(&at)).copied().unwrap_or_default();
        cell::write(value, format, text);
        Ok(Some(at))
    })
}

/// Gathers cells into rows that aren't blank. `next` writes a cell's text and says where it is, row and column from 0.
fn by_row(
    limits: &Limits,
    each: EachRow<'_>,
    mut next: impl FnMut(&mut String) -> Result<Option<(u32, u32)>, FileError>,
) -> Result<(), FileError> {
    let (mut row, mut text) = (RowBuffer::default(), String::new());
    row.start(1);
    let mut right = 0;
    loop {
        text.clear();
        let Some((at, column)) = next(&mut text)? else { break };
        let number = u64::from(at) + 1;
        if at >= GRID.0 || column >= GRID.1 || number < row.number() || (number == row.number() && column < right) {
            return Err(FileError::BrokenWorkbook);
        }
        if number > row.number() {
            if !row.row().is_blank() && each(&row)?.is_break() {
                return Ok(());
            }
            row.start(number);
        }
        right = column + 1;
        row.push(column as usize, &text, limits)?;
    }
    if row.row().is_blank() { Ok(()) } else { each(&row).map(|_| ()) }
}

fn broken<E>(_: E) -> FileError {
    FileError::BrokenWorkbook
}

/// What is locked is no archive, so that the library never sees it.
fn of_xlsx(error: XlsxError) -> FileError {
    match error {
        XlsxError::FileNotFound(_) | XlsxError::RelationshipNotFound => {
            FileError::NotASpreadsheet { found: "a zip archive" }
        }
        _ => FileError::BrokenWorkbook,
    }
}

fn of_ods(error: OdsError) -> FileError {
    match error {
        OdsError::Password => FileError::PasswordProtected,
        _ => FileError::BrokenWorkbook,
    }
}
