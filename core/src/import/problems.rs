//! The problems of a file, packed: a file may have one in every cell, and only what is looked at becomes an object.

use super::Finding;
use super::digest::Digest;
use super::pack::{Packer, Unpacker};
use super::row::{RawRow, RowBuffer};
use super::seen::Seen;

/// The most problems that are kept; what comes after is only counted.
const MOST_KEPT: usize = 200_000;
/// The most bytes of cells' texts that are kept.
const MOST_TEXT: usize = 16 << 20;

/// The problems that a check found, in the order of the rows, each with its row around it.
#[derive(Default)]
pub struct Problems {
    packed: Vec<Packed>,
    count: u64,
    /// The values, one after the other.
    values: String,
    /// The rows, packed, one after the other; where there are too many, the later ones are left away.
    rows: Packer,
    kinds: Vec<Kind>,
    /// The places of the kinds, from 1, by a hash; all their sentences are ours, so that nobody can choose them to collide.
    known: Seen,
}

struct Packed {
    row: u32,
    kind: u32,
    /// Where the value ends in `values`; it begins where the one before ends.
    value_end: u32,
    /// Where the row begins in `rows`; none beyond what is kept.
    place: u32,
}

/// Problems that are alike: the same column, the same sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The column's place; `u32::MAX` when the row as a whole is meant.
    pub column: u32,
    pub message: String,
    /// How many there are, kept or not.
    pub count: u64,
    /// Which of those that are kept.
    kept: Vec<u32>,
}

/// A problem that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem<'a> {
    pub row: u32,
    /// The place of its [`Kind`].
    pub kind: u32,
    pub value: &'a str,
    /// The row around it; without cells if it wasn't kept.
    pub cells: RowBuffer,
}

impl Problems {
    pub fn add(&mut self, row: RawRow<'_>, findings: &[Finding]) {
        let place = self.rows.bytes.len();
        let fits = place < MOST_TEXT && self.packed.len() < MOST_KEPT;
        if fits {
            self.rows.row(row);
        }
        for finding in findings {
            self.count += 1;
            let kind = self.kind(finding);
            self.kinds[kind as usize].count += 1;
            let is_full = self.packed.len() >= MOST_KEPT || self.values.len() + finding.value.len() > MOST_TEXT;
            if is_full || self.count != self.packed.len() as u64 + 1 {
                // The list ends where the first one is left out, so that it has no holes.
                continue;
            }
            self.values.push_str(&finding.value);
            self.kinds[kind as usize].kept.push(self.packed.len() as u32);
            self.packed.push(Packed {
                row: u32::try_from(row.number).unwrap_or(u32::MAX),
                kind,
                value_end: self.values.len() as u32,
                place: if fits { place as u32 } else { u32::MAX },
            });
        }
    }

    fn kind(&mut self, finding: &Finding) -> u32 {
        let column = finding.column.map_or(u32::MAX, |column| column as u32);
        // Looked for first, since most kinds are met again and again.
        let met = |kind: &Kind| kind.column == column && kind.message == finding.message;
        if let Some(index) = self.kinds.iter().take(8).position(met) {
            return index as u32;
        }
        let mut hash = Digest::default();
        hash.number(u64::from(column));
        hash.text(&finding.message);
        let index = self.known.first(hash.value(), self.kinds.len() as u32 + 1) - 1;
        if index as usize == self.kinds.len() {
            self.kinds.push(Kind { column, message: finding.message.clone(), count: 0, kept: Vec::new() });
        }
        index
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// All kinds, in the order in which they were met.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// How many can be looked at; of one kind, or of all.
    pub fn listed(&self, kind: Option<u32>) -> u32 {
        match kind {
            Some(kind) => self.kinds.get(kind as usize).map_or(0, |kind| kind.kept.len() as u32),
            None => self.packed.len() as u32,
        }
    }

    /// A window of the problems, of one kind or of all, in the order of the rows.
    pub fn window(&self, kind: Option<u32>, from: u32, count: u32) -> impl Iterator<Item = Problem<'_>> + '_ {
        let range = from..from.saturating_add(count).min(self.listed(kind));
        range.filter_map(move |at| match kind {
            Some(kind) => self.at(self.kinds.get(kind as usize)?.kept[at as usize]),
            None => self.at(at),
        })
    }

    /// How many of those that are kept have the same column and value as this one.
    pub fn alike(&self, kind: u32, value: &str) -> u32 {
        let kept = self.kinds.get(kind as usize).map_or(&[][..], |kind| &kind.kept);
        kept.iter().filter(|&&at| self.value(at).trim() == value.trim()).count() as u32
    }

    fn at(&self, at: u32) -> Option<Problem<'_>> {
        let packed = self.packed.get(at as usize)?;
        let mut cells = RowBuffer::default();
        let bytes = self.rows.bytes.get(packed.place as usize..).unwrap_or_default();
        if Unpacker::new(bytes).row(&mut cells).is_none() {
            cells.start(u64::from(packed.row));
        }
        Some(Problem { row: packed.row, kind: packed.kind, value: self.value(at), cells })
    }

    fn value(&self, at: u32) -> &str {
        let end = |at: u32| self.packed.get(at as usize).map_or(0, |packed| packed.value_end as usize);
        self.values.get(at.checked_sub(1).map_or(0, end)..end(at)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;

    fn finding(column: usize, value: &str) -> Finding {
        Finding { column: Some(column), value: value.into(), message: "Wrong".into() }
    }

    #[test]
    fn problems_of_a_kind_are_counted_by_their_value_too() {
        let (mut problems, row) = (Problems::default(), RowBuffer::default());
        problems.add(row.row(), &[finding(0, " x "), finding(0, "x"), finding(0, "y"), finding(1, "x")]);
        assert_eq!(problems.count(), 4);
        assert_eq!([None, Some(0), Some(1), Some(2)].map(|kind| problems.listed(kind)), [4, 3, 1, 0]);
        assert_eq!(
            [(0, "x"), (0, "y"), (0, "z"), (1, " x"), (2, "x")].map(|(kind, value)| problems.alike(kind, value)),
            [2, 1, 0, 1, 0]
        );
    }

    #[test]
    fn what_comes_after_the_most_that_is_kept_is_counted() {
        let (mut problems, row) = (Problems::default(), RowBuffer::default());
        let many = vec![finding(0, ""); MOST_KEPT + 1];
        problems.add(row.row(), &many);
        problems.add(row.row(), &many[..1]);
        assert_eq!((problems.count(), problems.listed(None)), (MOST_KEPT as u64 + 2, MOST_KEPT as u32));
        assert_eq!(problems.kinds()[0].count, MOST_KEPT as u64 + 2);
    }

    #[test]
    fn a_problem_is_shown_without_its_row_where_rows_take_too_much() {
        let limits = Limits { cell_chars: usize::MAX, record_bytes: usize::MAX, ..Limits::default() };
        let (mut problems, mut row) = (Problems::default(), RowBuffer::default());
        for (number, text) in [(2, "x".repeat(MOST_TEXT)), (3, "y".to_owned())] {
            row.start(number);
            row.push(0, &text, &limits).unwrap();
            problems.add(row.row(), &[finding(0, "z")]);
        }
        let found: Vec<_> = problems.window(None, 0, 9).collect();
        let seen: Vec<_> =
            found.iter().map(|p| (p.row, p.value, p.cells.number(), p.cells.row().cells().count())).collect();
        assert_eq!(seen, [(2, "z", 2, 1), (3, "z", 3, 0)]);
    }
}
