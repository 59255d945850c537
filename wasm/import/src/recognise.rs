//! What a file is, by its beginning.

use crate::refused;
use forecourt_call::{Failure, give, read};
use forecourt_core::import::recognise::{self, DetectedFormat, ENCODINGS, FirstInvalidUtf8, HEAD_BYTES};
use forecourt_core::import::{FileError, FileKind, Limits, ReadOptions};
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// What a file's first bytes say of it.
#[derive(Serialize, Tsify)]
pub struct Recognition {
    pub kind: FileKind,
    /// A text's encoding by its WHATWG name, as `TextDecoder` takes it (with `ignoreBOM`, and streaming); absent where it
    /// is to be guessed from the bytes that {@link FirstWrong} points to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// What follows may not overturn the encoding.
    pub sure: bool,
    /// The file may be encrypted: what `unlock` makes of it is recognised in its place.
    pub locked: bool,
    /// Where a text begins: after a byte order mark.
    pub mark: usize,
    /// What a person should know of the file.
    pub notices: Vec<String>,
}

/// How a text is cut into cells.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct TextShape {
    /// The delimiter's code.
    pub delimiter: u8,
    /// The first line names the delimiter, and isn't shown.
    pub separator_line: bool,
}

/// An encoding that a person can choose.
#[derive(Serialize, Tsify)]
pub struct EncodingChoice {
    pub value: &'static str,
    pub label: &'static str,
}

/// How many bytes of a file's beginning {@link recognise} and {@link shape} look at.
#[wasm_bindgen(js_name = headSize)]
pub fn head_size() -> u32 {
    HEAD_BYTES as u32
}

/// Throws a `Problem` if a file of so many bytes is too large to be read; asked before its bytes are.
#[wasm_bindgen(js_name = checkSize)]
pub fn check_size(bytes: f64, limits: Option<Ts<Limits>>) -> Result<(), Failure> {
    Ok(read_limits(limits)?.check_size(bytes as u64).map_err(refused)?)
}

/// Tells what a file is by its name, its size and its first bytes. Throws a `Problem` that says why it can't be imported.
#[wasm_bindgen]
pub fn recognise(name: &str, size: f64, head: &[u8], limits: Option<Ts<Limits>>) -> Result<Ts<Recognition>, Failure> {
    let (found, notices) = recognise::recognise(name, size as u64, head, &read_limits(limits)?).map_err(refused)?;
    let kind = found.kind();
    let (encoding, sure, mark) = match found {
        DetectedFormat::Text { encoding, is_certain, mark } => (encoding, is_certain, mark),
        DetectedFormat::Xlsx | DetectedFormat::MaybeEncrypted | DetectedFormat::OtherWorkbook(_) => (None, true, 0),
    };
    give(&Recognition { kind, encoding, sure, locked: found == DetectedFormat::MaybeEncrypted, mark, notices })
}

/// How a text is cut, by its decoded beginning. Throws a `Problem` if it is no text in the encoding that was chosen.
#[wasm_bindgen]
pub fn shape(text: &str, options: Ts<ReadOptions>) -> Result<Ts<TextShape>, Failure> {
    let dialect = recognise::detect_dialect(text, &read(&options)?).ok_or_else(|| refused(FileError::NoText))?;
    give(&TextShape { delimiter: dialect.delimiter, separator_line: dialect.has_separator_line })
}

/// The encodings that a person can choose from, in the order of a menu.
#[wasm_bindgen]
pub fn encodings() -> Result<Vec<Ts<EncodingChoice>>, Failure> {
    ENCODINGS.iter().map(|&(value, label)| give(&EncodingChoice { value, label })).collect()
}

/// Finds where a file stops being UTF-8, in pieces of any size from its very beginning: the bytes from there on are what
/// its encoding is guessed from.
#[wasm_bindgen(js_name = FirstWrong)]
#[derive(Default)]
pub struct Wrong {
    found: FirstInvalidUtf8,
}

#[wasm_bindgen(js_class = FirstWrong)]
impl Wrong {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Wrong {
        Wrong::default()
    }

    /// How many bytes are to be looked at.
    #[wasm_bindgen(getter)]
    pub fn look(&self) -> u32 {
        FirstInvalidUtf8::SAMPLE_BYTES as u32
    }

    /// Takes the next piece; gives from where on to look, once that is known.
    pub fn push(&mut self, piece: &[u8], last: bool) -> Option<f64> {
        self.found.push(piece, last).map(|place| place as f64)
    }
}

/// The house's limits, or those that hold where none are given.
pub(crate) fn read_limits(limits: Option<Ts<Limits>>) -> Result<Limits, Failure> {
    Ok(limits.as_ref().map(read).transpose()?.unwrap_or_default())
}
