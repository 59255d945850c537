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

#[cfg(test)]
mod tests {
    use super::super::pack::Unpacker;
    use super::super::row::row;
    use super::super::{ColumnMapping, Layout, Limits, Patches, Plan, RowBuffer};
    use super::*;

    /// What three rows with problems and two that repeat another come to.
    fn examination() -> Examination {
        let rows: [&[&str]; 7] = [
            &["Namn", "E-post"],
            &["Åsa", "asa@example.se"],
            &["", "bo@example.se"],
            &["Cy", "cy(at)example.se"],
            &["Åsa", "ASA@example.se"],
            &["Di", "di(at)example.se"],
            &["Åsa", "asa@example.se"],
        ];
        let rows: Vec<RowBuffer> = (1..).zip(rows).map(|(number, cells)| row(number, cells)).collect();
        let layout = Layout::of(&rows, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
        let mapping = [("Namn", "name"), ("E-post", "email")]
            .map(|(file, model)| ColumnMapping { file_column: file.into(), model_column: model.into() });
        let plan = Plan::new(layout.names(), &mapping).unwrap();
        let mut examination = Examination::new(Checker::new(layout, plan, Patches::default(), &Limits::default()));
        rows.iter().for_each(|row| examination.row(row.row()).unwrap());
        examination
    }

    #[test]
    fn kinds_are_packed_with_their_counts_and_sentences() {
        let packed = examination().pack_kinds();
        let mut unpacker = Unpacker::new(&packed);
        assert_eq!(unpacker.number(), Some(2));
        for (column, count, sentence) in [(0, 1, "Name is required"), (1, 2, "Please enter a valid email address")] {
            let numbers = [(); 3].map(|()| unpacker.number());
            assert_eq!((numbers, unpacker.text()), ([Some(column), Some(count), Some(count)], Some(sentence)));
        }
        assert!(unpacker.is_empty());
    }

    #[test]
    fn a_window_of_problems_is_packed_with_the_rows_around_them() {
        let examination = examination();
        let window = |kind, from, count| {
            let (packed, mut found) = (examination.pack_window(kind, from, count), Vec::new());
            let mut unpacker = Unpacker::new(&packed);
            while let Some(row) = unpacker.number() {
                let kind = unpacker.number().unwrap();
                let value = unpacker.text().unwrap().to_owned();
                let cells = (0..unpacker.number().unwrap())
                    .map(|_| format!("{}={}", unpacker.number().unwrap(), unpacker.text().unwrap()));
                found.push((row, kind, value, cells.collect::<Vec<_>>().join("|")));
            }
            found
        };
        let problem = |row: u64, kind: u64, value: &str, cells: &str| (row, kind, value.to_owned(), cells.to_owned());
        let all = [
            problem(3, 0, "", "1=bo@example.se"),
            problem(4, 1, "cy(at)example.se", "0=Cy|1=cy(at)example.se"),
            problem(6, 1, "di(at)example.se", "0=Di|1=di(at)example.se"),
        ];
        assert_eq!(window(None, 0, 9), all);
        assert_eq!(window(None, 1, 1), all[1..2]);
        assert_eq!(window(Some(1), 1, u32::MAX), all[2..]);
        assert_eq!([window(Some(2), 0, 9), window(None, 3, 9)], [[], []]);
    }

    #[test]
    fn rows_that_repeat_another_are_packed_with_that_one() {
        let examination = examination();
        assert_eq!(examination.repeats_listed(), 2);
        let window = |from, count| {
            let packed = examination.pack_repeats(from, count);
            let mut unpacker = Unpacker::new(&packed);
            std::iter::from_fn(|| Some((unpacker.number()?, unpacker.number()?))).collect::<Vec<_>>()
        };
        assert_eq!(window(0, 9), [(5, 2), (7, 2)]);
        assert_eq!(window(1, 1), [(7, 2)]);
    }
}
