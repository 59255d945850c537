//! The report of failed rows, which users correct and import again.

use super::MAX_COLUMNS;
use super::row::{RawRow, RowBuffer, is_blank};
use crate::message::Message;

/// A problem of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The column's index; `None` if the problem concerns the whole row.
    pub column: Option<usize>,
    pub value: String,
    pub message: Message,
}

/// The headers of the columns that a downloaded report has before those of the file.
pub const REPORT_HEADERS: [&str; 2] = ["Row", "Reason"];
/// Estimated number of bytes in the database for a row of the report, in addition to the texts. `ITEM_BYTES` is that
/// for each of its cells; a problem counts twice, for its column and its message.
const ROW_BYTES: u64 = 96;
const ITEM_BYTES: u64 = 8;

/// Returns a row's cells for the report, one for each column up to the last cell that isn't blank, without
/// cells beyond [`MAX_COLUMNS`].
pub(super) fn report_cells(row: RawRow<'_>) -> Vec<String> {
    let mut cells = vec![String::new(); width(row)];
    row.cells().for_each(|(column, text)| {
        if let Some(cell) = cells.get_mut(column) {
            text.clone_into(cell);
        }
    });
    cells
}

/// Returns a row with a whole name in the column of the first name, and nothing in that of the last name: the file has
/// no column for the joined name. When the report is imported, the two are joined to the same name.
pub(super) fn replace_name(row: RawRow<'_>, (first, last): (usize, usize), name: &str) -> RowBuffer {
    let mut cells: Vec<_> = row.cells().filter(|&(column, _)| column != first && column != last).collect();
    cells.push((first, name));
    cells.sort_by_key(|&(column, _)| column);
    let mut renamed = RowBuffer::default();
    renamed.start(row.number);
    cells.into_iter().for_each(|(column, text)| renamed.append(column, text));
    renamed
}

pub(super) fn estimate_bytes(row: RawRow<'_>, findings: &[Finding]) -> u64 {
    let cells = row.cells().take_while(|(column, _)| *column < MAX_COLUMNS);
    let cells: u64 = cells.map(|(_, text)| text.len() as u64).sum();
    let sentences: u64 = findings.iter().map(|finding| finding.message.as_str().len() as u64 + 2 * ITEM_BYTES).sum();
    ROW_BYTES + cells + ITEM_BYTES * width(row) as u64 + sentences
}

/// Returns the number of columns up to the last cell that isn't blank. Ignores cells beyond [`MAX_COLUMNS`].
fn width(row: RawRow<'_>) -> usize {
    let filled = row.cells().filter(|(_, text)| !is_blank(text)).map(|(column, _)| column + 1);
    filled.take_while(|width| *width <= MAX_COLUMNS).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::row::row;
    use super::*;

    #[test]
    fn cells_end_at_the_last_filled_column_within_the_limit() {
        assert_eq!(report_cells(row(2, &["", "a", "", "b", " ", ""]).row()), ["", "a", "", "b"]);
        let mut far = row(2, &["a"]);
        far.append(16_383, "b");
        assert_eq!(report_cells(far.row()), ["a"]);
        assert!(estimate_bytes(far.row(), &[]) < 200);
    }
}
