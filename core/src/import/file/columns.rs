//! The columns of a file: their names, made unique, and how a row is laid into them.

use super::raw::RawRow;
use crate::import::mapping::{joined_name, name_pair};
use crate::import::{FileError, Limits, Row, text};
use std::collections::HashSet;

/// The most characters of a column's name.
const LONGEST_NAME: usize = 100;

/// The columns of a file, by the row that names them.
pub(super) struct Columns {
    names: Vec<String>,
    header_number: u64,
    /// How many of the columns stand in the file.
    in_file: usize,
    /// First and last name stand apart: one more column behind the file's joins them, because a contact has one name.
    joined: Option<(usize, usize)>,
}

impl Columns {
    /// Names the columns by the header, and says what was done where it doesn't name them one by one.
    pub fn of(
        header: &RawRow,
        rows: &[RawRow],
        limits: &Limits,
        notices: &mut Vec<String>,
    ) -> Result<Columns, FileError> {
        let in_file = width(header, rows, limits)?;
        let names = names(header, rows, in_file, notices);
        let mut columns = Columns { names, header_number: header.number, in_file, joined: None };
        let sample: Vec<Vec<String>> = rows.iter().map(|raw| columns.row(raw).cells).collect();
        if let Some((first, last)) = name_pair(&columns.names, &sample)
            && in_file < limits.columns
        {
            let joined = joined_name(&columns.names[first], &columns.names[last]);
            if !columns.names.contains(&joined) {
                notices.push(text::names_joined(&columns.names[first], &columns.names[last], &joined));
                columns.names.push(joined);
                columns.joined = Some((first, last));
            }
        }
        Ok(columns)
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn header_number(&self) -> u64 {
        self.header_number
    }

    /// A row of the file, laid into the columns.
    pub fn row(&self, raw: &RawRow) -> Row {
        let mut row = Row::default();
        self.fill(raw, &mut row);
        row
    }

    /// The same, into a row that is used again.
    pub fn fill(&self, raw: &RawRow, row: &mut Row) {
        row.number = raw.number;
        row.cells.resize_with(self.names.len(), String::new);
        row.cells.iter_mut().for_each(String::clear);
        for (column, text) in raw.cells() {
            if column < self.in_file {
                row.cells[column].clear();
                row.cells[column].push_str(text);
            } else if !text.trim().is_empty() {
                row.cells.push(text.to_owned());
            }
        }
        if let Some((first, last)) = self.joined {
            let whole = [&row.cells[first], &row.cells[last]].map(|part| part.trim()).join(" ");
            row.cells[self.in_file].push_str(whole.trim());
        }
    }
}

/// How many columns the file has: those of the header, and more where half of the first rows reach further. A single
/// row that reaches further is a mistake in that row, not a column.
fn width(header: &RawRow, rows: &[RawRow], limits: &Limits) -> Result<usize, FileError> {
    let mut widths: Vec<usize> = rows.iter().map(RawRow::width).collect();
    widths.sort_unstable();
    let usual = widths.get(widths.len() / 2).copied().unwrap_or(0);
    let found = header.width().max(if usual > limits.columns { 0 } else { usual });
    if found > limits.columns { Err(FileError::TooManyColumns { found, most: limits.columns }) } else { Ok(found) }
}

/// A header on one line. What is longer than any name is a text that stands where names should, and is cut: a contact
/// carries the names of its other details with it.
fn name_of(header: &str) -> String {
    let name = header.split_whitespace().collect::<Vec<_>>().join(" ");
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}

/// A name for each column: its header, made unique where two are equal, and its place where it has none.
fn names(header: &RawRow, rows: &[RawRow], width: usize, notices: &mut Vec<String>) -> Vec<String> {
    let mut headers = vec![String::new(); width];
    for (column, text) in header.cells() {
        if let Some(header) = headers.get_mut(column) {
            *header = name_of(text);
        }
    }
    let mut taken: HashSet<String> = headers.iter().filter(|header| !header.is_empty()).cloned().collect();
    let mut names: Vec<String> = Vec::with_capacity(width);
    for (column, header) in headers.iter().enumerate() {
        if !header.is_empty() && !headers[..column].contains(header) {
            names.push(header.clone());
            continue;
        }
        let wanted = if header.is_empty() { text::column_name(column + 1) } else { header.clone() };
        let (mut name, mut number) = (wanted.clone(), 1);
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{wanted} ({number})");
        }
        names.push(name);
    }
    let has_values =
        |column| rows.iter().any(|row| row.cells().any(|(at, text)| at == column && !text.trim().is_empty()));
    let nameless: Vec<&str> = (0..width)
        .filter(|&column| headers[column].is_empty() && has_values(column))
        .map(|column| names[column].as_str())
        .collect();
    if !nameless.is_empty() {
        notices.push(text::no_header(&nameless));
    }
    for (column, header) in headers.iter().enumerate().filter(|(_, header)| !header.is_empty()) {
        let called: Vec<&str> =
            headers.iter().zip(&names).filter(|(other, _)| *other == header).map(|(_, name)| name.as_str()).collect();
        if called.len() > 1 && called[0] == names[column] {
            notices.push(text::equal_headers(header, &called));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_and_no_longer_than_a_name() {
        assert_eq!(name_of(" First\n  name "), "First name");
        assert_eq!(name_of(&"å".repeat(100)), "å".repeat(100));
        assert_eq!(name_of(&"å".repeat(101)), format!("{}…", "å".repeat(100)));
    }
}
