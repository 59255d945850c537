//! A whole file held against the rules: the checker, and the problems it finds, kept to be looked at.

use super::pack::Packer;
use super::{Checker, FileError, Outcome, Problems, RawRow, Verdict};

/// The most repeated rows that are kept to be looked at.
const MOST_REPEATS: usize = 100_000;

/// Checks every row it is given, and keeps what it finds for a list that shows a window of it.
pub struct Examination {
    checker: Checker,
    problems: Problems,
    /// Each row that repeats another, and which.
    repeats: Vec<(u32, u32)>,
}

impl Examination {
    pub fn new(checker: Checker) -> Examination {
        Examination { checker, problems: Problems::default(), repeats: Vec::new() }
    }

    /// Checks a row.
    ///
    /// # Errors
    /// The file has more rows than are allowed.
    pub fn row(&mut self, row: RawRow<'_>) -> Result<(), FileError> {
        match self.checker.row(row)? {
            Outcome::Ready { repeats: Some(first), .. } if self.repeats.len() < MOST_REPEATS => {
                self.repeats.push((row.number as u32, first as u32));
            }
            Outcome::Failed(findings) => self.problems.add(row, findings),
            Outcome::Passed | Outcome::Ready { .. } => {}
        }
        Ok(())
    }

    /// What the rows so far come to.
    pub fn verdict(&self) -> Verdict {
        self.checker.verdict()
    }

    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// How many rows that repeat an earlier one can be looked at.
    pub fn repeats_listed(&self) -> u32 {
        self.repeats.len() as u32
    }

    /// The kinds of problems, packed: how many, then of each its column (`u32::MAX`: the row as a whole), its count, how
    /// many are listed, and its sentence.
    pub fn pack_kinds(&self) -> Vec<u8> {
        let mut packer = Packer::default();
        packer.number(self.problems.kinds().len() as u64);
        for (place, kind) in self.problems.kinds().iter().enumerate() {
            packer.number(u64::from(kind.column));
            packer.number(kind.count);
            packer.number(u64::from(self.problems.listed(Some(place as u32))));
            packer.text(&kind.message);
        }
        packer.bytes
    }

    /// A window of the problems, packed: of each its row's number, its kind's place, its value, and its row's cells as
    /// pairs of column and text with their number before.
    pub fn pack_window(&self, kind: Option<u32>, from: u32, count: u32) -> Vec<u8> {
        let mut packer = Packer::default();
        for problem in self.problems.window(kind, from, count) {
            packer.number(u64::from(problem.row));
            packer.number(u64::from(problem.kind));
            packer.text(problem.value);
            let cells: Vec<_> = problem.cells.row().cells().collect();
            packer.number(cells.len() as u64);
            for (column, text) in cells {
                packer.number(column as u64);
                packer.text(text);
            }
        }
        packer.bytes
    }

    /// A window of the rows that repeat an earlier one, packed: the row's number, and the other's.
    pub fn pack_repeats(&self, from: u32, count: u32) -> Vec<u8> {
        let mut packer = Packer::default();
        for (row, first) in self.repeats.iter().skip(from as usize).take(count as usize) {
            packer.number(u64::from(*row));
            packer.number(u64::from(*first));
        }
        packer.bytes
    }
}
