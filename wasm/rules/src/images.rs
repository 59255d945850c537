//! Doors to what an uploaded picture may be.

use crate::Door;
use forecourt_core::images::{self, ImageUse};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The sentence to show for a picture that can't be used; nothing when it can. `size` is the file's in bytes, `head`
/// its first [`image_head_bytes`].
#[wasm_bindgen(js_name = checkImage)]
pub fn check_image(image: Ts<ImageUse>, size: f64, head: &[u8]) -> Door<Option<String>> {
    // A file's size is a whole number well below 2^53.
    Ok(images::check_image(forecourt_call::read(&image)?, size as u64, head).err().map(str::to_owned))
}

/// How many of a file's first bytes tell its kind.
#[wasm_bindgen(js_name = imageHeadBytes)]
pub fn image_head_bytes() -> u32 {
    u32::try_from(images::HEAD_BYTES).unwrap_or(u32::MAX)
}
