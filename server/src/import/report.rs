//! The rows of an import that failed, as a file to correct and import again: the row's number and what is wrong with it,
//! then the row as it stands in its file.

use super::sessions;
use crate::answers::{Csv, Page};
use crate::db::Result;
use crate::problem::{Answer, Id, Refusal};
use crate::scope::{Contacts, May, Read, Scope};
use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, header};
use forecourt_core::import::RowProblem;
use futures_util::stream::try_unfold;
use sqlx::types::Json;
use url::form_urlencoded::byte_serialize;
use uuid::Uuid;

/// Rows that are fetched at once: few enough that even the longest are not much.
const ROWS: i64 = 100;
/// Tells spreadsheet programs that the file is UTF-8.
const MARK: &str = "\u{feff}";

type FailedRow = (i64, Json<Vec<RowProblem>>, Json<Vec<String>>);

/// `GET /api/contacts/imports/{sessionId}/failed.csv`: written while it is sent, however many rows it has.
pub async fn failed(may: May<Read, Contacts>, Id(id): Id) -> Answer<([(HeaderName, HeaderValue); 1], Page<Csv>)> {
    let (name, columns) = sessions::file(&may, id).await?.ok_or(Refusal::NotFound)?;
    let scope = Scope::clone(&may);
    let head = std::iter::once(["Row".to_owned(), "Reason".to_owned()].into_iter().chain(columns));
    let head = [MARK.as_bytes().to_vec(), csv(head)?].concat();
    let rows = try_unfold((scope, Some(head), 0), move |(scope, head, last)| async move {
        if let Some(head) = head {
            return Ok(Some((Bytes::from(head), (scope, None, last))));
        }
        let rows = rows_after(&scope, id, last).await?;
        let Some((last, ..)) = rows.last() else { return Ok(None) };
        let last = *last;
        let text = csv(rows.into_iter().map(|(row, Json(problems), Json(cells))| {
            let reasons: Vec<_> = problems.iter().map(reason).collect();
            [row.to_string(), reasons.join("; ")].into_iter().chain(cells)
        }))?;
        Ok::<_, std::io::Error>(Some((Bytes::from(text), (scope, None, last))))
    });
    let disposition = HeaderValue::try_from(disposition(&name)).map_err(Refusal::unexpected)?;
    Ok(([(header::CONTENT_DISPOSITION, disposition)], Page::new(Body::from_stream(rows))))
}

async fn rows_after(scope: &Scope, id: Uuid, last: i64) -> std::io::Result<Vec<FailedRow>> {
    let rows: Result<Vec<FailedRow>> = scope
        .db()
        .sql(
            "SELECT row_number, problems, cells FROM import_failures \
             WHERE corp_id = $1 AND import_id = $2 AND row_number > $3 ORDER BY row_number LIMIT $4",
        )
        .bind(scope.corp())
        .bind(id)
        .bind(last)
        .bind(ROWS)
        .all()
        .await;
    rows.map_err(|error| {
        tracing::warn!(%error, "the rows that failed could not all be sent");
        std::io::Error::other("the rows can't be read")
    })
}

/// What is wrong, with the column's name where it is about one.
fn reason(problem: &RowProblem) -> String {
    match problem.file_column.as_str() {
        "" => problem.message.clone(),
        column => format!("{column}: {}", problem.message),
    }
}

/// Rows of any length as RFC 4180 has them.
fn csv<R: Iterator<Item = String>>(rows: impl Iterator<Item = R>) -> std::io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().flexible(true).terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row.map(harmless))?;
    }
    writer.into_inner().map_err(|error| std::io::Error::other(error.to_string()))
}

/// A cell that no spreadsheet program takes for a formula: one that could be is led by an apostrophe. What has nothing but
/// a number's signs, such as a telephone number or an amount, stays as it is: the most that comes of it is a number, and
/// it is to be imported again.
fn harmless(cell: String) -> String {
    let is_unseen = |c: char| matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    let first = cell.chars().find(|&c| !c.is_whitespace() && !c.is_control() && !is_unseen(c));
    let begins = first.is_some_and(|c| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '−'));
    let is_number = cell.starts_with(['+', '-'])
        && cell
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '(' | ')' | '.' | ',' | '/' | ' ' | '\u{a0}'));
    match (begins && !is_number) || cell.starts_with(['\t', '\r']) {
        true => format!("'{cell}"),
        false => cell,
    }
}

/// A name to save it under (RFC 6266): for every program, and in its own letters for those that know how.
fn disposition(file_name: &str) -> String {
    let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
    let name = format!("{stem} - failed rows.csv");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " .-()".contains(c);
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let encoded: String = byte_serialize(name.as_bytes()).collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{}", encoded.replace('+', "%20").replace('*', "%2A"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_spreadsheet_would_take_for_a_formula_is_led_by_an_apostrophe() {
        for formula in [
            "=1+1",
            "+A1",
            "-A1",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            " =1",
            "\u{a0}=1",
            "＝1",
            "＋cmd",
            "－2+3",
            "＠a",
            "+46 A1",
            "-2+cmd|' /C calc'!A0",
            "\u{feff}=1",
            "\u{200b}=1",
            "\t1",
            "\n=1",
            "+46;A1",
            "--a",
        ] {
            assert_eq!(harmless(formula.to_owned()), format!("'{formula}"));
        }
        for plain in
            ["", "Åsa", "a=b", "+46 70-123 45 67", "+46 (0)70/1234567", "-12,50", "'=1", "0701234567", "a@b.se"]
        {
            assert_eq!(harmless(plain.to_owned()), plain);
        }
    }

    proptest! {
        #[test]
        fn every_cell_comes_back_as_it_was_but_for_an_apostrophe(rows in proptest::collection::vec(
            proptest::collection::vec("[=+@\t\r\n ,;\"'0-9a\\-å＝]{0,6}", 1..5), 1..6,
        )) {
            let text = csv(rows.iter().map(|row| row.iter().cloned())).unwrap();
            let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&text[..]);
            let back: Vec<csv::StringRecord> = reader.records().map(|record| record.unwrap()).collect();
            prop_assert_eq!(back.len(), rows.len());
            for (record, row) in back.iter().zip(&rows) {
                let cells: Vec<String> = row.iter().cloned().map(harmless).collect();
                prop_assert_eq!(record.iter().collect::<Vec<_>>(), cells);
            }
        }

        #[test]
        fn no_name_breaks_out_of_its_header(name in "\\PC{0,40}") {
            let disposition = disposition(&name);
            prop_assert!(disposition.bytes().all(|b| (0x20..0x7f).contains(&b)));
            prop_assert_eq!(disposition.matches('"').count(), 2);
            prop_assert!(HeaderValue::try_from(disposition).is_ok());
        }
    }
}
