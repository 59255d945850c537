#[macro_use]
#[path = "../../check/helpers/books.rs"]
mod books;

use crate::XlsReader;
use books::{name_and_message, plan, read_at, rows, sheet_names};
use forecourt_core::import::FileKind;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

const CONTACTS: &[u8] = include_bytes!("../../../core/tests/files/xlwt-oddities.xls");
const CUT_OFF: &[u8] = include_bytes!("../../../core/tests/files/hostile-cut-off.xls");
const DISORDERED: &[u8] = include_bytes!("../../../core/tests/files/foreign-disorder.xls");

fn reader(bytes: &[u8]) -> Result<XlsReader, JsValue> {
    XlsReader::new(bytes.len() as f64, read_at(bytes), None)
}

#[wasm_bindgen_test]
fn samples_and_checks_a_workbook() {
    let mut reader = reader(CONTACTS).unwrap();
    assert_eq!(sheet_names(reader.sheets()), ["Listor", "Config", "Kontakter", "Gamla"]);
    let sheet = reader.choose(None).unwrap();
    assert_eq!((sheet, reader.notices().is_empty()), (2, false));
    assert_eq!(reader.choose(Some("Gamla".into())).unwrap(), 3);
    let sample = rows(&reader.sample(sheet).unwrap());
    assert_eq!(sample.iter().map(|row| row.number()).collect::<Vec<_>>(), [2, 4, 5, 6, 7, 8]);
    assert_eq!(sample[2].row().cells().map(|(_, text)| text).collect::<Vec<_>>()[..2], ["Åsa Öberg", "asa@example.se"]);
    let plan = plan(FileKind::Xls, &sample);
    assert_eq!(check_in_steps!(reader, sheet, &plan)[..3], [4.0, 4.0, 0.0]);
}

#[wasm_bindgen_test]
fn throws_a_problem_for_a_file_that_cannot_be_read() {
    let file_error = |bytes| name_and_message(&reader(bytes).and_then(|mut reader| reader.choose(None)).unwrap_err());
    let (name, message) = file_error(CUT_OFF);
    assert_eq!(name, "Problem");
    assert!(message.starts_with("This workbook is damaged"), "{message}");
    // Unordered cells need the fallback reader. Encrypted files and code pages need it too, unless this package is
    // built with the features of that reader, as it is for these tests.
    assert_eq!(file_error(DISORDERED).0, "NeedsFallback");
}
