//! Compares the CSV scanner with the `csv` crate, for text in pieces of any size.
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use forecourt_core::import::csv::Scanner;
use forecourt_core::import::{FileError, Limits, RawRow};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// A row's number, and its non-empty cells with their columns.
type ScannedRow = (u64, Vec<(usize, String)>);

fn scanned_row(row: RawRow<'_>) -> ScannedRow {
    (row.number, row.cells().map(|(column, text)| (column, text.to_owned())).collect())
}

/// Scans the pieces one by one. Returns the rows, the error that stopped the scanner, and whether the text was damaged.
fn scan<'a>(
    mut scanner: Scanner,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<ScannedRow>, Result<(), FileError>, bool) {
    let mut rows = Vec::new();
    let mut each = |row: RawRow<'_>| {
        rows.push(scanned_row(row));
        Ok(ControlFlow::Continue(()))
    };
    let mut pieces = pieces.into_iter().peekable();
    let mut end = Ok(());
    while let (Some(piece), Ok(())) = (pieces.next(), &end) {
        end = scanner.push(piece, pieces.peek().is_none(), &mut each).map(|_| ());
    }
    (rows, end, scanner.is_damaged())
}

fn certain_scanner(delimiter: u8) -> Scanner {
    Scanner::new(delimiter, false, true, &Limits::default())
}

fn rows(text: impl AsRef<[u8]>) -> Vec<ScannedRow> {
    let (rows, end, _) = scan(certain_scanner(b','), [text.as_ref()]);
    assert_eq!(end, Ok(()));
    rows
}

fn numbers(text: &str) -> Vec<u64> {
    rows(text).iter().map(|(number, _)| *number).collect()
}

fn texts(text: impl AsRef<[u8]>) -> Vec<Vec<String>> {
    rows(text).into_iter().map(|(_, cells)| cells.into_iter().map(|(_, text)| text).collect()).collect()
}

fn error(text: &[u8], is_certain: bool, limits: Limits) -> Option<FileError> {
    scan(Scanner::new(b',', false, is_certain, &limits), [text]).1.err()
}

/// Parses a text with the `csv` crate and returns the non-empty cells of every record. The crate skips blank lines, and
/// accepts a missing closing quote.
fn parse_with_csv_crate(text: &str, delimiter: u8) -> Vec<Vec<(usize, String)>> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let cells = |record: csv::StringRecord| {
        let cells = record.iter().map(|text| text.replace('\0', "")).enumerate();
        cells.filter(|(_, text)| !text.is_empty()).collect::<Vec<_>>()
    };
    let is_filled = |cells: &Vec<(usize, String)>| cells.iter().any(|(_, text)| !text.trim().is_empty());
    reader.into_records().map(|record| cells(record.unwrap())).filter(is_filled).collect()
}

fn delimiter() -> impl Strategy<Value = u8> {
    proptest::sample::select(vec![b',', b';', b'\t', b'|'])
}

/// Well-formed text, or text with quotes and line ends anywhere.
fn text() -> impl Strategy<Value = (u8, String)> {
    let wild = "([ab]|[å漢 =,;|\t\"\r\n\u{0}\u{B}]|\"\"|\r\n){0,60}";
    let tidy = |delimiter: u8| {
        let cell = "[abå漢 ,;|\t\"\r\n]{0,6}|[a-z]{60,70}";
        let table = (1_usize..6)
            .prop_flat_map(move |columns| proptest::collection::vec(proptest::collection::vec(cell, columns), 0..9));
        (table, any::<bool>()).prop_map(move |(table, crlf)| {
            let end = if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
            let mut writer = csv::WriterBuilder::new().delimiter(delimiter).terminator(end).from_writer(Vec::new());
            table.iter().for_each(|row| writer.write_record(row).unwrap());
            String::from_utf8(writer.into_inner().unwrap()).unwrap()
        })
    };
    delimiter()
        .prop_flat_map(move |delimiter| (Just(delimiter), prop_oneof![wild.prop_map(String::from), tidy(delimiter)]))
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::sample::select(vec!["a", "å", "漢", "😀", ",", "\"", "\r", "\n", "\0", " "])
            .prop_map(|s| s.as_bytes().to_vec()),
        proptest::sample::select(vec![0xC3_u8, 0xA5, 0xE6, 0xF0, 0x9F, 0xFF, 0xE9]).prop_map(|byte| vec![byte]),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn agrees_with_the_csv_crate((delimiter, text) in text(), size in 1_usize..90) {
        let expected = parse_with_csv_crate(&text, delimiter);
        let (rows, end, damaged) = scan(certain_scanner(delimiter), text.as_bytes().chunks(size));
        let cells: Vec<_> = rows.into_iter().map(|(_, cells)| cells).collect();
        match end {
            Ok(()) => prop_assert_eq!(cells, expected),
            Err(end) => {
                prop_assert!(matches!(end, FileError::Truncated { .. }), "{:?}", end);
                prop_assert!(text.contains('"'));
                prop_assert_eq!(&cells[..], &expected[..cells.len()]);
            }
        }
        prop_assert!(!damaged);
    }

    #[test]
    fn result_does_not_depend_on_the_pieces(
        bytes in bytes(),
        size in 1_usize..20,
        is_certain: bool,
        has_separator_line: bool,
        record_bytes in 8_usize..80,
        cell_chars in 2_usize..20,
    ) {
        let limits = Limits { record_bytes, cell_chars, ..Limits::default() };
        let scanner = || Scanner::new(b',', has_separator_line, is_certain, &limits);
        let whole = scan(scanner(), [&bytes[..]]);
        prop_assert_eq!(&scan(scanner(), bytes.chunks(size)), &whole);
        prop_assert_eq!(&scan(scanner(), bytes.chunks(size).chain([&b""[..]])), &whole);
    }

    #[test]
    fn replaces_invalid_bytes_like_std(bytes in bytes()) {
        let text = String::from_utf8_lossy(&bytes);
        let (rows, end, damaged) = scan(certain_scanner(b','), [&bytes[..]]);
        let (decoded_rows, decoded_end, _) = scan(certain_scanner(b','), [text.as_bytes()]);
        prop_assert_eq!((rows, end), (decoded_rows, decoded_end));
        prop_assert!(!damaged || std::str::from_utf8(&bytes).is_err());
    }
}

#[test]
fn row_numbers_count_blank_rows_with_every_line_end() {
    assert_eq!(numbers("a,b\n1,2\n\n\n3,4\n"), [1, 2, 5]);
    assert_eq!(numbers("\r\n\r\na,b\r\n1,2\r\n\r\n3,4"), [3, 4, 6]);
    assert_eq!(numbers("a,b\r1,2\r\r3,4\r"), [1, 2, 4]);
    assert_eq!(numbers("a,b\n\"1\n1\",2\n,\n3,4\n"), [1, 2, 4]);
    let (rows, ..) = scan(Scanner::new(b',', true, true, &Limits::default()), [&b"sep=,\r\na,b\r\n1,2"[..]]);
    assert_eq!(rows.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn falls_back_to_comma_for_an_impossible_delimiter() {
    let (rows, ..) = scan(certain_scanner(0xA7), ["a§b\nå,c".as_bytes()]);
    assert_eq!(rows, [(1, vec![(0, "a§b".to_owned())]), (2, vec![(0, "å".to_owned()), (1, "c".to_owned())])]);
}

#[test]
fn removes_zero_characters_from_cells() {
    assert_eq!(rows("B\0o,\0,x\0\n\"\0\",\0\n"), [(1, vec![(0, "Bo".to_owned()), (2, "x".to_owned())])]);
}

#[test]
fn replaces_damaged_characters_of_utf_8() {
    let bytes = b"\xC3\x85sa,Malm\xF6\nBo,Lund\n";
    let (rows, end, damaged) = scan(certain_scanner(b','), [&bytes[..]]);
    assert_eq!((end, damaged), (Ok(()), true));
    assert_eq!(rows[0].1, [(0, "Åsa".to_owned()), (1, "Malm\u{FFFD}".to_owned())]);
}

#[test]
fn doubts_utf_8_with_more_invalid_sequences_than_valid_non_ascii_characters() {
    let other = Some(FileError::OtherEncoding);
    assert_eq!(error(b"Asa,Lund\nBj\xF6rn,Ystad\n", false, Limits::default()), other);
    assert_eq!(error(b"Asa,Lund\nBj\xF6rn,Ystad\n", true, Limits::default()), None);
    // Valid sequences before an invalid one count as evidence for UTF-8; those after it aren't known yet.
    assert_eq!(error(b"\xC3\x85sa\nBj\xF6rn\n", false, Limits::default()), None);
    assert_eq!(error(b"\xC3\x85sa\nBj\xF6rn\n\xC5ke\n", false, Limits::default()), other);
    assert_eq!(error(b"Bj\xF6rn\n\xC3\x85sa\n", false, Limits::default()), other);
}

#[test]
fn stops_after_a_break() {
    let mut count = 0;
    let mut each = |_: RawRow<'_>| {
        count += 1;
        Ok(if count == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    assert_eq!(certain_scanner(b',').push(b"a,b\n1,2\n3,4\n5,6\n", true, &mut each), Ok(ControlFlow::Break(())));
    assert_eq!(count, 2);
}

#[test]
fn errors_for_long_cells_name_row_and_column_and_for_long_rows_the_row() {
    let limits = Limits::default;
    let cell = Limits { cell_chars: 3, ..limits() };
    assert_eq!(error("a,b\n1,åäö\n".as_bytes(), true, cell), None);
    let too_long = |row, column| Some(FileError::CellTooLong { row, column, max: 3 });
    assert_eq!(error("a,b\n1,åäöx\n".as_bytes(), true, cell), too_long(2, 2));
    assert_eq!(error(b"a,b\n\"x\"\"yz\"\n", true, cell), too_long(2, 1));
    let record = Limits { record_bytes: 8, ..limits() };
    let long = Some(FileError::RecordTooLong { row: 2, max: 8 });
    assert_eq!(error(b"1234,678\n12345678", true, record), None);
    assert_eq!(error(b"a\n123456789\n", true, record), long);
    assert_eq!(error(b"a\n,,,,,,,,,\n", true, record), long);
    assert_eq!(error(b"a\n\"3,4\n5,6\n", true, record), long);
    assert_eq!(error(b"a\n\xFF\xFF\xFF\n", true, record), long);
}

#[test]
fn rejects_text_that_ends_inside_of_quotes() {
    assert_eq!(error(b"a\n\"3,4\n5,6\n", true, Limits::default()), Some(FileError::Truncated { row: 2 }));
    assert_eq!(error(b"a\nb\"c", true, Limits::default()), None);
    assert_eq!(texts("a\n\"b\"c\"\n\"d\"\"e\"\"\""), [["a"], ["bc\""], ["d\"e\""]]);
}
