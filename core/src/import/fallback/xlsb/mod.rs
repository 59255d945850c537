//! A reader of binary workbooks (.xlsb, \[MS-XLSB\]), archives whose parts are lists of records.

mod records;

use super::in_memory::{InMemoryBook, PackedRows, RowBufferHandler};
use super::parts::{MAX_PART, Part, Parts};
use super::xml::{Node, Xml, attributes};
use crate::import::book::{Book, MAX_GRID, MAX_SHEETS, MAX_STYLES};
use crate::import::number::{Format, builtin_format, parse_format, write};
use crate::import::part_names::{relationships_of, resolve_target};
use crate::import::record::{decode_rk, error_name, u16_at, u32_at};
use crate::import::row::{RowBuffer, UNREADABLE};
use crate::import::text::format;
use crate::import::{FileError, Limits, SheetHead};
use records::{Records, read_string};
use std::collections::HashMap;

const BROKEN: FileError = FileError::BrokenWorkbook;

// Record types, named as in \[MS-XLSB\] without their prefix `Brt`.
const ROW_HDR: u16 = 0;
const SST_ITEM: u16 = 19;
const FMT: u16 = 44;
const XF: u16 = 47;
const CELL_RSTRING: u16 = 62;
const BEGIN_SHEET_DATA: u16 = 145;
const END_SHEET_DATA: u16 = 146;
const WB_PROP: u16 = 153;
const BUNDLE_SH: u16 = 156;
const BEGIN_CELL_XFS: u16 = 617;
const END_CELL_XFS: u16 = 618;

/// Reads the rows of all sheets.
///
/// # Errors
/// The workbook is damaged or encrypted, or contains no sheet.
pub(super) fn open(bytes: Vec<u8>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let mut parts = Parts::open(bytes)?;
    let root = read_relationships(&mut parts, "")?;
    let workbook = root.values().find(|relation| relation.kind == "officeDocument");
    let workbook = workbook.map_or("xl/workbook.bin", |relation| &relation.target).to_owned();
    let relations = read_relationships(&mut parts, &workbook)?;
    let of_kind = |kind: &str| relations.values().find(|relation| relation.kind == kind).map(|found| &*found.target);
    let Some(part) = parts.part(&workbook)? else { return Err(FileError::NotASpreadsheet { format: format::ZIP }) };
    let (sheets, from_1904) = read_sheets(part)?;
    let mut shared = Shared { from_1904, ..Shared::default() };
    if let Some(part) = of_kind("sharedStrings").map(|name| parts.part(name)).transpose()?.flatten() {
        shared.read_strings(part)?;
    }
    if let Some(part) = of_kind("styles").map(|name| parts.part(name)).transpose()?.flatten() {
        shared.read_styles(part)?;
    }
    let mut in_memory = InMemoryBook::default();
    for (id, head) in sheets {
        // Charts, dialogs and macros are sheets too, and are skipped. A worksheet without a part is empty.
        let target = match relations.get(&id) {
            Some(relation) if relation.kind != "worksheet" => continue,
            relation => relation.map(|relation| &*relation.target),
        };
        let part = target.map(|name| parts.part(name)).transpose()?.flatten();
        in_memory.add(
            head,
            PackedRows::collect(limits, |on_row| part.map_or(Ok(()), |part| read_rows(part, &shared, limits, on_row))),
        )?;
    }
    in_memory.finish()
}

struct Relationship {
    /// The last segment of the URI that names the relationship's type, for example `worksheet`.
    kind: String,
    target: String,
}

/// Reads the relationships of a part, by their ids.
fn read_relationships(parts: &mut Parts, part: &str) -> Result<HashMap<String, Relationship>, FileError> {
    let (folder, name) = relationships_of(part);
    let mut relations = HashMap::new();
    let Some(part) = parts.part(&name)? else { return Ok(relations) };
    let mut xml = Xml::new(part);
    loop {
        match xml.next()? {
            Node::Start { tag, .. } if tag.local_name().as_ref() == "Relationship" => {
                let (mut id, mut kind, mut target) = (String::new(), String::new(), String::new());
                attributes(&tag, |name, value| match name {
                    "Id" => value.clone_into(&mut id),
                    "Type" => value.rsplit('/').next().unwrap_or_default().clone_into(&mut kind),
                    "Target" => target = resolve_target(folder, value),
                    _ => {}
                })?;
                relations.insert(id, Relationship { kind, target });
                ensure!(relations.len() <= 2 * MAX_SHEETS, BROKEN);
            }
            Node::Eof => return Ok(relations),
            _ => {}
        }
    }
}

/// Reads the sheets, each with the id of the relationship to its part. Also returns whether days are counted from 1904.
fn read_sheets(part: Part<'_>) -> Result<(Vec<(String, SheetHead)>, bool), FileError> {
    let (mut records, mut sheets, mut from_1904) = (Records::new(part), Vec::new(), false);
    while let Some((kind, data)) = records.next()? {
        match kind {
            WB_PROP => from_1904 = data.first().is_some_and(|flags| flags & 1 != 0),
            BUNDLE_SH => {
                let hidden = u32_at(data, 0).ok_or(BROKEN)? & 3 != 0;
                // A missing relationship id is a string with the maximum length.
                let (id, next) = match u32_at(data, 8) {
                    Some(u32::MAX) => (String::new(), 12),
                    _ => read_string(data, 8).ok_or(BROKEN)?,
                };
                let (name, _) = read_string(data, next).ok_or(BROKEN)?;
                sheets.push((id, SheetHead { name, hidden }));
            }
            _ => {}
        }
        ensure!(sheets.len() <= MAX_SHEETS, BROKEN);
    }
    Ok((sheets, from_1904))
}

/// The shared strings and styles that the cells of all sheets refer to.
#[derive(Default)]
struct Shared {
    text: String,
    ends: Vec<u32>,
    formats: Vec<Format>,
    from_1904: bool,
}

impl Shared {
    fn read_strings(&mut self, part: Part<'_>) -> Result<(), FileError> {
        let mut records = Records::new(part);
        while let Some((kind, data)) = records.next()? {
            if kind != SST_ITEM {
                continue;
            }
            let (text, _) = read_string(data, 1).ok_or(BROKEN)?;
            self.text.push_str(&text);
            self.ends.push(self.text.len() as u32);
            ensure!(
                self.text.len() + self.ends.len() * size_of::<u32>() <= MAX_PART as usize,
                FileError::TooMuchInside { max: MAX_PART }
            );
        }
        Ok(())
    }

    fn string(&self, index: u32) -> &str {
        let index = index as usize;
        let start = index.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let range = start.zip(self.ends.get(index));
        range.map_or(UNREADABLE, |(start, end)| &self.text[start as usize..*end as usize])
    }

    fn read_styles(&mut self, part: Part<'_>) -> Result<(), FileError> {
        let (mut records, mut custom, mut is_in_cell_styles) = (Records::new(part), HashMap::new(), false);
        while let Some((kind, data)) = records.next()? {
            match kind {
                FMT => {
                    let (code, _) = read_string(data, 2).ok_or(BROKEN)?;
                    custom.insert(u16_at(data, 0).ok_or(BROKEN)?, parse_format(&code));
                }
                BEGIN_CELL_XFS | END_CELL_XFS => is_in_cell_styles = kind == BEGIN_CELL_XFS,
                XF if is_in_cell_styles => {
                    let id = u16_at(data, 2).ok_or(BROKEN)?;
                    self.formats.push(custom.get(&id).cloned().unwrap_or_else(|| builtin_format(id.into())));
                }
                _ => {}
            }
            ensure!(self.formats.len() <= MAX_STYLES && custom.len() <= MAX_STYLES, BROKEN);
        }
        Ok(())
    }

    /// Writes a number in the format of its style.
    fn write_number(&self, value: f64, style: u32, out: &mut String) {
        let format = self.formats.get(style as usize).unwrap_or(&Format::Plain);
        write(value, format, self.from_1904, out);
    }
}

fn read_rows(part: Part<'_>, shared: &Shared, limits: &Limits, on_row: RowBufferHandler<'_>) -> Result<(), FileError> {
    let (mut records, mut row, mut out) = (Records::new(part), RowBuffer::default(), String::new());
    let (mut has_started, mut last, mut next) = (false, None, 0);
    while let Some((kind, data)) = records.next()? {
        match kind {
            BEGIN_SHEET_DATA => has_started = true,
            END_SHEET_DATA => return if last.is_some() { on_row(&row).map(|_| ()) } else { Ok(()) },
            ROW_HDR if has_started => {
                let number =
                    u32_at(data, 0).filter(|&number| number < MAX_GRID.0 && last < Some(number)).ok_or(BROKEN)?;
                if last.is_some() && on_row(&row)?.is_break() {
                    return Ok(());
                }
                row.start(u64::from(number) + 1);
                (last, next) = (Some(number), 0);
            }
            1..=18 | CELL_RSTRING if has_started && last.is_some() => {
                // A short cell record has no column. Its cell is to the right of the previous one.
                let is_short = (12..=18).contains(&kind);
                let column = if is_short { Some(next) } else { u32_at(data, 0) };
                let column = column.filter(|&column| column >= next && column < MAX_GRID.1).ok_or(BROKEN)?;
                next = column + 1;
                let (style, value) =
                    data.get(if is_short { 0 } else { 4 }..).and_then(<[u8]>::split_first_chunk).ok_or(BROKEN)?;
                let style = u32::from_le_bytes(*style) & 0x00FF_FFFF;
                out.clear();
                write_cell(if is_short { kind - 11 } else { kind }, value, style, shared, &mut out).ok_or(BROKEN)?;
                row.push(column as usize, &out, limits)?;
            }
            _ => {}
        }
    }
    // The record that ends the rows is missing, so the part was truncated.
    Err(BROKEN)
}

/// Writes a cell's value; `None` if the record is too short. `kind` is the type of its record: 2 to 7 are values
/// (CellRk to CellIsst), 8 to 11 are results of formulas (FmlaString to FmlaError).
fn write_cell(kind: u16, value: &[u8], style: u32, shared: &Shared, out: &mut String) -> Option<()> {
    match kind {
        2 => shared.write_number(decode_rk(u32_at(value, 0)?), style, out),
        3 | 11 => out.push_str(error_name(*value.first()?).unwrap_or(UNREADABLE)),
        4 | 10 => out.push_str(if *value.first()? == 0 { "FALSE" } else { "TRUE" }),
        5 | 9 => shared.write_number(f64::from_le_bytes(*value.first_chunk()?), style, out),
        6 | 8 => out.push_str(&read_string(value, 0)?.0),
        7 => out.push_str(shared.string(u32_at(value, 0)?)),
        // The first byte announces formatting and phonetic data after the string.
        CELL_RSTRING => out.push_str(&read_string(value, 1)?.0),
        // A blank cell.
        _ => {}
    }
    Some(())
}
