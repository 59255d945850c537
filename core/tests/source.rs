//! A file from its opening to its last row: by the sheet that a person chose, as far as somebody wants it, and when it
//! changes on the way.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use forecourt_core::import::{Blob, FileError, Limits, PREVIEW_ROWS, ReadOptions, Source};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

/// One of each kind, and a text that isn't UTF-8.
const SAMPLES: [&str; 5] =
    ["csv-plain.csv", "csv-windows-1252.csv", "kontakter.xlsx", "kontakte-97.xls", "libreoffice-oddities.ods"];

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)).unwrap()
}

/// Gives how many rows there are, of so many at most.
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
fn a_sheet_is_chosen_by_its_name() {
    let chosen = |sheet: &str| {
        let options = ReadOptions { sheet: Some(sheet.into()), header: Some(0), ..ReadOptions::default() };
        let (name, limits) = ("openpyxl-oddities.xlsx", Limits::default());
        let source = Source::open(name, bytes(name), &options, PREVIEW_ROWS, &limits)?;
        Ok((source.head().sheet.clone().unwrap_or_default(), source.head().preview[0][0].clone()))
    };
    assert_eq!(chosen("Listor"), Ok(("Listor".into(), "Hidden".into())));
    assert_eq!(chosen("Kontakter").map(|(sheet, _)| sheet), Ok("Kontakter".into()));
    assert_eq!(chosen("Nobody's"), Err(FileError::NoSuchSheet));
}

#[test]
fn no_row_is_given_behind_the_one_at_which_somebody_stops() {
    for name in SAMPLES {
        let all = read(name, bytes(name), usize::MAX).unwrap();
        assert!(all > 2, "{name}: {all}");
        assert_eq!(read(name, bytes(name), 2), Ok(2), "{name}");
    }
}

/// A file that can be read so many times; then its disk is gone, or nothing is left of it.
struct Changing {
    bytes: Vec<u8>,
    left: usize,
    is_gone: bool,
}

impl Blob for Changing {
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
fn a_file_that_changes_while_it_is_read_is_refused_wherever_that_shows() {
    for name in SAMPLES {
        let all = read(name, bytes(name), usize::MAX);
        for is_gone in [true, false] {
            let mut refusals = 0;
            loop {
                let blob = Changing { bytes: bytes(name), left: refusals, is_gone };
                match read(name, blob, usize::MAX) {
                    Err(FileError::Unreadable) => {}
                    // A workbook that ends looks as one that was cut off, and a file whose start is missing as an empty one.
                    Err(FileError::BrokenWorkbook) if !is_gone && !name.ends_with(".csv") => {}
                    Err(FileError::Empty) if !is_gone && refusals == 0 => {}
                    outcome => break assert_eq!(outcome, all, "{name} after {refusals}"),
                }
                refusals += 1;
            }
            assert!(refusals >= 2, "{name}: {refusals}");
        }
    }
}
