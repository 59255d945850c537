//! Whether each row of a file becomes a contact. Given the same rows, the browser and the server come to the same verdict.

use super::{ModelColumn, Plan, Row, RowProblem, Verdict, text};
use crate::contacts::ContactInput;
use crate::form::{Checked, check};
use std::collections::HashSet;

/// Checks rows one after the other and keeps count.
pub struct Checker {
    plan: Plan,
    total: u64,
    ready: u64,
    duplicates: u64,
    digest: Fnv,
    /// Hashes of who was ready; 64 bits are enough to count, and a million of them are 16 MB.
    seen: HashSet<u64>,
}

impl Checker {
    pub fn new(plan: Plan) -> Checker {
        Checker { plan, total: 0, ready: 0, duplicates: 0, digest: Fnv::new(), seen: HashSet::new() }
    }

    /// Checks a row as [`super::Source::rows`] gives it.
    ///
    /// # Errors
    /// Why it can't be imported, cell by cell.
    pub fn row(&mut self, row: &Row) -> Result<Checked<ContactInput>, Vec<RowProblem>> {
        self.total += 1;
        self.digest.number(row.number);
        self.digest.number(row.cells.len() as u64);
        for cell in &row.cells {
            self.digest.text(cell);
        }
        let result = self.verify(row);
        match &result {
            Ok(contact) => {
                self.ready += 1;
                self.digest.number(0);
                self.duplicates += u64::from(!self.seen.insert(who(contact)));
            }
            Err(problems) => {
                self.digest.number(problems.len() as u64);
                for problem in problems {
                    self.digest.text(&problem.file_column);
                    self.digest.text(&problem.message);
                }
            }
        }
        result
    }

    /// What the rows so far come to.
    pub fn verdict(&self) -> Verdict {
        Verdict {
            total: self.total,
            ready: self.ready,
            failed: self.total - self.ready,
            duplicates: self.duplicates,
            digest: format!("{:016x}", self.digest.0),
        }
    }

    fn verify(&self, row: &Row) -> Result<Checked<ContactInput>, Vec<RowProblem>> {
        let extra = row.cells.get(self.plan.columns().len()..).unwrap_or_default();
        if !extra.is_empty() {
            // Values may have slid into the wrong columns, so the others aren't worth a word.
            let message = text::extra_values(extra.len());
            let value = extra.join(" ");
            return Err(vec![RowProblem { row: row.number, file_column: String::new(), value, message }]);
        }
        check(self.contact(row)).map_err(|errors| {
            let problem = |error: crate::form::FieldError| {
                let target = ModelColumn::parse(&error.field).filter(|&t| t != ModelColumn::OtherDetails);
                let index = target.and_then(|target| self.plan.targets().iter().position(|&t| t == target));
                let cell = |cells: &[String]| index.and_then(|i| cells.get(i)).cloned().unwrap_or_default();
                RowProblem {
                    row: row.number,
                    file_column: cell(self.plan.columns()),
                    value: cell(&row.cells),
                    message: error.message,
                }
            };
            errors.into_iter().map(problem).collect()
        })
    }

    fn contact(&self, row: &Row) -> ContactInput {
        let mut contact = ContactInput::default();
        let cells = self.plan.columns().iter().zip(self.plan.targets()).zip(&row.cells);
        for ((column, target), value) in cells {
            let field = match target {
                ModelColumn::Name => &mut contact.name,
                ModelColumn::Email => &mut contact.email,
                ModelColumn::Phone => &mut contact.phone,
                ModelColumn::Website => &mut contact.website,
                ModelColumn::Address => &mut contact.address,
                ModelColumn::OtherDetails => {
                    if !value.trim().is_empty() {
                        contact.other_details.insert(column.clone(), value.clone());
                    }
                    continue;
                }
                ModelColumn::DoNotImport => continue,
            };
            field.push_str(value);
        }
        contact
    }
}

/// Who a contact is: the e-mail address whatever its case, else the name and the digits of the phone number.
fn who(contact: &ContactInput) -> u64 {
    let mut hash = Fnv::new();
    if contact.email.is_empty() {
        hash.number(1);
        hash.text(&contact.name.to_lowercase());
        hash.text(&contact.phone.chars().filter(char::is_ascii_digit).collect::<String>());
    } else {
        hash.number(2);
        hash.text(&contact.email.to_lowercase());
    }
    hash.0
}

/// FNV-1a with 64 bits: small, the same everywhere, and no secret depends on it.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// A text with its length before it, so that no two texts can be mistaken for two others.
    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::ColumnMapping;
    use proptest::prelude::*;

    const COLUMNS: [(&str, &str); 5] =
        [("Namn", "name"), ("E-post", "email"), ("Tel", "phone"), ("Ort", "otherDetails"), ("Internt", "doNotImport")];

    fn checker() -> Checker {
        let columns = COLUMNS.map(|(file, _)| file.to_owned());
        let mapping = COLUMNS.map(|(f, m)| ColumnMapping { file_column: f.into(), model_column: m.into() });
        Checker::new(Plan::new(&columns, &mapping).unwrap())
    }
    fn row(number: u64, cells: &[&str]) -> Row {
        Row { number, cells: cells.iter().map(|&c| c.to_owned()).collect() }
    }
    fn duplicates(rows: &[&[&str]]) -> u64 {
        let mut checker = checker();
        for (i, cells) in rows.iter().enumerate() {
            let _ = checker.row(&row(i as u64 + 2, cells));
        }
        checker.verdict().duplicates
    }

    #[test]
    fn a_row_becomes_a_contact_with_its_other_details_by_column_name() {
        let contact = checker().row(&row(2, &[" Åsa ", "asa@example.se", "", "Malmö", "x"])).unwrap();
        assert_eq!((contact.name.as_str(), contact.email.as_str()), ("Åsa", "asa@example.se"));
        assert_eq!(contact.other_details.iter().collect::<Vec<_>>(), [(&"Ort".to_owned(), &"Malmö".to_owned())]);
        let contact = checker().row(&row(2, &["Åsa", "", "", "  ", ""])).unwrap();
        assert!(contact.other_details.is_empty());
    }

    #[test]
    fn a_problem_names_row_column_and_value() {
        let problems = checker().row(&row(7, &[" ", "asa(at)example.se", "", "", ""])).err().unwrap_or_default();
        let seen: Vec<_> =
            problems.iter().map(|p| (p.row, p.file_column.as_str(), p.value.as_str(), p.message.as_str())).collect();
        assert_eq!(
            seen,
            [
                (7, "Namn", " ", "Name is required"),
                (7, "E-post", "asa(at)example.se", "Please enter a valid email address")
            ]
        );
    }

    #[test]
    fn a_row_with_more_values_than_columns_is_refused_rather_than_cut() {
        let problems = checker().row(&row(3, &["Åsa", "", "", "", "", "Lund", "Skåne"])).err().unwrap_or_default();
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].message, "This row has 2 more values than the file has columns");
        assert_eq!((problems[0].file_column.as_str(), problems[0].value.as_str()), ("", "Lund Skåne"));
    }

    #[test]
    fn duplicates_are_told_by_email_else_by_name_and_phone() {
        assert_eq!(duplicates(&[&["A", "a@b.se"], &["B", "A@B.se"], &["A", "", "1"]]), 1);
        assert_eq!(duplicates(&[&["A", "", "070-12 34"], &["a", "", "0701234"], &["A", "", "2"], &["A"], &["A"]]), 2);
        // A row that isn't ready is no duplicate, and none repeats it.
        assert_eq!(duplicates(&[&["", "a@b.se"], &["A", "a@b.se"]]), 0);
    }

    #[test]
    fn the_digest_tells_rows_apart_that_hold_the_same_text() {
        let digest = |rows: &[Row]| {
            let mut checker = checker();
            for row in rows {
                let _ = checker.row(row);
            }
            checker.verdict().digest
        };
        let one = digest(&[row(2, &["ab", "", "c", "", ""])]);
        assert_eq!(one.len(), 16);
        assert_eq!(one, digest(&[row(2, &["ab", "", "c", "", ""])]));
        assert_ne!(one, digest(&[row(2, &["a", "", "bc", "", ""])]));
        assert_ne!(one, digest(&[row(3, &["ab", "", "c", "", ""])]));
    }

    proptest! {
        #[test]
        fn no_row_is_lost(rows in proptest::collection::vec(
            proptest::collection::vec("\\PC{0,6}|[ab]@b\\.se", 0..7), 0..40,
        )) {
            let mut checker = checker();
            let (mut ready, mut failed) = (0, 0);
            for (i, cells) in rows.iter().enumerate() {
                match checker.row(&Row { number: i as u64 + 2, cells: cells.clone() }) {
                    Ok(contact) => {
                        prop_assert!(!contact.name.trim().is_empty());
                        ready += 1;
                    }
                    Err(problems) => {
                        prop_assert!(!problems.is_empty());
                        failed += 1;
                    }
                }
            }
            let verdict = checker.verdict();
            prop_assert_eq!((verdict.ready, verdict.failed, verdict.total), (ready, failed, rows.len() as u64));
            prop_assert!(verdict.duplicates <= verdict.ready.saturating_sub(1));
        }
    }
}
