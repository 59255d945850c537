//! Finds the header: the row that contains the columns' names.

use super::content::{is_date, is_full_name, is_phone_number, is_web_address};
use super::exported::is_exported;
use super::mapping::is_column_name;
use super::row::{RawRow, median_width};
use super::synonyms::{is_in_list, words};
use crate::form::is_email;

/// How many of the first rows may be the header. A title and a few remarks may precede it.
const CANDIDATES: usize = 10;
/// How many of the following rows are compared with a header candidate.
const ROWS_BELOW: usize = 30;
/// How many cells of a row are compared with the cells below.
const MAX_CELLS: usize = 60;
/// Texts with more characters than this count against a row as the header, because they are probably remarks.
const MAX_NAME_CHARS: usize = 60;

/// Returns the index of the header among the first rows, or `None` if the first row is already a contact. `chosen` is
/// the row number that the user chose; 0 means no header.
pub(super) fn find(rows: &[RawRow<'_>], chosen: Option<u64>) -> Option<usize> {
    match chosen {
        Some(0) => None,
        Some(number) => rows.iter().position(|row| row.number == number).or_else(|| guess_header(rows)),
        None => {
            let exported = rows.iter().take(CANDIDATES).position(|row| is_exported(row.cells().map(|(_, text)| text)));
            exported.or_else(|| guess_header(rows))
        }
    }
}

/// Returns the row that looks most like column names. If several score alike, the first one that is as wide as the
/// table wins. `None` if that row looks like the rows below it.
fn guess_header(rows: &[RawRow<'_>]) -> Option<usize> {
    let usual = median_width(rows);
    let mut classified: Vec<ClassifiedRow<'_>> = rows.iter().take(CANDIDATES + ROWS_BELOW).map(classify).collect();
    // Rows of totals say nothing about the values in their columns.
    let totals: Vec<bool> = classified.iter().enumerate().map(|(index, row)| index > 0 && is_totals_row(row)).collect();
    classified.iter_mut().zip(&totals).filter(|(_, is_totals_row)| **is_totals_row).for_each(|(row, _)| row.clear());
    let mut best: Option<(f64, usize)> = None;
    for (index, row) in rows.iter().enumerate().take(CANDIDATES) {
        // A row with a title has one filled cell and isn't the header. But in a header, up to half of the columns may
        // lack a name.
        let filled = filled_cells(row).count();
        let are_names = || filled > 1 && filled * 2 == usual && filled_cells(row).all(|(_, text)| is_column_name(text));
        let is_wide = usual < 3 || filled * 2 > usual || are_names();
        if is_wide {
            let score = score(&classified[index], &classified[index + 1..]);
            if totals[index] || ends_table(&classified, index, rows.len()) {
                continue;
            }
            // Most headers come first, so a later row must have a positive and clearly higher score.
            if best.is_none_or(|(other, _)| score > 0.0 && score > other + 1.0) {
                best = Some((score, index));
            }
        }
        // A header can't follow a row with an e-mail or web address or a phone number.
        if classified[index].iter().any(|(.., kind)| *kind == CellKind::Personal) {
            break;
        }
    }
    best.filter(|(score, _)| *score >= 0.0).map(|(_, index)| index)
}

/// Returns whether this is a row of totals: a word such as "Total", alone or followed by numbers only.
fn is_totals_row(row: &ClassifiedRow<'_>) -> bool {
    const TOTALS: &str = "total totals totalt grandtotal subtotal sum summa summering delsumma summe gesamt gesamtsumme \
        zwischensumme somme soustotal suma totalsuma ialt samlet yhteensa summat totaal antal anzahl count";
    let mut cells = row.iter();
    cells.next().is_some_and(|(_, text, _)| is_in_list(TOTALS, &words(text).concat()))
        && cells.all(|(.., kind)| *kind == CellKind::Number)
}

/// Returns whether this is the last row of the file, with no more cells than a row above it. Then it is a data row, not
/// the header.
fn ends_table(classified: &[ClassifiedRow<'_>], index: usize, rows: usize) -> bool {
    index > 0 && index + 1 == rows && classified[..index].iter().any(|row| row.len() >= classified[index].len())
}

/// The non-blank cells of a row: column, text and kind.
type ClassifiedRow<'a> = Vec<(usize, &'a str, CellKind)>;

fn classify<'a>(row: &RawRow<'a>) -> ClassifiedRow<'a> {
    filled_cells(row).take(MAX_CELLS).map(|(at, text)| (at, text, CellKind::of(text))).collect()
}

fn filled_cells<'a>(row: &RawRow<'a>) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
    row.cells().map(|(column, text)| (column, text.trim())).filter(|(_, text)| !text.is_empty())
}

/// Scores how much a row looks like names of the columns below it, averaged over its cells: positive for a header,
/// negative for one more data row.
fn score(row: &ClassifiedRow<'_>, below: &[ClassifiedRow<'_>]) -> f64 {
    let is_consecutive = is_consecutive(row);
    let mut score = 0.0;
    for (index, &(column, text, kind)) in row.iter().enumerate() {
        let common = kind_below(column, below);
        let is_long = text.chars().count() > MAX_NAME_CHARS;
        // Text above numbers, dates, e-mail or web addresses, phone numbers or names of persons is probably their label.
        let is_label = kind == CellKind::Words && common.is_some_and(|common| common != CellKind::Words);
        score += match kind {
            CellKind::Personal => -6.0,
            CellKind::Words | CellKind::PersonName if !is_long && is_column_name(text) => 4.0,
            CellKind::Date => -3.0,
            CellKind::Number if is_consecutive => 0.0,
            _ if common == Some(kind) && kind != CellKind::Words => -2.0,
            _ => 0.0,
        } + if is_label { 2.0 } else { 0.0 };
        if is_long {
            score -= 3.0;
        }
        if row[..index].iter().any(|(_, other, _)| *other == text) {
            score -= 1.0;
        }
    }
    score / row.len().max(1) as f64
}

/// What a cell looks like, as far as that separates headers from data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Personal,
    Date,
    /// A text with more digits than letters.
    Number,
    PersonName,
    Words,
}

impl CellKind {
    fn of(text: &str) -> CellKind {
        let digits = text.chars().filter(char::is_ascii_digit).count();
        match () {
            () if is_email(text) || is_web_address(text) || is_phone_number(text) => CellKind::Personal,
            () if is_date(text) => CellKind::Date,
            () if digits > text.chars().filter(|c| c.is_alphabetic()).count() => CellKind::Number,
            () if is_full_name(text) => CellKind::PersonName,
            () => CellKind::Words,
        }
    }
}

/// Returns the kind of at least 60 % of the filled cells below the header in this column; `None` if none is so
/// frequent.
fn kind_below(column: usize, below: &[ClassifiedRow<'_>]) -> Option<CellKind> {
    let at = |row: &ClassifiedRow<'_>| row.binary_search_by_key(&column, |(at, ..)| *at).ok().map(|index| row[index].2);
    let kinds: Vec<CellKind> = below.iter().take(ROWS_BELOW).filter_map(at).collect();
    let all = [CellKind::Personal, CellKind::Date, CellKind::Number, CellKind::PersonName, CellKind::Words];
    all.into_iter().find(|kind| kinds.iter().filter(|other| *other == kind).count() * 10 >= kinds.len().max(1) * 6)
}

/// Returns whether the row's numbers are consecutive, like years or numbered columns.
fn is_consecutive(row: &ClassifiedRow<'_>) -> bool {
    let numbers: Vec<i64> = row.iter().filter_map(|(_, text, _)| text.parse().ok()).collect();
    numbers.len() > 1 && numbers.windows(2).all(|two| two[1] == two[0].saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{Limits, RowBuffer};

    /// Returns the line number of the header, or 0 for none. Each line is a row, whose cells are separated by bars.
    fn header(lines: &[&str]) -> usize {
        let rows: Vec<RowBuffer> = (1..)
            .zip(lines)
            .map(|(number, line)| {
                let mut row = RowBuffer::default();
                row.start(number);
                for (column, cell) in line.split('|').enumerate() {
                    row.push(column, cell, &Limits::default()).unwrap();
                }
                row
            })
            .collect();
        let rows: Vec<RawRow<'_>> = rows.iter().map(RowBuffer::row).collect();
        find(&rows, None).map_or(0, |index| index + 1)
    }

    #[test]
    fn finds_a_header_in_the_first_row() {
        assert_eq!(header(&["Namn|E-post|Telefon", "Åsa|asa@example.se|070-123 45 67", "Bo||"]), 1);
        assert_eq!(header(&["Namn|Ort", "Åsa Öberg|Malmö"]), 1);
        assert_eq!(header(&["Full name|Account manager", "Åsa Öberg|Bo Ek", "Eva Berg|Bo Ek"]), 1);
        assert_eq!(header(&["Kundlista för bilar|Antal", "Åsa|1", "Bo|2"]), 1);
        assert_eq!(header(&["alpha|beta", "foo|bar", "x|y"]), 1);
        assert_eq!(header(&["Name||Email|", "Ada|London|ada@example.com|UK"]), 1);
        assert_eq!(header(&["Alpha|Beta|Gamma", "1|2024-01-01|asa@example.se", "2|2024-01-02|bo@example.se"]), 1);
    }

    #[test]
    fn a_file_whose_first_row_is_a_contact_has_no_header() {
        assert_eq!(header(&["Åsa Öberg|asa@example.se", "Bo Ek|bo@example.se"]), 0);
        assert_eq!(header(&["Åsa Öberg|070-123 45 67|Malmö", "Bo Ek|08-123 456|Lund"]), 0);
        assert_eq!(header(&["Åsa Öberg|Malmö", "Bo Ek|Lund", "Eva Berg|Ystad"]), 0);
        assert_eq!(header(&["Åsa Öberg|Storgatan 1|21142", "Bo Ek|Kyrkogatan 5|22222"]), 0);
        assert_eq!(header(&["asa@example.se"]), 0);
        // A later row that happens to contain a column word isn't the header.
        assert_eq!(
            header(&["Åsa Öberg|asa@example.se|Lund", "Kontakt|bo@example.se|Ort", "Eva Berg|eva@example.se|Lund"]),
            0
        );
    }

    #[test]
    fn skips_titles_and_remarks_above_the_header() {
        assert_eq!(header(&["Kundlista 2024", "Namn|E-post|Telefon", "Åsa|asa@example.se|1"]), 2);
        assert_eq!(header(&["Kundlista", "Namn|E-post", "Åsa|asa@example.se"]), 2);
        assert_eq!(
            header(&["Customers 2024", "Printed on|2024-05-17", "Name|Email|Town", "Ada|ada@example.com|London"]),
            3
        );
        assert_eq!(
            header(&["Report|Customers|2024-05-17", "Namn|E-post|Telefon", "Åsa|asa@example.se|070-123 45 67"]),
            2
        );
        assert_eq!(
            header(&[
                "Contacts",
                "Generated by the system on request of the manager, do not reply to it|",
                "E-mail",
                "a@b.se"
            ]),
            3
        );
        assert_eq!(
            header(&[
                "Kontakt||Adress|||",
                "Namn|E-post|Gata|Postnr|Ort|Land",
                "Åsa|a@b.se|Storgatan 1|21142|Malmö|SE"
            ]),
            2
        );
    }

    #[test]
    fn a_totals_row_or_the_last_row_is_not_the_header() {
        assert_eq!(header(&["alpha|beta", "foo|bar", "x|y", "Total|"]), 1);
        assert_eq!(header(&["alpha|beta", "foo|bar", "Summa|12", "Utskriven av Åsa|"]), 1);
        assert_eq!(header(&["alpha|beta|gamma", "foo|bar|baz", "Gesamtsumme|12|30"]), 1);
        assert_eq!(header(&["alpha|beta", "foo|bar", "Namn|Kontakt"]), 1);
        assert_eq!(header(&["Total", "12", "30"]), 1);
        assert_eq!(header(&["Kundlista", "Namn|E-post"]), 2);
    }

    #[test]
    fn finds_the_header_of_an_exported_list_among_any_other_details() {
        let header_line = "_id|name|ada@example.se|2026-01-31|2026-02-28|070-123 45 67|www.example.se|12";
        assert_eq!(header(&[header_line, "0199|Ada|x|x|x|x|x|x"]), 1);
    }

    #[test]
    fn a_single_column_has_a_header_if_its_first_cell_differs_in_kind() {
        assert_eq!(header(&["E-mail", "ada@example.com", "bo@example.com"]), 1);
        assert_eq!(header(&["ada@example.com", "bo@example.com"]), 0);
        assert_eq!(header(&["Name", "Ada Byron", "Byron, Ada", "Ek; Bo"]), 1);
        assert_eq!(header(&["Ada Byron", "Bo Ek", "Cy Young"]), 0);
        assert_eq!(header(&["Deltagare", "Ada Byron", "Bo Ek"]), 1);
        assert_eq!(header(&["+46 70 123 45 67", "+46 70 123 45 68"]), 0);
        assert_eq!(header(&["Kundlista", "E-post", "ada@example.com"]), 2);
    }

    #[test]
    fn consecutive_numbers_can_be_headers() {
        assert_eq!(header(&["Name|2023|2024", "Ada|10|20", "Bo|30|40"]), 1);
        assert_eq!(header(&["1|2|3", "Ada|Byron|London", "Bo|Ek|Lund"]), 1);
        assert_eq!(header(&["10|20|40", "30|40|50", "50|60|70"]), 0);
        assert_eq!(header(&["Kund|10042|2024-05-17", "Kund|10043|2024-05-18"]), 0);
    }

    #[test]
    fn accepts_duplicate_headers() {
        assert_eq!(header(&["Name|Email|Phone|Email", "Ada|ada@example.com|+441234567890|a@example.org"]), 1);
        assert_eq!(header(&["Name|name|NAME|Name ", "Ada|b|c|d"]), 1);
    }

    #[test]
    fn the_users_choice_overrides_the_guess() {
        let mut first = RowBuffer::default();
        first.start(3);
        first.push(0, "Namn", &Limits::default()).unwrap();
        let mut second = RowBuffer::default();
        second.start(7);
        second.push(0, "Ada", &Limits::default()).unwrap();
        let rows = [first.row(), second.row()];
        assert_eq!(find(&rows, Some(7)), Some(1));
        assert_eq!(find(&rows, Some(0)), None);
        // A row number that doesn't exist is ignored.
        assert_eq!(find(&rows, Some(5)), Some(0));
    }
}
