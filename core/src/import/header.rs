//! Which row names the columns, if one does.

use super::content::{is_date, is_phone_number, is_web_address, is_whole_name};
use super::layout::usual_width;
use super::mapping::is_column_word;
use super::row::RawRow;
use super::synonyms::{among, words};
use crate::form::is_email;

/// How many rows are looked at: a title and a few remarks may stand above the header.
const LOOK: usize = 10;
/// How many of the rows below are looked at to see what their columns hold.
const BELOW: usize = 30;
/// How many of a row's cells are looked at.
const CELLS: usize = 60;
/// The longest that a name of a column is, in characters; what is longer is a remark.
const LONGEST: usize = 60;

/// The place of the header among the first rows; `None` when the first row is already a contact. `chosen` is its number
/// where a person chose it, 0 for none.
pub(super) fn find(rows: &[RawRow<'_>], chosen: Option<u64>) -> Option<usize> {
    match chosen {
        Some(0) => None,
        Some(number) => rows.iter().position(|row| row.number == number).or_else(|| guess(rows)),
        None => guess(rows),
    }
}

/// The row that looks most like names of columns; where none does more than another, the first that is as wide as the
/// table. That is none if it looks like the rows below it.
fn guess(rows: &[RawRow<'_>]) -> Option<usize> {
    let usual = usual_width(rows);
    let mut looked: Vec<Looked<'_>> = rows.iter().take(LOOK + BELOW).map(look).collect();
    // Sums say nothing of what their columns hold.
    let totals: Vec<bool> = looked.iter().enumerate().map(|(place, row)| place > 0 && is_total(row)).collect();
    looked.iter_mut().zip(&totals).filter(|(_, is_total)| **is_total).for_each(|(row, _)| row.clear());
    let mut best: Option<(f64, usize)> = None;
    for (place, row) in rows.iter().enumerate().take(LOOK) {
        // A title above the table fills one cell where the table fills many; but half of the columns may have no name.
        let filled = texts(row).count();
        let are_names = || filled > 1 && filled * 2 == usual && texts(row).all(|(_, text)| is_column_word(text));
        let is_wide = usual < 3 || filled * 2 > usual || are_names();
        if is_wide {
            let score = score(&looked[place], &looked[place + 1..]);
            if totals[place] || is_last_of_equals(&looked, place, rows.len()) {
                continue;
            }
            // What stands further down must be one for sure, and better by far: most headers come first.
            if best.is_none_or(|(other, _)| score > 0.0 && score > other + 1.0) {
                best = Some((score, place));
            }
        }
        // Nothing names columns below somebody's address.
        if looked[place].iter().any(|(.., kind)| *kind == Kind::Somebodys) {
            break;
        }
    }
    best.filter(|(score, _)| *score >= 0.0).map(|(_, place)| place)
}

/// A row of sums: it begins with a word for them, and the rest of it is figures.
fn is_total(row: &Looked<'_>) -> bool {
    const TOTALS: &str = "total totals totalt grandtotal subtotal sum summa summering delsumma summe gesamt gesamtsumme \
        zwischensumme somme soustotal suma totalsuma ialt samlet yhteensa summat totaal antal anzahl count";
    let mut cells = row.iter();
    cells.next().is_some_and(|(_, text, _)| among(TOTALS, &words(text).concat()))
        && cells.all(|(.., kind)| *kind == Kind::Figures)
}

/// Nothing follows this row, and one above it fills as many cells: it is the table's end.
fn is_last_of_equals(looked: &[Looked<'_>], place: usize, rows: usize) -> bool {
    place > 0 && place + 1 == rows && looked[..place].iter().any(|row| row.len() >= looked[place].len())
}

/// The cells of a row that have something in them: column, text, and what it is.
type Looked<'a> = Vec<(usize, &'a str, Kind)>;

fn look<'a>(row: &RawRow<'a>) -> Looked<'a> {
    texts(row).take(CELLS).map(|(at, text)| (at, text, Kind::of(text))).collect()
}

fn texts<'a>(row: &RawRow<'a>) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
    row.cells().map(|(column, text)| (column, text.trim())).filter(|(_, text)| !text.is_empty())
}

/// How much a row looks like names of the columns below it, on average of its cells: above 0 like these, below 0 like one
/// more of the rows.
fn score(row: &Looked<'_>, below: &[Looked<'_>]) -> f64 {
    let is_series = is_series(row);
    let mut score = 0.0;
    for (place, &(column, text, kind)) in row.iter().enumerate() {
        let common = below_of(column, below);
        let is_long = text.chars().count() > LONGEST;
        // A word above figures, addresses or names of persons says what they are.
        let is_above = kind == Kind::Words && common.is_some_and(|common| common != Kind::Words);
        score += match kind {
            Kind::Somebodys => -6.0,
            Kind::Words | Kind::Names if !is_long && is_column_word(text) => 4.0,
            Kind::Date => -3.0,
            Kind::Figures if is_series => 0.0,
            _ if common == Some(kind) && kind != Kind::Words => -2.0,
            _ => 0.0,
        } + if is_above { 2.0 } else { 0.0 };
        if is_long {
            score -= 3.0;
        }
        if row[..place].iter().any(|(_, other, _)| *other == text) {
            score -= 1.0;
        }
    }
    score / row.len().max(1) as f64
}

/// What a cell holds, as far as it tells headers from what stands below them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Somebodys,
    Date,
    /// Anything with more figures than letters.
    Figures,
    Names,
    Words,
}

impl Kind {
    fn of(text: &str) -> Kind {
        let figures = text.chars().filter(char::is_ascii_digit).count();
        match () {
            () if is_somebodys(text) => Kind::Somebodys,
            () if is_date(text) => Kind::Date,
            () if figures > text.chars().filter(|c| c.is_alphabetic()).count() => Kind::Figures,
            () if is_whole_name(text) => Kind::Names,
            () => Kind::Words,
        }
    }
}

/// Nothing names a column like that: it is somebody's address or number.
fn is_somebodys(text: &str) -> bool {
    is_email(text) || is_web_address(text) || is_phone_number(text)
}

/// What most cells of a column below hold, if they agree.
fn below_of(column: usize, below: &[Looked<'_>]) -> Option<Kind> {
    let at = |row: &Looked<'_>| row.binary_search_by_key(&column, |(at, ..)| *at).ok().map(|place| row[place].2);
    let kinds: Vec<Kind> = below.iter().take(BELOW).filter_map(at).collect();
    let all = [Kind::Somebodys, Kind::Date, Kind::Figures, Kind::Names, Kind::Words];
    all.into_iter().find(|kind| kinds.iter().filter(|other| *other == kind).count() * 10 >= kinds.len().max(1) * 6)
}

/// Are the figures in it years or numbers one after the other, as columns are numbered?
fn is_series(row: &Looked<'_>) -> bool {
    let numbers: Vec<i64> = row.iter().filter_map(|(_, text, _)| text.parse().ok()).collect();
    numbers.len() > 1 && numbers.windows(2).all(|two| two[1] == two[0].saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{Limits, RowBuffer};

    /// Rows by lines, cells by bars; gives the header's line, from 1, and 0 for none.
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
        find(&rows, None).map_or(0, |place| place + 1)
    }

    #[test]
    fn the_first_row_names_the_columns_of_most_files() {
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
        // A later row that happens to hold such a word isn't the header.
        assert_eq!(
            header(&["Åsa Öberg|asa@example.se|Lund", "Kontakt|bo@example.se|Ort", "Eva Berg|eva@example.se|Lund"]),
            0
        );
    }

    #[test]
    fn titles_and_remarks_above_are_passed_over() {
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
    fn a_row_of_sums_or_the_last_row_is_no_header() {
        assert_eq!(header(&["alpha|beta", "foo|bar", "x|y", "Total|"]), 1);
        assert_eq!(header(&["alpha|beta", "foo|bar", "Summa|12", "Utskriven av Åsa|"]), 1);
        assert_eq!(header(&["alpha|beta|gamma", "foo|bar|baz", "Gesamtsumme|12|30"]), 1);
        assert_eq!(header(&["alpha|beta", "foo|bar", "Namn|Kontakt"]), 1);
        assert_eq!(header(&["Total", "12", "30"]), 1);
        assert_eq!(header(&["Kundlista", "Namn|E-post"]), 2);
    }

    #[test]
    fn a_single_column_has_a_header_if_its_first_row_is_of_another_kind() {
        assert_eq!(header(&["E-mail", "ada@example.com", "bo@example.com"]), 1);
        assert_eq!(header(&["ada@example.com", "bo@example.com"]), 0);
        assert_eq!(header(&["Name", "Ada Byron", "Byron, Ada", "Ek; Bo"]), 1);
        assert_eq!(header(&["Ada Byron", "Bo Ek", "Cy Young"]), 0);
        assert_eq!(header(&["Deltagare", "Ada Byron", "Bo Ek"]), 1);
        assert_eq!(header(&["+46 70 123 45 67", "+46 70 123 45 68"]), 0);
        assert_eq!(header(&["Kundlista", "E-post", "ada@example.com"]), 2);
    }

    #[test]
    fn numbers_may_name_columns_where_they_follow_each_other() {
        assert_eq!(header(&["Name|2023|2024", "Ada|10|20", "Bo|30|40"]), 1);
        assert_eq!(header(&["1|2|3", "Ada|Byron|London", "Bo|Ek|Lund"]), 1);
        assert_eq!(header(&["10|20|40", "30|40|50", "50|60|70"]), 0);
        assert_eq!(header(&["Kund|10042|2024-05-17", "Kund|10043|2024-05-18"]), 0);
    }

    #[test]
    fn equal_headers_are_headers() {
        assert_eq!(header(&["Name|Email|Phone|Email", "Ada|ada@example.com|+441234567890|a@example.org"]), 1);
        assert_eq!(header(&["Name|name|NAME|Name ", "Ada|b|c|d"]), 1);
    }

    #[test]
    fn a_choice_goes_before_and_none_is_one() {
        let mut first = RowBuffer::default();
        first.start(3);
        first.push(0, "Namn", &Limits::default()).unwrap();
        let mut second = RowBuffer::default();
        second.start(7);
        second.push(0, "Ada", &Limits::default()).unwrap();
        let rows = [first.row(), second.row()];
        assert_eq!(find(&rows, Some(7)), Some(1));
        assert_eq!(find(&rows, Some(0)), None);
        // A row that there isn't is no choice.
        assert_eq!(find(&rows, Some(5)), Some(0));
    }
}
