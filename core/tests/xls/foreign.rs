//! Workbooks of other writers and of Excel 5 and 95, as Excel and LibreOffice show them.

use crate::builder::{
    BOF, BOUND_SHEET, CODE_PAGE, EOF, FORMAT, FORMULA, FORMULA_3, FORMULA_4, LABEL, NUMBER, RSTRING, STRING, XF,
    byte_string, cell, container, formula, number, record, rows, shared, sst, stream, words, workbook,
};
use forecourt_core::import::{FileError, Limits, PREVIEW_ROWS, ReadOptions, Source};
use std::ops::ControlFlow;

/// The text of a cell whose value can't be read.
const UNREADABLE: &str = "#UNREADABLE!";

/// Returns all rows of a file as the import reads them.
fn read(bytes: Vec<u8>) -> Result<Vec<String>, FileError> {
    let options = ReadOptions { header: Some(0), ..ReadOptions::default() };
    let mut source = Source::open("a.xls", bytes, &options, PREVIEW_ROWS, &Limits::default())?;
    let mut lines = Vec::new();
    source.rows(&mut |row| {
        lines.push(row.cells().map(|(_, text)| text.to_owned()).collect::<Vec<_>>().join("|"));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(lines)
}

fn error_of(bytes: Vec<u8>) -> String {
    read(bytes).unwrap_err().to_string()
}

/// Creates a container whose directory names the stream differently.
fn container_with_name(name: &str, stream: &[u8]) -> Vec<u8> {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let mut bytes = container(stream, |sector| sector);
    let usual = utf16("Workbook");
    let at = bytes.windows(usual.len()).position(|window| window == usual).unwrap();
    bytes[at..at + 64].fill(0);
    let name = utf16(name);
    bytes[at..at + name.len()].copy_from_slice(&name);
    bytes[at + 64] = name.len() as u8 + 2;
    bytes
}

#[test]
fn reads_a_stream_with_an_upper_case_name() {
    let stream = stream(&[], &[number(0, 0, 1.0), number(1, 0, 2.0)].concat());
    for name in ["WORKBOOK", "BOOK", "workbook"] {
        assert_eq!(read(container_with_name(name, &stream)), Ok(vec!["1".into(), "2".into()]), "{name}");
    }
}

#[test]
fn reads_formula_records_of_older_versions() {
    let value = [&42.5_f64.to_le_bytes()[..], &[0; 8]].concat();
    for kind in [FORMULA_3, FORMULA_4] {
        let cells = [
            cell(kind, 0, 0, &value),
            cell(kind, 0, 1, &formula(0, 1)[10..]),
            record(STRING, &byte_string("text")),
            number(1, 0, 1.0),
        ];
        assert_eq!(read(workbook(&[], &cells.concat())), Ok(vec!["42.5|text".into(), "1".into()]), "{kind:X}");
    }
}

#[test]
fn ignores_a_wrong_count_of_shared_strings() {
    let cells = [shared(0, 0, 0), shared(0, 1, 1)].concat();
    for count in [0, 1, 2, 900] {
        let globals = sst(count, &[&[byte_string("one"), byte_string("two")].concat()]);
        assert_eq!(rows(workbook(&globals, &cells)), Ok(vec![(1, "0=one|1=two".into())]), "{count}");
    }
}

#[test]
fn marks_a_cell_with_a_missing_shared_string() {
    let cells = [shared(0, 0, 0), shared(0, 1, 7), shared(0, 2, u32::MAX), number(0, 3, 1.0)].concat();
    let globals = sst(1, &[&byte_string("one")]);
    let line = format!("0=one|1={UNREADABLE}|2={UNREADABLE}|3=1");
    assert_eq!(rows(workbook(&globals, &cells)), Ok(vec![(1, line)]));
    // A workbook without shared strings.
    assert_eq!(rows(workbook(&[], &shared(0, 0, 0))), Ok(vec![(1, format!("0={UNREADABLE}"))]));
}

#[test]
fn skips_empty_continue_records() {
    let first = [&words(&[6])[..], &[0], b"Stor"].concat();
    let globals = sst(2, &[&first, &[], &[&[0][..], b"ga"].concat(), &[], &byte_string("two")]);
    let cells = [shared(0, 0, 0), shared(0, 1, 1)].concat();
    assert_eq!(rows(workbook(&globals, &cells)), Ok(vec![(1, "0=Storga|1=two".into())]));
}

/// Creates a container with two workbooks; the directory lists the embedded one first.
fn container_with_embedded(embedded: &[u8], own: &[u8], own_name: &str) -> Vec<u8> {
    let padded = |stream: &[u8]| {
        let mut stream = stream.to_vec();
        stream.resize(stream.len().max(4_096).next_multiple_of(512), 0);
        stream
    };
    let (embedded, own) = (padded(embedded), padded(own));
    let mut bytes = container(&[embedded.clone(), own.clone()].concat(), |sector| sector);
    let directory = (1 + (embedded.len() + own.len()) / 512) * 512;
    let mut entry = |place: usize, name: &str, kind: u8, links: [u32; 3], body: [u32; 2]| {
        let at = directory + place * 128;
        bytes[at..at + 128].fill(0);
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes[at..at + name.len()].copy_from_slice(&name);
        (bytes[at + 64], bytes[at + 66]) = (name.len() as u8 + 2, kind);
        for (offset, value) in [68, 72, 76, 116, 120].into_iter().zip([links, [body[0], body[1], 0]].concat()) {
            bytes[at + offset..at + offset + 4].copy_from_slice(&value.to_le_bytes());
        }
    };
    const NONE: u32 = u32::MAX;
    entry(0, "Root Entry", 5, [NONE, NONE, 3], [0xFFFF_FFFE, 0]);
    entry(1, "Workbook", 2, [NONE; 3], [0, embedded.len() as u32]);
    entry(2, "MBD0018D4CE", 1, [NONE, NONE, 1], [0, 0]);
    entry(3, own_name, 2, [2, NONE, NONE], [embedded.len() as u32 / 512, own.len() as u32]);
    bytes
}

#[test]
fn reads_the_workbook_of_the_root_rather_than_an_embedded_one() {
    let [embedded, own] = [9.0, 1.0].map(|value| stream(&[], &[number(0, 0, value), number(1, 0, value)].concat()));
    assert_eq!(read(container_with_embedded(&embedded, &own, "Workbook")), Ok(vec!["1".into(), "1".into()]));
    // A letter with an embedded workbook is still a letter.
    let letter = error_of(container_with_embedded(&embedded, &own, "WordDocument"));
    assert!(letter.starts_with("This is a text document (.doc), not a spreadsheet."), "{letter}");
    let other = error_of(container_with_embedded(&embedded, &own, "CONTENTS"));
    assert!(other.starts_with("This is a document of another Office program, not a spreadsheet."), "{other}");
}

#[test]
fn error_names_the_version_of_an_old_workbook() {
    for (kind, version) in [(0x0009, '2'), (0x0209, '3'), (0x0409, '4')] {
        let bytes = [record(kind, &[0; 6][..if version == '2' { 4 } else { 6 }]), record(EOF, &[])].concat();
        let sentence = format!(
            "This is a workbook of Excel {version}, which can't be imported. Open it in your spreadsheet program, save it \
             as .xlsx and choose that file."
        );
        assert_eq!(error_of(bytes.clone()), sentence);
        assert_eq!(error_of(container(&bytes, |sector| sector)), sentence);
    }
}

/// Creates the records of a workbook of Excel 5 or 95 with one sheet and 8-bit strings.
fn biff5_stream(globals: &[u8], cells: &[u8]) -> Vec<u8> {
    let bof = |kind: u16| record(BOF, &words(&[0x0500, kind, 0, 0]));
    let before = [&bof(5)[..], globals].concat();
    let sheet = |start: u32| record(BOUND_SHEET, &[&start.to_le_bytes()[..], &[0, 0, 1, b'S']].concat());
    let start = before.len() + sheet(0).len() + 4;
    [&before[..], &sheet(start as u32), &record(EOF, &[]), &bof(16), cells, &record(EOF, &[])].concat()
}

fn bytes_of(text: &[u8]) -> Vec<u8> {
    [&words(&[text.len() as u16])[..], text].concat()
}

#[test]
fn reads_formats_and_strings_of_excel_95() {
    let format =
        |id: u16, code: &str| record(FORMAT, &[&words(&[id])[..], &[code.len() as u8], code.as_bytes()].concat());
    let style = |id: u16| record(XF, &[words(&[0, id]), vec![0; 12]].concat());
    let globals = [
        record(CODE_PAGE, &words(&[1_252])),
        format(41, "[h]:mm"),
        format(42, "[Red]0.00"),
        format(43, "00000"),
        format(44, "0.0%"),
        style(41),
        style(42),
        style(43),
        style(44),
        style(14),
    ];
    let numbers = (0..5).map(|at| {
        let value = [1.25, 7.5, 123.0, 0.125, 45_292.0][usize::from(at)];
        record(NUMBER, &[&words(&[0, at, at])[..], &f64::to_le_bytes(value)].concat())
    });
    let cells = [
        numbers.collect::<Vec<_>>().concat(),
        cell(LABEL, 1, 0, &bytes_of(b"\xC5sa \x80")),
        cell(RSTRING, 1, 1, &[bytes_of(b"rich"), vec![1, 0, 0]].concat()),
        cell(FORMULA, 1, 2, &formula(0, 0)[10..]),
        record(STRING, &bytes_of(b"\xD6berg")),
    ];
    let stream = biff5_stream(&globals.concat(), &cells.concat());
    let expected = Ok(vec!["30:00:00|7.5|00123|12.5%|2024-01-01".to_owned(), "Åsa €|rich|Öberg".into()]);
    assert_eq!(read(container_with_name("Book", &stream)), expected);
    // The same without a container, as some programs write it.
    assert_eq!(read(stream), expected);
}

#[test]
fn decodes_strings_of_excel_95_by_code_page() {
    let line = |page: u16, text: &[u8]| {
        let cells = [cell(LABEL, 0, 0, &bytes_of(text)), number(1, 0, 1.0)].concat();
        read(container_with_name("Book", &biff5_stream(&record(CODE_PAGE, &words(&[page])), &cells)))
            .unwrap()
            .swap_remove(0)
    };
    assert_eq!(line(1_250, b"\xA3uk"), "Łuk");
    assert_eq!(line(1_251, b"\xC0\xED\xED\xE0"), "Анна");
    assert_eq!(line(932, b"\x93\xFA\x96{"), "日本");
    assert_eq!(line(10_000, b"\x81sa"), "Åsa");
    assert_eq!(line(32_768, b"\x81sa"), "Åsa");
    assert_eq!(line(32_769, b"\xC5sa"), "Åsa");
}

#[test]
fn sorts_unordered_cells_with_a_formula_record_of_excel_4() {
    let cells = [
        number(1, 1, 4.0),
        number(0, 1, 2.0),
        number(0, 0, 1.0),
        cell(FORMULA_4, 1, 0, &formula(0, 1)[10..]),
        record(STRING, &byte_string("three")),
        // Of two cells at the same position the later one wins.
        number(0, 1, 2.5),
    ];
    assert_eq!(read(workbook(&[], &cells.concat())), Ok(vec!["1|2.5".into(), "three|4".into()]));
}
