//! The list of companies that `forecourt directory import` loads.

use super::store::OrganizationRow;
use crate::features::state::App;
use crate::platform::Failure;
use crate::platform::db::{self, Db, Tx};
use forecourt_core::form::{Checked, check};
use forecourt_core::organizations::{Organization, normalize_number};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Number of companies per INSERT statement.
const BATCH: usize = 500;

/// Returns the listed company with this normalized number.
pub(super) async fn find(db: &Db, key: &str) -> db::Result<Option<Organization>> {
    let row: Option<OrganizationRow> = db
        .sql(
            "SELECT organization_number, corp_name, street_address, registered_city, postal_code, city, \
             company_email, company_phone FROM directory_entries WHERE number_key = $1",
        )
        .bind(key)
        .maybe()
        .await?;
    Ok(row.map(Organization::from))
}

/// Loads a list of companies from a CSV file in one transaction. Updates companies that are listed already and leaves
/// the others unchanged. Returns the number of companies in the file.
///
/// # Errors
/// A one-line message: the error in the file with its line, or that the database is not available.
pub async fn import(app: &App, path: &Path) -> Result<usize, Failure> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|e| format!("{name} can't be opened: {e}"))?;
    // The whole file is read first, so that the transaction does not wait for it.
    let companies = tokio::task::spawn_blocking(move || parse(file)).await.map_err(|e| e.to_string())?;
    let companies = companies.map_err(|error| format!("{name}, {error}"))?;
    let written = async {
        let mut tx = app.db.begin().await?;
        for batch in companies.chunks(BATCH) {
            upsert(&mut tx, batch, app.clock.now()).await?;
        }
        tx.commit().await
    };
    written.await.map_err(|e| format!("the list can't be written: {e}"))?;
    Ok(companies.len())
}

async fn upsert(tx: &mut Tx, batch: &[Checked<Organization>], now: i64) -> sqlx::Result<()> {
    tx.sql(
        "INSERT INTO directory_entries (number_key, organization_number, corp_name, street_address, registered_city, \
         postal_code, city, company_email, company_phone, loaded_at) VALUES ",
    )
    .tuples(batch, |sql, company| {
        sql.arg(normalize_number(&company.organization_number))
            .comma(company.organization_number.clone())
            .comma(company.corp_name.clone())
            .comma(company.street_address.clone())
            .comma(company.registered_city.clone())
            .comma(company.postal_code.clone())
            .comma(company.city.clone())
            .comma(company.company_email.clone())
            .comma(company.company_phone.clone())
            .comma(now)
    })
    .push(
        " ON CONFLICT (number_key) DO UPDATE SET organization_number = excluded.organization_number, \
         corp_name = excluded.corp_name, street_address = excluded.street_address, \
         registered_city = excluded.registered_city, postal_code = excluded.postal_code, city = excluded.city, \
         company_email = excluded.company_email, company_phone = excluded.company_phone, \
         loaded_at = excluded.loaded_at",
    )
    .exec()
    .await?;
    Ok(())
}

/// Reads all companies. Columns are matched by name, case-insensitively and in any order; unknown columns are ignored.
fn parse(mut file: impl Read) -> Result<Vec<Checked<Organization>>, String> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| format!("it can't be read: {error}"))?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(bytes.as_slice());
    let names: Vec<String> =
        reader.headers().map_err(|error| csv_error(&error, 1))?.iter().map(str::to_lowercase).collect();
    let mut columns: HashMap<&str, usize> = HashMap::new();
    for (i, name) in names.iter().enumerate() {
        if columns.insert(name, i).is_some() && !name.is_empty() {
            return Err(format!("line 1: the column {name} is there twice"));
        }
    }
    for required in ["organization_number", "corp_name"] {
        if !columns.contains_key(required) {
            return Err(format!("line 1: the column {required} is missing"));
        }
    }
    let (mut companies, mut lines) = (Vec::new(), HashMap::new());
    let (mut counted, mut line) = (0, 1);
    for record in reader.records() {
        let position = record.as_ref().map_or_else(csv::Error::position, csv::StringRecord::position);
        (counted, line) = locate(&bytes, position, (counted, line));
        let record = record.map_err(|error| csv_error(&error, line))?;
        let text = |name: &str| columns.get(name).and_then(|i| record.get(*i)).unwrap_or_default().to_owned();
        let company = Organization {
            organization_number: text("organization_number"),
            corp_name: text("corp_name"),
            street_address: text("street_address"),
            registered_city: text("registered_city"),
            postal_code: text("postal_code"),
            city: text("city"),
            company_email: text("company_email"),
            company_phone: text("company_phone"),
        };
        let company = check(company).map_err(|errors| {
            let messages: Vec<String> = errors.iter().map(|e| format!("{}: {}", e.field, e.message)).collect();
            format!("line {line}: {}", messages.join(", "))
        })?;
        let number = &company.organization_number;
        if let Some(before) = lines.insert(normalize_number(number), line) {
            return Err(format!("line {line}: the number {number} stands in line {before} already"));
        }
        companies.push(company);
    }
    Ok(companies)
}

/// Returns the byte offset and the line number at which a record begins, from those of the record before it. `position`
/// is that of the CSV reader, before any line breaks that precede the record.
fn locate(bytes: &[u8], position: Option<&csv::Position>, (counted, line): (usize, usize)) -> (usize, usize) {
    let start = position.and_then(|p| usize::try_from(p.byte()).ok()).unwrap_or(counted);
    let blank = bytes[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let added = bytes[counted..start + blank].iter().filter(|byte| **byte == b'\n').count();
    (start + blank, line + added)
}

/// Formats an error of the reader with its line number.
fn csv_error(error: &csv::Error, line: usize) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => format!("line {line}: it is not UTF-8"),
        csv::ErrorKind::Io(error) => format!("line {line}: it can't be read: {error}"),
        _ => format!("line {line}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn companies(text: &[u8]) -> Result<Vec<Organization>, String> {
        Ok(parse(text)?.into_iter().map(Checked::into_inner).collect())
    }

    #[test]
    fn matches_columns_by_name_in_any_case_and_order() {
        let text =
            "\u{feff}City,EMPLOYEES, Corp_Name ,organization_NUMBER\nUmeå,12,\"Nordbil, \"\"Norr\"\"\", 556100-0059 \n";
        let [company] = &companies(text.as_bytes()).unwrap()[..] else { panic!("one company") };
        let expected = Organization {
            organization_number: "556100-0059".into(),
            corp_name: "Nordbil, \"Norr\"".into(),
            city: "Umeå".into(),
            ..Organization::default()
        };
        assert_eq!(*company, expected);
    }

    #[test]
    fn reports_errors_with_their_line() {
        let head = "organization_number,corp_name,city\n";
        let error = |rows: &[u8]| companies(&[head.as_bytes(), rows].concat()).unwrap_err();
        assert_eq!(error(b"1,A\n\n2,\n"), "line 4: corp_name: Company Name is required");
        assert_eq!(
            error(b"1,\"A\nB\"\n-,\n"),
            "line 4: organization_number: Organization Number is required, corp_name: Company Name is required"
        );
        assert_eq!(error(b"55-1,A\n2,B\n551,C\n"), "line 4: the number 551 stands in line 2 already");
        assert_eq!(error(b"1,A\n2,\xff\n"), "line 3: it is not UTF-8");
        assert_eq!(error(b"1,A\r\n2,\xff\r\n"), "line 3: it is not UTF-8");
        assert_eq!(error(b"1,A\n\n2,\xff\n"), "line 4: it is not UTF-8");
        assert!(error(format!("1,{}\n", "x".repeat(201)).as_bytes()).starts_with("line 2: corp_name: Maximum"));
        assert_eq!(companies(b"city\n").unwrap_err(), "line 1: the column organization_number is missing");
        assert_eq!(companies(b"").unwrap_err(), "line 1: the column organization_number is missing");
        let twice = companies(b"corp_name,Corp_Name,organization_number\n").unwrap_err();
        assert_eq!(twice, "line 1: the column corp_name is there twice");
    }
}
