//! Tests of this package's bindings, in Node.js and in a browser. The rules have their own tests in `core`.

use crate::detected_file::DetectedFile;
use crate::recognise::{InvalidUtf8Finder, Recognition, TextShape, check_size, encodings, head_size, recognise, shape};
use forecourt_call::BindingError;
use forecourt_core::import::codepages::code_page;
use forecourt_core::import::head::Recognised;
use forecourt_core::import::pack::Packer;
use forecourt_core::import::{
    CellCorrection, Checker, ColumnMapping, Corrections, FileKind, Limits, ModelColumn, Outcome, ReadOptions, RowBuffer,
};
use forecourt_core::message::Message;
use js_sys::{Array, Reflect};
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

fn thrown<T>(result: Result<T, BindingError>) -> js_sys::Error {
    let Err(failure) = result else { panic!("this must throw") };
    JsValue::from(failure).dyn_into().unwrap()
}

fn ok<T>(result: Result<T, BindingError>) -> T {
    result.unwrap_or_else(|failure| panic!("{:?}", JsValue::from(failure)))
}

fn ts<T: Tsify + serde::Serialize>(value: T) -> Ts<T> {
    value.into_ts().unwrap()
}

fn field<T: Tsify, V: DeserializeOwned>(object: &Ts<T>, name: &str) -> V {
    let value = Reflect::get(&object.js_value(), &name.into()).unwrap();
    serde_wasm_bindgen::from_value(value).unwrap()
}

fn rows(rows: &[&[&str]]) -> Vec<u8> {
    let (mut packer, mut row) = (Packer::default(), RowBuffer::default());
    for (number, cells) in (1..).zip(rows) {
        row.start(number);
        for (column, cell) in cells.iter().enumerate() {
            row.push(column, cell, &Limits::default()).unwrap();
        }
        packer.write_row(row.row());
    }
    packer.bytes
}

fn recognised() -> Ts<Recognised> {
    let notices = vec![Message::without_code("A word")];
    let encoding = Some("UTF-8".to_owned());
    ts(Recognised { kind: FileKind::Csv, encoding, delimiter: Some(';'), sheet: None, sheets: Vec::new(), notices })
}

fn file(sample: &[&[&str]]) -> DetectedFile {
    ok(DetectedFile::new(recognised(), &rows(sample), ts(ReadOptions::default()), None, None))
}

fn mapping(pairs: &[(&str, &str)]) -> Vec<Ts<ColumnMapping>> {
    let pair =
        |(file, model): &(&str, &str)| ColumnMapping { file_column: (*file).into(), model_column: (*model).into() };
    pairs.iter().map(|p| ts(pair(p))).collect()
}

const PEOPLE: [&[&str]; 3] = [&["Namn", "E-post"], &["Åsa", "asa@example.se"], &["Bo", "bo(at)example.se"]];

#[wasm_bindgen_test]
fn detects_the_encoding_and_the_delimiter_of_a_text() {
    let found: Ts<Recognition> = ok(recognise("a.csv", 11.0, b"a;b\n1;2\n3;4", None));
    assert_eq!(
        (field::<_, String>(&found, "kind"), field::<_, String>(&found, "encoding")),
        ("csv".into(), "UTF-8".into())
    );
    assert_eq!((field::<_, bool>(&found, "sure"), field::<_, u32>(&found, "mark")), (false, 0));
    let found = ok(recognise("a.xls", 6.0, b"N\xE9e\tB\n", None));
    assert_eq!(field::<_, Option<String>>(&found, "encoding"), None);
    assert_eq!(field::<_, Vec<Message>>(&found, "notices").len(), 1);
    let cut: Ts<TextShape> = ok(shape("a;b\n1;2\n3;4", ts(ReadOptions::default())));
    assert_eq!((field::<_, u8>(&cut, "delimiter"), field::<_, bool>(&cut, "separatorLine")), (b';', false));
    let chosen = ReadOptions { delimiter: Some(','), ..ReadOptions::default() };
    assert_eq!(field::<_, u8>(&ok(shape("a;b\n1;2\n3;4", ts(chosen))), "delimiter"), b',');
}

#[wasm_bindgen_test]
fn detects_a_workbook_by_its_first_bytes() {
    let found = ok(recognise("a.csv", 1e6, b"PK\x03\x04\x14\0", None));
    assert_eq!(
        (field::<_, String>(&found, "kind"), field::<_, Option<String>>(&found, "encoding")),
        ("xlsx".into(), None)
    );
}

#[wasm_bindgen_test]
fn throws_a_problem_for_a_file_that_cannot_be_imported() {
    let limits = || Some(ts(Limits { csv_bytes: 10, excel_bytes: 10, ..Limits::default() }));
    for (error, start) in [
        (thrown(recognise("a.pdf", 5.0, b"%PDF-", None)), "Files ending in .pdf"),
        (thrown(recognise("a.csv", 5.0, b"%PDF-", None)), "This is a PDF document"),
        (thrown(recognise("a.csv", 11.0, b"a,b\n1,2\n3,4", limits())), "This file has 1 MB"),
        (thrown(shape("\0a\0b", ts(ReadOptions::default()))), "Read in this encoding"),
        (thrown(check_size(5e9, None)), "This file has 4,769 MB, and 256 MB is the most"),
        (thrown(check_size(11.0, limits())), "This file has 1 MB"),
        (
            thrown(DetectedFile::new(recognised(), &[], ts(ReadOptions::default()), None, None)),
            "This file has only blank rows",
        ),
    ] {
        assert_eq!(String::from(error.name()), "Problem");
        assert!(String::from(error.message()).starts_with(start), "{start}");
    }
    assert!(check_size(256.0 * 1024.0 * 1024.0, None).is_ok());
}

#[wasm_bindgen_test]
fn random_bytes_throw_and_leave_the_module_usable() {
    for round in 0..2_000_u32 {
        let garbage: Vec<u8> = (0..64 + round % 64).map(|i| (i.wrapping_mul(2_654_435_761) ^ round) as u8).collect();
        let ending = ["csv", "xlsx", "xls", "pdf"][round as usize % 4];
        if let Err(failure) = recognise(&format!("f.{ending}"), f64::from(64 + round % 64), &garbage, None) {
            assert!(thrown::<()>(Err(failure)).message().length() > 20);
        }
        assert!(DetectedFile::new(recognised(), &garbage, ts(ReadOptions::default()), None, None).is_err());
        assert!(
            DetectedFile::new(Ts::new_unchecked(JsValue::NULL), &[], ts(ReadOptions::default()), None, None).is_err()
        );
    }
    assert_eq!(field::<_, Vec<String>>(&ok(file(&PEOPLE).head()), "fileColumns"), ["Namn", "E-post"]);
}

#[wasm_bindgen_test]
fn options_read_the_file_in_the_same_way_again() {
    let file = file(&PEOPLE);
    let head = ok(file.head());
    assert_eq!(field::<_, Vec<Vec<String>>>(&head, "preview")[0], ["Åsa", "asa@example.se"]);
    assert!(field::<_, Vec<Message>>(&head, "notices").is_empty());
    let options = ok(file.options()).to_rust().unwrap();
    let expected = ReadOptions { encoding: Some("UTF-8".into()), delimiter: Some(';'), sheet: None, header: Some(1) };
    assert_eq!(options, expected);
    let unnamed = ReadOptions { header: Some(0), ..ReadOptions::default() };
    let unnamed = ok(DetectedFile::new(recognised(), &rows(&PEOPLE), ts(unnamed), None, None));
    assert_eq!(field::<_, Vec<String>>(&ok(unnamed.head()), "fileColumns"), ["Column 1", "Column 2"]);
}

#[wasm_bindgen_test]
fn a_plan_contains_the_mapping_and_the_corrections() {
    let cells = vec![CellCorrection { row: 3, file_column: "E-post".into(), value: "bo@example.se".into() }];
    let corrections = || ts(Corrections { cells: cells.clone(), ..Corrections::default() });
    let both = [("Namn", ModelColumn::Name.as_str()), ("E-post", ModelColumn::Email.as_str())];
    let plan = ok(file(&PEOPLE).plan(mapping(&both), corrections()));
    let mut checker = Checker::unpack(&plan).unwrap();
    let mut row = RowBuffer::default();
    row.start(3);
    row.push(0, "Bo", &Limits::default()).unwrap();
    row.push(1, "bo(at)example.se", &Limits::default()).unwrap();
    assert!(matches!(checker.check_row(row.row()), Ok(Outcome::Ready { .. })));
}

#[wasm_bindgen_test]
fn an_invalid_mapping_or_correction_names_the_field() {
    let file = file(&PEOPLE);
    let field = |error: &js_sys::Error| {
        let messages = Reflect::get(error, &"messages".into()).unwrap();
        Reflect::get(&Array::from(&messages).get(0), &"field".into()).unwrap()
    };
    let error = thrown(file.plan(mapping(&[("Namn", "name")]), ts(Corrections::default())));
    assert_eq!(String::from(error.message()), "Please map all columns before importing");
    assert_eq!(field(&error), "columnMapping");
    let foreign = vec![CellCorrection { row: 2, file_column: "Land".into(), value: String::new() }];
    let both = mapping(&[("Namn", "name"), ("E-post", "email")]);
    let error = thrown(file.plan(both, ts(Corrections { cells: foreign, ..Corrections::default() })));
    assert_eq!(field(&error), "corrections");
    for garbage in [JsValue::NULL, 7.into(), "x".into(), Array::new().into()] {
        thrown(file.plan(vec![Ts::new_unchecked(garbage.clone())], ts(Corrections::default())));
        if !garbage.is_array() {
            thrown(file.plan(mapping(&[("Namn", "name")]), Ts::new_unchecked(garbage)));
        }
    }
}

#[wasm_bindgen_test]
fn finds_invalid_utf8_across_pieces() {
    let mut first = InvalidUtf8Finder::new();
    assert_eq!(first.push(&vec![b'a'; 100_000], false), None);
    assert_eq!(first.push("å".as_bytes().split_at(1).0, false), None);
    assert_eq!(first.push(b";", false), Some(65_536.0));
    assert_eq!((first.look(), head_size()), (262_144, 262_144));
    let names = encodings();
    assert_eq!(names[0], "UTF-8");
    // Browsers decode every offered encoding, except the code pages of the fallback module.
    let known = js_sys::Function::new_with_args("names", "return names.every(name => new TextDecoder(name))");
    let names: Array = names.into_iter().filter(|name| code_page(name).is_none()).map(JsValue::from).collect();
    assert_eq!(known.call1(&JsValue::NULL, &names), Ok(JsValue::TRUE));
}
