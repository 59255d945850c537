//! Compares the streaming reader with the in-memory reader and with calamine.

use crate::builder::line_of;
use crate::random::Xorshift;
use crate::rows::filled_rows;
use calamine::{Data, Reader};
use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, FileKind, Limits, fallback, xls};
use std::collections::HashMap;
use std::io::Cursor;
use std::path::Path;

type Rows = Result<Vec<(u64, String)>, FileError>;

/// Returns each sheet's name, whether it is hidden, and its filled rows.
fn all_sheets(book: Result<Box<dyn Book>, FileError>) -> Result<Vec<(String, bool, Rows)>, FileError> {
    let mut book = book?;
    let heads = book.sheets().to_vec();
    Ok(heads
        .into_iter()
        .enumerate()
        .map(|(at, head)| (head.name, head.hidden, filled_rows(&mut *book, at, line_of)))
        .collect())
}

/// Asserts that the streaming and the in-memory reader agree on the sheets that both can read, and returns the number of
/// their rows.
fn compare(name: &str, bytes: &[u8]) -> usize {
    let limits = Limits::default();
    let streamed = all_sheets(xls::open(Box::new(bytes.to_vec()), &limits));
    let in_memory = all_sheets(fallback::open(bytes.to_vec(), FileKind::Xls, &limits));
    let (streamed, in_memory) = match (streamed, in_memory) {
        (Ok(streamed), Ok(in_memory)) => (streamed, in_memory),
        (Err(FileError::NeedsFallback), _) => return 0,
        (streamed, in_memory) => {
            assert_eq!(streamed.err(), in_memory.err(), "{name}");
            return 0;
        }
    };
    let mut count = 0;
    for (streamed, in_memory) in
        streamed.into_iter().zip(in_memory).filter(|(streamed, _)| streamed.2 != Err(FileError::NeedsFallback))
    {
        assert_eq!(streamed, in_memory, "{name}");
        count += streamed.2.map_or(0, |rows| rows.len());
    }
    count
}

/// Asserts that our reader finds the texts and booleans that calamine finds, and returns their number. Numbers, dates
/// and errors are not compared: calamine knows only the number formats of dates, and omits some errors.
fn compare_with_calamine(name: &str, bytes: Vec<u8>) -> usize {
    let read = || calamine::Xls::new(Cursor::new(bytes.clone())).ok();
    let Ok(Some(mut theirs)) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read)) else { return 0 };
    let Ok(ours) = all_sheets(xls::open(Box::new(bytes), &Limits::default())) else { return 0 };
    let mut count = 0;
    for (sheet, _, rows) in ours {
        let (Ok(rows), Ok(range)) = (rows, theirs.worksheet_range(&sheet)) else { continue };
        let rows: HashMap<u64, String> = rows.into_iter().collect();
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, value) in range.used_cells() {
            let text = match value {
                Data::String(text) if !text.is_empty() => text.replace('\0', ""),
                Data::Bool(truth) => truth.to_string().to_ascii_uppercase(),
                _ => continue,
            };
            let place = (u64::from(top) + row as u64 + 1, left as usize + column);
            let line = rows.get(&place.0).map_or("", String::as_str);
            assert!(format!("|{line}").contains(&format!("|{}={text}", place.1)), "{name} {place:?}: {text} in {line}");
            count += 1;
        }
    }
    count
}

fn samples() -> impl Iterator<Item = (String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let paths = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let named = paths.map(|path| (path.file_name().unwrap().display().to_string(), path));
    named.filter(|(name, _)| name.ends_with(".xls")).map(|(name, path)| (name, std::fs::read(path).unwrap()))
}

#[test]
fn all_readers_agree_on_the_samples() {
    let counts: Vec<_> = samples().map(|(name, bytes)| (compare(&name, &bytes), name)).collect();
    for prefix in ["xlwt-", "libreoffice-", "sheetjs-", "kontakte-", "foreign-"] {
        let rows: usize = counts.iter().filter(|(_, name)| name.starts_with(prefix)).map(|(count, _)| count).sum();
        assert!(rows > 2, "{prefix}");
    }
    // Not on these: calamine reads a workbook embedded in a file as the file itself, and omits cells whose shared
    // string is missing.
    let known = samples().filter(|(name, _)| !name.starts_with("foreign-") && !name.starts_with("hostile-"));
    let cells: usize = known.map(|(name, bytes)| compare_with_calamine(&name, bytes)).sum();
    assert!(cells > 100, "{cells}");
}

#[test]
fn randomly_changed_samples_yield_rows_or_an_error() {
    let mut random = Xorshift(0x5EED);
    for (_, whole) in samples().filter(|(name, whole)| !name.starts_with("hostile-") && whole.len() < 60_000) {
        for _ in 0..60 {
            let mut bytes = whole.clone();
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            let Ok(mut book) = xls::open(Box::new(bytes), &Limits::default()) else { continue };
            for sheet in 0..book.sheets().len() {
                let _ = book.sample(sheet, 50);
                let rows = filled_rows(&mut *book, sheet, line_of).unwrap_or_default();
                assert!(rows.is_sorted_by(|a, b| a.0 < b.0));
            }
        }
    }
}
