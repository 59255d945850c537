//! The user's corrections, indexed by row and column.

use super::row::{RawRow, RowBuffer};
use super::text;
use super::types::{Corrections, Duplicates, MAX_CORRECTIONS};
use crate::form::FieldError;
use crate::message::Message;
use crate::text::clean_lines;

const CORRECTIONS_FIELD: &str = "corrections";

impl Corrections {
    /// Checks that there are not too many corrections. This is possible before the file is read.
    pub fn check_count(&self) -> Result<(), Vec<FieldError>> {
        match self.cells.len() + self.replacements.len() + self.left_out.len() {
            0..=MAX_CORRECTIONS => Ok(()),
            _ => Err(error(text::too_many_corrections(MAX_CORRECTIONS as u64))),
        }
    }
}

fn error(message: Message) -> Vec<FieldError> {
    vec![FieldError { field: CORRECTIONS_FIELD.into(), message }]
}

/// The user's corrections of a file, sorted so that they can be looked up for each cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patches {
    /// Corrections of single cells: row number, column and new text, sorted by row and column.
    cells: Vec<(u64, usize, String)>,
    /// Replacements of all equal cells of a column: column, original and new text, sorted by column and original text.
    replacements: Vec<(usize, String, String)>,
    left_out: Vec<u64>,
    /// How to treat a row that duplicates an earlier one. Not a correction, but sent with them.
    pub(super) duplicates: Duplicates,
}

impl Patches {
    /// Sorts corrections for lookups. Of several corrections of a cell, or several replacements of a value, the last
    /// one counts.
    ///
    /// # Errors
    /// There are too many corrections, or one is for a column that doesn't exist.
    pub fn new(columns: &[String], corrections: &Corrections) -> Result<Patches, Vec<FieldError>> {
        corrections.check_count()?;
        let Corrections { cells, replacements, left_out, duplicates } = corrections;
        let column = |name: &String| {
            columns.iter().position(|column| column == name).ok_or_else(|| error(text::unknown_file_column(name)))
        };
        // Reversed, so that of several corrections of a cell the last one is kept.
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

    pub(super) fn is_left_out(&self, row: u64) -> bool {
        self.left_out.binary_search(&row).is_ok()
    }

    pub(super) fn correction_of(&self, row: u64, column: usize, text: &str) -> Option<&str> {
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

    /// Returns true if a cell in the first `width` columns of the row was corrected; `patched` is then the corrected
    /// row. After false, the content of `patched` has no meaning.
    pub(super) fn apply(&self, row: RawRow<'_>, width: usize, patched: &mut RowBuffer) -> bool {
        if self.cells.is_empty() && self.replacements.is_empty() {
            return false;
        }
        let mut cells = row.cells().peekable();
        let mut changed = false;
        patched.start(row.number);
        for column in 0..width {
            let text = cells.next_if(|(at, _)| *at == column).map_or("", |(_, text)| text);
            let corrected = self.correction_of(row.number, column, text);
            changed |= corrected.is_some();
            patched.append(column, corrected.unwrap_or(text));
        }
        cells.for_each(|(column, text)| patched.append(column, text));
        changed
    }
}

/// Cleans a text of a correction as cells are cleaned: without control characters, except line breaks.
fn clean(text: &str) -> String {
    clean_lines(text).into_owned()
}
