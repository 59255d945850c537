//! Beside calamine, which reads the same files in its own way.

use crate::dice::Dice;
use crate::made::seen;
use forecourt_core::import::book::Book;
use forecourt_core::import::{FileError, FileKind, Limits, RowBuffer, fallback, xls};
use std::path::Path;

type Rows = Result<Vec<(u64, String)>, FileError>;

fn rows(book: &mut dyn Book, sheet: usize) -> Rows {
    book.start(sheet)?;
    let (mut rows, mut row) = (Vec::new(), RowBuffer::default());
    while book.next(&mut row)? {
        if !row.row().is_blank() {
            rows.push((row.number(), seen(&row)));
        }
    }
    Ok(rows)
}

fn all(book: Result<Box<dyn Book>, FileError>) -> Result<Vec<(String, bool, Rows)>, FileError> {
    let mut book = book?;
    let heads = book.sheets().to_vec();
    Ok(heads.into_iter().enumerate().map(|(at, head)| (head.name, head.hidden, rows(&mut *book, at))).collect())
}

/// Both readers come to the same; gives how many rows. What ours hands on or calamine stumbles over isn't compared.
fn compare(name: &str, bytes: Vec<u8>) -> usize {
    let limits = Limits::default();
    let ours = all(xls::open(Box::new(bytes.clone()), &limits));
    let theirs = all(fallback::open(bytes, FileKind::Xls, &limits));
    let (ours, theirs) = match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Err(FileError::NeedsFallback), _) | (_, Err(_)) => return 0,
        (Err(error), Ok(_)) => panic!("{name}: {error:?}"),
    };
    assert_eq!(ours.len(), theirs.len(), "{name}");
    let mut count = 0;
    for (ours, theirs) in ours.into_iter().zip(theirs) {
        assert_eq!((&ours.0, ours.1), (&theirs.0, theirs.1), "{name}");
        assert_eq!(ours.2, theirs.2, "{name}");
        count += ours.2.map_or(0, |rows| rows.len());
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
fn the_samples_are_read_as_calamine_reads_them() {
    let counts: Vec<_> = samples().map(|(name, bytes)| (compare(&name, bytes), name)).collect();
    for writer in ["xlwt-", "libreoffice-", "sheetjs-", "kontakte-"] {
        let rows: usize = counts.iter().filter(|(_, name)| name.starts_with(writer)).map(|(count, _)| count).sum();
        assert!(rows > 2, "{writer}");
    }
}

#[test]
fn samples_with_bytes_changed_end_in_rows_or_in_an_error() {
    let mut dice = Dice(0x5EED);
    for (_, whole) in samples().filter(|(name, whole)| !name.starts_with("hostile-") && whole.len() < 60_000) {
        for _ in 0..60 {
            let mut bytes = whole.clone();
            for _ in 0..=dice.below(8) {
                let at = dice.below(bytes.len());
                bytes[at] = dice.below(256) as u8;
            }
            let Ok(mut book) = xls::open(Box::new(bytes), &Limits::default()) else { continue };
            for sheet in 0..book.sheets().len() {
                let _ = book.sample(sheet, 50);
                let last = rows(&mut *book, sheet).unwrap_or_default();
                assert!(last.is_sorted_by(|a, b| a.0 < b.0));
            }
        }
    }
}
