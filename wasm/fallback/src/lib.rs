//! The import engine in the browser's worker with all its readers: also of other workbooks, of text in other encodings,
//! and of encrypted workbooks. It is fetched only when a file needs it. A file may crash a library behind it: the call
//! then throws a `RuntimeError`, and the module is unusable. The caller must then discard the worker.

#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;

use forecourt_core::import::Linked;
use forecourt_engine::Engine;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_name = createEngine)]
pub fn create_engine() -> Engine {
    Engine::new(Some(&Linked))
}
