//! Workbooks of Excel's binary kind (.xlsb, [MS-XLSB]): an archive whose parts are records.

mod records;

use super::held::{Held, RowBufferHandler, Rows};
use super::parts::{MOST_KEPT, Part, Parts};
use super::xml::{Node, Xml, attributes};
use crate::import::book::{Book, MAX_GRID};
use crate::import::number::{Format, builtin_format, parse_format, write};
use crate::import::record::{decode_rk, error_name, u16_at, u32_at};
use crate::import::row::{RowBuffer, UNREADABLE};
use crate::import::target::resolve_target;
use crate::import::{FileError, Limits, SheetHead};
use records::{Records, text};
use std::collections::HashMap;

const BROKEN: FileError = FileError::BrokenWorkbook;
/// More sheets and styles than any workbook has.
const MOST_SHEETS: usize = 4_096;
const MOST_STYLES: usize = 65_536;

// The records that are looked at, by the numbers of their kinds.
const ROW: u16 = 0;
const SHARED: u16 = 19;
const FORMAT: u16 = 44;
const STYLE: u16 = 47;
const RSTRING: u16 = 62;
const DATA_BEGIN: u16 = 145;
const DATA_END: u16 = 146;
const WORKBOOK: u16 = 153;
const SHEET: u16 = 156;
const STYLES_BEGIN: u16 = 617;
const STYLES_END: u16 = 618;

/// Reads the rows of all sheets of a workbook.
///
/// # Errors
/// The workbook is damaged or locked, or holds no sheet.
pub(super) fn open(bytes: Vec<u8>, limits: &Limits) -> Result<Box<dyn Book>, FileError> {
    let mut parts = Parts::open(bytes)?;
    let root = relations(&mut parts, "")?;
    let workbook = root.values().find(|relation| relation.kind == "officeDocument");
    let workbook = workbook.map_or("xl/workbook.bin", |relation| &relation.target).to_owned();
    let relations = relations(&mut parts, &workbook)?;
    let of_kind = |kind: &str| relations.values().find(|relation| relation.kind == kind).map(|found| &*found.target);
    let Some(part) = parts.part(&workbook)? else { return Err(FileError::NotASpreadsheet { found: "a zip archive" }) };
    let (sheets, from_1904) = sheets(part)?;
    let mut shared = Shared { from_1904, ..Shared::default() };
    if let Some(part) = of_kind("sharedStrings").map(|name| parts.part(name)).transpose()?.flatten() {
        shared.texts(part)?;
    }
    if let Some(part) = of_kind("styles").map(|name| parts.part(name)).transpose()?.flatten() {
        shared.styles(part)?;
    }
    let mut held = Held::default();
    for (id, head) in sheets {
        // Charts, dialogues and macros are sheets too. One that names no part is empty.
        let target = match relations.get(&id) {
            Some(relation) if relation.kind != "worksheet" => continue,
            relation => relation.map(|relation| &*relation.target),
        };
        let part = target.map(|name| parts.part(name)).transpose()?.flatten();
        held.add(head, Rows::of(limits, |each| part.map_or(Ok(()), |part| rows(part, &shared, limits, each))))?;
    }
    held.finish()
}

/// What a part says of another one.
struct Relation {
    /// The last step of the kind's address: `worksheet`.
    kind: String,
    target: String,
}

/// Reads which parts a part names, by the ids that it has for them. The archive's root is the part without a name.
fn relations(parts: &mut Parts, part: &str) -> Result<HashMap<String, Relation>, FileError> {
    let (folder, name) = part.rsplit_once('/').map_or(("", part), |(folder, name)| (folder, name));
    let slash = if folder.is_empty() { "" } else { "/" };
    let mut relations = HashMap::new();
    let Some(part) = parts.part(&format!("{folder}{slash}_rels/{name}.rels"))? else { return Ok(relations) };
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
                relations.insert(id, Relation { kind, target });
                if relations.len() > 2 * MOST_SHEETS {
                    return Err(BROKEN);
                }
            }
            Node::Over => return Ok(relations),
            _ => {}
        }
    }
}

/// Reads the sheets with the ids of their parts, and whether days are counted from 1904.
fn sheets(part: Part<'_>) -> Result<(Vec<(String, SheetHead)>, bool), FileError> {
    let (mut records, mut sheets, mut from_1904) = (Records::new(part), Vec::new(), false);
    while let Some((kind, data)) = records.next()? {
        match kind {
            WORKBOOK => from_1904 = data.first().is_some_and(|flags| flags & 1 != 0),
            SHEET => {
                let hidden = u32_at(data, 0).ok_or(BROKEN)? & 3 != 0;
                // The part of a sheet that has none is a text whose length is the largest number.
                let (id, next) = match u32_at(data, 8) {
                    Some(u32::MAX) => (String::new(), 12),
                    _ => text(data, 8).ok_or(BROKEN)?,
                };
                let (name, _) = text(data, next).ok_or(BROKEN)?;
                sheets.push((id, SheetHead { name, hidden }));
            }
            _ => {}
        }
        if sheets.len() > MOST_SHEETS {
            return Err(BROKEN);
        }
    }
    Ok((sheets, from_1904))
}

/// What the cells of all sheets share.
#[derive(Default)]
struct Shared {
    text: String,
    ends: Vec<u32>,
    formats: Vec<Format>,
    from_1904: bool,
}

impl Shared {
    fn texts(&mut self, part: Part<'_>) -> Result<(), FileError> {
        let mut records = Records::new(part);
        while let Some((kind, data)) = records.next()? {
            if kind != SHARED {
                continue;
            }
            let (text, _) = text(data, 1).ok_or(BROKEN)?;
            self.text.push_str(&text);
            self.ends.push(self.text.len() as u32);
            if self.text.len() + self.ends.len() * size_of::<u32>() > MOST_KEPT as usize {
                return Err(FileError::TooMuchInside { max: MOST_KEPT });
            }
        }
        Ok(())
    }

    fn text(&self, place: u32) -> &str {
        let place = place as usize;
        let start = place.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let range = start.zip(self.ends.get(place));
        range.map_or(UNREADABLE, |(start, end)| &self.text[start as usize..*end as usize])
    }

    fn styles(&mut self, part: Part<'_>) -> Result<(), FileError> {
        let (mut records, mut own, mut is_of_cells) = (Records::new(part), HashMap::new(), false);
        while let Some((kind, data)) = records.next()? {
            match kind {
                FORMAT => {
                    let (code, _) = text(data, 2).ok_or(BROKEN)?;
                    own.insert(u16_at(data, 0).ok_or(BROKEN)?, parse_format(&code));
                }
                STYLES_BEGIN | STYLES_END => is_of_cells = kind == STYLES_BEGIN,
                STYLE if is_of_cells => {
                    let id = u16_at(data, 2).ok_or(BROKEN)?;
                    self.formats.push(own.get(&id).cloned().unwrap_or_else(|| builtin_format(id.into())));
                }
                _ => {}
            }
            if self.formats.len() > MOST_STYLES || own.len() > MOST_STYLES {
                return Err(BROKEN);
            }
        }
        Ok(())
    }

    /// Writes a number as it is seen in a style.
    fn number(&self, value: f64, style: u32, out: &mut String) {
        let format = self.formats.get(style as usize).unwrap_or(&Format::Plain);
        // No sheet holds one that isn't finite, and no program shows it otherwise.
        if value.is_finite() { write(value, format, self.from_1904, out) } else { out.push_str("#NUM!") }
    }
}

/// Gives the rows of a sheet.
fn rows(part: Part<'_>, shared: &Shared, limits: &Limits, each: RowBufferHandler<'_>) -> Result<(), FileError> {
    let (mut records, mut row, mut out) = (Records::new(part), RowBuffer::default(), String::new());
    let (mut is_begun, mut last, mut next) = (false, None, 0);
    while let Some((kind, data)) = records.next()? {
        match kind {
            DATA_BEGIN => is_begun = true,
            DATA_END => return if last.is_some() { each(&row).map(|_| ()) } else { Ok(()) },
            ROW if is_begun => {
                let number =
                    u32_at(data, 0).filter(|&number| number < MAX_GRID.0 && last < Some(number)).ok_or(BROKEN)?;
                if last.is_some() && each(&row)?.is_break() {
                    return Ok(());
                }
                row.start(u64::from(number) + 1);
                (last, next) = (Some(number), 0);
            }
            1..=18 | RSTRING if is_begun && last.is_some() => {
                // Short cells follow another one, and have no column of their own.
                let is_short = (12..=18).contains(&kind);
                let column = if is_short { Some(next) } else { u32_at(data, 0) };
                let column = column.filter(|&column| column >= next && column < MAX_GRID.1).ok_or(BROKEN)?;
                next = column + 1;
                let (style, value) =
                    data.get(if is_short { 0 } else { 4 }..).and_then(<[u8]>::split_first_chunk).ok_or(BROKEN)?;
                let style = u32::from_le_bytes(*style) & 0x00FF_FFFF;
                out.clear();
                cell(if is_short { kind - 11 } else { kind }, value, style, shared, &mut out).ok_or(BROKEN)?;
                row.push(column as usize, &out, limits)?;
            }
            _ => {}
        }
    }
    // Without the record that ends the rows, the part was cut off.
    Err(BROKEN)
}

/// Writes a cell's value; `None` if the record is too short for it.
fn cell(kind: u16, value: &[u8], style: u32, shared: &Shared, out: &mut String) -> Option<()> {
    match kind {
        2 => shared.number(decode_rk(u32_at(value, 0)?), style, out),
        3 | 11 => out.push_str(error_name(*value.first()?).unwrap_or(UNREADABLE)),
        4 | 10 => out.push_str(if *value.first()? == 0 { "FALSE" } else { "TRUE" }),
        5 | 9 => shared.number(f64::from_le_bytes(*value.first_chunk()?), style, out),
        6 | 8 => out.push_str(&text(value, 0)?.0),
        7 => out.push_str(shared.text(u32_at(value, 0)?)),
        // One byte says what stands behind the text: different looks, and how it is pronounced.
        RSTRING => out.push_str(&text(value, 1)?.0),
        // A cell without a value.
        _ => {}
    }
    Some(())
}
