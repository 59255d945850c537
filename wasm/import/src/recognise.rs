//! Detection of a file's format from its first bytes.

use crate::file_error;
use forecourt_call::{BindingError, read, to_js};
use forecourt_core::import::recognise::{self, DetectedFormat, ENCODINGS, FirstInvalidUtf8, HEAD_BYTES};
use forecourt_core::import::{FileError, FileKind, Limits, ReadOptions};
use forecourt_core::message::Message;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The format detected from a file's first bytes.
#[derive(Serialize, Tsify)]
pub struct Recognition {
    pub kind: FileKind,
    /// The WHATWG name of a text's encoding, as `TextDecoder` takes it (with `ignoreBOM`, and streaming). Absent if it
    /// must be guessed from the bytes that {@link InvalidUtf8Finder} points to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// Whether the encoding is certain, so that later bytes can't change it.
    pub sure: bool,
    /// Whether the file may be encrypted. If so, pass it to `unlock` and detect the format of the result.
    pub locked: bool,
    /// The offset of the text after a byte order mark.
    pub mark: usize,
    /// Notices for the user about the file.
    pub notices: Vec<Message>,
}

/// How a text is split into cells.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct TextShape {
    /// The character code of the delimiter.
    pub delimiter: u8,
    /// Whether the first line only names the delimiter. Such a line isn't displayed.
    pub separator_line: bool,
}

/// Returns the number of bytes at the beginning of a file that {@link recognise} and {@link shape} need.
#[wasm_bindgen(js_name = headSize)]
pub fn head_size() -> u32 {
    HEAD_BYTES as u32
}

/// Throws a `Problem` if a file of this size is too large. Call it before reading the file.
#[wasm_bindgen(js_name = checkSize)]
pub fn check_size(bytes: f64, limits: Option<Ts<Limits>>) -> Result<(), BindingError> {
    Ok(read_limits(limits)?.check_size(bytes as u64).map_err(file_error)?)
}

/// Detects a file's format from its name, its size and its first bytes. Throws a `Problem` that says why it can't be
/// imported.
#[wasm_bindgen]
pub fn recognise(
    name: &str,
    size: f64,
    head: &[u8],
    limits: Option<Ts<Limits>>,
) -> Result<Ts<Recognition>, BindingError> {
    let (found, notices) = recognise::recognise(name, size as u64, head, &read_limits(limits)?).map_err(file_error)?;
    let kind = found.kind();
    let (encoding, sure, mark) = match found {
        DetectedFormat::Text { encoding, is_certain, mark } => (encoding, is_certain, mark),
        DetectedFormat::Xlsx | DetectedFormat::MaybeEncrypted | DetectedFormat::OtherWorkbook(_) => (None, true, 0),
    };
    to_js(&Recognition { kind, encoding, sure, locked: found == DetectedFormat::MaybeEncrypted, mark, notices })
}

/// Detects how a text is split into cells, from its decoded beginning. Throws a `Problem` if it is not text in the
/// selected encoding.
#[wasm_bindgen]
pub fn shape(text: &str, options: Ts<ReadOptions>) -> Result<Ts<TextShape>, BindingError> {
    let dialect = recognise::detect_dialect(text, &read(&options)?).ok_or_else(|| file_error(FileError::NoText))?;
    to_js(&TextShape { delimiter: dialect.delimiter, separator_line: dialect.has_separator_line })
}

/// Returns the names of the encodings that the user can select, in menu order.
#[wasm_bindgen]
pub fn encodings() -> Vec<String> {
    ENCODINGS.map(str::to_owned).into()
}

/// Finds the first invalid UTF-8 sequence of a file, in pieces of any size from the beginning of the file. The encoding
/// is guessed from the bytes there.
#[wasm_bindgen]
#[derive(Default)]
pub struct InvalidUtf8Finder {
    found: FirstInvalidUtf8,
}

#[wasm_bindgen]
impl InvalidUtf8Finder {
    #[wasm_bindgen(constructor)]
    pub fn new() -> InvalidUtf8Finder {
        InvalidUtf8Finder::default()
    }

    /// Returns the number of bytes to guess the encoding from.
    #[wasm_bindgen(getter)]
    pub fn look(&self) -> u32 {
        FirstInvalidUtf8::SAMPLE_BYTES as u32
    }

    /// Takes the next piece. Returns the offset from which to guess the encoding, once it is known.
    pub fn push(&mut self, piece: &[u8], last: bool) -> Option<f64> {
        self.found.push(piece, last).map(|place| place as f64)
    }
}

/// Returns the limits of the installation, or the default limits if absent.
pub(crate) fn read_limits(limits: Option<Ts<Limits>>) -> Result<Limits, BindingError> {
    Ok(limits.as_ref().map(read).transpose()?.unwrap_or_default())
}
