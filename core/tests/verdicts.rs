//! What every sample file comes to, written down in `verdicts.json`: what it is taken for, its verdict with the columns as
//! they are matched, and its first problems; or the sentence that refuses it. The browser's reading of the same files is
//! held against the same page, so that a file which is read differently there is found.
//!
//! The page is an object by the files' names. A file that is read has `head` (the wire's `FileHead`), `verdict` (the wire's
//! `Verdict`), `kinds` (`column`, `count`, `message`, as they were met) and `problems` (`row`, `column`, `value`, `message`,
//! the first 50 in the order of the rows); columns are places in `head.fileColumns`, absent where the row as a whole is
//! meant. A file that isn't read has `refused`, its sentence; with `head` beside it where the columns as they are matched
//! can't be imported, since none is the name.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use forecourt_core::import::{
    Checker, ColumnMapping, FileCheck, FileError, FileHead, Limits, PREVIEW_ROWS, Patches, Plan, ReadOptions, Source,
    Verdict,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// How many problems of a file are written down.
const PROBLEMS: u32 = 50;

#[derive(Serialize)]
struct Outcome {
    head: FileHead,
    verdict: Verdict,
    kinds: Vec<Kind>,
    problems: Vec<Problem>,
}

#[derive(Serialize)]
struct Kind {
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    count: u64,
    message: String,
}

#[derive(Serialize)]
struct Problem {
    row: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    value: String,
    message: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Read(Box<Outcome>),
    Refused {
        #[serde(skip_serializing_if = "Option::is_none")]
        head: Option<Box<FileHead>>,
        refused: String,
    },
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn outcome(name: &str, bytes: Vec<u8>) -> Result<Line, FileError> {
    let limits = Limits::default();
    let mut source = Source::open(name, bytes, &ReadOptions::default(), PREVIEW_ROWS, &limits)?;
    let head = source.head().clone();
    let as_matched: Vec<ColumnMapping> = head
        .matches
        .iter()
        .map(|m| ColumnMapping { file_column: m.file_column.clone(), model_column: m.model_column.as_str().into() })
        .collect();
    let plan = match Plan::new(&head.file_columns, &as_matched) {
        Ok(plan) => plan,
        Err(errors) => return Ok(Line::Refused { head: Some(Box::new(head)), refused: errors[0].message.clone() }),
    };
    let mut examination = FileCheck::new(Checker::new(source.layout().clone(), plan, Patches::default(), &limits));
    source.rows(&mut |row| examination.row(row).map(ControlFlow::Continue))?;
    let found = examination.problems();
    let place = |column: u32| (column != u32::MAX).then_some(column);
    let kinds: Vec<Kind> = found
        .kinds()
        .iter()
        .map(|kind| Kind { column: place(kind.column), count: kind.count, message: kind.message.clone() })
        .collect();
    let problems = found
        .window(None, 0, PROBLEMS)
        .map(|problem| {
            let Kind { column, message, .. } = &kinds[problem.kind as usize];
            Problem { row: problem.row, column: *column, value: problem.value.to_owned(), message: message.clone() }
        })
        .collect();
    Ok(Line::Read(Box::new(Outcome { head, verdict: examination.verdict(), kinds, problems })))
}

fn verdicts() -> String {
    let mut lines = BTreeMap::new();
    for file in std::fs::read_dir(tests().join("files")).unwrap() {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        let is_sample = [".csv", ".xlsx", ".xls", ".xlsb", ".ods"].iter().any(|ending| name.ends_with(ending));
        if is_sample {
            let refused = |error: FileError| Line::Refused { head: None, refused: error.to_string() };
            let line = outcome(&name, std::fs::read(file.path()).unwrap()).unwrap_or_else(refused);
            lines.insert(name, line);
        }
    }
    serde_json::to_string_pretty(&lines).unwrap() + "\n"
}

#[test]
fn every_sample_comes_to_the_verdict_that_is_written_down() {
    let written = std::fs::read_to_string(tests().join("verdicts.json")).unwrap();
    let now = verdicts();
    if now != written {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verdicts.json");
        std::fs::write(&place, now).unwrap();
        panic!("a sample is read differently than before; if that is meant, take over {}", place.display());
    }
}
