//! Workbooks that the readers which stream don't read. Our own readers of .xlsb, .ods and of an .xls whose cells are out of
//! order keep the rows of all sheets in memory. Such .xlsx as are put together in another way than spreadsheet programs do
//! it are read by calamine, which sets no bounds to what a file can make it take up: what is absurd at first sight is refused
//! before, and the rest is opened only where its end is survived, in a child process and in a worker's module of its own.

mod cell;
mod held;
mod ods;
mod parts;
mod xlsb;
mod xml;

use super::book::{Book, MAX_GRID};
use super::row::RowBuffer;
use super::xls::Whole;
use super::{FileError, FileKind, Limits, SheetHead};
use calamine::{Reader, Sheet, SheetType, SheetVisible, Xlsx, XlsxError};
use cell::Format;
use held::{Held, RowBufferHandler, Rows};
use parts::Parts;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

type Bytes = Cursor<Vec<u8>>;

/// Opens a workbook of that kind.
///
/// # Errors
/// It can't be read, or is no workbook.
pub fn open(bytes: Vec<u8>, kind: FileKind, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    match kind {
        FileKind::Xls => xls(bytes, limits),
        FileKind::Ods => ods::open(bytes, limits),
        FileKind::Xlsb => xlsb::open(bytes, limits),
        FileKind::Xlsx => Lazy::open(Parts::open(bytes)?.checked()?, limits),
        FileKind::Csv => Err(FileError::BrokenWorkbook),
    }
}

fn xls(bytes: Vec<u8>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let mut workbook = Whole::open(bytes, limits)?;
    let mut held = Held::default();
    for (place, head) in workbook.sheets().to_vec().into_iter().enumerate() {
        held.add(head, Rows::of(limits, |each| workbook.rows(place, each)))?;
    }
    held.finish()
}

/// A panic in the library is a damaged file, wherever panics can be caught.
fn guarded<T>(read: impl FnOnce() -> Result<T, FileError>) -> Result<T, FileError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or(Err(FileError::BrokenWorkbook))
}

/// The heads of the sheets that hold cells.
fn heads(sheets: &[Sheet]) -> Result<Vec<SheetHead>, FileError> {
    if sheets.is_empty() {
        return Err(FileError::NotASpreadsheet { found: "a document of another kind" });
    }
    let of_cells = sheets.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let head = |sheet: &Sheet| SheetHead { name: sheet.name.clone(), hidden: sheet.visible != SheetVisible::Visible };
    Ok(of_cells.map(head).collect())
}

/// A workbook whose sheets calamine reads cell by cell, one when it is asked for.
struct Lazy {
    workbook: Xlsx<Bytes>,
    sheets: Vec<SheetHead>,
    limits: Limits,
    /// The rows of the sheet that was started, and the place of the next one: calamine's own reader can't be kept.
    rows: Option<Rows>,
    next: usize,
}

impl Lazy {
    fn open(bytes: Vec<u8>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
        let workbook = guarded(|| Xlsx::new(Cursor::new(bytes)).map_err(of_xlsx))?;
        let sheets = heads(workbook.sheets_metadata())?;
        Ok(Box::new(Lazy { workbook, sheets, limits: *limits, rows: None, next: 0 }))
    }

    fn each(&mut self, sheet: usize, each: RowBufferHandler<'_>) -> Result<(), FileError> {
        let name = &self.sheets.get(sheet).ok_or(FileError::NoSuchSheet)?.name;
        guarded(|| cells(&mut self.workbook, name, &self.limits, each))
    }
}

fn cells(
    workbook: &mut Xlsx<Bytes>,
    sheet: &str,
    limits: &Limits,
    each: RowBufferHandler<'_>,
) -> Result<(), FileError> {
    let mut reader = workbook.worksheet_cells_reader(sheet).map_err(of_xlsx)?;
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

impl Book for Lazy {
    fn sheets(&self) -> &[SheetHead] {
        &self.sheets
    }

    fn sample(&mut self, sheet: usize, max: usize) -> Result<Vec<RowBuffer>, FileError> {
        let mut rows = Vec::new();
        self.each(sheet, &mut |row| {
            rows.push(row.clone());
            Ok(if rows.len() >= max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(rows)
    }

    fn start(&mut self, sheet: usize) -> Result<(), FileError> {
        self.rows = None;
        let limits = self.limits;
        self.rows = Some(Rows::of(&limits, |each| self.each(sheet, each))?);
        self.next = 0;
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        let Some(next) = self.rows.as_ref().and_then(|rows| rows.at(self.next, row)) else { return Ok(false) };
        self.next = next;
        Ok(true)
    }
}

/// Gathers cells into rows that aren't blank. `next` writes a cell's text and says where it is, row and column from 0.
fn by_row(
    limits: &Limits,
    each: RowBufferHandler<'_>,
    mut next: impl FnMut(&mut String) -> Result<Option<(u32, u32)>, FileError>,
) -> Result<(), FileError> {
    let (mut row, mut text) = (RowBuffer::default(), String::new());
    row.start(1);
    let mut right = 0;
    loop {
        text.clear();
        let Some((at, column)) = next(&mut text)? else { break };
        let number = u64::from(at) + 1;
        if at >= MAX_GRID.0
            || column >= MAX_GRID.1
            || number < row.number()
            || (number == row.number() && column < right)
        {
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

/// What is locked is no archive, so that the library never sees it.
fn of_xlsx(error: XlsxError) -> FileError {
    match error {
        XlsxError::FileNotFound(_) | XlsxError::RelationshipNotFound => {
            FileError::NotASpreadsheet { found: "a zip archive" }
        }
        _ => FileError::BrokenWorkbook,
    }
}
