//! A workbook as its readers give it, whatever its format.

use super::row::{RowBuffer, is_blank};
use super::{FileError, SheetHead, text};
use crate::form::is_email;

/// A sheet has no more rows and columns than these, whatever a file says.
#[cfg(any(feature = "fallback", feature = "xls", feature = "xlsx"))]
pub(super) const GRID: (u32, u32) = (1_048_576, 16_384);

/// An opened workbook. Its sheets go by their places in [`Book::sheets`].
pub trait Book {
    /// All sheets that hold cells, in the workbook's order.
    fn sheets(&self) -> &[SheetHead];

    /// The first rows of a sheet that aren't blank, at most so many, as cheaply as the format allows.
    ///
    /// # Errors
    /// The sheet can't be read.
    fn sample(&mut self, sheet: usize, rows: usize) -> Result<Vec<RowBuffer>, FileError>;

    /// Begins to read a sheet from its first row.
    ///
    /// # Errors
    /// The sheet can't be read.
    fn start(&mut self, sheet: usize) -> Result<(), FileError>;

    /// The next row of the sheet that was started; blank ones may be among them, their numbers only grow. False after the
    /// last one.
    ///
    /// # Errors
    /// The sheet can't be read any further.
    fn next(&mut self, row: &mut RowBuffer) -> Result<bool, FileError>;
}

/// How many rows of a sheet are looked at to see whether it has a table.
const LOOK: usize = 20;

/// What the first rows of a sheet look like, the most promising last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Looks {
    /// A single row, as a cover sheet has.
    Line,
    /// Text below text.
    Lines,
    /// A few rows of two cells, as in `Printed on | 2024-05-17`.
    Pairs,
    Table,
}

impl Looks {
    /// Judges the first rows that aren't blank; `None` if there are none.
    fn of(rows: &[RowBuffer]) -> Option<Looks> {
        let filled = |row: &RowBuffer| row.row().cells().filter(|(_, text)| !is_blank(text)).count();
        let has_two_of = |cells: usize| rows.iter().filter(|row| filled(row) >= cells).count() > 1;
        let has_address = |row: &&RowBuffer| row.row().cells().any(|(_, text)| is_email(text.trim()));
        let addresses = rows.iter().filter(has_address).count();
        let is_list = addresses * 2 >= rows.len() && (addresses > 1 || has_two_of(2) && addresses > 0);
        match rows.len() {
            0 => None,
            1 => Some(Looks::Line),
            _ if has_two_of(3) || is_list || (has_two_of(2) && rows.len() == LOOK) => Some(Looks::Table),
            _ if has_two_of(2) => Some(Looks::Pairs),
            _ => Some(Looks::Lines),
        }
    }
}

/// Chooses the sheet of the name that a person chose; else the first visible one that looks most like a table, with a
/// notice that names the other visible ones that have something in them.
///
/// # Errors
/// There is no such sheet, no visible one has a row, or none could be read up to one that has.
pub fn choose(book: &mut dyn Book, chosen: Option<&str>, notices: &mut Vec<String>) -> Result<usize, FileError> {
    let sheets = book.sheets().to_vec();
    if let Some(name) = chosen {
        return sheets.iter().position(|sheet| sheet.name == name).ok_or(FileError::NoSuchSheet);
    }
    let mut best: Option<(Looks, usize)> = None;
    let mut filled = Vec::new();
    for index in (0..sheets.len()).filter(|&index| !sheets[index].hidden) {
        let has_table = best.is_some_and(|(looks, _)| looks == Looks::Table);
        let looks = match book.sample(index, if has_table { 1 } else { LOOK }) {
            Ok(rows) => Looks::of(&rows),
            // The other reader may find a table in it.
            Err(FileError::NeedsFallback) if !has_table => return Err(FileError::NeedsFallback),
            Err(error) if best.is_none() => return Err(error),
            // What is wrong with a sheet that isn't read doesn't matter.
            Err(_) => Some(Looks::Line),
        };
        let Some(looks) = looks else { continue };
        filled.push(index);
        if best.is_none_or(|(other, _)| looks > other) {
            best = Some((looks, index));
        }
    }
    let Some((_, found)) = best else {
        let is_filled = |index| book.sample(index, 1).is_ok_and(|rows| !rows.is_empty());
        let hidden = (0..sheets.len()).filter(|&index| sheets[index].hidden).any(is_filled);
        return Err(if hidden { FileError::OnlyHiddenSheets } else { FileError::NoColumns });
    };
    let others: Vec<_> =
        filled.iter().filter(|&&index| index != found).map(|&index| sheets[index].name.as_str()).collect();
    if !others.is_empty() {
        notices.push(text::other_sheets(&sheets[found].name, &others));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::row::row;
    use super::*;

    /// Sheets of rows or errors.
    struct Made(Vec<SheetHead>, Vec<Result<Vec<RowBuffer>, FileError>>);

    impl Book for Made {
        fn sheets(&self) -> &[SheetHead] {
            &self.0
        }
        fn sample(&mut self, sheet: usize, most: usize) -> Result<Vec<RowBuffer>, FileError> {
            self.1[sheet].clone().map(|rows| rows.into_iter().take(most).collect())
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
        let found = choose(&mut Made((0..sheets.len()).map(head).collect(), sheets), None, &mut notices)?;
        Ok((found, notices.len()))
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
        let long = ["Ada Byron|Lund"; LOOK];
        assert_eq!(chosen(vec![sheet(&long), sheet(&CARS)]), Ok((0, 1)));
    }

    #[test]
    fn chooses_the_first_sheet_with_anything_where_none_has_a_table() {
        assert_eq!(chosen(vec![sheet(&[]), sheet(&["Ada"]), sheet(&["Bo"])]), Ok((1, 1)));
        assert_eq!(chosen(vec![sheet(&["Namn", "Ada"])]), Ok((0, 0)));
        assert_eq!(chosen(vec![sheet(&[]), sheet(&[])]), Err(FileError::NoColumns));
    }

    #[test]
    fn asks_the_other_reader_for_a_sheet_that_may_have_the_table() {
        let unknown = || Err(FileError::NeedsFallback);
        assert_eq!(chosen(vec![sheet(&["Kundlista"]), unknown()]), Err(FileError::NeedsFallback));
        assert_eq!(chosen(vec![sheet(&CONTACTS), unknown()]), Ok((0, 1)));
        assert_eq!(chosen(vec![sheet(&["Kundlista"]), Err(FileError::BrokenWorkbook)]), Ok((0, 1)));
        assert_eq!(chosen(vec![Err(FileError::BrokenWorkbook), sheet(&CARS)]), Err(FileError::BrokenWorkbook));
    }
}
