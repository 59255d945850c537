//! Files from opening to the last row: chosen sheets, stopping early, and files that change meanwhile.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use forecourt_core::import::{Blob, FileError, Limits, PREVIEW_ROWS, ReadOptions, Source};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

/// One file of each format, and a text that isn't UTF-8.
const SAMPLES: [&str; 5] =
    ["csv-plain.csv", "csv-windows-1252.csv", "kontakter.xlsx", "kontakte-97.xls", "libreoffice-oddities.ods"];

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)).unwrap()
}

/// Returns the number of rows, at most `max`.
fn read(name: &str, blob: impl Blob + 'static, max: usize) -> Result<usize, FileError> {
    let mut source = Source::open(name, blob, &ReadOptions::default(), PREVIEW_ROWS, &Limits::default())?;
    let mut count = 0;
    source.rows(&mut |_| {
        count += 1;
        Ok(if count == max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(count)
}

#[test]
fn chooses_a_sheet_by_its_name() {
    let chosen = |sheet: &str| {
        let options = ReadOptions { sheet: Some(sheet.into()), header: Some(0), ..ReadOptions::default() };
        let (name, limits) = ("openpyxl-oddities.xlsx", Limits::default());
        let source = Source::open(name, bytes(name), &options, PREVIEW_ROWS, &limits)?;
        Ok((source.head().sheet.clone().unwrap_or_default(), source.head().preview[0][0].clone()))
    };
    assert_eq!(chosen("Listor"), Ok(("Listor".into(), "Hidden".into())));
    assert_eq!(chosen("Kontakter").map(|(sheet, _)| sheet), Ok("Kontakter".into()));
    assert_eq!(chosen("Missing"), Err(FileError::NoSuchSheet));
}

#[test]
fn returns_no_row_after_a_break() {
    for name in SAMPLES {
        let all = read(name, bytes(name), usize::MAX).unwrap();
        assert!(all > 2, "{name}: {all}");
        assert_eq!(read(name, bytes(name), 2), Ok(2), "{name}");
    }
}

/// A file that fails, or becomes empty, after a number of reads.
struct ChangingFile {
    bytes: Vec<u8>,
    left: usize,
    is_gone: bool,
}

impl Blob for ChangingFile {
    fn size(&self) -> u64 {
        self.bytes.size()
    }
    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None if self.is_gone => return Err(io::Error::other("gone")),
            None => return Ok(0),
        }
        self.bytes.read_at(offset, into)
    }
}

#[test]
fn rejects_a_file_that_changes_while_it_is_read() {
    for name in SAMPLES {
        let all = read(name, bytes(name), usize::MAX);
        for is_gone in [true, false] {
            let mut reads = 0;
            loop {
                let blob = ChangingFile { bytes: bytes(name), left: reads, is_gone };
                match read(name, blob, usize::MAX) {
                    Err(FileError::Unreadable) => {}
                    // A truncated workbook looks damaged, and a file without its start looks empty.
                    Err(FileError::BrokenWorkbook) if !is_gone && !name.ends_with(".csv") => {}
                    Err(FileError::Empty) if !is_gone && reads == 0 => {}
                    outcome => break assert_eq!(outcome, all, "{name} after {reads} reads"),
                }
                reads += 1;
            }
            assert!(reads >= 2, "{name}: {reads}");
        }
    }
}
