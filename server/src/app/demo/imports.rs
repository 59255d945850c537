//! The finished imports of the demo's largest dealer. Their failed rows have what is wrong with them, as a real import
//! would report it.

use crate::access::scope::Scope;
use crate::features::history;
use crate::features::import::{self, FailedRow, FinishedImport, StoredProblem};
use crate::platform::db::{Result, Tx};
use forecourt_core::contacts::ContactInput;
use forecourt_core::form::errors;
use forecourt_core::import::ColumnMapping;
use uuid::Uuid;

/// The fields of a contact that the files contain, in the order of their columns.
const FIELDS: [&str; 4] = ["name", "email", "phone", "address"];

pub struct Import {
    pub file_name: &'static str,
    /// The headers of the columns.
    columns: [&'static str; 4],
    delimiter: Option<&'static str>,
    /// The number of contacts that were added one by one before it.
    pub after: usize,
    /// The number of contacts, without the failed rows.
    pub count: usize,
    /// The failed rows: the number of each in the file, and its cells.
    failed: &'static [(u64, [&'static str; 4])],
}

pub const IMPORTS: [Import; 3] = [
    Import {
        file_name: "Bilmässan Umeå - besökare.xlsx",
        columns: ["Namn", "E-post", "Telefon", "Adress"],
        delimiter: None,
        after: 232,
        count: 31,
        failed: &[],
    },
    Import {
        file_name: "kunder gamla systemet 2.csv",
        columns: ["Namn", "E-postadress", "Mobil", "Adress"],
        delimiter: Some(";"),
        after: 243,
        count: 22,
        failed: &[
            (5, ["Kjell Wiberg", "kjell.wiberg@norrpost", "+46 70 174 06 88", "Storgatan 8, 903 26 Umeå"]),
            (12, ["", "info@lundmark-bygg.example", "+46 8 465 004 71", "Hamngatan 2, 931 31 Skellefteå"]),
            (13, ["Gun-Britt Åström", "gunbritt(at)hemmail.example", "", "Älvgatan 41, 904 20 Umeå"]),
            (19, ["Ove Sandström", "ingen", "+46 90 17 06 44", "Parkvägen 3, 911 32 Vännäs"]),
        ],
    },
    Import {
        file_name: "Leads webben v.47.csv",
        columns: ["Name", "Email", "Phone", "Address"],
        delimiter: Some(","),
        after: 254,
        count: 9,
        failed: &[],
    },
];

impl Import {
    /// Returns the numbers of the rows that become contacts, each with the number of its contact, from `first` on. The
    /// first row has the headers.
    pub fn contacts(&self, first: usize) -> impl Iterator<Item = (i64, usize)> {
        let is_failed = |row: &i64| self.failed.iter().any(|(failed, _)| failed.cast_signed() == *row);
        (2..).filter(move |row| !is_failed(row)).zip(first..first + self.count)
    }

    fn failed_rows(&self) -> Vec<FailedRow> {
        let row = |(row, cells): &(u64, [&str; 4])| {
            let [name, email, phone, address] = cells.map(str::to_owned);
            let form = ContactInput { name, email, phone, address, ..ContactInput::default() };
            let problems = errors(form).into_iter().map(|error| {
                let column = FIELDS.iter().position(|field| *field == error.field);
                StoredProblem::of_column(column, error.message)
            });
            FailedRow { row: *row, problems: problems.collect(), cells: cells.map(str::to_owned).to_vec() }
        };
        self.failed.iter().map(row).collect()
    }

    /// Returns about how large the file is, in bytes.
    fn file_size(&self) -> u64 {
        let sizes = self.count * 74 + self.failed.len() * 81;
        // A workbook has some files besides the rows.
        sizes as u64 + if self.delimiter.is_none() { 8_400 } else { 30 }
    }
}

/// Adds an import with its failed rows, and its entry in the history. Returns its id.
pub async fn insert(tx: &mut Tx, scope: &Scope, import: &Import, at: i64) -> Result<Uuid> {
    let id = Uuid::now_v7();
    let mapping = import
        .columns
        .iter()
        .zip(FIELDS)
        .map(|(column, field)| ColumnMapping { file_column: (*column).to_owned(), model_column: field.to_owned() });
    let finished = FinishedImport {
        id,
        file_name: import.file_name,
        file_size: import.file_size(),
        columns: import.columns.map(str::to_owned).to_vec(),
        mapping: mapping.collect(),
        delimiter: import.delimiter,
        succeeded: import.count as u64,
        failures: import.failed_rows(),
    };
    import::insert_finished(tx, scope, finished, at).await?;
    history::insert_import(tx, scope, at, id, import.file_name).await?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_rows_have_a_reason_and_a_number_that_no_contact_has() {
        for import in &IMPORTS {
            let rows = import.failed_rows();
            assert_eq!(rows.len(), import.failed.len());
            let columns = import.columns.map(str::to_owned);
            for FailedRow { row, problems, cells } in rows {
                let reasons: Vec<_> = problems.into_iter().map(|problem| problem.reason(&columns)).collect();
                assert!(!reasons.is_empty() && reasons.iter().all(|reason| reason.contains(": ")), "{row} {cells:?}");
                assert!(import.contacts(0).all(|(other, _)| other.unsigned_abs() != row), "{row}");
            }
        }
    }
}
