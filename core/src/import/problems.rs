//! Compact storage of a file's problems. There may be one in every cell, so only the displayed ones become objects.

use super::Finding;
use super::digest::Digest;
use super::first_seen::FirstSeen;
use super::pack::{Packer, Unpacker};
use super::row::{RawRow, RowBuffer};
use super::text;
use crate::message::Message;

/// How many problems are stored. Later ones are only counted.
const MAX_STORED: usize = 200_000;
/// How many bytes of values are stored, and how many bytes of rows (the last row may exceed it).
const MAX_STORED_BYTES: usize = 16 << 20;

/// The problems of a file in the order of its rows, each with a copy of the row that has it.
#[derive(Default)]
pub struct Problems {
    stored: Vec<StoredProblem>,
    count: u64,
    /// The values of all stored problems, concatenated.
    values: String,
    /// The rows of the stored problems, packed one after the other. Rows beyond [`MAX_STORED_BYTES`] are dropped.
    rows: Packer,
    kinds: Vec<ProblemKind>,
    /// Maps a hash of column and message to the index of the kind in `kinds`, plus 1. All messages are our own, so a
    /// file can't provoke collisions.
    kind_indexes: FirstSeen,
}

struct StoredProblem {
    row: u32,
    kind: u32,
    /// The end of the problem's value in `values`. It starts where the value of the previous problem ends.
    value_end: u32,
    /// The offset of the problem's row in `rows`; `u32::MAX` if the row wasn't stored.
    row_offset: u32,
}

/// A group of problems with the same column and message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemKind {
    /// The column's index; `u32::MAX` if the problem concerns the whole row.
    pub column: u32,
    pub message: Message,
    /// The number of problems, including those that aren't stored.
    pub count: u64,
    /// Indexes of this kind's problems in the `stored` of [`Problems`].
    stored: Vec<u32>,
}

/// A problem to display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem<'a> {
    pub row: u32,
    /// The index of its [`ProblemKind`].
    pub kind: u32,
    pub value: &'a str,
    /// The row that has the problem; without cells if it wasn't stored.
    pub cells: RowBuffer,
}

impl Problems {
    pub fn add(&mut self, row: RawRow<'_>, findings: &[Finding]) {
        let row_offset = self.rows.bytes.len();
        let fits = row_offset < MAX_STORED_BYTES && self.stored.len() < MAX_STORED;
        if fits {
            self.rows.write_row(row);
        }
        for finding in findings {
            self.count += 1;
            let kind = self.kind_index(finding);
            self.kinds[kind as usize].count += 1;
            let is_full = self.stored.len() >= MAX_STORED || self.values.len() + finding.value.len() > MAX_STORED_BYTES;
            if is_full || self.count != self.stored.len() as u64 + 1 {
                // After the first problem that doesn't fit, no later one is stored, so that the list has no gaps.
                continue;
            }
            self.values.push_str(&finding.value);
            self.kinds[kind as usize].stored.push(self.stored.len() as u32);
            self.stored.push(StoredProblem {
                row: u32::try_from(row.number).unwrap_or(u32::MAX),
                kind,
                value_end: self.values.len() as u32,
                row_offset: if fits { row_offset as u32 } else { u32::MAX },
            });
        }
    }

    fn kind_index(&mut self, finding: &Finding) -> u32 {
        let column = finding.column.map_or(u32::MAX, |column| column as u32);
        let message = text::type_of(&finding.message);
        // A fast path, because most files have few kinds of problems.
        let is_same_kind = |kind: &ProblemKind| kind.column == column && kind.message == *message;
        if let Some(index) = self.kinds.iter().take(8).position(is_same_kind) {
            return index as u32;
        }
        let mut hash = Digest::default();
        hash.add_number(u64::from(column));
        hash.add_text(message.as_str());
        let index = self.kind_indexes.get_or_insert(hash.value(), self.kinds.len() as u32 + 1) - 1;
        if index as usize == self.kinds.len() {
            self.kinds.push(ProblemKind { column, message: message.clone(), count: 0, stored: Vec::new() });
        }
        index
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns all kinds of problems, in the order in which they first occurred.
    pub fn kinds(&self) -> &[ProblemKind] {
        &self.kinds
    }

    /// Returns the number of stored problems, of one kind or of all.
    pub fn count_stored(&self, kind: Option<u32>) -> u32 {
        match kind {
            Some(kind) => self.kinds.get(kind as usize).map_or(0, |kind| kind.stored.len() as u32),
            None => self.stored.len() as u32,
        }
    }

    /// Returns a range of the stored problems, of one kind or of all, in the order of the rows.
    pub fn window(&self, kind: Option<u32>, from: u32, count: u32) -> impl Iterator<Item = Problem<'_>> + '_ {
        let range = from..from.saturating_add(count).min(self.count_stored(kind));
        range.filter_map(move |index| match kind {
            Some(kind) => self.get(self.kinds.get(kind as usize)?.stored[index as usize]),
            None => self.get(index),
        })
    }

    /// Returns how many stored problems of this kind have the same value, ignoring surrounding white space.
    pub fn count_alike(&self, kind: u32, value: &str) -> u32 {
        let stored = self.kinds.get(kind as usize).map_or(&[][..], |kind| &kind.stored);
        stored.iter().filter(|&&index| self.value(index).trim() == value.trim()).count() as u32
    }

    fn get(&self, index: u32) -> Option<Problem<'_>> {
        let problem = self.stored.get(index as usize)?;
        let mut cells = RowBuffer::default();
        let bytes = self.rows.bytes.get(problem.row_offset as usize..).unwrap_or_default();
        if Unpacker::new(bytes).read_row(&mut cells).is_none() {
            cells.start(u64::from(problem.row));
        }
        Some(Problem { row: problem.row, kind: problem.kind, value: self.value(index), cells })
    }

    fn value(&self, index: u32) -> &str {
        let end = |index: u32| self.stored.get(index as usize).map_or(0, |problem| problem.value_end as usize);
        self.values.get(index.checked_sub(1).map_or(0, end)..end(index)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;

    fn finding(column: usize, value: &str) -> Finding {
        Finding { column: Some(column), value: value.into(), message: Message::without_code("Wrong") }
    }

    #[test]
    fn counts_problems_by_kind_and_value() {
        let (mut problems, row) = (Problems::default(), RowBuffer::default());
        problems.add(row.row(), &[finding(0, " x "), finding(0, "x"), finding(0, "y"), finding(1, "x")]);
        assert_eq!(problems.count(), 4);
        assert_eq!([None, Some(0), Some(1), Some(2)].map(|kind| problems.count_stored(kind)), [4, 3, 1, 0]);
        assert_eq!(
            [(0, "x"), (0, "y"), (0, "z"), (1, " x"), (2, "x")].map(|(kind, value)| problems.count_alike(kind, value)),
            [2, 1, 0, 1, 0]
        );
    }

    #[test]
    fn rows_that_repeat_different_rows_have_one_kind() {
        let (mut problems, row) = (Problems::default(), RowBuffer::default());
        let repeat = |first| Finding { column: None, value: String::new(), message: text::repeats(first) };
        problems.add(row.row(), &[repeat(2), repeat(7)]);
        assert_eq!(problems.kinds().iter().map(|kind| kind.count).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn counts_problems_beyond_the_stored_ones() {
        let (mut problems, row) = (Problems::default(), RowBuffer::default());
        let many = vec![finding(0, ""); MAX_STORED + 1];
        problems.add(row.row(), &many);
        problems.add(row.row(), &many[..1]);
        assert_eq!((problems.count(), problems.count_stored(None)), (MAX_STORED as u64 + 2, MAX_STORED as u32));
        assert_eq!(problems.kinds()[0].count, MAX_STORED as u64 + 2);
    }

    #[test]
    fn problems_beyond_the_byte_limit_are_kept_without_copies_of_their_rows() {
        let limits = Limits { cell_chars: usize::MAX, record_bytes: usize::MAX, ..Limits::default() };
        let (mut problems, mut row) = (Problems::default(), RowBuffer::default());
        for (number, text) in [(2, "x".repeat(MAX_STORED_BYTES)), (3, "y".to_owned())] {
            row.start(number);
            row.push(0, &text, &limits).unwrap();
            problems.add(row.row(), &[finding(0, "z")]);
        }
        let found: Vec<_> = problems.window(None, 0, 9).collect();
        let summaries: Vec<_> =
            found.iter().map(|p| (p.row, p.value, p.cells.number(), p.cells.row().cells().count())).collect();
        assert_eq!(summaries, [(2, "z", 2, 1), (3, "z", 3, 0)]);
    }
}
