//! The problems of a file, packed: a file may have one in every cell, and only what is looked at becomes an object.

use forecourt_core::import::RowProblem;
use std::collections::HashMap;

/// The most problems that are kept; what comes after is only counted.
const MOST_KEPT: usize = 200_000;
/// The most bytes of cells' texts that are kept.
const MOST_TEXT: usize = 64 << 20;

/// The problems that a check found.
#[derive(Default)]
pub(crate) struct Problems {
    packed: Vec<Packed>,
    count: u64,
    /// The values, one after the other.
    values: String,
    /// Columns and messages, each once: of those there are few.
    words: Vec<String>,
    known: HashMap<String, u32>,
}

struct Packed {
    row: u32,
    column: u32,
    message: u32,
    /// Where the value ends in `values`; it begins where the one before ends.
    value_end: u32,
}

impl Problems {
    pub(crate) fn new(columns: &[String]) -> Self {
        let mut problems = Problems::default();
        for column in columns {
            problems.word(column);
        }
        problems
    }

    pub(crate) fn add(&mut self, found: &[RowProblem]) {
        for problem in found {
            self.count += 1;
            let is_full = self.packed.len() >= MOST_KEPT || self.values.len() + problem.value.len() > MOST_TEXT;
            if is_full || self.count != self.packed.len() as u64 + 1 {
                // The list ends where the first one is left out, so that it has no holes.
                continue;
            }
            self.values.push_str(&problem.value);
            let packed = Packed {
                row: u32::try_from(problem.row).unwrap_or(u32::MAX),
                column: self.word(&problem.file_column),
                message: self.word(&problem.message),
                value_end: self.values.len() as u32,
            };
            self.packed.push(packed);
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// How many of them can be looked at.
    pub(crate) fn listed(&self) -> u32 {
        self.packed.len() as u32
    }

    pub(crate) fn window(&self, from: u32, count: u32) -> impl Iterator<Item = RowProblem> + '_ {
        let range = from as usize..from.saturating_add(count).min(self.listed()) as usize;
        range.map(|index| {
            let packed = &self.packed[index];
            let begin = index.checked_sub(1).map_or(0, |before| self.packed[before].value_end);
            RowProblem {
                row: u64::from(packed.row),
                file_column: self.words[packed.column as usize].clone(),
                value: self.values[begin as usize..packed.value_end as usize].to_owned(),
                message: self.words[packed.message as usize].clone(),
            }
        })
    }

    fn word(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.known.get(text) {
            return number;
        }
        let number = self.words.len() as u32;
        self.words.push(text.to_owned());
        self.known.insert(text.to_owned(), number);
        number
    }
}
