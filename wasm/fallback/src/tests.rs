//! Tests of this package's bindings, in Node.js and in a browser's worker. The rules have their own tests in `core`.

#[path = "../../check/helpers/rows.rs"]
mod packed;

use crate::{BookReader, guess_encoding, unlock};
use forecourt_core::import::pack::Unpacker;
use forecourt_core::import::{Checker, ColumnMapping, Layout, Limits, Patches, Plan};
use js_sys::{Array, Error, JSON, Reflect};
use packed::rows;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

const FILES: [(&str, &[u8]); 5] = [
    ("xls", include_bytes!("../../../core/tests/files/xlwt-oddities.xls")),
    ("xlsx", include_bytes!("../../../core/tests/files/exceljs-oddities.xlsx")),
    ("ods", include_bytes!("../../../core/tests/files/libreoffice-oddities.ods")),
    ("xls", include_bytes!("../../../core/tests/files/sheetjs-oddities.xls")),
    ("xlsb", include_bytes!("../../../core/tests/files/sheetjs-oddities.xlsb")),
];

fn reader(kind: &str, bytes: &[u8]) -> BookReader {
    BookReader::new(bytes.to_vec(), kind, None).unwrap()
}

fn thrown<T>(outcome: Result<T, JsValue>) -> Error {
    outcome.err().unwrap().unchecked_into()
}

/// Returns a packed plan that maps the column “Name” of the sample to the contact's name.
fn plan(sample: &[u8], limits: &Limits) -> Vec<u8> {
    let layout = Layout::detect(&rows(sample), None, limits, &mut Vec::new()).unwrap();
    let model = |column: &String| if column == "Name" { "name" } else { "otherDetails" };
    let mapping = |column: &String| ColumnMapping { file_column: column.clone(), model_column: model(column).into() };
    let plan = Plan::new(layout.names(), &layout.names().iter().map(mapping).collect::<Vec<_>>()).unwrap();
    Checker::pack(&layout, &plan, &Patches::default(), limits)
}

fn check(reader: &mut BookReader, limits: &Limits) -> Result<(), JsValue> {
    let sheet = reader.choose(None)?;
    let sample = reader.sample(sheet)?;
    reader.begin(&plan(&sample, limits))?;
    reader.start(sheet)?;
    while reader.step(2)? {}
    Ok(())
}

#[wasm_bindgen_test]
fn reads_and_checks_every_kind_of_workbook() {
    for (kind, bytes) in FILES {
        let mut reader = reader(kind, bytes);
        let sheets: Array = reader.sheets().into_iter().map(JsValue::from).collect();
        let sheets = String::from(JSON::stringify(&sheets).unwrap());
        assert!(sheets.starts_with(r#"[{"name":"Listor","hidden":true},"#), "{sheets}");
        assert!(
            sheets.ends_with(r#"{"name":"Kontakter","hidden":false},{"name":"Gamla","hidden":false}]"#),
            "{sheets}"
        );
        check(&mut reader, &Limits::default()).unwrap();
        let notices = reader.notices();
        let notice = "Only the sheet “Kontakter” is read. The sheet “Gamla” is left out.";
        assert_eq!(Unpacker::new(&notices).read_text(), Some(notice));
        assert_eq!(reader.counts()[..4], [4.0, 4.0, 0.0, 0.0], "{kind}");
        let digest = reader.digest();
        check(&mut reader, &Limits::default()).unwrap();
        assert_eq!((reader.digest(), reader.counts()[0]), (digest, 4.0), "{kind}");
    }
}

#[wasm_bindgen_test]
fn choosing_a_sheet_by_name_gives_no_notice() {
    let mut reader = reader("xls", FILES[0].1);
    assert_eq!(reader.choose(Some("Listor".into())).unwrap(), 0);
    assert!(reader.notices().is_empty());
    let error = thrown(reader.choose(Some("Nya".into())));
    assert_eq!(String::from(error.message()), "This workbook has no sheet of that name. Choose another sheet.");
    assert!(thrown(reader.sample(9)).message().length() > 20);
}

#[wasm_bindgen_test]
fn rejects_a_workbook_with_too_many_rows_and_names_the_limit() {
    let limits = Limits { rows: 2, ..Limits::default() };
    let mut reader = BookReader::new(FILES[0].1.to_vec(), "xls", Some(limits.pack())).unwrap();
    let error = thrown(check(&mut reader, &limits));
    assert_eq!(String::from(error.name()), "Problem");
    assert!(String::from(error.message()).starts_with("This file has more than 2 rows."));
    assert_eq!(Reflect::get(&error, &"status".into()).unwrap().as_f64(), Some(400.0));
}

#[wasm_bindgen_test]
fn random_bytes_give_a_problem_and_leave_the_module_usable() {
    for round in 0..2_000_u32 {
        let garbage: Vec<u8> = (0..600).map(|i: u32| (i.wrapping_mul(2_654_435_761) ^ round) as u8).collect();
        let kind = ["xls", "xlsx", "xlsb", "ods"][round as usize % 4];
        let error = thrown(BookReader::new(garbage, kind, None));
        assert_eq!(String::from(error.name()), "Problem");
        assert!(error.message().length() > 20);
    }
    check(&mut reader("xls", FILES[0].1), &Limits::default()).unwrap();
}

#[wasm_bindgen_test]
fn rejects_hostile_and_password_protected_files() {
    for (kind, bytes) in [
        ("xls", &include_bytes!("../../../core/tests/files/hostile-circle.xls")[..]),
        ("xlsx", include_bytes!("../../../core/tests/files/hostile-texts-4-billion.xlsx")),
        ("ods", include_bytes!("../../../core/tests/files/foreign-password.ods")),
        ("xls", include_bytes!("../../../core/tests/files/protected-97.xls")),
    ] {
        assert_eq!(String::from(thrown(BookReader::new(bytes.to_vec(), kind, None)).name()), "Problem");
    }
}

#[wasm_bindgen_test]
fn invalid_arguments_give_an_error_instead_of_a_problem() {
    for (kind, limits) in [("csv", None), ("", None), ("xls", Some(vec![1, 2, 3]))] {
        let error = thrown(BookReader::new(FILES[0].1.to_vec(), kind, limits));
        assert_eq!(String::from(error.name()), "Error");
    }
    let mut reader = reader("xls", FILES[0].1);
    assert_eq!(String::from(thrown(reader.begin(&[7; 9])).name()), "Error");
    assert!(!reader.step(5).unwrap());
}

#[wasm_bindgen_test]
fn guesses_the_encoding_of_a_text() {
    assert_eq!(guess_encoding(b"\xC5sa \xD6berg;Malm\xF6\nBj\xF6rn;Ume\xE5\n"), "windows-1252");
    let russian = b"\xC0\xED\xED\xE0 \xCA\xE0\xF0\xE5\xED\xE8\xED\xE0;\xCC\xEE\xF1\xEA\xE2\xE0\n";
    assert_eq!(guess_encoding(russian), "windows-1251");
    assert!(!guess_encoding(&[]).is_empty());
}

#[wasm_bindgen_test]
fn decrypts_only_workbooks_with_excels_default_password() {
    let locked = include_bytes!("../../../core/tests/files/odd-encrypted-standard.xlsx");
    let whole = include_bytes!("../../../core/tests/files/odd-formats.xlsx");
    assert_eq!(unlock(locked.to_vec()).unwrap().as_deref(), Some(&whole[..]));
    assert_eq!(unlock(FILES[0].1.to_vec()).unwrap(), None);
    let protected = include_bytes!("../../../core/tests/files/protected.xlsx");
    let error = thrown(unlock(protected.to_vec()));
    assert!(String::from(error.message()).starts_with("This workbook is protected with a password"));
}
