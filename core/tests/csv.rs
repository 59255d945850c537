//! Round trips of text files in Unicode and windows-1252 with the usual delimiters, and robustness against random bytes.
#![cfg(feature = "files")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use forecourt_core::import::{FileError, Limits, ReadOptions, Source};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// A row below the header, with a text for each column.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    number: u64,
    cells: Vec<String>,
}

fn read_within(name: &str, bytes: &[u8], limits: &Limits) -> Result<(Source, Vec<Row>), FileError> {
    // The choice of the header isn't tested here.
    read_by(ReadOptions { header: Some(1), ..ReadOptions::default() }, name, bytes, limits)
}

fn read_by(options: ReadOptions, name: &str, bytes: &[u8], limits: &Limits) -> Result<(Source, Vec<Row>), FileError> {
    let mut source = Source::open(name, bytes.to_vec(), &options, 5, limits)?;
    let layout = source.layout().clone();
    let mut rows = Vec::new();
    source.rows(&mut |row| {
        if row.number > layout.header() {
            rows.push(Row { number: row.number, cells: layout.cells(row) });
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((source, rows))
}

fn read(bytes: impl AsRef<[u8]>) -> Result<(Source, Vec<Row>), FileError> {
    read_within("a.csv", bytes.as_ref(), &Limits::default())
}

fn row_numbers(text: &str) -> Vec<u64> {
    read(text).unwrap().1.iter().map(|row| row.number).collect()
}

/// The encoding of a text file.
#[derive(Clone, Copy, Debug)]
enum Encoding {
    Utf8,
    MarkedUtf8,
    LittleUtf16,
    MarkedLittleUtf16,
    MarkedBigUtf16,
    Windows1252,
}
use Encoding::*;

impl Encoding {
    fn encode(self, text: &str) -> Vec<u8> {
        let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        match self {
            Utf8 => text.as_bytes().to_vec(),
            MarkedUtf8 => ["\u{FEFF}", text].concat().into_bytes(),
            LittleUtf16 => utf16(u16::to_le_bytes),
            MarkedLittleUtf16 => [vec![0xFF, 0xFE], utf16(u16::to_le_bytes)].concat(),
            MarkedBigUtf16 => [vec![0xFE, 0xFF], utf16(u16::to_be_bytes)].concat(),
            Windows1252 => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect(),
        }
    }
    /// Without a byte order mark, UTF-16 is only detected for Western texts.
    fn is_western(self) -> bool {
        matches!(self, LittleUtf16 | Windows1252)
    }
}

fn write_table(delimiter: u8, crlf: bool, rows: &[Vec<String>]) -> String {
    let terminator = if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).terminator(terminator).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

fn table(is_western: bool) -> impl Strategy<Value = Vec<Vec<String>>> {
    let cell = if is_western {
        "[a-zA-Z0-9 ,;|\t\"\r\n'=åäöéß-]{0,10}"
    } else {
        "[a-zA-Z ,;|\t\"\r\n=åäöéß漢😀-]{0,10}"
    };
    (2usize..6).prop_flat_map(move |columns| proptest::collection::vec(proptest::collection::vec(cell, columns), 1..20))
}

/// Generates a file: its encoding, its delimiter, whether its lines end with CRLF, and its rows.
fn file() -> impl Strategy<Value = (Encoding, u8, bool, Vec<Vec<String>>)> {
    let encoding = prop_oneof![
        Just(Utf8),
        Just(MarkedUtf8),
        Just(LittleUtf16),
        Just(MarkedLittleUtf16),
        Just(MarkedBigUtf16),
        Just(Windows1252)
    ];
    let delimiter = prop_oneof![Just(b','), Just(b';'), Just(b'\t'), Just(b'|')];
    (encoding, delimiter, any::<bool>()).prop_flat_map(|(encoding, delimiter, crlf)| {
        (Just(encoding), Just(delimiter), Just(crlf), table(encoding.is_western()))
    })
}

/// Starts of files that reach format detection and the decoders.
const STARTS: &[&[u8]] =
    &[b"", b"\xFF\xFE", b"\xFE\xFF", b"\xEF\xBB\xBF", b"sep=;\n", b"PK\x03\x04", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"];

proptest! {
    #[test]
    fn round_trips_every_cell((encoding, delimiter, crlf, table) in file()) {
        let header = (1..=table[0].len()).map(|n| format!("Spalte {n}")).collect::<Vec<_>>();
        let mut rows = vec![header.clone()];
        rows.extend(table.iter().cloned());
        let bytes = encoding.encode(&write_table(delimiter, crlf, &rows));
        let numbered = (2u64..).zip(table);
        let expected: Vec<Row> = numbered
            .filter(|(_, cells)| cells.iter().any(|cell| !cell.trim().is_empty()))
            .map(|(number, cells)| Row { number, cells })
            .collect();
        // A few letters don't identify an 8-bit encoding.
        let named = matches!(encoding, Windows1252).then(|| "windows-1252".to_owned());
        let options = ReadOptions { header: Some(1), encoding: named, ..ReadOptions::default() };
        match read_by(options, "a.csv", &bytes, &Limits::default()) {
            Err(FileError::NoRows) => prop_assert!(expected.is_empty()),
            Err(error) => prop_assert!(false, "{error:?}"),
            Ok((source, found)) => {
                prop_assert_eq!(source.layout().names(), header);
                prop_assert_eq!(source.head().delimiter, Some(char::from(delimiter)));
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn never_panics_on_random_bytes(
        name in prop_oneof![Just("a.csv"), Just("a.xls"), Just("a.xlsx")],
        start in proptest::sample::select(STARTS),
        bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..600),
            "[a-c,;|\t\"\r\n=å\u{0}]{0,200}".prop_map(String::into_bytes),
        ],
    ) {
        let bytes = [start, &bytes].concat();
        match read_within(name, &bytes, &Limits::default()) {
            Ok((source, rows)) => {
                let head = source.head();
                prop_assert_eq!(head.matches.len(), head.file_columns.len());
                prop_assert!(!rows.is_empty() && rows.windows(2).all(|two| two[0].number < two[1].number));
                prop_assert!(rows.iter().all(|row| row.cells.len() == head.file_columns.len()));
            }
            Err(error) => prop_assert!(error.message().as_str().ends_with('.')),
        }
    }
}

#[test]
fn counts_blank_rows_with_every_line_end() {
    assert_eq!(row_numbers("a,b\n1,2\n\n\n3,4\n"), [2, 5]);
    assert_eq!(row_numbers("\r\n\r\na,b\r\n1,2\r\n\r\n3,4"), [4, 6]);
    assert_eq!(row_numbers("a,b\r1,2\r\r3,4\r"), [2, 4]);
    assert_eq!(row_numbers("a,b\n\"1\n1\",2\n,\n3,4\n"), [2, 4]);
    assert_eq!(row_numbers("sep=,\na,b\n1,2\n"), [2]);
}

#[test]
fn decodes_a_large_file_across_pieces() {
    let mut text = String::from("Namn;Beskrivning\n");
    for n in 0..20_000 {
        text.push_str(&format!("Åsa {n};\"漢字 😀;\n{n}\"\n"));
    }
    let (_, rows) = read(MarkedBigUtf16.encode(&text)).unwrap();
    assert_eq!(rows.len(), 20_000);
    for (n, row) in rows.iter().enumerate() {
        assert_eq!((row.number, &row.cells), (n as u64 + 2, &vec![format!("Åsa {n}"), format!("漢字 😀;\n{n}")]));
    }
}

#[test]
fn a_single_longer_row_does_not_add_a_column() {
    let (source, rows) = read("Namn,Ort\nÅsa,Lund,1\nBo,Malmö,2\nCy,Ystad\n").unwrap();
    assert_eq!(source.layout().names(), ["Namn", "Ort", "Column 3"]);
    assert_eq!(source.head().notices, ["“Column 3” has values but no header."]);
    assert_eq!(rows[0].cells, ["Åsa", "Lund", "1"]);
    let (source, rows) = read("Namn,Ort\nÅsa,Lund,\nBo,Malmö,2\nCy,Ystad\n").unwrap();
    assert_eq!(source.layout().names(), ["Namn", "Ort"]);
    assert_eq!(rows[0].cells, ["Åsa", "Lund"]);
    assert_eq!(rows[1].cells, ["Bo", "Malmö"]);
}

#[test]
fn generated_column_names_avoid_existing_ones() {
    let (source, _) = read("Email,Email (2),Email,,Column 4,Email\n1,2,3,4,5,6\n").unwrap();
    assert_eq!(source.layout().names(), ["Email", "Email (2)", "Email (3)", "Column 4 (2)", "Column 4", "Email (4)"]);
}

#[test]
fn removes_zero_characters_from_cells() {
    let filler = "Namn,Ort\n".to_owned() + &"Åsa,Lund\n".repeat(50);
    let (_, rows) = read(filler + "B\0o,\0\n").unwrap();
    assert_eq!(rows.last().map(|row| row.cells.clone()), Some(vec!["Bo".to_owned(), String::new()]));
}

#[test]
fn error_for_too_many_columns_names_their_number() {
    let limits = Limits { columns: 2, ..Limits::default() };
    let error = read_within("a.csv", b"a,b,c\n1\n", &limits).err();
    assert_eq!(error, Some(FileError::TooManyColumns { columns: 3, max: 2 }));
}
