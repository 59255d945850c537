//! Checks a whole file and stores the problems and duplicates for display.

use super::pack::Packer;
use super::{Checker, FileError, Outcome, Problems, RawRow, Verdict};

const MAX_DUPLICATES: usize = 100_000;

/// Checks rows and stores the problems for a list that displays a window of them.
pub struct FileCheck {
    checker: Checker,
    problems: Problems,
    /// The row number of each duplicate, and that of the earlier row.
    duplicates: Vec<(u32, u32)>,
}

impl FileCheck {
    pub fn new(checker: Checker) -> FileCheck {
        FileCheck { checker, problems: Problems::default(), duplicates: Vec::new() }
    }

    pub fn check_row(&mut self, row: RawRow<'_>) -> Result<(), FileError> {
        match self.checker.check_row(row)? {
            Outcome::Ready { duplicate_of: Some(first), .. } if self.duplicates.len() < MAX_DUPLICATES => {
                self.duplicates.push((row.number as u32, first as u32));
            }
            Outcome::Failed(findings) => self.problems.add(row, findings),
            Outcome::Skipped | Outcome::Ready { .. } => {}
        }
        Ok(())
    }

    pub fn verdict(&self) -> Verdict {
        self.checker.verdict()
    }

    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    pub fn count_stored_duplicates(&self) -> u32 {
        self.duplicates.len() as u32
    }

    /// Encodes the kinds of problems: their number, then for each its column (`u32::MAX`: the whole row), its count,
    /// the number of stored problems, and its message.
    pub fn pack_kinds(&self) -> Vec<u8> {
        let mut packer = Packer::default();
        packer.write_number(self.problems.kinds().len() as u64);
        for (index, kind) in self.problems.kinds().iter().enumerate() {
            packer.write_number(u64::from(kind.column));
            packer.write_number(kind.count);
            packer.write_number(u64::from(self.problems.count_stored(Some(index as u32))));
            packer.write_message(&kind.message);
        }
        packer.bytes
    }

    /// Encodes a window of the problems. Each has its row number, the index of its kind, its value, the number of cells
    /// in its row, and each cell's column and text.
    pub fn pack_window(&self, kind: Option<u32>, from: u32, count: u32) -> Vec<u8> {
        let mut packer = Packer::default();
        for problem in self.problems.window(kind, from, count) {
            packer.write_number(u64::from(problem.row));
            packer.write_number(u64::from(problem.kind));
            packer.write_text(problem.value);
            let cells: Vec<_> = problem.cells.row().cells().collect();
            packer.write_number(cells.len() as u64);
            for (column, text) in cells {
                packer.write_number(column as u64);
                packer.write_text(text);
            }
        }
        packer.bytes
    }

    /// Encodes a window of the duplicates: for each its row number and that of the earlier row.
    pub fn pack_duplicates(&self, from: u32, count: u32) -> Vec<u8> {
        let mut packer = Packer::default();
        for (row, first) in self.duplicates.iter().skip(from as usize).take(count as usize) {
            packer.write_number(u64::from(*row));
            packer.write_number(u64::from(*first));
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

    /// Checks a file with three failed rows and two duplicates.
    fn file_check() -> FileCheck {
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
        let layout = Layout::detect(&rows, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
        let mapping = [("Namn", "name"), ("E-post", "email")]
            .map(|(file, model)| ColumnMapping { file_column: file.into(), model_column: model.into() });
        let plan = Plan::new(layout.names(), &mapping).unwrap();
        let mut file_check = FileCheck::new(Checker::new(layout, plan, Patches::default(), &Limits::default()));
        rows.iter().for_each(|row| file_check.check_row(row.row()).unwrap());
        file_check
    }

    #[test]
    fn packs_problem_kinds_with_counts_and_messages() {
        let packed = file_check().pack_kinds();
        let mut unpacker = Unpacker::new(&packed);
        assert_eq!(unpacker.read_number(), Some(2));
        for (column, count, sentence) in [(0, 1, "Name is required"), (1, 2, "Please enter a valid email address")] {
            let numbers = [(); 3].map(|()| unpacker.read_number());
            assert_eq!((numbers, unpacker.read_text()), ([Some(column), Some(count), Some(count)], Some(sentence)));
            assert!(unpacker.read_text().is_some_and(|code| !code.is_empty()));
            assert_eq!(unpacker.read_number(), Some(0));
        }
        assert!(unpacker.is_empty());
    }

    #[test]
    fn packs_a_window_of_problems_with_their_rows() {
        let file_check = file_check();
        let window = |kind, from, count| {
            let (packed, mut found) = (file_check.pack_window(kind, from, count), Vec::new());
            let mut unpacker = Unpacker::new(&packed);
            while let Some(row) = unpacker.read_number() {
                let kind = unpacker.read_number().unwrap();
                let value = unpacker.read_text().unwrap().to_owned();
                let cells = (0..unpacker.read_number().unwrap())
                    .map(|_| format!("{}={}", unpacker.read_number().unwrap(), unpacker.read_text().unwrap()));
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
    fn packs_duplicates_with_the_earlier_row() {
        let file_check = file_check();
        assert_eq!(file_check.count_stored_duplicates(), 2);
        let window = |from, count| {
            let packed = file_check.pack_duplicates(from, count);
            let mut unpacker = Unpacker::new(&packed);
            std::iter::from_fn(|| Some((unpacker.read_number()?, unpacker.read_number()?))).collect::<Vec<_>>()
        };
        assert_eq!(window(0, 9), [(5, 2), (7, 2)]);
        assert_eq!(window(1, 1), [(7, 2)]);
    }
}
