//! The failed rows of an import as a CSV file, to correct and import again: row number and reasons, then the cells with
//! the corrections that the user made before the import.

use super::jobs::{self, ImportedFile};
use super::store::StoredProblem;
use crate::access::scope::{Contacts, May, Read, Scope};
use crate::platform::db::Result;
use crate::platform::error::{ApiError, ApiResult};
use crate::platform::extract::Id;
use crate::platform::responses::{Content, Csv, Download};
use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use forecourt_core::import::{REPORT_HEADERS, formula, text};
use forecourt_core::text::is_allowed_in_file_name;
use futures_util::StreamExt;
use futures_util::stream::{once, try_unfold};
use sqlx::types::Json;
use url::form_urlencoded::byte_serialize;
use uuid::Uuid;

/// Rows per query, so few that even the longest need little memory: a row of a file has at most 1 MB.
const ROWS: i64 = 20;
/// The byte order mark, by which spreadsheet programs recognize UTF-8.
const BOM: &str = "\u{feff}";

type FailedRow = (i64, Json<Vec<StoredProblem>>, Json<Vec<String>>);

/// `GET /api/contacts/imports/{sessionId}/failed.csv`: streamed, so that it can have any number of rows.
pub async fn download_failed_rows(may: May<Read, Contacts>, Id(id): Id) -> ApiResult<Download<Content<Csv>>> {
    let file = jobs::find_file(&may, id).await?.ok_or(ApiError::NotFound)?;
    let disposition = HeaderValue::try_from(content_disposition(&file.file_name)).map_err(ApiError::internal)?;
    let delimiter = delimiter_of(file.delimiter.as_deref());
    let names = file.columns.iter().cloned();
    let head = format_csv(std::iter::once(REPORT_HEADERS.map(str::to_owned).into_iter().chain(names)), delimiter)?;
    let report = Report { scope: Scope::clone(&may), id, file, delimiter, last: 0, sent: 0 };
    let head = Bytes::from([BOM.as_bytes(), &head].concat());
    let rows = try_unfold(Some(report), |report| async move {
        let Some(mut report) = report else { return Ok::<_, std::io::Error>(None) };
        let (text, is_last) = report.next().await?;
        Ok(Some((Bytes::from(text), (!is_last).then_some(report))))
    });
    let body = Body::from_stream(once(async { Ok(head) }).chain(rows));
    Ok(Download(disposition, Content::new(body)))
}

/// The state of a report that is being streamed.
struct Report {
    scope: Scope,
    id: Uuid,
    file: ImportedFile,
    delimiter: u8,
    /// Number of the last row that was sent.
    last: i64,
    /// Count of rows that were sent.
    sent: u64,
}

impl Report {
    /// Returns the next lines, and whether they are the last ones.
    async fn next(&mut self) -> std::io::Result<(Vec<u8>, bool)> {
        let rows = read_rows_after(&self.scope, self.id, self.last).await?;
        let Some((last, ..)) = rows.last() else {
            let missing = self.file.failed.unsigned_abs().saturating_sub(self.sent);
            let end = (missing > 0).then(|| [String::new(), text::report_ends(missing).to_string()].into_iter());
            return Ok((format_csv(end.into_iter(), self.delimiter)?, true));
        };
        self.last = *last;
        self.sent += rows.len() as u64;
        let columns = &self.file.columns;
        let lines = rows.into_iter().map(|(row, Json(problems), Json(mut cells))| {
            // The cells end at the last one that is not empty, but strict readers want each row as long as the header.
            cells.resize_with(cells.len().max(columns.len()), String::new);
            let reasons: Vec<_> = problems.into_iter().map(|problem| problem.reason(columns)).collect();
            [row.to_string(), reasons.join("; ")].into_iter().chain(cells)
        });
        Ok((format_csv(lines, self.delimiter)?, false))
    }
}

async fn read_rows_after(scope: &Scope, id: Uuid, last: i64) -> std::io::Result<Vec<FailedRow>> {
    let rows: Result<Vec<FailedRow>> = scope
        .sql(
            "SELECT row_number, problems, cells FROM import_failures \
             WHERE corp_id = $1 AND import_id = $2 AND row_number > $3 ORDER BY row_number LIMIT $4",
        )
        .bind(id)
        .bind(last)
        .bind(ROWS)
        .all()
        .await;
    rows.map_err(|error| {
        tracing::warn!(%error, "the failed rows could not all be sent");
        std::io::Error::other("the rows can't be read")
    })
}

/// Formats rows of any length as CSV (RFC 4180), with formulas escaped.
fn format_csv<R: Iterator<Item = String>>(rows: impl Iterator<Item = R>, delimiter: u8) -> std::io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .delimiter(delimiter)
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    for row in rows {
        writer.write_record(row.map(|cell| formula::escape(&cell).into_owned()))?;
    }
    writer.into_inner().map_err(|error| std::io::Error::other(error.to_string()))
}

/// Returns the delimiter of a report: that of the file, if spreadsheet programs know it, else the comma.
fn delimiter_of(file: Option<&str>) -> u8 {
    match file {
        Some(";") => b';',
        Some("\t") => b'\t',
        Some("|") => b'|',
        _ => b',',
    }
}

/// Returns the `Content-Disposition` header (RFC 6266) of the report on an imported file: for `kunder.xlsx`, the
/// download is `kunder - rows with problems.csv`, given in ASCII and in UTF-8.
fn content_disposition(imported_file: &str) -> String {
    // Names stored by older versions may contain characters that are removed today.
    let file_name: String = imported_file.chars().filter(|&c| is_allowed_in_file_name(c)).collect();
    let stem = file_name.rsplit_once('.').map_or(file_name.as_str(), |(stem, _)| stem);
    let name = format!("{stem} - rows with problems.csv");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " .-()".contains(c);
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let encoded: String = byte_serialize(name.as_bytes()).collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{}", encoded.replace('+', "%20").replace('*', "%2A"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn report_cells_survive_export_and_import(rows in proptest::collection::vec(
            proptest::collection::vec("[=+@\t\r\n ,;|\"'0-9a\\-å＝]{0,6}", 1..5), 1..6,
        ), delimiter in prop_oneof![Just(b','), Just(b';'), Just(b'\t'), Just(b'|')]) {
            let text = format_csv(rows.iter().map(|row| row.iter().cloned()), delimiter).unwrap();
            let mut reader = csv::ReaderBuilder::new();
            let mut reader = reader.has_headers(false).flexible(true).delimiter(delimiter).from_reader(&text[..]);
            let back: Vec<csv::StringRecord> = reader.records().map(|record| record.unwrap()).collect();
            prop_assert_eq!(back.len(), rows.len());
            for (record, row) in back.iter().zip(&rows) {
                let cells: Vec<_> = record.iter().map(formula::unescape).collect();
                prop_assert_eq!(&cells, row);
            }
        }

        #[test]
        fn file_names_cannot_break_the_content_disposition_header(name in "[\\PC\u{1b}\u{202E}\u{2066}\r\n]{0,40}") {
            let disposition = content_disposition(&name);
            prop_assert!(disposition.bytes().all(|b| (0x20..0x7f).contains(&b)));
            prop_assert_eq!(disposition.matches('"').count(), 2);
            prop_assert!(!disposition.contains("%E2%80%AE") && !disposition.contains("%1B"));
            prop_assert!(HeaderValue::try_from(disposition).is_ok());
        }
    }
}
