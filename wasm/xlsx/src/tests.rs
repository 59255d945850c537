#[macro_use]
#[path = "../../check/helpers/books.rs"]
mod books;

use crate::XlsxReader;
use books::{name_and_message, plan, read_at, rows, sheet_names};
use forecourt_core::import::FileKind;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

const CONTACTS: &[u8] = include_bytes!("../../../core/tests/files/kontakter.xlsx");
const BROKEN: &[u8] = include_bytes!("../../../core/tests/files/broken.xlsx");
const HIDDEN: &[u8] = include_bytes!("../../../core/tests/files/only-hidden-sheets.xlsx");

fn reader(bytes: &[u8]) -> Result<XlsxReader, JsValue> {
    XlsxReader::new(bytes.len() as f64, read_at(bytes), None)
}

#[wasm_bindgen_test]
fn samples_and_checks_a_workbook() {
    let mut reader = reader(CONTACTS).unwrap();
    assert_eq!(sheet_names(reader.sheets()), ["Listor", "Kontakter", "Gamla"]);
    let sheet = reader.choose(None).unwrap();
    assert_eq!((sheet, reader.notices().is_empty()), (1, false));
    assert_eq!(reader.choose(Some("Gamla".into())).unwrap(), 2);
    let sample = rows(&reader.sample(sheet).unwrap());
    assert_eq!(sample.len(), 5);
    assert_eq!(sample[1].row().cells().map(|(_, text)| text).collect::<Vec<_>>()[..2], ["Åsa Öberg", "asa@example.se"]);
    let plan = plan(FileKind::Xlsx, &sample);
    assert_eq!(check_in_steps!(reader, sheet, &plan)[..3], [4.0, 3.0, 1.0]);
    assert!(!reader.problems(-1, 0, 10).is_empty());
}

#[wasm_bindgen_test]
fn throws_a_problem_for_a_file_that_cannot_be_read() {
    let (name, message) = name_and_message(&reader(BROKEN).err().unwrap());
    assert_eq!(name, "Problem");
    assert!(message.starts_with("This workbook is damaged"), "{message}");
    let (name, message) = name_and_message(&reader(HIDDEN).unwrap().choose(None).unwrap_err());
    assert_eq!(name, "Problem");
    assert!(message.starts_with("All visible sheets"), "{message}");
    // An archive that claims a large number of entries needs the fallback reader.
    let mut many = b"PK\x05\x06\0\0\0\0".to_vec();
    many.extend([0xFF; 12]);
    many.extend([0; 2]);
    assert_eq!(name_and_message(&reader(&many).err().unwrap()).0, "NeedsFallback");
}
