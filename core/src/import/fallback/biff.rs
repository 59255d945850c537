//! The records of an .xls, looked through before the library reads them: what they would make it take up, and the formats of
//! the cells, which it doesn't tell.

use super::cell::Format;
use crate::import::FileError;
use crate::import::record::{
    BOF, BOUND_SHEET, DIMENSIONS, EOF, FILE_PASS, FORMAT, FORMULA, MANY_NUMBERS, NUMBER, OF_1997, SHARED_TEXT,
    SHARED_TEXTS, SMALL_NUMBER, XF, is_cell, u16_at, u32_at,
};
use std::collections::HashMap;

/// The formats of a sheet's cells that aren't seen as they are, by row and column from 0.
pub(super) type Formats = HashMap<(u32, u32), Format>;

/// The most memory that the cells of all sheets may take in the library's hands: it holds a sheet as a rectangle in which
/// every cell has its place, used or not.
const MOST_MEMORY: u64 = 320 << 20;
/// What a place in the rectangle takes there, a cell on its way into it, and a formula's place in a rectangle of its own.
const PLACE: u64 = 32;
const CELL: u64 = 40;
const FORMULA_PLACE: u64 = 24;

/// Looks through a workbook's records; gives the formats of each sheet's cells. The sizes that sheets claim are taken out:
/// the library would believe them. Formats get numbers that it knows.
pub(super) fn tidy(stream: &mut [u8]) -> Result<Vec<Formats>, FileError> {
    let globals = globals(stream)?;
    renumber(stream, &globals);
    let (mut sheets, mut memory, mut length) = (Vec::new(), 0, 0);
    for &start in &globals.sheets {
        let mut sheet = Sheet::default();
        let end = sheet.read(stream, start, &globals)?;
        memory += sheet.memory();
        // Sheets lie side by side; those that are read twice over are there to keep somebody busy.
        length += end - start;
        if memory > MOST_MEMORY || length > stream.len() {
            return Err(FileError::BrokenWorkbook);
        }
        sheets.push(sheet.formats);
    }
    Ok(sheets)
}

/// A record's type, where its data lies, and where the next one begins.
fn record(stream: &[u8], at: usize) -> Result<(u16, usize, usize), FileError> {
    let head = u16_at(stream, at).zip(u16_at(stream, at.saturating_add(2)));
    let (kind, length) = head.ok_or(FileError::BrokenWorkbook)?;
    let end = at + 4 + usize::from(length);
    if end > stream.len() { Err(FileError::BrokenWorkbook) } else { Ok((kind, at + 4, end)) }
}

struct Globals {
    /// Where each sheet begins.
    sheets: Vec<usize>,
    /// How cells are seen, by the numbers that they name.
    formats: Vec<Format>,
    /// How many texts the sheets share.
    texts: u32,
    /// The formats' numbers and where they stand: those that are defined, and those that cells' styles name.
    defined: Vec<(u16, usize)>,
    named: Vec<(u16, usize)>,
}

/// The library passes over formats whose numbers the original programs don't use, and would take their dates for numbers.
fn renumber(stream: &mut [u8], globals: &Globals) {
    let is_known = |number: u16| matches!(number, 5..=8 | 23..=26 | 41..=44 | 63..=66 | 164..=382);
    let is_taken = |number: &u16| globals.defined.iter().any(|(other, _)| other == number);
    let mut free = (164..=382).filter(|number| !is_taken(number));
    for (number, place) in globals.defined.iter().filter(|(number, _)| !is_known(*number)) {
        let Some(new) = free.next() else { return };
        let naming = globals.named.iter().filter(|(other, _)| other == number).map(|(_, place)| place);
        for at in naming.chain([place]) {
            stream[*at..at + 2].copy_from_slice(&new.to_le_bytes());
        }
    }
}

fn globals(stream: &[u8]) -> Result<Globals, FileError> {
    let (mut sheets, mut named, mut defined, mut codes) = (Vec::new(), Vec::new(), Vec::new(), HashMap::new());
    let (mut texts, mut at) = (0, 0);
    // Since 1997 texts have two bytes for their length, and one that says how wide their characters are.
    let is_new = u16_at(stream, 4) == Some(OF_1997);
    loop {
        let (kind, start, end) = record(stream, at)?;
        let data = &stream[start..end];
        match kind {
            EOF => break,
            FILE_PASS => return Err(FileError::PasswordProtected),
            BOUND_SHEET => sheets.push(u32_at(data, 0).ok_or(FileError::BrokenWorkbook)? as usize),
            XF => named.push((u16_at(data, 2).ok_or(FileError::BrokenWorkbook)?, start + 2)),
            SHARED_TEXTS => texts = u32_at(data, 4).ok_or(FileError::BrokenWorkbook)?,
            FORMAT => {
                if let Some((number, format)) = u16_at(data, 0).zip(format(data, is_new)) {
                    codes.insert(number, format);
                    defined.push((number, start));
                }
            }
            _ => {}
        }
        at = end;
    }
    let format = |(number, _): &(u16, usize)| match number {
        9 | 10 => Format::Percent,
        number => codes.get(number).copied().unwrap_or_default(),
    };
    Ok(Globals { sheets, formats: named.iter().map(format).collect(), texts, defined, named })
}

fn format(data: &[u8], is_new: bool) -> Option<Format> {
    let wide = is_new && data.get(4)? & 1 == 1;
    let text = data.get(if is_new { 5 } else { 3 }..)?;
    let latin = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
    Some(Format::of(&if wide {
        char::decode_utf16(text.as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes)))
            .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    } else {
        latin(text)
    }))
}

#[derive(Default)]
struct Sheet {
    cells: u64,
    used: Area,
    formulas: Area,
    formats: Formats,
}

impl Sheet {
    /// Reads a sheet's records; gives where they end.
    fn read(&mut self, stream: &mut [u8], start: usize, globals: &Globals) -> Result<usize, FileError> {
        let (mut at, mut depth) = (start, 0_usize);
        loop {
            let (kind, start, end) = record(stream, at)?;
            match kind {
                // A chart in a sheet has records of its own.
                BOF => depth += 1,
                EOF if depth <= 1 => return Ok(end),
                EOF => depth -= 1,
                // No record has this number.
                DIMENSIONS => stream[at..at + 2].fill(0),
                _ if depth <= 1 => self.cell(kind, &stream[start..end], globals)?,
                _ => {}
            }
            at = end;
        }
    }

    fn cell(&mut self, kind: u16, data: &[u8], globals: &Globals) -> Result<(), FileError> {
        if !is_cell(kind) {
            return Ok(());
        }
        let number = |at: usize| u16_at(data, at).map(u32::from).ok_or(FileError::BrokenWorkbook);
        let (row, column) = (number(0)?, number(2)?);
        // Each of many numbers has its format and four bytes; after the last one stands its column.
        let many = if kind == MANY_NUMBERS { (data.len() / 6).saturating_sub(1) as u32 } else { 1 };
        self.cells += u64::from(many);
        self.used.add(row, column);
        self.used.add(row, column + many.saturating_sub(1));
        if kind == FORMULA {
            self.formulas.add(row, column);
        }
        if kind == SHARED_TEXT && u32_at(data, 6).is_none_or(|text| text >= globals.texts) {
            return Err(FileError::BrokenWorkbook);
        }
        // Texts, truths and errors are seen as they are.
        if ![FORMULA, MANY_NUMBERS, NUMBER, SMALL_NUMBER].contains(&kind) {
            return Ok(());
        }
        for place in 0..many {
            let style = number(4 + place as usize * 6)? as usize;
            let format = globals.formats.get(style).copied().unwrap_or_default();
            if format != Format::default() {
                self.formats.insert((row, column + place), format);
            }
        }
        Ok(())
    }

    fn memory(&self) -> u64 {
        self.used.size() * PLACE + self.cells * CELL + self.formulas.size() * FORMULA_PLACE
    }
}

/// The rectangle around some cells.
#[derive(Default)]
struct Area(Option<[u32; 4]>);

impl Area {
    fn add(&mut self, row: u32, column: u32) {
        let [top, left, bottom, right] = self.0.unwrap_or([row, column, row, column]);
        self.0 = Some([top.min(row), left.min(column), bottom.max(row), right.max(column)]);
    }

    fn size(&self) -> u64 {
        self.0.map_or(0, |[top, left, bottom, right]| u64::from(bottom - top + 1) * u64::from(right - left + 1))
    }
}
