//! The samples of `tests/files/make/foreign.py`: workbooks as other programs and Excel 2 to 95 write them, workbooks
//! with Excel's default password or another one, and small files that expand to very many rows or cells. Each is read
//! completely, with unreadable cells reported as problems of their rows, or is rejected with a correct message.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod checker;

use checker::suggested_checker;
use forecourt_core::import::{FileError, Limits, Outcome, PREVIEW_ROWS, ReadOptions, Source, text};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const HEADER: &str = "Namn|E-post|Telefon|Postnr|Rabatt|Tid";
const FIRST: &str = "Åsa Öberg|asa@example.se|070-123 45 67|01234|25%|30:00:00";
const SECOND: &str = "Björn Ek|bjorn@example.se|08-12 34 56|56789|12.5%|732:00:00";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

fn open(name: &str) -> Result<Source, FileError> {
    let bytes = std::fs::read(folder().join(name)).unwrap();
    Source::open(name, bytes, &ReadOptions::default(), PREVIEW_ROWS, &Limits::default())
}

fn lines(name: &str) -> Result<Vec<String>, FileError> {
    let (mut source, mut lines) = (open(name)?, Vec::new());
    source.rows(&mut |row| {
        lines.push(row.cells().map(|(_, text)| text).collect::<Vec<_>>().join("|"));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(lines)
}

/// Returns the problems of a file's rows with the suggested mapping.
fn problems(name: &str) -> Vec<(u64, String, String)> {
    let mut source = open(name).unwrap();
    let mut checker = suggested_checker(&source, &Limits::default()).unwrap();
    let mut found = Vec::new();
    source
        .rows(&mut |row| {
            if let Outcome::Failed(findings) = checker.check_row(row)? {
                let findings = findings.to_vec();
                let problems = checker.problems(row.number, &findings);
                found.extend(problems.into_iter().map(|problem| (problem.row, problem.file_column, problem.message)));
            }
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    found
}

#[test]
fn reads_workbooks_of_other_programs_and_of_excel_95() {
    // LibreOffice shows no texts if the declared number of shared strings is 0, but they exist.
    for name in [
        "capitals.xls",
        "count-zero.xls",
        "embedded.xls",
        "empty-continue.xls",
        "excel-95.xls",
        "excel-95-bare.xls",
        "formulas-0406.xls",
        "formats.ods",
        "white-space.ods",
        "without-mimetype.ods",
    ] {
        assert_eq!(
            lines(&format!("foreign-{name}")),
            Ok([HEADER, FIRST, SECOND].map(str::to_owned).to_vec()),
            "{name}"
        );
    }
    let polish = FIRST.replace("Åsa Öberg", "Łukasz Żak");
    assert_eq!(lines("foreign-excel-95-polish.xls"), Ok(vec![HEADER.into(), polish, SECOND.into()]));
    let short = |line: &str| line.split('|').take(3).collect::<Vec<_>>().join("|");
    assert_eq!(lines("foreign-disorder.xls"), Ok([HEADER, FIRST, SECOND].map(short).to_vec()));
    let last = ["#N/A|#DIV/0!|#UNREADABLE!", "Cesar Dahl|cesar@example.se|08-98 76 54|00007"];
    let all = [&[HEADER, FIRST, SECOND][..], &last].concat();
    assert_eq!(lines("foreign-formats.xlsb"), Ok(all.into_iter().map(str::to_owned).collect()));
}

#[test]
fn opens_workbooks_with_the_default_password_of_excel() {
    for name in ["velvet-97.xls", "velvet-2003.xls", "velvet-xor.xls", "excel-95-velvet.xls"] {
        assert_eq!(
            lines(&format!("foreign-{name}")),
            Ok([HEADER, FIRST, SECOND].map(str::to_owned).to_vec()),
            "{name}"
        );
    }
    for name in ["password-2003.xls", "password-xor.xls", "password.ods"] {
        assert_eq!(lines(&format!("foreign-{name}")), Err(FileError::PasswordProtected), "{name}");
    }
}

#[test]
fn reports_an_unreadable_cell_as_a_problem_of_its_row() {
    let sentence = text::CELL_UNREADABLE.as_str();
    for (name, row) in [("foreign-text-beyond.xls", 3), ("foreign-formats.xlsb", 4)] {
        assert_eq!(problems(name), [(row, "Telefon".to_owned(), sentence.to_owned())], "{name}");
    }
}

#[test]
fn error_names_the_version_of_an_old_workbook() {
    for version in 2..=4 {
        let error = lines(&format!("foreign-excel-{version}.xls")).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("This is a workbook of Excel {version}, which can't be imported.")),
            "{error}"
        );
    }
}

#[test]
fn v1_rejects_a_small_ods_that_expands_to_a_million_rows() {
    assert_eq!(lines("foreign-equal-rows-3.ods").map(|lines| lines.len()), Ok(4));
    for (name, row) in [("foreign-equal-rows-1048575.ods", 2), ("foreign-equal-columns.ods", 4)] {
        let size = std::fs::metadata(folder().join(name)).unwrap().len();
        assert_eq!((size < 1_500, lines(name)), (true, Err(FileError::TooManyRepeats { row })), "{name}");
    }
}
