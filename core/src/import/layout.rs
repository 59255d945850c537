//! The columns of a file: which row names them, their names, made unique, and how a row is laid into them.

use super::names::{find_name_pair, joined_column_name};
use super::pack::{Packer, Unpacker};
use super::row::{RawRow, RowBuffer};
use super::{FileError, Limits, header, text};
use std::collections::HashSet;

/// The most characters of a column's name.
const LONGEST_NAME: usize = 100;

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    names: Vec<String>,
    /// The number of the row that names them; 0 when none does.
    header: u64,
    /// How many of the columns stand in the file.
    in_file: usize,
    /// First and last name stand apart: one more column behind the file's joins them, because a contact has one name.
    joined: Option<(usize, usize)>,
}

impl Layout {
    /// Finds the columns in the first rows of a file, and says what was done where no header names them one by one.
    /// `chosen` is the header's row where a person chose it, 0 for none.
    ///
    /// # Errors
    /// There is no row, none below the header, or there are more columns than the limits allow.
    pub fn of(
        rows: &[RowBuffer],
        chosen: Option<u64>,
        limits: &Limits,
        notices: &mut Vec<String>,
    ) -> Result<Layout, FileError> {
        let rows: Vec<RawRow<'_>> = rows.iter().map(RowBuffer::row).collect();
        if rows.is_empty() {
            return Err(FileError::NoColumns);
        }
        let (header, below) = match header::find(&rows, chosen) {
            Some(index) => (Some(rows[index]), &rows[index + 1..]),
            None => (None, &rows[..]),
        };
        if below.is_empty() {
            return Err(FileError::NoRows);
        }
        let in_file = width(header, below, limits)?;
        let names = names(header, below, in_file, notices);
        let mut layout = Layout { names, header: header.map_or(0, |row| row.number), in_file, joined: None };
        let sample: Vec<Vec<String>> = below.iter().map(|&row| layout.cells(row)).collect();
        if let Some((first, last)) = find_name_pair(&layout.names, &sample)
            && in_file < limits.columns
        {
            let joined = joined_column_name(&layout.names[first], &layout.names[last]);
            if !layout.names.contains(&joined) {
                notices.push(text::names_joined(&layout.names[first], &layout.names[last], &joined));
                layout.names.push(joined);
                layout.joined = Some((first, last));
            }
        }
        Ok(layout)
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of the row that names the columns; 0 when none does. Rows up to it aren't contacts.
    pub fn header(&self) -> u64 {
        self.header
    }

    /// The names of the columns that stand in the file, one that joins two of them left out.
    pub fn names_in_file(&self) -> &[String] {
        &self.names[..self.in_file]
    }

    /// How many of the columns stand in the file.
    pub(super) fn in_file(&self) -> usize {
        self.in_file
    }

    /// The two columns of the file that the last one joins.
    pub(super) fn joined(&self) -> Option<(usize, usize)> {
        self.joined
    }

    /// A row's texts, one for each column; what stands beyond the last column is left away.
    pub fn cells(&self, row: RawRow<'_>) -> Vec<String> {
        let mut cells = vec![String::new(); self.names.len()];
        for (column, text) in row.cells().filter(|(column, _)| *column < self.in_file) {
            cells[column] = text.to_owned();
        }
        if let Some((first, last)) = self.joined {
            cells[self.in_file] = join(&cells[first], &cells[last]);
        }
        cells
    }

    pub fn pack(&self, packer: &mut Packer) {
        packer.number(self.names.len() as u64);
        self.names.iter().for_each(|name| packer.text(name));
        packer.number(self.header);
        packer.number(self.in_file as u64);
        let (first, last) = self.joined.unwrap_or((usize::MAX, usize::MAX));
        packer.number(first as u64);
        packer.number(last as u64);
    }

    pub fn unpack(unpacker: &mut Unpacker<'_>) -> Option<Layout> {
        let count = unpacker.number()?;
        let mut names = Vec::new();
        for _ in 0..count {
            names.push(unpacker.text()?.to_owned());
        }
        let header = unpacker.number()?;
        let in_file = unpacker.number()? as usize;
        let pair = (unpacker.number()? as usize, unpacker.number()? as usize);
        let joined = (in_file < names.len()).then_some(pair);
        let holds = match joined {
            Some((first, last)) => first < in_file && last < in_file && names.len() == in_file + 1,
            None => names.len() == in_file,
        };
        holds.then_some(Layout { names, header, in_file, joined })
    }
}

/// First and last name as one.
pub(super) fn join(first: &str, last: &str) -> String {
    [first.trim(), last.trim()].join(" ").trim().to_owned()
}

/// How many columns the file has: those of the header, and more where half of the first rows reach further. A single
/// row that reaches further is a mistake in that row, not a column.
fn width(header: Option<RawRow<'_>>, rows: &[RawRow<'_>], limits: &Limits) -> Result<usize, FileError> {
    let usual = median_width(rows);
    let found = match header {
        Some(header) => header.width().max(if usual > limits.columns { 0 } else { usual }),
        None => usual,
    };
    if found > limits.columns { Err(FileError::TooManyColumns { found, most: limits.columns }) } else { Ok(found) }
}

/// How far half of the rows reach.
pub(super) fn median_width(rows: &[RawRow<'_>]) -> usize {
    let mut widths: Vec<usize> = rows.iter().map(|row| row.width()).collect();
    widths.sort_unstable();
    widths.get(widths.len() / 2).copied().unwrap_or(0)
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
fn names(header: Option<RawRow<'_>>, rows: &[RawRow<'_>], width: usize, notices: &mut Vec<String>) -> Vec<String> {
    let mut headers = vec![String::new(); width];
    for (column, text) in header.iter().flat_map(|header| header.cells()) {
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
    if header.is_some() && !nameless.is_empty() {
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
    fn a_file_is_too_wide_with_a_header_and_without_one() {
        let limits = Limits { columns: 3, ..Limits::default() };
        let mut rows = [RowBuffer::default(), RowBuffer::default()];
        for (number, row) in (1..).zip(&mut rows) {
            row.start(number);
            (0..4).for_each(|column| row.push(column, "Ada", &limits).unwrap());
        }
        for header in [0, 1] {
            let found = Layout::of(&rows, Some(header), &limits, &mut Vec::new());
            assert_eq!(found, Err(FileError::TooManyColumns { found: 4, most: 3 }));
        }
    }

    #[test]
    fn a_name_is_one_line_and_no_longer_than_a_name() {
        assert_eq!(name_of(" First\n  name "), "First name");
        assert_eq!(name_of(&"å".repeat(100)), "å".repeat(100));
        assert_eq!(name_of(&"å".repeat(101)), format!("{}…", "å".repeat(100)));
    }
}
