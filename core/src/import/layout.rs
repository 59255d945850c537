//! The columns of a file: their header, their unique names and how a row maps to them.

use super::names::{NameColumns, joined_column_name};
use super::pack::{Packer, Unpacker};
use super::row::{RawRow, RowBuffer, median_width};
use super::{FileError, Limits, header, text};
use crate::message::Message;
use std::collections::HashSet;

/// A longer header is cut after this number of characters, and an ellipsis is added.
const MAX_HEADER_CHARS: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    names: Vec<String>,
    /// The row number of the header; 0 for no header.
    header: u64,
    /// The number of columns in the file.
    file_width: usize,
    /// The indexes of the columns with the first and the last name. A contact has one name, so an additional last
    /// column joins the two. `None` if no columns are joined.
    joined_columns: Option<(usize, usize)>,
}

impl Layout {
    /// Finds the header among the first rows of a file, and gives each column a unique name. Adds notices about columns
    /// without a header, about equal headers, and about the additional column that joins first and last names. `chosen`
    /// is the row number of the header that the user chose; 0 means no header.
    ///
    /// # Errors
    /// There is no row, no row below the header, or there are more columns than the limits allow.
    pub fn detect(
        rows: &[RowBuffer],
        chosen: Option<u64>,
        limits: &Limits,
        notices: &mut Vec<Message>,
    ) -> Result<Layout, FileError> {
        let rows: Vec<RawRow<'_>> = rows.iter().map(RowBuffer::row).collect();
        ensure!(!rows.is_empty(), FileError::NoColumns);
        let (header, below) = match header::find(&rows, chosen) {
            Some(index) => (Some(rows[index]), &rows[index + 1..]),
            None => (None, &rows[..]),
        };
        ensure!(!below.is_empty(), FileError::NoRows);
        let file_width = count_columns(header, below, limits)?;
        let names = name_columns(header, below, file_width, notices);
        let mut layout = Layout { names, header: header.map_or(0, |row| row.number), file_width, joined_columns: None };
        let sample: Vec<Vec<String>> = below.iter().map(|&row| layout.cells(row)).collect();
        if let Some((first, last)) = NameColumns::find(&layout.names, &sample).pair
            && file_width < limits.columns
        {
            let joined = joined_column_name(&layout.names[first], &layout.names[last]);
            if !layout.names.contains(&joined) {
                notices.push(text::names_joined(&layout.names[first], &layout.names[last], &joined));
                layout.names.push(joined);
                layout.joined_columns = Some((first, last));
            }
        }
        Ok(layout)
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the row number of the header, or 0 for no header. Rows up to it aren't contacts.
    pub fn header(&self) -> u64 {
        self.header
    }

    /// Returns the names of the file's own columns, without the joined one.
    pub fn names_in_file(&self) -> &[String] {
        &self.names[..self.file_width]
    }

    pub(super) fn file_width(&self) -> usize {
        self.file_width
    }

    /// Returns the two columns that the additional last column joins.
    pub(super) fn joined_columns(&self) -> Option<(usize, usize)> {
        self.joined_columns
    }

    /// Returns a row's cells, one for each column, including the joined one. Cells beyond the last column of the file
    /// are dropped.
    pub fn cells(&self, row: RawRow<'_>) -> Vec<String> {
        let mut cells = vec![String::new(); self.names.len()];
        for (column, text) in row.cells().filter(|(column, _)| *column < self.file_width) {
            cells[column] = text.to_owned();
        }
        if let Some((first, last)) = self.joined_columns {
            cells[self.file_width] = join_names(&cells[first], &cells[last]);
        }
        cells
    }

    pub fn pack(&self, packer: &mut Packer) {
        packer.write_number(self.names.len() as u64);
        self.names.iter().for_each(|name| packer.write_text(name));
        packer.write_number(self.header);
        packer.write_number(self.file_width as u64);
        let (first, last) = self.joined_columns.unwrap_or((usize::MAX, usize::MAX));
        packer.write_number(first as u64);
        packer.write_number(last as u64);
    }

    pub fn unpack(unpacker: &mut Unpacker<'_>) -> Option<Layout> {
        let count = unpacker.read_number()?;
        let mut names = Vec::new();
        for _ in 0..count {
            names.push(unpacker.read_text()?.to_owned());
        }
        let header = unpacker.read_number()?;
        let file_width = unpacker.read_number()? as usize;
        let pair = (unpacker.read_number()? as usize, unpacker.read_number()? as usize);
        let joined_columns = (file_width < names.len()).then_some(pair);
        let is_valid = match joined_columns {
            Some((first, last)) => first < file_width && last < file_width && names.len() == file_width + 1,
            None => names.len() == file_width,
        };
        is_valid.then_some(Layout { names, header, file_width, joined_columns })
    }
}

pub(super) fn join_names(first: &str, last: &str) -> String {
    [first.trim(), last.trim()].join(" ").trim().to_owned()
}

/// Returns the number of columns: those of the header, or more if at least half of the first rows are wider. A single
/// wider row is a mistake in that row.
fn count_columns(header: Option<RawRow<'_>>, rows: &[RawRow<'_>], limits: &Limits) -> Result<usize, FileError> {
    let usual = median_width(rows);
    let width = match header {
        Some(header) => header.width().max(if usual > limits.columns { 0 } else { usual }),
        None => usual,
    };
    if width > limits.columns {
        Err(FileError::TooManyColumns { columns: width, max: limits.columns })
    } else {
        Ok(width)
    }
}

/// Returns a header as one line. Headers longer than [`MAX_HEADER_CHARS`] are prose rather than names; they are cut,
/// because every contact stores the names of its other details.
fn clean_name(header: &str) -> String {
    let name = header.split_whitespace().collect::<Vec<_>>().join(" ");
    match name.char_indices().nth(MAX_HEADER_CHARS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}

/// Returns a name for each column: its header, made unique, or its position if it has none. Adds notices
/// about columns without a header and about equal headers.
fn name_columns(
    header: Option<RawRow<'_>>,
    rows: &[RawRow<'_>],
    width: usize,
    notices: &mut Vec<Message>,
) -> Vec<String> {
    let mut headers = vec![String::new(); width];
    for (column, text) in header.iter().flat_map(|header| header.cells()) {
        if let Some(header) = headers.get_mut(column) {
            *header = clean_name(text);
        }
    }
    let mut used_names: HashSet<String> = headers.iter().filter(|header| !header.is_empty()).cloned().collect();
    let mut names: Vec<String> = Vec::with_capacity(width);
    for (column, header) in headers.iter().enumerate() {
        if !header.is_empty() && !headers[..column].contains(header) {
            names.push(header.clone());
            continue;
        }
        let wanted = if header.is_empty() { text::column_name(column + 1) } else { header.clone() };
        let (mut name, mut number) = (wanted.clone(), 1);
        while !used_names.insert(name.clone()) {
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
        notices.push(text::columns_without_header(&nameless));
    }
    for (column, header) in headers.iter().enumerate().filter(|(_, header)| !header.is_empty()) {
        let equal: Vec<&str> =
            headers.iter().zip(&names).filter(|(other, _)| *other == header).map(|(_, name)| name.as_str()).collect();
        if equal.len() > 1 && equal[0] == names[column] {
            notices.push(text::equal_headers(header, &equal));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_too_many_columns_with_and_without_a_header() {
        let limits = Limits { columns: 3, ..Limits::default() };
        let mut rows = [RowBuffer::default(), RowBuffer::default()];
        for (number, row) in (1..).zip(&mut rows) {
            row.start(number);
            (0..4).for_each(|column| row.push(column, "Ada", &limits).unwrap());
        }
        for header in [0, 1] {
            let width = Layout::detect(&rows, Some(header), &limits, &mut Vec::new());
            assert_eq!(width, Err(FileError::TooManyColumns { columns: 4, max: 3 }));
        }
    }

    #[test]
    fn column_names_are_one_line_and_truncated() {
        assert_eq!(clean_name(" First\n  name "), "First name");
        assert_eq!(clean_name(&"å".repeat(100)), "å".repeat(100));
        assert_eq!(clean_name(&"å".repeat(101)), format!("{}…", "å".repeat(100)));
    }
}
