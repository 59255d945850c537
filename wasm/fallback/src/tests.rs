//! Tests with all kinds of files, also those that `wasm/import` leaves to this package, in Node.js and in a browser's
//! page and worker. The bindings are tested in `wasm/import`, the rules in `core`.

#[path = "../../engine/helpers.rs"]
mod helpers;

use crate::create_engine;
use forecourt_core::message::Message;
use helpers::{begin, error_of, field, open, opened, run};
use wasm_bindgen_test::wasm_bindgen_test;

const FILES: [(&str, &[u8]); 5] = [
    ("a.xls", include_bytes!("../../../core/tests/files/xlwt-oddities.xls")),
    ("a.xlsx", include_bytes!("../../../core/tests/files/exceljs-oddities.xlsx")),
    ("a.ods", include_bytes!("../../../core/tests/files/libreoffice-oddities.ods")),
    ("b.xls", include_bytes!("../../../core/tests/files/sheetjs-oddities.xls")),
    ("a.xlsb", include_bytes!("../../../core/tests/files/sheetjs-oddities.xlsb")),
];
const HAND_OVER: &[u8] = include_bytes!("../../../core/tests/files/hand-over-in-row-1000.xls");
const VERDICTS: &str = include_str!("../../../core/tests/verdicts.json");

/// Checks a file with the suggested mapping. Returns the numbers of all, of ready and of failed rows, and the digest.
fn check(name: &str, bytes: &[u8]) -> (u32, u32, u32, String) {
    let mut engine = create_engine();
    let head = opened(&mut engine, name, bytes);
    begin(&mut engine, &head).unwrap();
    while run(&mut engine).unwrap() == "reread" {
        let head = engine.head().unwrap().js_value();
        begin(&mut engine, &head).unwrap();
    }
    let verdict = engine.verdict().unwrap().js_value();
    (field(&verdict, "total"), field(&verdict, "ready"), field(&verdict, "failed"), field(&verdict, "digest"))
}

#[wasm_bindgen_test]
fn reads_and_checks_every_kind_of_workbook() {
    for (name, bytes) in FILES {
        let head = opened(&mut create_engine(), name, bytes);
        assert_eq!(field::<String>(&head, "sheet"), "Kontakter");
        let notices = field::<Vec<Message>>(&head, "notices");
        assert_eq!(notices.len(), 1);
        assert_eq!(notices[0].as_str(), "Only the sheet “Kontakter” is read. The sheet “Gamla” is left out.");
        let (total, ready, failed, _) = check(name, bytes);
        assert_eq!((total, ready, failed), (4, 4, 0), "{name}");
    }
}

#[wasm_bindgen_test]
fn changing_the_reader_in_row_1000_gives_the_same_verdict_as_on_the_server() {
    let (total, ready, failed, digest) = check("hand-over-in-row-1000.xls", HAND_OVER);
    assert_eq!((total, ready, failed), (1_199, 1_197, 2));
    let recorded = VERDICTS.split("\"hand-over-in-row-1000.xls\"").nth(1).unwrap();
    let recorded = recorded.split("\"digest\": \"").nth(1).unwrap();
    assert!(recorded.starts_with(&digest), "{digest}");
}

#[wasm_bindgen_test]
fn reads_texts_in_other_encodings() {
    let late =
        [b"Name,Town\n".to_vec(), b"Ada,Lund\n".repeat(60_000), b"Bj\xF6rn,Malm\xF6\n\xC5sa,V\xE4xj\xF6\n".to_vec()];
    let mut engine = create_engine();
    let head = opened(&mut engine, "a.csv", &late.concat());
    assert_eq!(field::<String>(&head, "encoding"), "UTF-8");
    begin(&mut engine, &head).unwrap();
    assert_eq!(run(&mut engine), Ok("reread".into()));
    assert_eq!(field::<String>(&engine.head().unwrap().js_value(), "encoding"), "windows-1252");
    assert_eq!(check("a.csv", &late.concat()).0, 60_002);
    let russian = b"\xC8\xEC\xFF;\xC3\xEE\xF0\xEE\xE4\n\xC0\xED\xED\xE0 \xCA\xE0\xF0\xE5\xED\xE8\xED\xE0;\xCC\xEE\xF1\xEA\xE2\xE0\n";
    let head = opened(&mut create_engine(), "b.csv", russian);
    assert_eq!(field::<String>(&head, "encoding"), "windows-1251");
}

#[wasm_bindgen_test]
fn decrypts_only_workbooks_with_excels_default_password() {
    let locked = include_bytes!("../../../core/tests/files/odd-encrypted-standard.xlsx");
    let whole = include_bytes!("../../../core/tests/files/odd-formats.xlsx");
    let columns = |bytes: &[u8]| field::<Vec<String>>(&opened(&mut create_engine(), "a.xlsx", bytes), "fileColumns");
    assert_eq!(columns(locked), columns(whole));
    let protected = include_bytes!("../../../core/tests/files/protected.xlsx");
    let error = open(&mut create_engine(), "a.xlsx", protected, None).unwrap_err();
    assert!(error_of(&error).1.starts_with("This workbook is protected with a password"));
}

#[wasm_bindgen_test]
fn random_bytes_and_hostile_files_give_a_problem_and_leave_the_module_usable() {
    let mut engine = create_engine();
    let zip = |garbage: &[u8]| [b"PK\x03\x04".to_vec(), garbage.to_vec()].concat();
    for round in 0..2_000_u32 {
        let garbage: Vec<u8> = (0..600).map(|i: u32| ((i ^ round).wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let ending = ["xls", "xlsx", "xlsb", "ods"][round as usize % 4];
        if let Err(error) = open(&mut engine, &format!("f.{ending}"), &zip(&garbage), None) {
            let (name, message) = error_of(&error);
            assert!((name == "Problem" || name == "NeedsFallback") && message.len() > 20, "{name}: {message}");
        }
    }
    for (name, bytes) in [
        ("a.xls", &include_bytes!("../../../core/tests/files/hostile-circle.xls")[..]),
        ("a.ods", include_bytes!("../../../core/tests/files/foreign-password.ods")),
        ("a.xls", include_bytes!("../../../core/tests/files/protected-97.xls")),
    ] {
        assert_eq!(error_of(&open(&mut engine, name, bytes, None).unwrap_err()).0, "Problem");
    }
    opened(&mut engine, FILES[0].0, FILES[0].1);
}
