use crate::XlsxReader;
use forecourt_check::ReadAt;
use forecourt_core::import::head::{Recognised, look};
use forecourt_core::import::pack::Unpacker;
use forecourt_core::import::{Checker, ColumnMapping, FileKind, Layout, Limits, Patches, Plan, ReadOptions, RowBuffer};
use js_sys::{Function, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

const CONTACTS: &[u8] = include_bytes!("../../../core/tests/files/kontakter.xlsx");
const BROKEN: &[u8] = include_bytes!("../../../core/tests/files/broken.xlsx");
const HIDDEN: &[u8] = include_bytes!("../../../core/tests/files/only-hidden-sheets.xlsx");

/// A reader of these bytes, which JavaScript holds.
fn reader(bytes: &[u8]) -> Result<XlsxReader, JsValue> {
    let make = Function::new_with_args("bytes", "return (offset, length) => bytes.slice(offset, offset + length)");
    let read: ReadAt = make.call1(&JsValue::NULL, &Uint8Array::from(bytes)).unwrap().unchecked_into();
    XlsxReader::new(bytes.len() as f64, read, None)
}

fn named(error: &JsValue) -> (String, String) {
    let of = |key: &str| Reflect::get(error, &key.into()).unwrap().as_string().unwrap();
    (of("name"), of("message"))
}

fn rows(packed: &[u8]) -> Vec<RowBuffer> {
    let mut rest = Unpacker::new(packed);
    let mut rows = Vec::new();
    while !rest.is_empty() {
        let mut row = RowBuffer::default();
        rest.row(&mut row).unwrap();
        rows.push(row);
    }
    rows
}

/// The plan that a person agrees to who changes nothing.
fn plan(sample: &[RowBuffer]) -> Vec<u8> {
    let recognised = Recognised {
        kind: FileKind::Xlsx,
        encoding: None,
        delimiter: None,
        sheet: None,
        sheets: Vec::new(),
        notices: Vec::new(),
    };
    let limits = Limits::default();
    let (head, layout): (_, Layout) = look(recognised, sample, &ReadOptions::default(), 10, &limits).unwrap();
    let mapping: Vec<ColumnMapping> = head
        .matches
        .iter()
        .map(|m| ColumnMapping { file_column: m.file_column.clone(), model_column: m.model_column.as_str().into() })
        .collect();
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    Checker::pack(&layout, &plan, &Patches::default(), &limits)
}

#[wasm_bindgen_test]
fn a_workbook_is_sampled_and_checked_row_by_row() {
    let mut reader = reader(CONTACTS).unwrap();
    let sheets: Vec<JsValue> = reader.sheets().into_iter().map(Into::into).collect();
    let names: Vec<_> =
        sheets.iter().map(|sheet| Reflect::get(sheet, &"name".into()).unwrap().as_string().unwrap()).collect();
    assert_eq!(names, ["Listor", "Kontakter", "Gamla"]);
    let sheet = reader.choose(None).unwrap();
    assert_eq!((sheet, reader.notices().len()), (1, 1));
    assert_eq!(reader.choose(Some("Gamla".into())).unwrap(), 2);
    let sample = rows(&reader.sample(sheet).unwrap());
    assert_eq!(sample.len(), 5);
    assert_eq!(sample[1].row().cells().map(|(_, text)| text).collect::<Vec<_>>()[..2], ["Åsa Öberg", "asa@example.se"]);
    let plan = plan(&sample);
    let mut digests = Vec::new();
    for step in [1, 1_000] {
        reader.begin(&plan).unwrap();
        reader.start(sheet).unwrap();
        while reader.step(step).unwrap() {}
        assert_eq!(reader.counts()[..3], [4.0, 3.0, 1.0]);
        digests.push(reader.digest());
    }
    assert_eq!(digests[0], digests[1]);
    assert!(!reader.problems(-1, 0, 10).is_empty());
}

#[wasm_bindgen_test]
fn what_cannot_be_read_is_thrown_with_its_sentence() {
    let (name, message) = named(&reader(BROKEN).err().unwrap());
    assert_eq!(name, "Problem");
    assert!(message.starts_with("This workbook is damaged"), "{message}");
    let (name, message) = named(&reader(HIDDEN).unwrap().choose(None).unwrap_err());
    assert_eq!(name, "Problem");
    assert!(message.starts_with("All visible sheets"), "{message}");
    // Many entries ask for the other reader.
    let mut many = b"PK\x05\x06\0\0\0\0".to_vec();
    many.extend([0xFF; 12]);
    many.extend([0; 2]);
    assert_eq!(named(&reader(&many).err().unwrap()).0, "NeedsFallback");
}
