//! Files from opening to the last row: chosen sheets, stopping early, and files that change meanwhile.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use forecourt_core::import::{Blob, FileError, Limits, Linked, PREVIEW_ROWS, ReadOptions, Source, Step};
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
fn passes_no_row_on_after_the_callback_stops() {
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

/// A long text whose beginning is ASCII, and whose end isn't UTF-8.
fn late_windows_1252() -> Vec<u8> {
    [b"Namn,Ort\n".to_vec(), b"Ada,Lund\n".repeat(60_000), b"Bj\xF6rn,Malm\xF6\n\xC5sa,V\xE4xj\xF6\n".to_vec()].concat()
}

#[test]
fn detects_an_encoding_that_only_the_end_of_a_text_shows() {
    let (options, limits) = (ReadOptions::default(), Limits::default());
    let source = Source::open("a.csv", late_windows_1252(), &options, PREVIEW_ROWS, &limits).unwrap();
    assert_eq!(source.head().encoding.as_deref(), Some("windows-1252"));

    // In steps, the head is there at once, and the encoding is corrected later.
    let open = |libraries| Source::open_head("a.csv", late_windows_1252(), libraries, &options, PREVIEW_ROWS, &limits);
    let mut last = String::new();
    let mut read = |source: &mut Source| loop {
        let step = source.step(&mut |row| {
            last = row.cells().map(|(_, text)| text).collect::<Vec<_>>().join("|");
            Ok(ControlFlow::Continue(()))
        });
        if step != Ok(Step::More) {
            break step;
        }
    };
    let mut late = open(Some(&Linked)).unwrap();
    assert_eq!(late.head().encoding.as_deref(), Some("UTF-8"));
    assert_eq!(read(&mut late), Ok(Step::Reread));
    assert_eq!(late.head(), source.head());
    assert_eq!(read(&mut open(None).unwrap()), Err(FileError::NeedsFallback));
    assert_eq!(read(&mut late), Ok(Step::End));
    assert_eq!(last, "Åsa|Växjö");
}
