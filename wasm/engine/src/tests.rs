use crate::JsBlob;
use forecourt_core::import::Blob;
use js_sys::{Array, Function};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

const SIZE: u64 = 3_000_000;

/// Returns a file, and the list of the lengths that were requested from it. `body` is the body of the JavaScript
/// function (offset, into) that reads the file: it fills `into` and returns how many bytes it wrote.
fn file(body: &str) -> (JsBlob, Array) {
    let requested = Array::new();
    let make = Function::new_with_args(
        "requested",
        &format!("return (offset, into) => {{ requested.push(into.length); {body} }}"),
    );
    let read = make.call1(&JsValue::NULL, &requested).unwrap().unchecked_into();
    (JsBlob::new(SIZE as f64, read), requested)
}

fn file_of_numbers() -> (JsBlob, Array) {
    file("for (let i = 0; i < into.length; i++) into[i] = (offset + i) % 251; return into.length")
}

fn assert_reads(blob: &mut JsBlob, offset: u64, length: usize) {
    let mut bytes = vec![255; length];
    let expected = length.min(SIZE.saturating_sub(offset) as usize);
    assert_eq!(blob.read_at(offset, &mut bytes).unwrap(), expected);
    assert!(bytes[..expected].iter().zip(offset..).all(|(byte, at)| u64::from(*byte) == at % 251));
}

#[wasm_bindgen_test]
fn reads_the_requested_bytes() {
    let (mut blob, _) = file_of_numbers();
    assert_eq!(blob.size(), SIZE);
    for (offset, length) in
        [(0, 10), (5, 70_000), (SIZE - 3, 10), (SIZE, 4), (SIZE + 9, 1), (65_535, 2), (7, 2_000_000)]
    {
        assert_reads(&mut blob, offset, length);
    }
}

#[wasm_bindgen_test]
fn sequential_reads_grow_and_recent_pages_are_cached() {
    let (mut blob, requested) = file_of_numbers();
    for offset in (0..1_000_000).step_by(5_000) {
        assert_reads(&mut blob, offset, 5_000);
        assert_reads(&mut blob, 2_900_000 + offset / 100, 10);
    }
    let requested: Vec<f64> = requested.iter().filter_map(|length| length.as_f64()).collect();
    assert_eq!(requested, [65_536.0, 65_536.0, 131_072.0, 262_144.0, 524_288.0, 1_048_576.0]);
}

#[wasm_bindgen_test]
fn a_deleted_or_changed_file_is_an_error() {
    for body in ["throw new Error('gone')", "return undefined", "return 1"] {
        assert!(file(body).0.read_at(0, &mut [0; 4]).is_err(), "{body}");
    }
}
