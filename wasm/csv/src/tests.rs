//! Tests of this package's bindings, in Node.js and in a browser's worker. The rules have their own tests in `core`.

#[path = "../../check/helpers/rows.rs"]
mod packed;

use crate::CsvReader;
use forecourt_core::import::pack::Unpacker;
use forecourt_core::import::{
    Checker, ColumnMapping, Corrections, Duplicates, Layout, Limits, Patches, Plan, RowBuffer,
};
use packed::rows;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

const COLUMNS: [(&str, &str); 3] = [("Name", "name"), ("Email", "email"), ("Town", "otherDetails")];
const FILE: &[u8] = "Name,Email,Town\nÅsa,asa@example.se,Malmö\nBo,nowhere,Lund\n,,\n,eva@example.se,Ystad\nÅke,ASA@example.se,\"Lund,\n\"\"C\"\"\"\n".as_bytes();

fn reader() -> CsvReader {
    CsvReader::new(b',', false, false, None).unwrap()
}

fn plan(corrections: &Corrections) -> Vec<u8> {
    let mapping = COLUMNS.map(|(file, model)| ColumnMapping { file_column: file.into(), model_column: model.into() });
    let sample = rows(&reader().sample(FILE, true).unwrap());
    let layout = Layout::detect(&sample, Some(1), &Limits::default(), &mut Vec::new()).unwrap();
    let plan = Plan::new(layout.names(), &mapping).unwrap();
    let patches = Patches::new(layout.names(), corrections).unwrap();
    Checker::pack(&layout, &plan, &patches, &Limits::default())
}

fn checked(text: &[u8], size: usize) -> CsvReader {
    let mut reader = reader();
    reader.begin(&plan(&Corrections::default())).unwrap();
    feed(&mut reader, text, size);
    reader
}

fn feed(reader: &mut CsvReader, text: &[u8], size: usize) {
    let count = text.chunks(size).count();
    for (index, chunk) in text.chunks(size).enumerate() {
        assert_eq!(reader.push(chunk, index + 1 == count).unwrap(), 0);
    }
}

fn thrown(error: JsValue) -> (String, String) {
    let error: js_sys::Error = error.unchecked_into();
    (error.name().into(), error.message().into())
}

#[wasm_bindgen_test]
fn sample_returns_the_first_rows() {
    let found = rows(&reader().sample(FILE, true).unwrap());
    let texts = |row: &RowBuffer| row.row().cells().map(|(_, text)| text.to_owned()).collect::<Vec<_>>();
    assert_eq!(found.iter().map(RowBuffer::number).collect::<Vec<_>>(), [1, 2, 3, 5, 6]);
    assert_eq!(texts(&found[1]), ["Åsa", "asa@example.se", "Malmö"]);
    // The last row is left out, because it may continue after the beginning.
    assert_eq!(rows(&reader().sample(&FILE[..FILE.len() - 1], false).unwrap()).len(), 4);
    let long = "a,b\n".repeat(5_000);
    assert_eq!(rows(&reader().sample(long.as_bytes(), false).unwrap()).len(), 101);
}

#[wasm_bindgen_test]
fn a_check_returns_counts_and_windows_of_problems_and_duplicates() {
    let reader = checked(FILE, usize::MAX);
    assert_eq!(reader.counts(), [4.0, 2.0, 2.0, 0.0, 1.0, 2.0, 2.0, 1.0]);
    let kinds = reader.kinds();
    let mut kinds = Unpacker::new(&kinds);
    assert_eq!(kinds.read_number(), Some(2));
    let mut kind = || {
        let kind = (kinds.read_number(), kinds.read_number(), kinds.read_number(), kinds.read_text());
        // The code and the number of parameters.
        kinds.read_text();
        kinds.read_number();
        kind
    };
    assert_eq!(kind(), (Some(1), Some(1), Some(1), Some("Please enter a valid email address")));
    assert_eq!(kind(), (Some(0), Some(1), Some(1), Some("Name is required")));
    let problems = reader.problems(-1, 1, 9);
    let mut problem = Unpacker::new(&problems);
    assert_eq!((problem.read_number(), problem.read_number(), problem.read_text()), (Some(5), Some(1), Some("")));
    assert_eq!(
        (problem.read_number(), problem.read_number(), problem.read_text()),
        (Some(2), Some(1), Some("eva@example.se"))
    );
    assert_eq!(reader.problems(1, 0, 9), problems);
    assert!(reader.problems(7, 0, 9).is_empty() && reader.problems(-1, 2, u32::MAX).is_empty());
    let repeats = reader.repeats(0, 9);
    let mut repeat = Unpacker::new(&repeats);
    assert_eq!((repeat.read_number(), repeat.read_number(), repeat.is_empty()), (Some(6), Some(2), true));
    assert_eq!((reader.alike(0, "nowhere"), reader.alike(0, "elsewhere"), reader.alike(9, "")), (1, 0, 0));
}

#[wasm_bindgen_test]
fn the_result_does_not_depend_on_the_size_of_the_pieces() {
    let whole = checked(FILE, usize::MAX);
    for size in [1, 2, 7, 64] {
        let reader = checked(FILE, size);
        assert_eq!((reader.counts(), reader.digest()), (whole.counts(), whole.digest()));
        assert_eq!(reader.problems(-1, 0, 9), whole.problems(-1, 0, 9));
    }
    assert_eq!(whole.digest().len(), 16);
}

#[wasm_bindgen_test]
fn a_new_check_with_another_plan_replaces_the_first() {
    let mut reader = checked(FILE, 9);
    let refuse = Corrections { duplicates: Duplicates::Refuse, left_out: vec![3, 5], ..Corrections::default() };
    reader.begin(&plan(&refuse)).unwrap();
    assert_eq!(reader.counts(), [0.0; 8]);
    feed(&mut reader, FILE, 9);
    assert_eq!(reader.counts(), [2.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 0.0]);
}

#[wasm_bindgen_test]
fn push_returns_1_for_a_text_in_another_encoding() {
    let mut reader = reader();
    reader.begin(&plan(&Corrections::default())).unwrap();
    assert_eq!(reader.push(b"Name,Email\nBj\xF6rn,\n", true).unwrap(), 1);
    let mut sure = CsvReader::new(b',', false, true, None).unwrap();
    sure.begin(&plan(&Corrections::default())).unwrap();
    assert_eq!(sure.push(b"Name,Email\nBj\xF6rn,\n", true).unwrap(), 0);
    assert!(sure.is_damaged() && !checked(FILE, 5).is_damaged());
}

#[wasm_bindgen_test]
fn invalid_arguments_throw_and_leave_the_reader_usable() {
    let mut reader = reader();
    assert_eq!(thrown(reader.push(b"a", true).unwrap_err()).1, "No check was started");
    for garbage in [&b""[..], b"plan", &[255; 400], &plan(&Corrections::default())[1..]] {
        assert_eq!(thrown(reader.begin(garbage).unwrap_err()).1, "Invalid plan");
    }
    assert_eq!(thrown(CsvReader::new(b',', false, true, Some(vec![1])).err().unwrap()).1, "Invalid limits");
    assert_eq!((reader.counts(), reader.digest(), reader.kinds()), (vec![0.0; 8], String::new(), vec![0; 4]));
    assert!(reader.problems(-1, 0, 9).is_empty() && reader.repeats(0, 9).is_empty());

    let limits = Limits { record_bytes: 40, ..Limits::default() };
    let mut reader = CsvReader::new(b',', false, true, Some(limits.pack())).unwrap();
    reader.begin(&plan(&Corrections::default())).unwrap();
    let (name, message) = thrown(reader.push(&b"x".repeat(41), false).unwrap_err());
    assert!(name == "Problem" && message.starts_with("Row 1 has more than 40 bytes"), "{name}: {message}");
    let (name, message) = thrown(reader.sample(b"a\n\"b", true).unwrap_err());
    assert!(name == "Problem" && message.contains("opened in row 2"), "{name}: {message}");
    reader.begin(&plan(&Corrections::default())).unwrap();
    feed(&mut reader, FILE, 3);
    assert_eq!(reader.counts()[0], 4.0);
}
