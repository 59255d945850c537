//! Malicious files and files with a wrong extension: each quickly yields an error message or correct rows.
#![cfg(feature = "files")]

mod cpu_time;
mod random;

use cpu_time::cpu_time;
use forecourt_core::import::{FileError, Limits, PREVIEW_ROWS, ReadOptions, Source};
use random::Xorshift;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

/// In CPU time.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Reads a whole file within the time limit, and returns its number of rows.
fn read(name: &str, bytes: Vec<u8>) -> Result<u64, FileError> {
    let start = cpu_time();
    let mut count = 0;
    let read = || {
        let mut source = Source::open(name, bytes, &ReadOptions::default(), PREVIEW_ROWS, &Limits::default())?;
        source.rows(&mut |_| {
            count += 1;
            Ok(ControlFlow::Continue(()))
        })
    };
    let outcome = read();
    let took = cpu_time() - start;
    assert!(took < TIME_LIMIT, "{name} took {took:?}");
    if let Err(error) = &outcome {
        let sentence = error.to_string();
        assert!(sentence.ends_with('.') && sentence.len() > 40, "{name}: {sentence}");
    }
    outcome.map(|()| count)
}

#[test]
fn every_sample_quickly_yields_rows_or_a_message() {
    for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")).unwrap() {
        let file = file.unwrap();
        if file.file_type().unwrap().is_file() {
            let _ = read(&file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap());
        }
    }
}

#[test]
fn a_wrong_extension_never_causes_a_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    for sample in ["kontakter.xlsx", "kontakte-97.xls", "libreoffice-oddities.ods", "csv-plain.csv", "noise.csv"] {
        let bytes = std::fs::read(folder.join(sample)).unwrap();
        for ending in ["csv", "xlsx", "xls", "xlsb", "ods", "txt", "pdf", ""] {
            let _ = read(&format!("file.{ending}"), bytes.clone());
        }
    }
}

#[test]
fn error_for_an_unclosed_quote_names_its_row() {
    let text = format!("Name,Note\nAda,\"{}", "no end, \n".repeat(10_000_000));
    assert_eq!(read("a.csv", text.into_bytes()), Err(FileError::RecordTooLong { row: 2, max: 1 << 20 }));
}

#[test]
fn rejects_a_million_columns() {
    let text = format!("{}\n{}\n", "n,".repeat(1_000_000), "v,".repeat(1_000_000));
    assert!(read("a.csv", text.into_bytes()).is_err());
}

#[test]
fn reads_a_row_of_a_million_empty_cells() {
    let text = format!("Name,Town\nAda,Lund\n{}\n", ",".repeat(1_000_000));
    assert_eq!(read("a.csv", text.into_bytes()), Ok(2));
}

#[test]
fn detects_the_encoding_by_a_late_non_ascii_letter() {
    let mut bytes = b"Name;Town\n".to_vec();
    for _ in 0..100_000 {
        bytes.extend_from_slice(b"Ada Byron;London\n");
    }
    bytes.extend_from_slice(b"\xC5sa \xD6berg;Malm\xF6\n");
    let mut source = Source::open("a.csv", bytes, &ReadOptions::default(), PREVIEW_ROWS, &Limits::default()).unwrap();
    assert_eq!(source.head().encoding.as_deref(), Some("windows-1252"));
    let mut last = String::new();
    let read = source.rows(&mut |row| {
        last = row.cells().map(|(_, text)| text).collect::<Vec<_>>().join(" ");
        Ok(ControlFlow::Continue(()))
    });
    assert_eq!((read, last.as_str()), (Ok(()), "Åsa Öberg Malmö"));
}

#[test]
fn randomly_changed_samples_yield_rows_or_a_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut noise = Xorshift(0x9E37_79B9_7F4A_7C15);
    for sample in ["kontakte-97.xls", "xlwt-oddities.xls", "sheetjs-biff5.xls", "libreoffice-oddities.ods"] {
        let whole = std::fs::read(folder.join(sample)).unwrap();
        for _ in 0..100 {
            let mut bytes = whole.clone();
            for _ in 0..=noise.below(8) {
                let at = noise.below(bytes.len());
                bytes[at] = noise.below(256) as u8;
            }
            let _ = read(sample, bytes);
        }
    }
}
