//! What every sample file comes to, written down in `verdicts.json`. The tests of the package `wasm/import` hold the
//! browser's reading of the same files against the same page, so that a file which is read differently there is found.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use forecourt_core::import::{
    Checker, ColumnMapping, FileError, FileHead, Limits, PREVIEW_ROWS, Plan, RowProblem, Source, Verdict,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// What a file comes to with the columns as they are matched.
#[derive(Serialize)]
struct Outcome {
    head: FileHead,
    verdict: Verdict,
    problems: Vec<RowProblem>,
}

/// An outcome, or the sentence that refuses the file.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Read(Box<Outcome>),
    Refused { refused: String },
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn outcome(name: &str, bytes: Vec<u8>) -> Result<Outcome, FileError> {
    let mut source = Source::open(name, bytes, &Limits::default())?;
    let head = source.head(PREVIEW_ROWS);
    let mapping: Vec<ColumnMapping> = head
        .matches
        .iter()
        .map(|m| ColumnMapping { file_column: m.file_column.clone(), model_column: m.model_column.as_str().into() })
        .collect();
    let mut checker = Checker::new(Plan::new(&head.file_columns, &mapping).unwrap());
    let mut problems = Vec::new();
    source.rows(|row| {
        problems.extend(checker.row(row).err().unwrap_or_default());
        ControlFlow::Continue(())
    })?;
    Ok(Outcome { head, verdict: checker.verdict(), problems })
}

fn verdicts() -> String {
    let mut lines = BTreeMap::new();
    for file in std::fs::read_dir(tests().join("files")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        if [".csv", ".xlsx", ".xls"].iter().any(|ending| name.ends_with(ending)) {
            let bytes = std::fs::read(tests().join("files").join(&name)).unwrap();
            let line = match outcome(&name, bytes) {
                Ok(outcome) => Line::Read(Box::new(outcome)),
                Err(error) => Line::Refused { refused: error.to_string() },
            };
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
