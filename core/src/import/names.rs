//! Names that a file holds in two columns.

use super::synonyms::{FIRST_NAMES, LAST_NAMES, SYNONYMS, among, words};
use crate::text::fold;

/// The first and the last name's column, where they stand apart and no column holds the whole name.
pub(super) fn name_pair(columns: &[String], sample_rows: &[Vec<String>]) -> Option<(usize, usize)> {
    NameColumns::find(columns, sample_rows).pair
}

/// What the column is called that joins the two.
pub(super) fn joined_name(first: &str, last: &str) -> String {
    format!("{first} + {last}")
}

/// Headers that mean the whole name, unless a column beside them says that it holds the other part.
const PLAIN_NAMES: &str = "name namn nom nombre navn nimi";

/// Headers too short to mean a name, unless the other part stands beside them.
const SHORT_PAIRS: [(&str, &str); 4] = [("first", "last"), ("fname", "lname"), ("fnamn", "enamn"), ("vname", "nname")];

/// The columns that hold names in parts.
pub(super) struct NameColumns {
    /// Columns of first or last names, which are no whole name.
    parts: Vec<usize>,
    pub pair: Option<(usize, usize)>,
    joined: Option<usize>,
}

impl NameColumns {
    pub fn find(columns: &[String], sample_rows: &[Vec<String>]) -> NameColumns {
        let keys: Vec<String> = columns.iter().map(|column| words(column).concat()).collect();
        let at = |list: &str| keys.iter().position(|key| among(list, key));
        // "Name" beside "Vorname" is the last name, "Nombre" beside "Apellidos" the first.
        let plain = at(PLAIN_NAMES);
        let short = SHORT_PAIRS.into_iter().find_map(|(first, last)| at(first).zip(at(last)));
        let (mut first, mut last) = match (at(FIRST_NAMES), at(LAST_NAMES), short) {
            (None, None, Some((first, last))) => (Some(first), Some(last)),
            (first, last, _) => (first, last),
        };
        let is_whole = |key: &str| among(SYNONYMS[0].usual, key) && !among(PLAIN_NAMES, key);
        let joins = first.zip(last).map(|(first, last)| joined_name(&columns[first], &columns[last]));
        let is_joined = |index: usize| joins.as_ref() == columns.get(index);
        let mut whole = (0..keys.len()).find(|&index| is_whole(&keys[index]) && !is_joined(index)).or(plain);
        if let Some(name) = plain.filter(|_| whole == plain) {
            match (first, last) {
                (Some(_), None) if !holds_parts(sample_rows, name, first) => (last, whole) = (Some(name), None),
                (None, Some(_)) if !holds_parts(sample_rows, name, last) => (first, whole) = (Some(name), None),
                _ => {}
            }
        }
        let pair = first.zip(last).filter(|_| whole.is_none());
        let joined = pair.and_then(|(first, last)| {
            let joined = joined_name(&columns[first], &columns[last]);
            columns.iter().position(|column| *column == joined)
        });
        NameColumns { parts: first.into_iter().chain(last).collect(), pair, joined }
    }

    pub fn is_part(&self, index: usize) -> bool {
        self.parts.contains(&index)
    }

    /// The column that joins the two, and these.
    pub fn joined(&self) -> Option<(usize, usize, usize)> {
        self.joined.zip(self.pair).map(|(joined, (first, last))| (joined, first, last))
    }
}

/// Do most values of the whole name's column hold the part's value? Then it is the whole name after all.
fn holds_parts(sample_rows: &[Vec<String>], whole: usize, part: Option<usize>) -> bool {
    let cell = |row: &Vec<String>, index: usize| row.get(index).map(|text| fold(text)).unwrap_or_default();
    let Some(part) = part else { return false };
    let both = sample_rows.iter().map(|row| (cell(row, whole), cell(row, part)));
    let both: Vec<_> = both.filter(|(whole, part)| !whole.is_empty() && !part.is_empty()).collect();
    let holding = both.iter().filter(|(whole, part)| whole != part && whole.contains(part.as_str())).count();
    holding * 2 > both.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_last_name_are_joined_unless_there_is_a_whole_name() {
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
    }
}
