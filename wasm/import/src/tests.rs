//! Tests of the engine's bindings, in Node.js and in a browser's page and worker. The rules have their own tests in
//! `core`.

#[path = "../../engine/helpers.rs"]
mod helpers;

use crate::create_engine;
use helpers::{begin, error_of, evaluate, field, message_of, open, opened, run};
use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

const FILE: &[u8] = "Name,Email,Town\nÅsa,asa@example.se,Malmö\nBo,nowhere,Lund\n,,\n,eva@example.se,Ystad\nÅke,ASA@example.se,\"Lund,\n\"\"C\"\"\"\n".as_bytes();
const CONTACTS: &[u8] = include_bytes!("../../../core/tests/files/kontakter.xlsx");
const OLD_CONTACTS: &[u8] = include_bytes!("../../../core/tests/files/xlwt-oddities.xls");
const BROKEN: &[u8] = include_bytes!("../../../core/tests/files/broken.xlsx");
const HIDDEN: &[u8] = include_bytes!("../../../core/tests/files/only-hidden-sheets.xlsx");
const HAND_OVER: &[u8] = include_bytes!("../../../core/tests/files/hand-over-in-row-1000.xls");
const RTF: &[u8] = b"{\\rtf1 text}";

fn counts(engine: &forecourt_engine::Engine) -> [u32; 7] {
    let Ok(counts) = engine.counts() else { panic!("no counts") };
    ["total", "ready", "failed", "leftOut", "duplicates", "problems", "listed"]
        .map(|name| field(&counts.js_value(), name))
}

#[wasm_bindgen_test]
fn a_check_returns_counts_and_windows_of_problems_and_duplicates() {
    let mut engine = create_engine();
    let head = opened(&mut engine, "a.csv", FILE);
    assert_eq!(field::<Vec<String>>(&head, "fileColumns"), ["Name", "Email", "Town"]);
    assert_eq!(field::<String>(&head, "encoding"), "UTF-8");
    begin(&mut engine, &head).unwrap();
    assert_eq!(run(&mut engine), Ok("end".into()));
    assert_eq!(counts(&engine), [4, 2, 2, 0, 1, 2, 2]);
    let kinds = engine.kinds().ok().unwrap().js_value();
    let kind = "({ place, column, count, listed, message }) => [place, column, count, listed, message.text]";
    assert_eq!(
        evaluate(&format!("value.top.map({kind})"), &kinds),
        r#"[[0,1,1,1,"Please enter a valid email address"],[1,0,1,1,"Name is required"]]"#
    );
    assert_eq!(field::<u32>(&kinds, "more"), 0);
    let problems = |kind, from, count| {
        let problems = engine.problems(kind, from, count).ok().unwrap().into_iter().map(|problem| problem.js_value());
        let problem =
            "({ row, kind, column, value, message, cells }) => [row, kind, column, value, message.text, cells]";
        evaluate(&format!("value.map({problem})"), &problems.collect::<Array>())
    };
    let nameless =
        r#"[[5,1,0,"","Name is required",[{"column":1,"text":"eva@example.se"},{"column":2,"text":"Ystad"}]]]"#;
    assert_eq!([problems(-1, 1, 9), problems(1, 0, 9)], [nameless, nameless]);
    assert_eq!([problems(7, 0, 9), problems(-1, 2, u32::MAX)], ["[]", "[]"]);
    let duplicates = engine.duplicates().ok().unwrap().into_iter().map(|duplicate| duplicate.js_value());
    assert_eq!(
        evaluate("value", &duplicates.collect::<Array>()),
        r#"[{"row":6,"first":2,"name":"Åke","emailOrPhone":"ASA@example.se"}]"#
    );
    assert_eq!((engine.rows_of(0), engine.rows_of(1), engine.rows_of(9)), (vec![3], vec![5], vec![]));
    assert_eq!(
        (engine.count_alike(0, "nowhere"), engine.count_alike(0, "elsewhere"), engine.count_alike(9, "")),
        (1, 0, 0)
    );
}

#[wasm_bindgen_test]
fn a_second_check_replaces_the_first_and_gives_the_same_verdict() {
    for (name, bytes) in [("a.csv", FILE), ("a.xlsx", CONTACTS), ("a.xls", OLD_CONTACTS)] {
        let mut engine = create_engine();
        let head = opened(&mut engine, name, bytes);
        let [first, second] = [(); 2].map(|()| {
            begin(&mut engine, &head).unwrap();
            assert_eq!(counts(&engine), [0; 7]);
            assert_eq!(run(&mut engine), Ok("end".into()));
            let verdict = engine.verdict().unwrap().js_value();
            (field::<String>(&verdict, "digest"), field::<u32>(&verdict, "total"))
        });
        assert_eq!((first.0.len(), first.1), (16, 4), "{name}");
        assert_eq!(first, second);
    }
}

#[wasm_bindgen_test]
fn a_rejected_file_is_a_problem_with_the_sheets_of_the_workbook() {
    let mut engine = create_engine();
    opened(&mut engine, "a.csv", FILE);
    for (name, bytes, start) in [
        ("a.pdf", &b"%PDF-"[..], "Files ending in .pdf"),
        ("a.csv", RTF, "This is"),
        ("a.csv", b"\n\n", "This file has only blank rows"),
        ("a.xlsx", BROKEN, "This workbook is damaged"),
        ("a.xlsx", HIDDEN, "All visible sheets"),
    ] {
        let error = open(&mut engine, name, bytes, None).err().unwrap();
        let (kind, message) = error_of(&error);
        assert_eq!(kind, "Problem", "{name}: {message}");
        assert!(message.starts_with(start), "{message}");
        let shown = message_of(&error);
        assert_eq!(field::<String>(&shown, "text"), message);
        assert!(field::<String>(&shown, "code").starts_with("import."), "{name}");
        let sheets = Reflect::get(&error, &"sheets".into()).unwrap();
        assert_eq!(sheets.is_undefined(), bytes != HIDDEN);
        if bytes == HIDDEN {
            let sheets: Array = sheets.unchecked_into();
            let sheet = |sheet: JsValue| (field::<String>(&sheet, "name"), field::<bool>(&sheet, "hidden"));
            let sheets: Vec<_> = sheets.iter().map(sheet).collect();
            assert_eq!(sheets, [("Front".to_owned(), false), ("Back".to_owned(), true)]);
        }
    }
    let missing = open(&mut engine, "a.xlsx", CONTACTS, Some("Nya")).err().unwrap();
    assert!(error_of(&missing).1.starts_with("This workbook has no sheet of that name"));
    // The previous file is still open.
    assert_eq!(field::<Vec<String>>(&engine.head().unwrap().js_value(), "fileColumns").len(), 3);
}

#[wasm_bindgen_test]
fn a_file_that_needs_libraries_asks_for_the_other_module() {
    let mut engine = create_engine();
    for (name, bytes) in [
        ("a.csv", &b"Namn;Ort\nBj\xF6rn;Malm\xF6\n"[..]),
        ("a.ods", include_bytes!("../../../core/tests/files/libreoffice-oddities.ods")),
        ("a.xlsx", include_bytes!("../../../core/tests/files/odd-encrypted-standard.xlsx")),
        ("a.xls", include_bytes!("../../../core/tests/files/foreign-disorder.xls")),
    ] {
        assert_eq!(error_of(&open(&mut engine, name, bytes, None).err().unwrap()).0, "NeedsFallback", "{name}");
    }
    let head = opened(&mut engine, "a.xls", HAND_OVER);
    begin(&mut engine, &head).unwrap();
    assert_eq!(run(&mut engine).map_err(|error| error.0), Err("NeedsFallback".into()));
    assert_eq!(counts(&engine)[0], 998);
}

#[wasm_bindgen_test]
fn an_invalid_mapping_or_correction_names_the_field() {
    let mut engine = create_engine();
    let head = opened(&mut engine, "a.csv", FILE);
    let call = |engine: &mut _, mapping: &str, corrections: &str| {
        helpers::begin_with(engine, &js_sys::JSON::parse(mapping).unwrap(), js_sys::JSON::parse(corrections).unwrap())
    };
    let error = call(&mut engine, r#"[{"fileColumn":"Name","modelColumn":"name"}]"#, "{}").unwrap_err();
    assert_eq!(error_of(&error).1, "Please map all columns before importing");
    assert_eq!(field::<String>(&message_of(&error), "field"), "columnMapping");
    let foreign = helpers::corrections(r#"{"cells":[{"row":2,"fileColumn":"Land","value":""}]}"#);
    let error =
        helpers::begin_with(&mut engine, &Reflect::get(&head, &"matches".into()).unwrap(), foreign).unwrap_err();
    assert_eq!(field::<String>(&message_of(&error), "field"), "corrections");
    assert_eq!(error_of(&call(&mut engine, "[7]", "{}").unwrap_err()).0, "Error");
    assert_eq!(error_of(&call(&mut engine, "[]", "null").unwrap_err()).0, "Error");
}

#[wasm_bindgen_test]
fn calls_in_the_wrong_order_throw_and_leave_the_engine_usable() {
    let mut engine = create_engine();
    assert_eq!(run(&mut engine), Err(("Error".into(), "No file was opened".into())));
    let head = opened(&mut engine, "a.csv", FILE);
    assert_eq!(run(&mut engine), Err(("Error".into(), "No check was started".into())));
    assert_eq!(counts(&engine), [0; 7]);
    assert!(evaluate("value.top", &engine.kinds().ok().unwrap().js_value()) == "[]");
    assert!(
        engine.problems(-1, 0, 9).is_ok_and(|problems| problems.is_empty())
            && engine.duplicates().is_ok_and(|duplicates| duplicates.is_empty())
    );
    begin(&mut engine, &head).unwrap();
    assert_eq!(run(&mut engine), Ok("end".into()));
    engine.close();
    assert_eq!(counts(&engine), [0; 7]);
}

#[wasm_bindgen_test]
fn random_bytes_leave_the_engine_usable() {
    let mut engine = create_engine();
    for round in 0..2_000_u32 {
        let garbage: Vec<u8> = (0..64 + round % 64).map(|i| (i.wrapping_mul(2_654_435_761) ^ round) as u8).collect();
        let ending = ["csv", "xlsx", "xls", "pdf"][round as usize % 4];
        if let Err(error) = open(&mut engine, &format!("f.{ending}"), &garbage, None) {
            assert!(error_of(&error).1.len() > 20);
        }
    }
    opened(&mut engine, "a.csv", FILE);
}

#[wasm_bindgen_test]
fn browsers_support_every_offered_encoding_except_code_pages() {
    let names = forecourt_engine::encodings();
    assert_eq!(names[0], "UTF-8");
    let known = Function::new_with_args("names", "return names.every(name => new TextDecoder(name))");
    let is_page = |name: &String| forecourt_core::import::codepages::code_page(name).is_some();
    let names: Array = names.into_iter().filter(|name| !is_page(name)).map(JsValue::from).collect();
    assert_eq!(known.call1(&JsValue::NULL, &names), Ok(JsValue::TRUE));
}
