//! Which row names the columns, if one does.

use super::layout::usual_width;
use super::mapping::{is_phone_number, is_web_address};
use super::row::RawRow;
use crate::form::is_email;

/// How many rows are looked at: a title and a few remarks may stand above the header.
const LOOK: usize = 10;

/// The place of the header among the first rows; `None` when the first row is already a contact. `chosen` is its number
/// where a person chose it, 0 for none.
pub(super) fn find(rows: &[RawRow<'_>], chosen: Option<u64>) -> Option<usize> {
    match chosen {
        Some(0) => None,
        Some(number) => rows.iter().position(|row| row.number == number).or_else(|| guess(rows)),
        None => guess(rows),
    }
}

fn guess(rows: &[RawRow<'_>]) -> Option<usize> {
    let usual = usual_width(rows);
    let filled = |row: &RawRow<'_>| row.cells().filter(|(_, text)| !text.trim().is_empty()).count();
    // A title above the table fills one cell where the table fills many.
    let is_wide = |row: &RawRow<'_>| usual < 3 || filled(row) * 2 > usual;
    let first = rows.iter().take(LOOK).position(is_wide).unwrap_or(0);
    rows.get(first).filter(|row| !is_data(row)).map(|_| first)
}

/// Holds what no header holds: somebody's address or number.
fn is_data(row: &RawRow<'_>) -> bool {
    row.cells().any(|(_, text)| {
        let text = text.trim();
        is_email(text) || is_web_address(text) || is_phone_number(text)
    })
}
