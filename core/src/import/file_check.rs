//! Checks a whole file and keeps its problems and duplicates, so that they can be displayed.

use super::{Checker, FileError, Outcome, Problems, RawRow, Verdict};
use serde::Serialize;

/// Upper bound on stored duplicates; the screen lists no more.
const MAX_DUPLICATES: usize = 500;

/// Checks rows and stores their problems for a list that displays a part of them at a time.
pub struct FileCheck {
    checker: Checker,
    problems: Problems,
    duplicates: Vec<Duplicate>,
}

/// A row that has the same contact as an earlier row of the file.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Duplicate {
    pub row: u32,
    /// The number of the earlier row.
    pub first: u32,
    pub name: String,
    /// The e-mail address that both rows have or, without one, the phone number.
    pub email_or_phone: String,
}

impl FileCheck {
    pub fn new(checker: Checker) -> FileCheck {
        FileCheck { checker, problems: Problems::default(), duplicates: Vec::new() }
    }

    pub fn check_row(&mut self, row: RawRow<'_>) -> Result<(), FileError> {
        match self.checker.check_row(row)? {
            Outcome::Ready { contact, duplicate_of: Some(first) } if self.duplicates.len() < MAX_DUPLICATES => {
                let (name, email_or_phone) = contact.identity();
                self.duplicates.push(Duplicate {
                    row: row.number as u32,
                    first: first as u32,
                    name: name.to_owned(),
                    email_or_phone: email_or_phone.to_owned(),
                });
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

    /// Returns the stored duplicates, in the order of their rows. There may be more.
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::row;
    use super::super::{ColumnMapping, Layout, Limits, Patches, Plan, RowBuffer};
    use super::*;

    /// Checks a file with three failed rows and three duplicates.
    fn file_check() -> FileCheck {
        check(&[
            &["Namn", "E-post", "Telefon"],
            &["Åsa", "asa@example.se"],
            &["", "bo@example.se"],
            &["Cy", "cy(at)example.se"],
            &["Åsa", "ASA@example.se"],
            &["Di", "di(at)example.se"],
            &["Åsa", "asa@example.se"],
            &["Eva", "", "070-12 34"],
            &["EVA", "", "0701234"],
        ])
    }

    fn check(rows: &[&[&str]]) -> FileCheck {
        let rows: Vec<RowBuffer> = (1..).zip(rows).map(|(number, cells)| row(number, cells)).collect();
        let layout = Layout::detect(&rows, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
        let mapping = [("Namn", "name"), ("E-post", "email"), ("Telefon", "phone")]
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
    fn returns_duplicates_with_the_earlier_row_and_the_contact() {
        let file_check = file_check();
        let duplicates = file_check.duplicates().iter();
        assert_eq!(
            duplicates
                .map(|each| (each.row, each.first, each.name.as_str(), each.email_or_phone.as_str()))
                .collect::<Vec<_>>(),
            [(5, 2, "Åsa", "ASA@example.se"), (7, 2, "Åsa", "asa@example.se"), (9, 8, "EVA", "0701234")]
        );
    }

    #[test]
    fn counts_duplicates_beyond_the_stored_ones() {
        let same: &[&str] = &["Åsa", "asa@example.se"];
        let mut rows = vec![same; MAX_DUPLICATES + 3];
        rows[0] = &["Namn", "E-post", "Telefon"];
        let file_check = check(&rows);
        assert_eq!(file_check.duplicates().len(), MAX_DUPLICATES);
        assert_eq!(file_check.verdict().duplicates, MAX_DUPLICATES as u64 + 1);
    }
}
