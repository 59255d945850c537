//! Files with first and last names in two columns.

use super::exported::is_exported;
use super::synonyms::{FIRST_NAMES, FULL_NAMES, LAST_NAMES, is_in_list, words};
use crate::text::fold;

pub(super) fn joined_column_name(first: &str, last: &str) -> String {
    format!("{first} + {last}")
}

/// Headers of columns with full names, unless another column is for first or last names only.
const PLAIN_NAMES: &str = "name namn nom nombre navn nimi";

/// Headers that are too short to mean a first or last name, unless the file has both of a pair.
const SHORT_PAIRS: [(&str, &str); 4] = [("first", "last"), ("fname", "lname"), ("fnamn", "enamn"), ("vname", "nname")];

/// The columns that contain parts of names.
pub(super) struct NameColumns {
    /// The indexes of the columns with first or last names.
    parts: Vec<usize>,
    /// The indexes of the columns with the first and the last name, unless another column contains the full name.
    pub pair: Option<(usize, usize)>,
    joined: Option<usize>,
}

impl NameColumns {
    pub fn find(columns: &[String], sample_rows: &[Vec<String>]) -> NameColumns {
        let keys: Vec<String> = columns.iter().map(|column| words(column).concat()).collect();
        let at = |list: &str| keys.iter().position(|key| is_in_list(list, key));
        // A plain "Name" may also be the other part: beside "Vorname" it is the last name, "Nombre" beside "Apellidos"
        // the first.
        let plain = at(PLAIN_NAMES);
        let short = SHORT_PAIRS.into_iter().find_map(|(first, last)| at(first).zip(at(last)));
        let (mut first, mut last) = match (at(FIRST_NAMES), at(LAST_NAMES), short) {
            (None, None, Some((first, last))) => (Some(first), Some(last)),
            (first, last, _) => (first, last),
        };
        let is_full_name = |key: &str| is_in_list(FULL_NAMES, key) && !is_in_list(PLAIN_NAMES, key);
        let joins = first.zip(last).map(|(first, last)| joined_column_name(&columns[first], &columns[last]));
        let is_joined = |index: usize| joins.as_ref() == columns.get(index);
        let mut full = (0..keys.len()).find(|&index| is_full_name(&keys[index]) && !is_joined(index)).or(plain);
        // In a list that Forecourt exported, the names are full names.
        let is_exported = is_exported(columns.iter().map(String::as_str));
        if let Some(name) = plain.filter(|_| full == plain && !is_exported) {
            match (first, last) {
                (Some(_), None) if !contains_parts(sample_rows, name, first) => (last, full) = (Some(name), None),
                (None, Some(_)) if !contains_parts(sample_rows, name, last) => (first, full) = (Some(name), None),
                _ => {}
            }
        }
        let pair = first.zip(last).filter(|_| full.is_none());
        let joined = pair.and_then(|(first, last)| {
            let joined = joined_column_name(&columns[first], &columns[last]);
            columns.iter().position(|column| *column == joined)
        });
        NameColumns { parts: first.into_iter().chain(last).collect(), pair, joined }
    }

    pub fn is_part(&self, index: usize) -> bool {
        self.parts.contains(&index)
    }

    /// Returns the indexes of the joined column, of the first name's and of the last name's column; `None` if there is
    /// none.
    pub fn joined(&self) -> Option<(usize, usize, usize)> {
        self.joined.zip(self.pair).map(|(joined, (first, last))| (joined, first, last))
    }
}

/// Returns whether most values in the column `full` contain more than the value in the column `part`. Then they are
/// full names.
fn contains_parts(sample_rows: &[Vec<String>], full: usize, part: Option<usize>) -> bool {
    let cell = |row: &Vec<String>, index: usize| row.get(index).map(|text| fold(text)).unwrap_or_default();
    let Some(part) = part else { return false };
    let both = sample_rows.iter().map(|row| (cell(row, full), cell(row, part)));
    let both: Vec<_> = both.filter(|(full, part)| !full.is_empty() && !part.is_empty()).collect();
    let holding = both.iter().filter(|(full, part)| full != part && full.contains(part.as_str())).count();
    holding * 2 > both.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_first_and_last_name_unless_there_is_a_full_name() {
        let pair = |columns: &[&str], rows: &[&[&str]]| {
            let columns: Vec<String> = columns.iter().map(|&c| c.to_owned()).collect();
            let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|&c| c.to_owned()).collect()).collect();
            NameColumns::find(&columns, &rows).pair
        };
        assert_eq!(pair(&["Efternamn", "Förnamn"], &[]), Some((1, 0)));
        assert_eq!(pair(&["Name", "Vorname"], &[&["Weiß", "Jörg"]]), Some((1, 0)));
        assert_eq!(pair(&["Nombre", "Apellidos"], &[&["Inés", "Peña"]]), Some((0, 1)));
        assert_eq!(pair(&["Name", "Vorname"], &[&["Jörg Weiß", "Jörg"]]), None);
        assert_eq!(pair(&["First name", "Last name", "Full name"], &[]), None);
        assert_eq!(pair(&["Fornavn", "Etternavn", "Telefon"], &[]), Some((0, 1)));
        assert_eq!(pair(&["firstName", "last_name"], &[]), Some((0, 1)));
        assert_eq!(pair(&["First", "Last"], &[]), Some((0, 1)));
        assert_eq!(pair(&["First", "Phone"], &[]), None);
        let exported: &[&str] = &["1", "Weiß", "Jörg"];
        assert_eq!(pair(&["_id", "name", "Vorname"], &[exported]), None);
        assert_eq!(pair(&["_id", "name", "Vorname", "Nachname"], &[exported]), None);
    }
}
