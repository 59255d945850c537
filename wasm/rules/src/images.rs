//! Bindings for the rules for uploaded images.

use crate::BindingResult;
use forecourt_call::to_js;
use forecourt_core::images::{self, ImageUse};
use forecourt_core::message::Message;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Returns the message that says why an image can't be used; `undefined` if it can. `size` is the size of the file in
/// bytes, `head` are its first bytes, as many as [`image_head_bytes`] returns.
#[wasm_bindgen(js_name = checkImage)]
pub fn check_image(image: Ts<ImageUse>, size: f64, head: &[u8]) -> BindingResult<Option<Ts<Message>>> {
    // A file's size is an integer well below 2^53.
    images::check_image(forecourt_call::read(&image)?, size as u64, head).err().map(to_js).transpose()
}

/// Returns the number of bytes at the beginning of a file that identify its format.
#[wasm_bindgen(js_name = imageHeadBytes)]
pub fn image_head_bytes() -> u32 {
    u32::try_from(images::HEAD_BYTES).unwrap_or(u32::MAX)
}
