//! The interface of all workbook readers, and the choice of the sheet to import.

use super::row::{RowBuffer, is_blank};
use super::{FileError, SheetHead, text};
use crate::form::is_email;
use crate::message::Message;

/// The maximum number of rows and columns of a sheet.
#[cfg(feature = "readers")]
pub(super) const MAX_GRID: (u32, u32) = (1_048_576, 16_384);
/// The maximum number of sheets of a workbook.
#[cfg(feature = "readers")]
pub(super) const MAX_SHEETS: usize = 4_096;
/// The maximum number of cell styles of a workbook, and of its own number formats.
#[cfg(feature = "readers")]
pub(super) const MAX_STYLES: usize = 65_536;

/// An open workbook. Sheets are identified by their index in [`Book::sheets`].
pub trait Book {
    /// Returns all worksheets, without charts and macros, in the workbook's order.
    fn sheets(&self) -> &[SheetHead];

    /// Returns the first rows of a sheet that aren't blank, at most `rows` of them. Reads as little as the format
    /// allows.
    fn sample(&mut self, sheet: usize, rows: usize) -> Result<Vec<RowBuffer>, FileError>;

    /// Starts reading a sheet from its first row.
    fn start(&mut self, sheet: usize) -> Result<(), FileError>;

    /// Reads the next row of the started sheet and returns whether there was one. Rows may be blank; their numbers
    /// increase.
    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError>;
}

/// Returns the first rows that `next` reads and that aren't blank, at most `max` of them.
#[cfg(feature = "readers")]
pub(super) fn collect_rows(
    max: usize,
    mut next: impl FnMut(&mut RowBuffer) -> Result<bool, FileError>,
) -> Result<Vec<RowBuffer>, FileError> {
    let (mut rows, mut row) = (Vec::new(), RowBuffer::default());
    while rows.len() < max && next(&mut row)? {
        if !row.row().is_blank() {
            rows.push(row.clone());
        }
    }
    Ok(rows)
}

/// How many rows are inspected to see whether a sheet contains a table.
const INSPECTED_ROWS: usize = 20;

/// What a sheet seems to contain, judged by its first rows; from the least to the most likely to be imported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SheetKind {
    /// A single row, as on a cover sheet.
    SingleRow,
    /// Several rows with one cell each.
    Text,
    /// A few rows of two cells, such as `Printed on | 2024-05-17`.
    Pairs,
    Table,
}

impl SheetKind {
    /// Classifies the first rows that aren't blank; `None` if there are none.
    fn classify(rows: &[RowBuffer]) -> Option<SheetKind> {
        let filled = |row: &RowBuffer| row.row().cells().filter(|(_, text)| !is_blank(text)).count();
        let has_two_of = |cells: usize| rows.iter().filter(|row| filled(row) >= cells).count() > 1;
        let has_address = |row: &&RowBuffer| row.row().cells().any(|(_, text)| is_email(text.trim()));
        let addresses = rows.iter().filter(has_address).count();
        let is_list = addresses * 2 >= rows.len() && (addresses > 1 || has_two_of(2) && addresses > 0);
        match rows.len() {
            0 => None,
            1 => Some(SheetKind::SingleRow),
            _ if has_two_of(3) || is_list || (has_two_of(2) && rows.len() == INSPECTED_ROWS) => Some(SheetKind::Table),
            _ if has_two_of(2) => Some(SheetKind::Pairs),
            _ => Some(SheetKind::Text),
        }
    }
}

/// Returns the index of the sheet that the user chose. Without a choice, returns the first visible sheet that looks
/// most like a table, and adds a notice that names the other visible sheets with content.
///
/// # Errors
/// There is no such sheet, no visible sheet has a row, or a sheet before the first one with rows can't be read.
pub fn choose_sheet(book: &mut dyn Book, chosen: Option<&str>, notices: &mut Vec<Message>) -> Result<usize, FileError> {
    let sheets = book.sheets().to_vec();
    if let Some(name) = chosen {
        return sheets.iter().position(|sheet| sheet.name == name).ok_or(FileError::NoSuchSheet);
    }
    let mut best: Option<(SheetKind, usize)> = None;
    let mut filled = Vec::new();
    for index in (0..sheets.len()).filter(|&index| !sheets[index].hidden) {
        let has_table = best.is_some_and(|(kind, _)| kind == SheetKind::Table);
        let content = match book.sample(index, if has_table { 1 } else { INSPECTED_ROWS }) {
            Ok(rows) => SheetKind::classify(&rows),
            // The fallback reader may find a table in this sheet.
            Err(FileError::NeedsFallback) if !has_table => return Err(FileError::NeedsFallback),
            Err(error) if best.is_none() => return Err(error),
            // An unreadable sheet counts as a single row. The error only matters if the sheet is imported.
            Err(_) => Some(SheetKind::SingleRow),
        };
        let Some(content) = content else { continue };
        filled.push(index);
        if best.is_none_or(|(other, _)| content > other) {
            best = Some((content, index));
        }
    }
    let Some((_, best_sheet)) = best else {
        let is_filled = |index| book.sample(index, 1).is_ok_and(|rows| !rows.is_empty());
        let hidden = (0..sheets.len()).filter(|&index| sheets[index].hidden).any(is_filled);
        return Err(if hidden { FileError::OnlyHiddenSheets } else { FileError::NoColumns });
    };
    let others: Vec<_> =
        filled.iter().filter(|&&index| index != best_sheet).map(|&index| sheets[index].name.as_str()).collect();
    if !others.is_empty() {
        notices.push(text::other_sheets(&sheets[best_sheet].name, &others));
    }
    Ok(best_sheet)
}

#[cfg(test)]
mod tests {
    use super::super::row::row;
    use super::*;

    /// A workbook for tests: its sheets, and the rows or the error of each.
    struct FakeBook(Vec<SheetHead>, Vec<Result<Vec<RowBuffer>, FileError>>);

    impl Book for FakeBook {
        fn sheets(&self) -> &[SheetHead] {
            &self.0
        }
        fn sample(&mut self, sheet: usize, max: usize) -> Result<Vec<RowBuffer>, FileError> {
            self.1[sheet].clone().map(|rows| rows.into_iter().take(max).collect())
        }
        fn start(&mut self, _: usize) -> Result<(), FileError> {
            Ok(())
        }
        fn next(&mut self, _: &mut RowBuffer) -> Result<bool, FileError> {
            Ok(false)
        }
    }

    fn sheet(lines: &[&str]) -> Result<Vec<RowBuffer>, FileError> {
        Ok((1..).zip(lines).map(|(number, line)| row(number, &line.split('|').collect::<Vec<_>>())).collect())
    }

    fn chosen(sheets: Vec<Result<Vec<RowBuffer>, FileError>>) -> Result<(usize, usize), FileError> {
        let head = |n: usize| SheetHead { name: n.to_string(), hidden: false };
        let mut notices = Vec::new();
        let best_sheet =
            choose_sheet(&mut FakeBook((0..sheets.len()).map(head).collect(), sheets), None, &mut notices)?;
        Ok((best_sheet, notices.len()))
    }

    const CONTACTS: [&str; 2] = ["Namn|E-post", "Ada|ada@example.com"];
    const CARS: [&str; 3] = ["Reg|Make|Year", "ABC123|Volvo|2020", "DEF456|Saab|2009"];

    #[test]
    fn chooses_the_first_sheet_with_a_table() {
        assert_eq!(chosen(vec![sheet(&["Kundlista 2024"]), sheet(&CONTACTS)]), Ok((1, 1)));
        assert_eq!(chosen(vec![sheet(&["Kundlista", "Utskriven i dag"]), sheet(&CARS)]), Ok((1, 1)));
        assert_eq!(chosen(vec![sheet(&["Report|Customers", "Printed on|2024-05-17"]), sheet(&CARS)]), Ok((1, 1)));
        assert_eq!(chosen(vec![sheet(&CONTACTS), sheet(&CARS)]), Ok((0, 1)));
        assert_eq!(chosen(vec![sheet(&CARS), sheet(&CONTACTS)]), Ok((0, 1)));
        assert_eq!(chosen(vec![sheet(&["E-post", "a@b.se", "c@d.se"]), sheet(&CARS)]), Ok((0, 1)));
        let long = ["Ada Byron|Lund"; INSPECTED_ROWS];
        assert_eq!(chosen(vec![sheet(&long), sheet(&CARS)]), Ok((0, 1)));
    }

    #[test]
    fn without_a_table_chooses_the_first_of_the_most_promising_sheets() {
        assert_eq!(chosen(vec![sheet(&[]), sheet(&["Ada"]), sheet(&["Bo"])]), Ok((1, 1)));
        assert_eq!(chosen(vec![sheet(&["Kundlista"]), sheet(&["Namn", "Ada"])]), Ok((1, 1)));
        assert_eq!(chosen(vec![sheet(&["Namn", "Ada"])]), Ok((0, 0)));
        assert_eq!(chosen(vec![sheet(&[]), sheet(&[])]), Err(FileError::NoColumns));
    }

    #[test]
    fn asks_the_fallback_reader_for_a_sheet_that_may_have_the_table() {
        let unknown = || Err(FileError::NeedsFallback);
        assert_eq!(chosen(vec![sheet(&["Kundlista"]), unknown()]), Err(FileError::NeedsFallback));
        assert_eq!(chosen(vec![sheet(&CONTACTS), unknown()]), Ok((0, 1)));
        assert_eq!(chosen(vec![sheet(&["Kundlista"]), Err(FileError::BrokenWorkbook)]), Ok((0, 1)));
        assert_eq!(chosen(vec![Err(FileError::BrokenWorkbook), sheet(&CARS)]), Err(FileError::BrokenWorkbook));
    }
}
