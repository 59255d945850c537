//! Malicious workbooks: each yields an error, or the rows that exist.

use crate::builder::{
    BOOL_ERR, BOUND_SHEET, FILE_PASS, FORMULA, LABEL, MULRK, NUMBER, RK, STRING, XF, byte_string, cell, container,
    container_with_sector_size, number, record, row, rows, shared, sst, stream, words, workbook,
};
use forecourt_core::import::{FileError, Limits, xls};

const BROKEN: Result<Vec<(u64, String)>, FileError> = Err(FileError::BrokenWorkbook);

#[test]
fn rejects_cyclic_and_dangling_sector_chains() {
    let bytes = stream(&[], &(0..400).flat_map(|at| number(at, 0, 1.0)).collect::<Vec<u8>>());
    let whole = container(&bytes, |sector| sector);
    assert_eq!(rows(whole.clone()).unwrap().len(), 400);
    let count = bytes.len().div_ceil(512);
    let table = (2 + count) * 512;
    for next in [0xFFFF_FFFE, 0xFFFF_FFFF, 0xFFFF_FFF0, 9_999_999_u32] {
        let mut bytes = whole.clone();
        bytes[table + 8 * 4..table + 9 * 4].copy_from_slice(&next.to_le_bytes());
        assert_eq!(rows(bytes), BROKEN, "{next:X}");
    }
    // An incomplete sector.
    let mut cut = [&whole[..], &[0; 100]].concat();
    cut[table + 8 * 4..table + 9 * 4].copy_from_slice(&(whole.len() as u32 / 512 - 1).to_le_bytes());
    assert_eq!(rows(cut), BROKEN);
    let mut circle = whole.clone();
    circle[table + 8 * 4..table + 9 * 4].fill(0);
    assert!(rows(circle).is_err());
    // A cyclic chain of the directory, and a DIFAT that points into the stream.
    for (at, value) in [(table + count * 4, count as u32), (68, 0)] {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let second = (1 + count) * 512 + 128;
        bytes[second + 66] = 1;
        assert_eq!(rows(bytes), BROKEN);
    }
    for length in [0, 100, 512, 1_000, whole.len() / 2, whole.len() - 600] {
        assert_eq!(rows(whole[..length].to_vec()), BROKEN, "{length}");
    }
}

#[test]
fn hands_heavily_fragmented_streams_to_the_fallback() {
    let pieces = |count: usize| {
        let padding = record(0, &[0; 400]);
        let mut bytes = stream(
            &[],
            &(0..count as u16).flat_map(|at| [number(at, 0, 1.0), padding.clone()].concat()).collect::<Vec<u8>>(),
        );
        bytes.resize(bytes.len().next_multiple_of(1_024), 0);
        rows(container(&bytes, |sector| sector ^ 1)).map(|rows| rows.len())
    };
    assert_eq!(pieces(4_000), Ok(4_000));
    assert_eq!(pieces(6_000), Err(FileError::NeedsFallback));
}

#[test]
fn rejects_short_records_and_invalid_values_and_columns() {
    let globals = sst(2, &[&byte_string("one")]);
    let many = |right: u16| record(MULRK, &[words(&[0, 0, 0]), vec![0; 4], words(&[right])].concat());
    assert_eq!(rows(workbook(&globals, &many(0))).unwrap().len(), 1);
    for cells in [
        record(NUMBER, &words(&[0, 0, 0])),
        record(NUMBER, &[0]),
        record(RK, &words(&[0, 0, 0])),
        record(BOOL_ERR, &words(&[0, 0, 0])),
        cell(BOOL_ERR, 0, 0, &[0x99, 1]),
        cell(BOOL_ERR, 0, 0, &[0, 7]),
        record(FORMULA, &words(&[0, 0, 0])),
        cell(FORMULA, 0, 0, &[9, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
        cell(LABEL, 0, 0, &words(&[50])),
        many(1),
        many(60_000),
        number(0, 20_000, 1.0),
    ] {
        assert_eq!(rows(workbook(&globals, &cells)), BROKEN, "{cells:?}");
    }
}

#[test]
fn huge_counts_are_ignored_or_rejected() {
    let globals = sst(u32::MAX, &[&byte_string("one")]);
    assert_eq!(rows(workbook(&globals, &shared(0, 0, 0))), Ok(vec![(1, "0=one".into())]));
    let endless = [&words(&[1])[..], &[4], &u32::MAX.to_le_bytes(), b"x"].concat();
    assert_eq!(rows(workbook(&sst(2, &[&endless]), &shared(0, 0, 0))), BROKEN);
}

#[test]
fn rejects_short_or_excessive_globals() {
    let style = |length: usize| record(XF, &[0].repeat(length));
    let number = number(0, 0, 1.0);
    assert_eq!(rows(workbook(&style(20).repeat(65_536), &number)).unwrap().len(), 1);
    for globals in [style(20).repeat(65_537), style(3), record(BOUND_SHEET, &[0; 5])] {
        assert_eq!(rows(workbook(&globals, &number)), BROKEN, "{:?}", &globals[..9]);
    }
    let cut = sst(2, &[&[&byte_string("one")[..], &[1, 0]].concat()]);
    assert_eq!(rows(workbook(&cut, &shared(0, 0, 0))), Ok(vec![(1, "0=one".into())]));
    assert_eq!(rows(workbook(&cut, &shared(0, 0, 1))), BROKEN);
    // After a damaged string, the positions of the following ones are unknown.
    assert_eq!(rows(workbook(&cut, &[shared(0, 0, 0), shared(0, 1, 2)].concat())), BROKEN);
}

#[test]
fn skips_sheets_that_are_no_worksheets() {
    let sheet = |state: u8, kind: u8| record(BOUND_SHEET, &[0, 0, 0, 0, state, kind, 1, 0, b'C']);
    // Macro sheets, charts and VBA modules.
    for kind in [1, 2, 3, 6] {
        let mut book = xls::open(Box::new(workbook(&sheet(0, kind), &number(0, 0, 1.0))), &Limits::default()).unwrap();
        assert_eq!(book.sheets().iter().map(|sheet| sheet.name.as_str()).collect::<Vec<_>>(), ["S"]);
        assert_eq!(book.sample(0, 9).unwrap().len(), 1);
    }
}

#[test]
fn limits_the_memory_of_shared_strings() {
    let piece = byte_string(&"a".repeat(30_000)).repeat(2);
    let globals = sst(u32::MAX, &vec![&piece[..]; 2_300]);
    let bytes = stream(&globals, &[row(0), shared(0, 0, 4_000), row(1), shared(1, 0, 4_599)].concat());
    let bytes = container_with_sector_size(4_096, &bytes, |sector| sector);
    let mut book = xls::open(Box::new(bytes), &Limits::default()).unwrap();
    assert_eq!(book.sample(0, 1).unwrap().len(), 1);
    assert_eq!(book.sample(0, 2), Err(FileError::TooMuchInside { max: 128 << 20 }));
}

#[test]
fn hands_unsupported_features_to_the_fallback() {
    let needs_fallback = Err(FileError::NeedsFallback);
    // Two cells at the same position, and a string without a formula.
    assert_eq!(rows(workbook(&[], &[number(0, 0, 1.0), number(0, 0, 2.0)].concat())), needs_fallback);
    assert_eq!(rows(workbook(&[], &record(STRING, &byte_string("x")))), needs_fallback);
    // A sheet whose offset isn't the start of a record.
    let mut bytes = stream(&[], &[]);
    let start = bytes.windows(2).position(|two| two == [0x85, 0]).unwrap() + 4;
    bytes[start] += 4;
    assert_eq!(rows(container(&bytes, |sector| sector)), needs_fallback);
}

#[test]
fn rejects_a_second_file_pass_record() {
    // A workbook that is encrypted with the password that Excel uses by default.
    let velvet = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/foreign-velvet-xor.xls")).unwrap();
    let at = velvet.windows(4).position(|window| window == [0x2F, 0, 6, 0]).unwrap();
    let globals = velvet[at..at + 10].repeat(2);
    assert_eq!(rows(workbook(&globals, &[])), BROKEN);
}

#[test]
fn error_says_that_a_workbook_has_a_password() {
    assert_eq!(rows(workbook(&record(FILE_PASS, &[1, 0]), &[])), Err(FileError::PasswordProtected));
}

#[test]
fn limits_the_sampling_of_overlapping_sheets() {
    let bytes = stream(&[], &record(0, &[0; 8_000]).repeat(750));
    let at = bytes.windows(2).position(|two| two == [0x85, 0]).unwrap();
    let sheet = bytes[at..at + 13].to_vec();
    let start = u32::from_le_bytes(*sheet[4..].first_chunk().unwrap()) + 13 * 99;
    let sheet = [&sheet[..4], &start.to_le_bytes(), &sheet[8..]].concat();
    let bytes = [&bytes[..at], &sheet.repeat(100), &bytes[at + 13..]].concat();
    let mut book = xls::open(Box::new(container(&bytes, |sector| sector)), &Limits::default()).unwrap();
    assert_eq!(book.sheets().len(), 100);
    let error = (0..100).find_map(|sheet| book.sample(sheet, 1).err());
    assert_eq!(error, Some(FileError::BrokenWorkbook));
}
