//! Compares the verdict on every sample file with `verdicts.json`: its detected format, its verdict with the suggested
//! mapping, and its first problems, or the message of its error. The browser's reader is compared with the same file,
//! so any difference between the two is found.
//!
//! The JSON is an object by file name. A file that can be read has `head` (`FileHead`), `verdict` (`Verdict`), `kinds`
//! (`column`, `count` and `message`, in the order of their first problems) and `problems` (`row`, `column`, `value` and
//! `message` of the first 50). Columns are indexes into `head.fileColumns`, absent if the problem concerns the whole
//! row. A file that can't be read has `refused` with its message, and also `head` if only the suggested mapping is
//! invalid because no column is the name.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod checker;

use checker::suggested_checker;
use forecourt_core::import::{FileCheck, FileError, FileHead, Limits, PREVIEW_ROWS, ReadOptions, Source, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The number of problems per file in the JSON.
const MAX_PROBLEMS: u32 = 50;

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
    let checker = match suggested_checker(&source, &limits) {
        Ok(checker) => checker,
        Err(errors) => return Ok(Line::Refused { head: Some(Box::new(head)), refused: errors[0].message.to_string() }),
    };
    let mut check = FileCheck::new(checker);
    source.rows(&mut |row| check.check_row(row).map(ControlFlow::Continue))?;
    let problems = check.problems();
    let index = |column: u32| (column != u32::MAX).then_some(column);
    let kinds: Vec<Kind> = problems
        .kinds()
        .iter()
        .map(|kind| Kind { column: index(kind.column), count: kind.count, message: kind.message.to_string() })
        .collect();
    let problems = problems
        .window(None, 0, MAX_PROBLEMS)
        .map(|problem| {
            let Kind { column, message, .. } = &kinds[problem.kind as usize];
            Problem { row: problem.row, column: *column, value: problem.value.to_owned(), message: message.clone() }
        })
        .collect();
    Ok(Line::Read(Box::new(Outcome { head, verdict: check.verdict(), kinds, problems })))
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
fn every_sample_has_its_recorded_verdict() {
    let recorded = std::fs::read_to_string(tests().join("verdicts.json")).unwrap();
    let actual = verdicts();
    if actual != recorded {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verdicts.json");
        std::fs::write(&path, actual).unwrap();
        panic!("a sample is read differently than before; if that is intended, commit {}", path.display());
    }
}
