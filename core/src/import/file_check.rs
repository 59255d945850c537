//! Checks a whole file and keeps its problems and duplicates, so that they can be displayed.

use super::{Checker, FileError, Outcome, Problems, RawRow, Verdict};

const MAX_DUPLICATES: usize = 100_000;

/// Checks rows and stores their problems for a list that displays a part of them at a time.
pub struct FileCheck {
    checker: Checker,
    problems: Problems,
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

    /// Returns the stored duplicates, each with its row number and that of the earlier row. There may be more.
    pub fn duplicates(&self) -> &[(u32, u32)] {
        &self.duplicates
    }
}

#[cfg(test)]
mod tests {
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
    fn counts_problems_by_kind() {
        let file_check = file_check();
        let kinds = file_check.problems().kinds().iter().map(|kind| (kind.column, kind.count, kind.message.as_str()));
        assert_eq!(
            kinds.collect::<Vec<_>>(),
            [(0, 1, "Name is required"), (1, 2, "Please enter a valid email address")]
        );
    }

    #[test]
    fn returns_a_window_of_problems_with_their_rows() {
        let file_check = file_check();
        let window = |kind, from, count| {
            let problems = file_check.problems().window(kind, from, count);
            let lines = problems.map(|problem| {
                let cells: Vec<_> =
                    problem.cells.row().cells().map(|(column, text)| format!("{column}={text}")).collect();
                format!("{} {} {:?} {}", problem.row, problem.kind, problem.value, cells.join("|"))
            });
            lines.collect::<Vec<_>>()
        };
        let all = [
            "3 0 \"\" 1=bo@example.se",
            "4 1 \"cy(at)example.se\" 0=Cy|1=cy(at)example.se",
            "6 1 \"di(at)example.se\" 0=Di|1=di(at)example.se",
        ];
        assert_eq!(window(None, 0, 9), all);
        assert_eq!(window(None, 1, 1), all[1..2]);
        assert_eq!(window(Some(1), 1, u32::MAX), all[2..]);
        assert!(window(Some(2), 0, 9).is_empty() && window(None, 3, 9).is_empty());
    }

    #[test]
    fn returns_duplicates_with_the_earlier_row() {
        assert_eq!(file_check().duplicates(), [(5, 2), (7, 2)]);
    }
}
