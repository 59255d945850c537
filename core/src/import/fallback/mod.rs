//! Readers for workbooks that the streaming readers don't support. Our own readers of .xlsb, .ods and unordered .xls
//! keep the rows of all sheets in memory. Unusual .xlsx are read by calamine, which doesn't limit its memory: obviously
//! oversized parts are rejected first, and the rest only runs where a crash is survivable, in a child process or in a
//! worker with its own wasm module.

mod cell;
mod in_memory;
mod ods;
mod parts;
mod xlsb;
mod xml;

use super::book::{Book, MAX_GRID};
use super::number::{Format, parse_format};
use super::row::{RowBuffer, UNREADABLE};
use super::xls::InMemoryWorkbook;
use super::{FileError, FileKind, Limits, SheetHead};
use crate::import::text::format;
use calamine::{DataType, Reader, Sheet, SheetType, SheetVisible, Xlsx, XlsxError};
use in_memory::{InMemoryBook, MAX_MEMORY, PackedRows, RowBufferHandler};
use parts::Parts;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

type Bytes = Cursor<Vec<u8>>;

/// The maximum number of formulas without a stored value in a sheet.
const MAX_MISSING: usize = MAX_MEMORY / size_of::<(u32, u32)>();

/// Opens a workbook of this format.
///
/// # Errors
/// The file is damaged or isn't a workbook.
pub fn open(bytes: Vec<u8>, kind: FileKind, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    match kind {
        FileKind::Xls => open_xls(bytes, limits),
        FileKind::Ods => ods::open(bytes, limits),
        FileKind::Xlsb => xlsb::open(bytes, limits),
        FileKind::Xlsx => CalamineBook::open(Parts::open(bytes)?.into_checked_bytes()?, limits),
        FileKind::Csv => Err(FileError::BrokenWorkbook),
    }
}

fn open_xls(bytes: Vec<u8>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let mut workbook = InMemoryWorkbook::open(bytes, limits)?;
    let mut in_memory = InMemoryBook::default();
    for (index, head) in workbook.sheets().to_vec().into_iter().enumerate() {
        in_memory.add(head, PackedRows::collect(limits, |on_row| workbook.for_each_row(index, on_row)))?;
    }
    in_memory.finish()
}

/// Runs `read`, and returns the error for a damaged file if it panics, on targets where panics can be caught.
fn catch_panic<T>(read: impl FnOnce() -> Result<T, FileError>) -> Result<T, FileError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or(Err(FileError::BrokenWorkbook))
}

/// A workbook whose sheets are read by calamine, one at a time.
struct CalamineBook {
    workbook: Xlsx<Bytes>,
    sheets: Vec<SheetHead>,
    limits: Limits,
    /// The rows of the started sheet; `next` is the offset of the next row. They are stored, because calamine's own
    /// reader of a sheet borrows the workbook and can't be stored.
    rows: Option<PackedRows>,
    next: usize,
}

impl CalamineBook {
    fn open(bytes: Vec<u8>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
        let workbook = catch_panic(|| Xlsx::new(Cursor::new(bytes)).map_err(convert_error))?;
        let sheets = workbook.sheets_metadata();
        ensure!(!sheets.is_empty(), FileError::NotASpreadsheet { format: format::OTHER_DOCUMENT });
        let with_cells = sheets.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
        let head =
            |sheet: &Sheet| SheetHead { name: sheet.name.clone(), hidden: sheet.visible != SheetVisible::Visible };
        let sheets = with_cells.map(head).collect();
        Ok(Box::new(CalamineBook { workbook, sheets, limits: *limits, rows: None, next: 0 }))
    }

    /// Passes the rows that aren't blank to `on_row`, which stops after at most `max` of them.
    fn for_each_row(&mut self, sheet: usize, max: usize, on_row: RowBufferHandler<'_>) -> Result<(), FileError> {
        let name = &self.sheets.get(sheet).ok_or(FileError::NoSuchSheet)?.name;
        catch_panic(|| {
            let missing = find_missing_values(&mut self.workbook, name, &self.limits, max)?;
            read_cells(&mut self.workbook, name, &self.limits, missing, on_row)
        })
    }
}

/// Returns the rows and columns of the formulas without a stored value in the first `max` rows that aren't blank. They
/// are found in advance, because calamine can't return the formula and the style of a cell together.
fn find_missing_values(
    workbook: &mut Xlsx<Bytes>,
    sheet: &str,
    limits: &Limits,
    max: usize,
) -> Result<Vec<(u32, u32)>, FileError> {
    let mut reader = workbook.worksheet_cells_reader(sheet).map_err(convert_error)?;
    let (mut missing, mut rows) = (Vec::new(), 0);
    let mut on_row = |_: &RowBuffer| -> Result<ControlFlow<()>, FileError> {
        rows += 1;
        Ok(if rows < max { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    };
    group_rows(limits, &mut on_row, |text| {
        let Some(found) = reader.next_cell_with_formula_metadata().map_err(convert_error)? else { return Ok(None) };
        // An empty text is a value.
        let is_missing = found.value.is_empty() || found.value.get_datetime_iso() == Some("");
        if found.formula.is_some() && is_missing {
            ensure!(missing.len() < MAX_MISSING, FileError::TooMuchInside { max: MAX_MEMORY as u64 });
            missing.push(found.pos);
            text.push_str(UNREADABLE);
        } else {
            cell::write(&found.value, &Format::Plain, text);
        }
        Ok(Some(found.pos))
    })?;
    Ok(missing)
}

/// Reads the cells of a sheet. Those at the positions in `missing`, which are in order, are unreadable.
fn read_cells(
    workbook: &mut Xlsx<Bytes>,
    sheet: &str,
    limits: &Limits,
    missing: Vec<(u32, u32)>,
    on_row: RowBufferHandler<'_>,
) -> Result<(), FileError> {
    let mut missing = missing.into_iter().peekable();
    let mut reader = workbook.worksheet_cells_reader(sheet).map_err(convert_error)?;
    let format = |style: &calamine::Style| {
        style.number_format.as_ref().map_or(Format::Plain, |format| parse_format(&format.format_code))
    };
    let formats: Vec<Format> = reader.styles().iter().map(format).collect();
    group_rows(limits, on_row, |text| {
        let Some((found, style)) = reader.next_cell_with_style_id().map_err(convert_error)? else { return Ok(None) };
        let position = found.get_position();
        if missing.next_if_eq(&position).is_some() {
            text.push_str(UNREADABLE);
        } else {
            cell::write(found.get_value(), formats.get(style).unwrap_or(&Format::Plain), text);
        }
        Ok(Some(position))
    })
}

impl Book for CalamineBook {
    fn sheets(&self) -> &[SheetHead] {
        &self.sheets
    }

    fn sample(&mut self, sheet: usize, max: usize) -> Result<Vec<RowBuffer>, FileError> {
        let mut rows = Vec::new();
        self.for_each_row(sheet, max, &mut |row| {
            rows.push(row.clone());
            Ok(if rows.len() >= max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(rows)
    }

    fn start(&mut self, sheet: usize) -> Result<(), FileError> {
        self.rows = None;
        let limits = self.limits;
        self.rows = Some(PackedRows::collect(&limits, |on_row| self.for_each_row(sheet, usize::MAX, on_row))?);
        self.next = 0;
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        let Some(next) = self.rows.as_ref().and_then(|rows| rows.read_at(self.next, row)) else { return Ok(false) };
        self.next = next;
        Ok(true)
    }
}

/// Groups cells into rows and passes those that aren't blank to `on_row`. `next` writes the text of the next cell and
/// returns its row and column, which count from 0.
fn group_rows(
    limits: &Limits,
    on_row: RowBufferHandler<'_>,
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
            if !row.row().is_blank() && on_row(&row)?.is_break() {
                return Ok(());
            }
            row.start(number);
        }
        right = column + 1;
        row.push(column as usize, &text, limits)?;
    }
    if row.row().is_blank() { Ok(()) } else { on_row(&row).map(|_| ()) }
}

/// Converts an error of calamine. None of these means that the file is encrypted, because encrypted workbooks are OLE
/// files rather than zip archives, which calamine never gets.
fn convert_error(error: XlsxError) -> FileError {
    match error {
        XlsxError::FileNotFound(_) | XlsxError::RelationshipNotFound => {
            FileError::NotASpreadsheet { format: format::ZIP }
        }
        _ => FileError::BrokenWorkbook,
    }
}
