//! What a person corrected, as a check goes by it: by row and column, quickly.

use super::pack::{Packer, Unpacker};
use super::row::{RawRow, RowBuffer};
use super::{Corrections, Duplicates, text};
use crate::form::FieldError;
use crate::text::clean_lines;

/// The most corrections of every kind together.
pub(super) const MAX_CORRECTIONS: usize = 100_000;
/// Under which name a broken rule of the corrections is told.
const CORRECTIONS: &str = "corrections";

impl Corrections {
    /// Holds their number against the rule, which can be done before there is a file.
    ///
    /// # Errors
    /// There are too many.
    pub fn check_count(&self) -> Result<(), Vec<FieldError>> {
        match self.cells.len() + self.replacements.len() + self.left_out.len() {
            0..=MAX_CORRECTIONS => Ok(()),
            _ => Err(wrong(text::too_many_corrections(MAX_CORRECTIONS))),
        }
    }
}

fn wrong(message: String) -> Vec<FieldError> {
    vec![FieldError { field: CORRECTIONS.into(), message }]
}

/// Corrections that hold for a file's columns, ordered to be found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patches {
    /// By row and column.
    cells: Vec<(u64, usize, String)>,
    /// By column and text.
    replacements: Vec<(usize, String, String)>,
    left_out: Vec<u64>,
    pub(super) duplicates: Duplicates,
}

impl Patches {
    /// Orders corrections; of two for the same cell the later one counts.
    ///
    /// # Errors
    /// There are too many, or one is for a column that the file doesn't have.
    pub fn new(columns: &[String], corrections: &Corrections) -> Result<Patches, Vec<FieldError>> {
        corrections.check_count()?;
        let Corrections { cells, replacements, left_out, duplicates } = corrections;
        let column = |name: &String| {
            columns.iter().position(|column| column == name).ok_or_else(|| wrong(text::unknown_file_column(name)))
        };
        // The later one first, so that of two only it is left.
        let cell =
            |c: &super::CellCorrection| Ok::<_, Vec<FieldError>>((c.row, column(&c.file_column)?, clean(&c.value)));
        let mut cells = cells.iter().rev().map(cell).collect::<Result<Vec<_>, _>>()?;
        cells.sort_by_key(|(row, column, _)| (*row, *column));
        cells.dedup_by_key(|(row, column, _)| (*row, *column));
        let replacement = |r: &super::Replacement| {
            Ok::<_, Vec<FieldError>>((column(&r.file_column)?, clean(&r.from).trim().to_owned(), clean(&r.to)))
        };
        let mut replacements = replacements.iter().rev().map(replacement).collect::<Result<Vec<_>, _>>()?;
        replacements.sort_by(|(a, from_a, _), (b, from_b, _)| (a, from_a).cmp(&(b, from_b)));
        replacements.dedup_by(|(a, from_a, _), (b, from_b, _)| (a, from_a) == (b, from_b));
        let mut left_out = left_out.clone();
        left_out.sort_unstable();
        left_out.dedup();
        Ok(Patches { cells, replacements, left_out, duplicates: *duplicates })
    }

    /// Did a person take the row out?
    pub(super) fn leaves_out(&self, row: u64) -> bool {
        self.left_out.binary_search(&row).is_ok()
    }

    /// What a cell holds instead, if anything.
    pub(super) fn text(&self, row: u64, column: usize, text: &str) -> Option<&str> {
        if self.cells.is_empty() && self.replacements.is_empty() {
            return None;
        }
        if let Ok(found) = self.cells.binary_search_by_key(&(row, column), |(row, column, _)| (*row, *column)) {
            return Some(&self.cells[found].2);
        }
        let key = (column, text.trim());
        let found = self.replacements.binary_search_by(|(column, from, _)| (*column, from.as_str()).cmp(&key)).ok()?;
        Some(&self.replacements[found].2)
    }

    /// Lays the corrections over a row's first `width` columns, into `patched`; false if there are none for it.
    pub(super) fn apply(&self, row: RawRow<'_>, width: usize, patched: &mut RowBuffer) -> bool {
        if self.cells.is_empty() && self.replacements.is_empty() {
            return false;
        }
        let mut cells = row.cells().peekable();
        let mut changed = false;
        patched.start(row.number);
        for column in 0..width {
            let text = cells.next_if(|(at, _)| *at == column).map_or("", |(_, text)| text);
            let corrected = self.text(row.number, column, text);
            changed |= corrected.is_some();
            patched.append(column, corrected.unwrap_or(text));
        }
        cells.for_each(|(column, text)| patched.append(column, text));
        changed
    }

    pub fn pack(&self, packer: &mut Packer) {
        packer.number(self.cells.len() as u64);
        for (row, column, text) in &self.cells {
            packer.number(*row);
            packer.number(*column as u64);
            packer.text(text);
        }
        packer.number(self.replacements.len() as u64);
        for (column, from, to) in &self.replacements {
            packer.number(*column as u64);
            packer.text(from);
            packer.text(to);
        }
        packer.number(self.left_out.len() as u64);
        self.left_out.iter().for_each(|row| packer.number(*row));
        packer.number(u64::from(self.duplicates == Duplicates::Refuse));
    }

    pub fn unpack(unpacker: &mut Unpacker<'_>) -> Option<Patches> {
        let mut patches = Patches::default();
        for _ in 0..unpacker.number()? {
            patches.cells.push((unpacker.number()?, unpacker.number()? as usize, unpacker.text()?.to_owned()));
        }
        for _ in 0..unpacker.number()? {
            let column = unpacker.number()? as usize;
            patches.replacements.push((column, unpacker.text()?.to_owned(), unpacker.text()?.to_owned()));
        }
        for _ in 0..unpacker.number()? {
            patches.left_out.push(unpacker.number()?);
        }
        if unpacker.number()? == 1 {
            patches.duplicates = Duplicates::Refuse;
        }
        Some(patches)
    }
}

/// What a person typed, without what no cell may hold.
fn clean(text: &str) -> String {
    clean_lines(text).into_owned()
}
