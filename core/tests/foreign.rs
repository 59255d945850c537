//! The samples that `make/foreign.py` makes: workbooks as other programs write them, as Excel 5 and 95 did, and as Excel
//! opens them without asking for a password. Each is read as Excel and LibreOffice show it, or refused with a true sentence.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use forecourt_core::import::{
    Checker, ColumnMapping, FileError, Limits, Outcome, PREVIEW_ROWS, Patches, Plan, ReadOptions, Source,
};
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

/// The problems of a file's rows, its columns mapped as they match.
fn problems(name: &str) -> Vec<(u64, String, String)> {
    let mut source = open(name).unwrap();
    let matches = &source.head().matches;
    let mapping = matches
        .iter()
        .map(|m| ColumnMapping { file_column: m.file_column.clone(), model_column: m.model_column.as_str().into() });
    let plan = Plan::new(&source.head().file_columns, &mapping.collect::<Vec<_>>()).unwrap();
    let mut checker = Checker::new(source.layout().clone(), plan, Patches::default(), &Limits::default());
    let mut found = Vec::new();
    source
        .rows(&mut |row| {
            if let Outcome::Failed(findings) = checker.row(row)? {
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
fn reads_every_sample_of_other_programs_alike() {
    // LibreOffice shows no text of a workbook whose shared strings are counted as none; they are there.
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
fn opens_workbooks_with_the_password_that_excel_tries_by_itself() {
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
fn says_so_in_the_row_where_a_cell_cannot_be_read() {
    let sentence = "The value of this cell can't be read. Type it here, or leave the cell empty.";
    for (name, row) in [("foreign-text-beyond.xls", 3), ("foreign-formats.xlsb", 4)] {
        assert_eq!(problems(name), [(row, "Telefon".to_owned(), sentence.to_owned())], "{name}");
    }
}

#[test]
fn says_what_an_old_workbook_is() {
    for version in 2..=4 {
        let refused = lines(&format!("foreign-excel-{version}.xls")).unwrap_err().to_string();
        assert!(
            refused.starts_with(&format!("This is a workbook of Excel {version}, which can't be imported.")),
            "{refused}"
        );
    }
}

#[test]
fn v1_rejects_a_small_ods_that_stands_for_a_million_rows() {
    assert_eq!(lines("foreign-equal-rows-3.ods").map(|lines| lines.len()), Ok(4));
    for (name, row) in [("foreign-equal-rows-1048575.ods", 2), ("foreign-equal-columns.ods", 4)] {
        let size = std::fs::metadata(folder().join(name)).unwrap().len();
        assert_eq!((size < 1_500, lines(name)), (true, Err(FileError::TooManyRepeats { row })), "{name}");
    }
}
