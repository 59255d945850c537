//! What is kept of a row that fails, to be corrected and imported again.

use super::row::{RawRow, is_blank};
use super::{Finding, MAX_COLUMNS};
use std::borrow::Cow;

/// Characters of a cell that are kept.
pub const CELL_KEPT: usize = 200;
/// Bytes that a database takes for a row of a report beside its texts, and for each of its cells and problems.
const ROW: u64 = 96;
const PIECE: u64 = 8;

/// Returns a text as a report keeps it: a longer one is cut, and ends in "…".
pub fn cut(text: &str) -> Cow<'_, str> {
    // No text has more characters than bytes.
    if text.len() <= CELL_KEPT {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(CELL_KEPT) {
        Some((end, _)) => Cow::Owned([&text[..end], "…"].concat()),
        None => Cow::Borrowed(text),
    }
}

/// Returns a row's cells as a report keeps them, one for each column up to the last that isn't blank.
pub(super) fn cells(row: RawRow<'_>) -> Vec<String> {
    let mut cells = vec![String::new(); width(row)];
    row.cells().for_each(|(column, text)| {
        if let Some(cell) = cells.get_mut(column) {
            *cell = cut(text).into_owned();
        }
    });
    cells
}

/// Returns how many bytes a report takes for a row, in about.
pub(super) fn bytes(row: RawRow<'_>, findings: &[Finding]) -> u64 {
    let kept = |text: &str| cut(text).len() as u64;
    let cells: u64 = row.cells().take_while(|(column, _)| *column < MAX_COLUMNS).map(|(_, text)| kept(text)).sum();
    let sentences: u64 = findings.iter().map(|finding| finding.message.len() as u64 + 2 * PIECE).sum();
    ROW + cells + PIECE * width(row) as u64 + sentences
}

/// A row may reach far beyond the columns that a file can have.
fn width(row: RawRow<'_>) -> usize {
    let filled = row.cells().filter(|(_, text)| !is_blank(text)).map(|(column, _)| column + 1);
    filled.take_while(|width| *width <= MAX_COLUMNS).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::row::row;
    use super::*;

    #[test]
    fn a_long_cell_is_cut_by_characters_and_says_so() {
        let long = "å".repeat(CELL_KEPT);
        assert_eq!(cut(&long), long);
        assert_eq!(cut(&format!("{long}x")), format!("{long}…"));
    }

    #[test]
    fn a_row_is_kept_up_to_its_last_cell_and_no_wider_than_a_file_may_be() {
        assert_eq!(cells(row(2, &["", "a", "", "b", " ", ""]).row()), ["", "a", "", "b"]);
        let mut far = row(2, &["a"]);
        far.append(16_383, "b");
        assert_eq!(cells(far.row()), ["a"]);
        assert!(bytes(far.row(), &[]) < 200);
    }
}
