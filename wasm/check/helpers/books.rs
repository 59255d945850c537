//! Helpers shared by the tests of the workbook readers.

#[path = "rows.rs"]
mod packed;

use forecourt_check::{ReadAt, Sheet};
use forecourt_core::import::head::{Recognised, read_head};
use forecourt_core::import::{Checker, ColumnMapping, FileKind, Layout, Limits, Patches, Plan, ReadOptions, RowBuffer};
use js_sys::{Function, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

pub use packed::rows;

/// Returns a function that reads from `bytes`, which are copied to JavaScript.
pub fn read_at(bytes: &[u8]) -> ReadAt {
    let make = Function::new_with_args("bytes", "return (offset, length) => bytes.slice(offset, offset + length)");
    make.call1(&JsValue::NULL, &Uint8Array::from(bytes)).unwrap().unchecked_into()
}

/// Checks a sheet in steps of one row and of many, which must give the same results, and returns the counts.
macro_rules! check_in_steps {
    ($reader:ident, $sheet:ident, $plan:expr) => {{
        let [by_row, (counts, digest)] = [1, 1_000].map(|step| {
            $reader.begin($plan).unwrap();
            $reader.start($sheet).unwrap();
            while $reader.step(step).unwrap() {}
            ($reader.counts(), $reader.digest())
        });
        assert_eq!(by_row, (counts.clone(), digest));
        counts
    }};
}

pub fn sheet_names(sheets: Vec<Sheet>) -> Vec<String> {
    let name = |sheet: Sheet| Reflect::get(&sheet.into(), &"name".into()).unwrap().as_string().unwrap();
    sheets.into_iter().map(name).collect()
}

/// Returns the name and the message of a JavaScript error.
pub fn name_and_message(error: &JsValue) -> (String, String) {
    let of = |key: &str| Reflect::get(error, &key.into()).unwrap().as_string().unwrap();
    (of("name"), of("message"))
}

/// Returns the packed plan that results from accepting the detected columns and mapping unchanged.
pub fn plan(kind: FileKind, sample: &[RowBuffer]) -> Vec<u8> {
    let recognised =
        Recognised { kind, encoding: None, delimiter: None, sheet: None, sheets: Vec::new(), notices: Vec::new() };
    let limits = Limits::default();
    let (head, layout): (_, Layout) = read_head(recognised, sample, &ReadOptions::default(), 10, &limits).unwrap();
    let mapping: Vec<ColumnMapping> = head
        .matches
        .iter()
        .map(|m| ColumnMapping { file_column: m.file_column.clone(), model_column: m.model_column.as_str().into() })
        .collect();
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    Checker::pack(&layout, &plan, &Patches::default(), &limits)
}
