//! Workbooks, read by calamine: XLSX cell by cell as they stand in the file, XLS as a whole, since that is all it can.

use super::{cell, raw::RawRow};
use crate::import::{FileError, Limits, text};
use calamine::{Data, DataType, Range, Reader, Sheet, SheetType, SheetVisible, Xls, XlsError, Xlsx, XlsxError};
use std::io::Cursor;
use std::ops::ControlFlow;

/// A sheet has no more rows and columns than these, whatever a file says.
const GRID: (u32, u32) = (1_048_576, 16_384);

type EachRow<'a> = &'a mut dyn FnMut(&RawRow) -> Result<ControlFlow<()>, FileError>;

/// An XLSX workbook and the sheet that is read.
pub(super) struct XlsxFile {
    workbook: Xlsx<Cursor<Vec<u8>>>,
    sheet: String,
}

impl XlsxFile {
    pub fn open(bytes: Vec<u8>, limits: &Limits, notices: &mut Vec<String>) -> Result<XlsxFile, FileError> {
        let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(of_xlsx)?;
        let sheets = workbook.sheets_metadata().to_vec();
        if sheets.is_empty() {
            return Err(FileError::NotASpreadsheet { found: "a document of another kind" });
        }
        let sheet = choose(&sheets, notices, |name| {
            let mut found = false;
            read_xlsx(&mut workbook, name, limits, &mut |_| {
                found = true;
                Ok(ControlFlow::Break(()))
            })?;
            Ok(found)
        })?;
        Ok(XlsxFile { workbook, sheet })
    }

    pub fn sheet(&self) -> &str {
        &self.sheet
    }

    /// As [`super::Body::each`].
    pub fn each(&mut self, limits: &Limits, f: EachRow<'_>) -> Result<(), FileError> {
        read_xlsx(&mut self.workbook, &self.sheet, limits, f)
    }
}

/// The one sheet of an XLS workbook that is read; the others are forgotten.
pub(super) struct XlsFile {
    cells: Range<Data>,
    sheet: String,
}

impl XlsFile {
    pub fn open(bytes: Vec<u8>, notices: &mut Vec<String>) -> Result<XlsFile, FileError> {
        let mut workbook = Xls::new(Cursor::new(bytes)).map_err(of_xls)?;
        let sheets = workbook.sheets_metadata().to_vec();
        let sheet = choose(&sheets, notices, |name| {
            let cells = workbook.worksheet_range(name).map_err(of_xls)?;
            Ok(cells.used_cells().any(|(_, _, cell)| cell.get_string().is_none_or(|text| !text.trim().is_empty())))
        })?;
        let cells = workbook.worksheet_range(&sheet).map_err(of_xls)?;
        Ok(XlsFile { cells, sheet })
    }

    pub fn sheet(&self) -> &str {
        &self.sheet
    }

    /// As [`super::Body::each`].
    pub fn each(&self, limits: &Limits, f: EachRow<'_>) -> Result<(), FileError> {
        // A range begins at the first used cell; an empty first column must not shift the others.
        let (top, left) = self.cells.start().unwrap_or_default();
        let mut cells = self.cells.used_cells();
        by_row(limits, f, |text| {
            let Some((row, column, value)) = cells.next() else { return Ok(None) };
            cell::write(value, 0, text);
            let place = |offset: usize, start: u32| u32::try_from(offset).unwrap_or(u32::MAX).saturating_add(start);
            Ok(Some((place(row, top), place(column, left))))
        })
    }
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

/// Gathers cells into rows. `next` writes a cell's text and says where it is, row and column from 0.
fn by_row(
    limits: &Limits,
    f: EachRow<'_>,
    mut next: impl FnMut(&mut String) -> Result<Option<(u32, u32)>, FileError>,
) -> Result<(), FileError> {
    let (mut row, mut text) = (RawRow::default(), String::new());
    row.start(1);
    loop {
        text.clear();
        let Some((at, column)) = next(&mut text)? else { break };
        let number = u64::from(at) + 1;
        if at >= GRID.0 || column >= GRID.1 || number < row.number {
            return Err(FileError::BrokenWorkbook);
        }
        if number > row.number {
            if !row.is_blank() && f(&row)?.is_break() {
                return Ok(());
            }
            row.start(number);
        }
        row.push(column as usize, &text, limits)?;
    }
    if row.is_blank() { Ok(()) } else { f(&row).map(|_| ()) }
}

/// The first visible sheet with something in it, and a word on the others that have something too.
fn choose(
    sheets: &[Sheet],
    notices: &mut Vec<String>,
    mut has_rows: impl FnMut(&str) -> Result<bool, FileError>,
) -> Result<String, FileError> {
    let of = |visible: bool| {
        sheets.iter().filter(move |s| s.typ == SheetType::WorkSheet && (s.visible == SheetVisible::Visible) == visible)
    };
    let mut chosen: Option<&str> = None;
    let mut others = Vec::new();
    for sheet in of(true) {
        match chosen {
            None if has_rows(&sheet.name)? => chosen = Some(&sheet.name),
            // What is wrong with a sheet that isn't read doesn't matter.
            Some(_) if has_rows(&sheet.name).unwrap_or(true) => others.push(sheet.name.as_str()),
            _ => {}
        }
    }
    let Some(chosen) = chosen else {
        let hidden = of(false).any(|sheet| has_rows(&sheet.name).unwrap_or(false));
        return Err(if hidden { FileError::OnlyHiddenSheets } else { FileError::NoColumns });
    };
    if !others.is_empty() {
        notices.push(text::other_sheets(chosen, &others));
    }
    Ok(chosen.to_owned())
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
