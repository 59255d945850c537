//! The import engine in the browser's worker with the readers of all files. Besides those of `wasm/import`, it reads
//! text in other encodings than UTF-8, .xlsb and .ods, the .xlsx and .xls that the other readers do not support, and
//! workbooks encrypted with Excel's default password. It is fetched when the browser is idle, so
//! that it is available offline, or before that when a file needs it. A file may crash one of its libraries: the call
//! then throws a `RuntimeError`, the module is unusable, and the caller must discard the worker.

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
