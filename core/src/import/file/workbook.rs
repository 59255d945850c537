//! Workbooks, read by calamine: XLSX cell by cell as they stand in the file, XLS as a whole, since that is all it can.

use super::cell;
use crate::import::book::{Book, GRID};
use crate::import::row::RowBuffer;
use crate::import::{FileError, Limits, SheetHead};
use calamine::{Data, Range, Reader, Sheet, SheetType, SheetVisible, Xls, XlsError, Xlsx, XlsxError};
use std::io::Cursor;
use std::ops::ControlFlow;

/// Opens a workbook: an .xlsx, or an .xls.
pub(super) fn open(bytes: Vec<u8>, is_new: bool, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    if is_new {
        let workbook = Xlsx::new(Cursor::new(bytes)).map_err(of_xlsx)?;
        let sheets = heads(workbook.sheets_metadata());
        if workbook.sheets_metadata().is_empty() {
            return Err(FileError::NotASpreadsheet { found: "a document of another kind" });
        }
        return Ok(Box::new(XlsxFile { workbook, sheets, limits: *limits, rows: Vec::new() }));
    }
    let workbook = Xls::new(Cursor::new(bytes)).map_err(of_xls)?;
    let sheets = heads(workbook.sheets_metadata());
    Ok(Box::new(XlsFile { workbook, sheets, limits: *limits, rows: Vec::new() }))
}

fn heads(sheets: &[Sheet]) -> Vec<SheetHead> {
    let of_cells = sheets.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    of_cells.map(|s| SheetHead { name: s.name.clone(), hidden: s.visible != SheetVisible::Visible }).collect()
}

struct XlsxFile {
    workbook: Xlsx<Cursor<Vec<u8>>>,
    sheets: Vec<SheetHead>,
    limits: Limits,
    rows: Vec<RowBuffer>,
}

impl Book for XlsxFile {
    fn sheets(&self) -> &[SheetHead] {
        &self.sheets
    }

    fn sample(&mut self, sheet: usize, most: usize) -> Result<Vec<RowBuffer>, FileError> {
        let mut rows = Vec::new();
        read_xlsx(&mut self.workbook, &self.sheets[sheet].name, &self.limits, &mut |row| {
            rows.push(row.clone());
            Ok(if rows.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(rows)
    }

    fn start(&mut self, sheet: usize) -> Result<(), FileError> {
        self.rows = self.sample(sheet, usize::MAX)?;
        self.rows.reverse();
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        Ok(self.rows.pop().map(|next| *row = next).is_some())
    }
}

struct XlsFile {
    workbook: Xls<Cursor<Vec<u8>>>,
    sheets: Vec<SheetHead>,
    limits: Limits,
    rows: Vec<RowBuffer>,
}

impl Book for XlsFile {
    fn sheets(&self) -> &[SheetHead] {
        &self.sheets
    }

    fn sample(&mut self, sheet: usize, most: usize) -> Result<Vec<RowBuffer>, FileError> {
        let cells = self.workbook.worksheet_range(&self.sheets[sheet].name).map_err(of_xls)?;
        let mut rows = Vec::new();
        read_xls(&cells, &self.limits, &mut |row| {
            rows.push(row.clone());
            Ok(if rows.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(rows)
    }

    fn start(&mut self, sheet: usize) -> Result<(), FileError> {
        self.rows = self.sample(sheet, usize::MAX)?;
        self.rows.reverse();
        Ok(())
    }

    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError> {
        Ok(self.rows.pop().map(|next| *row = next).is_some())
    }
}

type EachRow<'a> = &'a mut dyn FnMut(&RowBuffer) -> Result<ControlFlow<()>, FileError>;

fn read_xls(cells: &Range<Data>, limits: &Limits, f: EachRow<'_>) -> Result<(), FileError> {
    // A range begins at the first used cell; an empty first column must not shift the others.
    let (top, left) = cells.start().unwrap_or_default();
    let mut cells = cells.used_cells();
    by_row(limits, f, |text| {
        let Some((row, column, value)) = cells.next() else { return Ok(None) };
        cell::write(value, 0, text);
        let place = |offset: usize, start: u32| u32::try_from(offset).unwrap_or(u32::MAX).saturating_add(start);
        Ok(Some((place(row, top), place(column, left))))
    })
}

fn read_xlsx(
    workbook: &mut Xlsx<Cursor<Vec<u8>>>,
    sheet: &str,
    limits: &Limits,
    f: EachRow<'_>,
) -> Result<(), FileError> {
    let mut reader = workbook.worksheet_cells_reader(sheet).map_err(of_xlsx)?;
    let format = |style: &calamine::Style| style.number_format.as_ref().map_or(0, |n| cell::zeros(&n.format_code));
    let zeros: Vec<usize> = reader.styles().iter().map(format).collect();
    by_row(limits, f, |text| {
        let Some((found, style)) = reader.next_cell_with_style_id().map_err(of_xlsx)? else { return Ok(None) };
        cell::write(found.get_value(), zeros.get(style).copied().unwrap_or(0), text);
        Ok(Some(found.get_position()))
    })
}

/// Gathers cells into rows that aren't blank. `next` writes a cell's text and says where it is, row and column from 0.
fn by_row(
    limits: &Limits,
    f: EachRow<'_>,
    mut next: impl FnMut(&mut String) -> Result<Option<(u32, u32)>, FileError>,
) -> Result<(), FileError> {
    let (mut row, mut text) = (RowBuffer::default(), String::new());
    row.start(1);
    loop {
        text.clear();
        let Some((at, column)) = next(&mut text)? else { break };
        let number = u64::from(at) + 1;
        if at >= GRID.0 || column >= GRID.1 || number < row.number() {
            return Err(FileError::BrokenWorkbook);
        }
        if number > row.number() {
            if !row.row().is_blank() && f(&row)?.is_break() {
                return Ok(());
            }
            row.start(number);
        }
        row.push(column as usize, &text, limits)?;
    }
    if row.row().is_blank() { Ok(()) } else { f(&row).map(|_| ()) }
}

fn of_xlsx(error: XlsxError) -> FileError {
    match error {
        XlsxError::Password => FileError::PasswordProtected,
        XlsxError::FileNotFound(_) | XlsxError::RelationshipNotFound => {
            FileError::NotASpreadsheet { found: "a zip archive" }
        }
        _ => FileError::BrokenWorkbook,
    }
}

fn of_xls(error: XlsError) -> FileError {
    match error {
        XlsError::Password => FileError::PasswordProtected,
        _ => FileError::BrokenWorkbook,
    }
}
